// SPDX-License-Identifier: Apache-2.0

// Measures the work of an evaluation and charges it to the budget.

extension RevocationChecker {
    /// Charges one step, plus one step for every 128 bytes in `count`. Pass the number of bytes that the author of the
    /// evidence controls.
    /// - Returns: false if no steps are left.
    func step(forBytes count: Int = 0) -> Bool {
        budget.steps -= 1 + count / 128
        if budget.steps > 0 { return true }
        hasExceededBudget = true
        return false
    }

    /// Charges for work as if it were hashing.
    /// - Returns: false if the budget has run out.
    func pay(hashedBytes count: Int) -> Bool {
        guard budget.hashedBytes >= count else {
            hasExceededBudget = true
            return false
        }
        budget.hashedBytes -= count
        return true
    }

    /// Whether two encoded names are equal. False if the budget has run out.
    func isSameName(
        _ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange
    ) -> Bool {
        guard step() else { return false }
        if bytesEqual(left, leftRange, right, rightRange) { return true }
        let cost = NormalizedName.cost(left, leftRange) + NormalizedName.cost(right, rightRange)
        return step(forBytes: cost / 2) && namesMatch(left, leftRange, right, rightRange)
    }

    /// Whether a certificate's issuer name equals another certificate's subject.
    func isNamed(_ certificate: Certificate, asIssuedBy issuer: Certificate) -> Bool {
        isSameName(
            certificate.span, certificate.storage.fields.issuer, issuer.span, issuer.storage.fields.subject)
    }
}

// MARK: - Signatures

/// A signature and the key that it was checked with.
struct SignaturePair: Hashable {
    let evidence: ObjectIdentifier
    /// SHA-256 of the SubjectPublicKeyInfo.
    let key: [UInt8]
}

extension RevocationChecker {
    enum SignatureCheck {
        case valid
        /// The signature is valid but weak, so the evidence can only revoke.
        case weak
        case invalid
        /// The engine doesn't verify this algorithm or key.
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

    /// Checks the signature of a signer's certificate in the same way as a signature of evidence. The result affects
    /// only decisions about revocation.
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
        // Only this evaluation stores a weak signature. It is never stored with the evidence.
        if weakSignatures.contains(pair) { return .weak }
        guard let scheme, let key = EvidenceKey(signer) else { return .unsupported }
        // An algorithm that doesn't fit the key means that another key has signed.
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
