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
        case invalid
        /// The budget ran out.
        case undecided
    }

    func check(_ crl: CertificateRevocationList, signedBy signer: Certificate) -> SignatureCheck {
        let key = signer.subjectPublicKeyInfoSHA256
        if crl.verifiedKeys.contains(key) { return .valid }
        guard let scheme = crl.signatureScheme else { return .invalid }
        let outcome = check(
            SignaturePair(evidence: ObjectIdentifier(crl), key: key), signer, crl.fields.signature, crl.fields.tbs,
            crl.span, scheme)
        if outcome == .valid { crl.verifiedKeys.insert(key) }
        return outcome
    }

    func check(_ response: OCSPResponse, signedBy signer: Certificate) -> SignatureCheck {
        let key = signer.subjectPublicKeyInfoSHA256
        if response.verifiedKeys.contains(key) { return .valid }
        guard let scheme = response.signatureScheme else { return .invalid }
        let outcome = check(
            SignaturePair(evidence: ObjectIdentifier(response), key: key), signer, response.fields.signature,
            response.fields.tbs, response.span, scheme)
        if outcome == .valid { response.verifiedKeys.insert(key) }
        return outcome
    }

    private func check(
        _ pair: SignaturePair, _ signer: Certificate, _ signature: ByteRange, _ message: ByteRange,
        _ bytes: Span<UInt8>, _ scheme: SignatureScheme
    ) -> SignatureCheck {
        guard !invalidSignatures.contains(pair) else { return .invalid }
        // Keys that are too weak to sign certificates are too weak to revoke them.
        guard let key = signer.strongVerificationKey, key.fits(scheme) else { return .invalid }
        guard budget.signatures >= key.cost, budget.hashedBytes >= message.count else {
            hasExceededBudget = true
            return .undecided
        }
        budget.signatures -= key.cost
        budget.hashedBytes -= message.count
        if key.isValid(signature, over: message, of: bytes, scheme: scheme) { return .valid }
        invalidSignatures.insert(pair)
        return .invalid
    }
}

extension Certificate {
    /// The key, unless it is one that ``AlgorithmCheck`` refuses.
    fileprivate var strongVerificationKey: VerificationKey? {
        switch KeyForm.read(span, storage.fields.spki) {
        case .rsa(let numbers), .rsaPSSOnly(let numbers, _):
            AlgorithmCheck.allowedRSABits.contains(numbers.bits) ? makeVerificationKey() : nil
        default: makeVerificationKey()
        }
    }
}
