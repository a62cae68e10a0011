// SPDX-License-Identifier: Apache-2.0

// Verifies signatures of evidence: of CRLs, of OCSP responses, and of the certificates of their delegated signers.
//
// A signature that is too weak for a certificate still proves a revocation, because an attacker who can forge it can
// only cause a refusal. So SHA-1, RSA keys of 1024 to 2047 bits and identifiers with unusual parameters verify
// evidence, and the checker counts only its revocations. These types are separate from ``SignatureScheme``, so that
// code for paths, handshakes, timestamps or signed lists can't name SHA-1.

/// A signature scheme with SHA-1.
enum SHA1Scheme: Sendable, Hashable {
    case rsaPKCS1
    /// MGF1 with SHA-1 and a salt of 20 bytes, the defaults of RFC 4055 § 3.1.
    case rsaPSS
    case ecdsa

    /// Reads an AlgorithmIdentifier. Returns nil for any scheme without SHA-1. Parameters of PKCS #1 and ECDSA are
    /// ignored.
    init?(_ bytes: Span<UInt8>, _ algorithm: CertificateFields.Algorithm) {
        let oid = algorithm.oid
        // sha1WithRSAEncryption, 1.2.840.113549.1.1.5, and OIW's identifier for the same algorithm, 1.3.14.3.2.29
        if equals(bytes, oid, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05])
            || equals(bytes, oid, [0x2b, 0x0e, 0x03, 0x02, 0x1d])
        {
            self = .rsaPKCS1
        } else if equals(bytes, oid, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01]) {
            // ecdsa-with-SHA1, 1.2.840.10045.4.1
            self = .ecdsa
        } else if equals(bytes, oid, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a]),
            (try? Self.namesSHA1(bytes, algorithm.parameters)) == true
        {
            self = .rsaPSS
        } else {
            return nil
        }
    }

    /// Whether `RSASSA-PSS-params` name only SHA-1 and a salt of its size, explicitly or by default.
    private static func namesSHA1(_ bytes: Span<UInt8>, _ parameters: ByteRange) throws(DERError) -> Bool {
        guard parameters.isPresent else { return false }
        var outer = DERReader(bytes, parameters)
        var fields = try outer.nextSequence("RSASSA-PSS-params")
        if let field = try fields.nextIf(DERTag.contextConstructed(0), "hashAlgorithm") {
            var reader = fields.inside(field)
            guard isSHA1(bytes, try reader.nextAlgorithm("hashAlgorithm")) else { return false }
        }
        if let field = try fields.nextIf(DERTag.contextConstructed(1), "maskGenAlgorithm") {
            var reader = fields.inside(field)
            let mask = try reader.nextAlgorithm("maskGenAlgorithm")
            // id-mgf1, 1.2.840.113549.1.1.8
            guard equals(bytes, mask.oid, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08]),
                mask.parameters.isPresent
            else { return false }
            var hash = DERReader(bytes, mask.parameters)
            guard isSHA1(bytes, try hash.nextAlgorithm("maskGenAlgorithm")) else { return false }
        }
        if let field = try fields.nextIf(DERTag.contextConstructed(2), "saltLength") {
            var reader = fields.inside(field)
            guard try reader.nextSmallNumber("saltLength") == 20 else { return false }
        }
        return true
    }

    /// Whether the hash is SHA-1, 1.3.14.3.2.26.
    private static func isSHA1(_ bytes: Span<UInt8>, _ algorithm: CertificateFields.Algorithm) -> Bool {
        equals(bytes, algorithm.oid, [0x2b, 0x0e, 0x03, 0x02, 0x1a])
    }
}

/// The scheme of a signature of evidence.
struct EvidenceScheme: Sendable {
    enum Verification: Sendable {
        case usual(SignatureScheme)
        case sha1(SHA1Scheme)
    }

    let verification: Verification
    /// Whether a signature with this scheme is weak, so that evidence can only revoke.
    private(set) var isWeak: Bool

    /// Reads an AlgorithmIdentifier. Returns nil for MD5, DSA and unknown schemes.
    init?(_ bytes: Span<UInt8>, _ algorithm: CertificateFields.Algorithm) {
        switch SignatureScheme.read(bytes, algorithm) {
        case .supported(let scheme): (verification, isWeak) = (.usual(scheme), false)
        case .sha1, .malformedParameters:
            if let scheme = SHA1Scheme(bytes, algorithm) {
                (verification, isWeak) = (.sha1(scheme), true)
            } else {
                // Nonstandard parameters don't change a signature, except for PSS, which needs its parameters.
                var plain = algorithm
                plain.parameters = .absent
                guard case .supported(let scheme) = SignatureScheme.read(bytes, plain) else { return nil }
                (verification, isWeak) = (.usual(scheme), true)
            }
        case .md5, .dsa, .unsupported: return nil
        }
    }

    /// This scheme, marked as weak.
    var weakened: EvidenceScheme {
        var scheme = self
        scheme.isWeak = true
        return scheme
    }
}

/// A signer's key for verifying evidence.
struct EvidenceKey: Sendable {
    let key: VerificationKey
    /// Whether the key is too weak to sign certificates (RSA with 1024 to 2047 bits), so that evidence can only revoke.
    let isWeak: Bool

    /// Reads the key of a certificate. Returns nil if the engine can't verify any evidence with the key, not even a
    /// revocation.
    init?(_ certificate: Certificate) {
        let span = certificate.span
        let info = certificate.storage.fields.spki
        let form = KeyForm.read(span, info)
        switch form {
        case .rsa(let numbers), .rsaPSSOnly(let numbers, _):
            let isWeak = numbers.bits < RSAKeyLimits.minimumBits
            guard numbers.bits <= RSAKeyLimits.maximumBits,
                let key = isWeak
                    ? VerificationKey(insecurelyReadingWeakRSA: span, info, form) : VerificationKey(span, info, form)
            else { return nil }
            (self.key, self.isWeak) = (key, isWeak)
        default:
            guard let key = VerificationKey(span, info, form) else { return nil }
            (self.key, self.isWeak) = (key, false)
        }
    }

    /// Whether the key can be used with `scheme` at all. It doesn't check a signature.
    func fits(_ scheme: EvidenceScheme) -> Bool {
        switch scheme.verification {
        case .usual(let scheme): key.fits(scheme)
        case .sha1(let scheme): key.fits(scheme)
        }
    }

    /// Whether this key has made `signature` over `message`. Both are ranges of `bytes`.
    func isValid(
        _ signature: ByteRange, over message: ByteRange, of bytes: Span<UInt8>, scheme: EvidenceScheme
    ) -> Bool {
        switch scheme.verification {
        case .usual(let scheme): key.isValid(signature, over: message, of: bytes, scheme: scheme)
        case .sha1(let scheme): key.insecurelyIsValid(signature, over: message, of: bytes, scheme: scheme)
        }
    }
}
