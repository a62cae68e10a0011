// SPDX-License-Identifier: Apache-2.0

/// The algorithm of a certificate's signature, if this package verifies it (RFC 8017, 5480 and 5758, 8410, 9881).
enum SignatureScheme: Sendable, Hashable {
    enum Hash: Sendable, Hashable {
        case sha256
        case sha384
        case sha512

        /// The size of the digest in bytes.
        var count: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }
    }

    case rsaPKCS1(Hash)
    case rsaPSS(Hash)
    case ecdsa(Hash)
    case ed25519
    case mldsa65
    case mldsa87

    /// The meaning of the AlgorithmIdentifier of a signature.
    enum Reading {
        case supported(SignatureScheme)
        /// SHA-1 with RSA or ECDSA. Collisions have been demonstrated since 2017.
        case sha1
        /// MD2, MD4 or MD5.
        case md5
        case dsa
        /// A known OID with parameters that its standard doesn't allow.
        case malformedParameters
        case unsupported
    }

    /// Reads an AlgorithmIdentifier.
    /// - Parameter ecdsaMayHaveNull: whether to accept ECDSA with NULL as parameters. Old versions of Java write NULL,
    ///   against RFC 5758 § 3.2, and OpenSSL, Java and Windows read it. It doesn't change a signature.
    static func read(
        _ bytes: Span<UInt8>, _ algorithm: CertificateFields.Algorithm, ecdsaMayHaveNull: Bool = false
    ) -> Reading {
        let oid = algorithm.oid
        let parameters = algorithm.parameters
        // 1.2.840.113549.1.1, PKCS #1
        if oid.count == 9, matches(bytes, oid.start, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01]) {
            let scheme: SignatureScheme
            switch bytes[oid.start &+ 8] {
            case 2, 3, 4: return .md5
            case 5: return .sha1
            case 10: return readPSS(bytes, parameters)
            case 11: scheme = .rsaPKCS1(.sha256)
            case 12: scheme = .rsaPKCS1(.sha384)
            case 13: scheme = .rsaPKCS1(.sha512)
            default: return .unsupported
            }
            // RFC 4055 § 5: parameters are NULL, but absent parameters must be accepted too.
            return !parameters.isPresent || isNull(bytes, parameters) ? .supported(scheme) : .malformedParameters
        }
        // 1.2.840.10045.4, ECDSA (RFC 5758 § 3.2): no parameters.
        if oid.count == 8, matches(bytes, oid.start, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03]) {
            guard !parameters.isPresent || ecdsaMayHaveNull && isNull(bytes, parameters) else {
                return .malformedParameters
            }
            return switch bytes[oid.start &+ 7] {
            case 2: .supported(.ecdsa(.sha256))
            case 3: .supported(.ecdsa(.sha384))
            case 4: .supported(.ecdsa(.sha512))
            default: .unsupported
            }
        }
        if equals(bytes, oid, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01]) { return .sha1 }
        if let scheme = withoutParameters(bytes, oid) {
            return parameters.isPresent ? .malformedParameters : .supported(scheme)
        }
        // OIW's sha1WithRSASignature and md5WithRSA, and DSA with SHA-1 and SHA-2 (RFC 3279, RFC 5758 § 3.1)
        if equals(bytes, oid, [0x2b, 0x0e, 0x03, 0x02, 0x1d]) { return .sha1 }
        if equals(bytes, oid, [0x2b, 0x0e, 0x03, 0x02, 0x03]) { return .md5 }
        if equals(bytes, oid, [0x2a, 0x86, 0x48, 0xce, 0x38, 0x04, 0x03]) { return .dsa }
        if oid.count == 9, matches(bytes, oid.start, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03]) {
            if (1...4).contains(bytes[oid.start &+ 8]) { return .dsa }
        }
        return .unsupported
    }

    /// Returns Ed25519 (RFC 8410 § 3) or ML-DSA (RFC 9881 § 2), or nil for other identifiers.
    private static func withoutParameters(_ bytes: Span<UInt8>, _ oid: ByteRange) -> SignatureScheme? {
        if equals(bytes, oid, [0x2b, 0x65, 0x70]) { return .ed25519 }
        if equals(bytes, oid, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x12]) { return .mldsa65 }
        if equals(bytes, oid, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x13]) { return .mldsa87 }
        return nil
    }

    static func isNull(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        equals(bytes, range, [0x05, 0x00])
    }

    /// Reads `RSASSA-PSS-params` (RFC 4055 § 3.1): SHA-2, MGF1 with the same hash, and a salt as long as the hash.
    ///
    /// RFC 8446 § 4.2.3 and the CA/Browser baseline § 7.1.3.2 allow these combinations, and swift-crypto verifies them.
    /// The defaults are SHA-1, so absent fields mean SHA-1 and are rejected as SHA-1.
    static func readPSS(_ bytes: Span<UInt8>, _ parameters: ByteRange) -> Reading {
        guard parameters.isPresent else { return .malformedParameters }
        do throws(DERError) {
            var outer = DERReader(bytes, parameters)
            var fields = try outer.nextSequence("RSASSA-PSS-params")
            guard let hashField = try fields.nextIf(DERTag.contextConstructed(0), "hashAlgorithm") else { return .sha1 }
            var hashReader = fields.inside(hashField)
            let hash = try hashReader.nextAlgorithm("hashAlgorithm")
            try hashReader.finish("hashAlgorithm")
            guard let maskField = try fields.nextIf(DERTag.contextConstructed(1), "maskGenAlgorithm") else {
                return .sha1
            }
            var maskReader = fields.inside(maskField)
            let mask = try maskReader.nextAlgorithm("maskGenAlgorithm")
            try maskReader.finish("maskGenAlgorithm")
            // id-mgf1, 1.2.840.113549.1.1.8
            guard equals(bytes, mask.oid, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08]),
                mask.parameters.isPresent
            else { return .malformedParameters }
            var maskHashReader = DERReader(bytes, mask.parameters)
            let maskHash = try maskHashReader.nextAlgorithm("maskGenAlgorithm")
            guard let saltField = try fields.nextIf(DERTag.contextConstructed(2), "saltLength") else {
                return .malformedParameters
            }
            var saltReader = fields.inside(saltField)
            let salt = try saltReader.nextSmallNumber("saltLength")
            try saltReader.finish("saltLength")
            // trailerField is 1, the DEFAULT, so it's never encoded.
            try fields.finish("RSASSA-PSS-params")
            guard let scheme = sha2(bytes, hash), sha2(bytes, maskHash) == scheme, salt == scheme.count else {
                return .malformedParameters
            }
            return .supported(.rsaPSS(scheme))
        } catch {
            return .malformedParameters
        }
    }

    /// Returns the hash for an OID under 2.16.840.1.101.3.4.2 with parameters NULL or absent (RFC 4055 § 2.1).
    private static func sha2(_ bytes: Span<UInt8>, _ algorithm: CertificateFields.Algorithm) -> Hash? {
        let oid = algorithm.oid
        guard oid.count == 9, matches(bytes, oid.start, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]),
            !algorithm.parameters.isPresent || isNull(bytes, algorithm.parameters)
        else { return nil }
        return switch bytes[oid.start &+ 8] {
        case 1: .sha256
        case 2: .sha384
        case 3: .sha512
        default: nil
        }
    }
}
