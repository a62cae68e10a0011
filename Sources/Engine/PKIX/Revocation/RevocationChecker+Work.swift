// SPDX-License-Identifier: Apache-2.0

// The work of an evaluation, and its charges.

extension RevocationChecker {
    /// Takes a step, and one more for every 128 bytes whose number the author of the evidence controls.
    /// - Returns: false if there are none left.
    func step(forBytes count: Int = 0) -> Bool {
        budget.steps -= 1 + count / 128
        if budget.steps > 0 { return true }
        hasExceededBudget = true
        return false
    }

    /// Whether two encoded names are the same name; false if the budget has run out.
    func isSameName(
        _ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange
    ) -> Bool {
        guard step() else { return false }
        if bytesEqual(left, leftRange, right, rightRange) { return true }
        let cost = NormalizedName.cost(left, leftRange) + NormalizedName.cost(right, rightRange)
        return step(forBytes: cost / 2) && namesMatch(left, leftRange, right, rightRange)
    }

    /// Whether a certificate's issuer is another certificate's subject, by name.
    func isNamed(_ certificate: Certificate, asIssuedBy issuer: Certificate) -> Bool {
        isSameName(
            certificate.span, certificate.storage.fields.issuer, issuer.span, issuer.storage.fields.subject)
    }
}

// MARK: - Signatures

/// A signature that was checked with a key.
struct SignaturePair: Hashable {
    let evidence: ObjectIdentifier
    /// SHA-256 over the SubjectPublicKeyInfo.
    let key: [UInt8]
}

extension RevocationChecker {
    enum SignatureCheck {
        case valid
        /// The signature is valid, and too weak to vouch: the evidence revokes alone.
        case weak
        case invalid
        /// The algorithm or the key isn't verified here.
        case unsupported
        /// The budget ran out.
        case undecided
    }

    func check(_ crl: CertificateRevocationList, signedBy signer: Certificate) -> SignatureCheck {
        let key = signer.subjectPublicKeyInfoSHA256
        if crl.verifiedKeys.contains(key) { return .valid }
        let outcome = check(
            SignaturePair(evidence: ObjectIdentifier(crl), key: key), signer, crl.fields.signature, crl.fields.tbs,
            crl.span, crl.evidenceScheme)
        if outcome == .valid { crl.verifiedKeys.insert(key) }
        return outcome
    }

    func check(_ response: OCSPResponse, signedBy signer: Certificate) -> SignatureCheck {
        let key = signer.subjectPublicKeyInfoSHA256
        if response.verifiedKeys.contains(key) { return .valid }
        let outcome = check(
            SignaturePair(evidence: ObjectIdentifier(response), key: key), signer, response.fields.signature,
            response.fields.tbs, response.span, response.evidenceScheme)
        if outcome == .valid { response.verifiedKeys.insert(key) }
        return outcome
    }

    /// Checks the signature of a signer's certificate, as that of evidence: it decides about revocations alone.
    func check(_ certificate: Certificate, signedBy issuer: Certificate) -> SignatureCheck {
        let fields = certificate.storage.fields
        let isNamedTwice = bytesEqual(
            certificate.span, fields.tbsAlgorithm.whole, certificate.span, fields.signatureAlgorithm.whole)
        let scheme = EvidenceScheme(certificate.span, fields.signatureAlgorithm)
        return check(
            SignaturePair(evidence: ObjectIdentifier(certificate.storage), key: issuer.subjectPublicKeyInfoSHA256),
            issuer, fields.signature, fields.tbs, certificate.span, isNamedTwice ? scheme : scheme?.weakened)
    }

    private func check(
        _ pair: SignaturePair, _ signer: Certificate, _ signature: ByteRange, _ message: ByteRange,
        _ bytes: Span<UInt8>, _ scheme: EvidenceScheme?
    ) -> SignatureCheck {
        if invalidSignatures.contains(pair) { return .invalid }
        // For this evaluation alone: no weak signature is remembered beside the evidence.
        if weakSignatures.contains(pair) { return .weak }
        guard let scheme, let key = EvidenceKey(signer) else { return .unsupported }
        // An algorithm of another kind of key: another key has signed.
        guard key.fits(scheme) else { return .invalid }
        guard budget.signatures >= key.key.cost, budget.hashedBytes >= message.count else {
            hasExceededBudget = true
            return .undecided
        }
        budget.signatures -= key.key.cost
        budget.hashedBytes -= message.count
        guard key.isValid(signature, over: message, of: bytes, scheme: scheme) else {
            invalidSignatures.insert(pair)
            return .invalid
        }
        guard scheme.isWeak || key.isWeak else { return .valid }
        weakSignatures.insert(pair)
        return .weak
    }
}
