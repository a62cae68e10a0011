// SPDX-License-Identifier: Apache-2.0

extension Certificate {
    /// Returns the result of verifying the certificate's signature with a key, for reports on single certificates.
    ///
    /// The result doesn't establish a path: names, dates, constraints and usages aren't checked. ``PathValidator``
    /// verifies paths.
    package func signatureStatus(by key: SubjectPublicKeyInfo) -> CertificateRequest.SignatureStatus {
        let span = span
        let fields = storage.fields
        guard
            case .supported(let scheme) = SignatureScheme.read(span, fields.signatureAlgorithm, ecdsaMayHaveNull: true)
        else {
            return .notSupported
        }
        let view = key.der[...]
        var reader = DERReader(view.span)
        guard let info = try? reader.nextPublicKeyInfo() else { return .invalid }
        let form = KeyForm.read(view.span, info)
        guard let verification = VerificationKey(view.span, info, form) else {
            return switch form {
            case .p256, .p384, .p521, .ed25519, .malformed: .invalid
            case .rsa, .rsaPSSOnly, .mldsa65, .mldsa87, .explicitCurve, .otherCurve, .dsa, .other: .notSupported
            }
        }
        return verification.isValid(fields.signature, over: fields.tbs, of: span, scheme: scheme) ? .valid : .invalid
    }
}
