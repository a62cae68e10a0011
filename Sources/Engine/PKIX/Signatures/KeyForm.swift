// SPDX-License-Identifier: Apache-2.0

/// The kind of key in a SubjectPublicKeyInfo. It is read from the bytes without preparing the key for use.
enum KeyForm: Sendable {
    case rsa(RSANumbers)
    /// `id-RSASSA-PSS` (RFC 4055 § 1.2): the key may only be used with PSS. If it names a hash, it may only be used
    /// with that hash.
    case rsaPSSOnly(RSANumbers, SignatureScheme.Hash?)
    case p256
    case p384
    case p521
    case ed25519
    case mldsa65
    case mldsa87
    /// An elliptic curve with explicit parameters. RFC 5480 § 2.1.1 forbids them, and CVE-2020-0601 shows why.
    case explicitCurve
    /// A named curve other than the three above.
    case otherCurve
    case dsa
    /// Any other algorithm.
    case other
    /// A known algorithm with parameters or a key that its standard doesn't allow.
    case malformed

    struct RSANumbers: Sendable {
        /// The contents without the leading zero.
        var modulus: ByteRange
        var exponent: ByteRange
        /// The length of the modulus in bits.
        var bits: Int
    }

    static func read(_ bytes: Span<UInt8>, _ info: CertificateFields.PublicKeyInfo) -> KeyForm {
        let oid = info.algorithm.oid
        let parameters = info.algorithm.parameters
        if oid.count == 9, matches(bytes, oid.start, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01]) {
            switch bytes[oid.start &+ 8] {
            case 1:
                // RFC 3279 § 2.3.1: the parameters are NULL.
                guard SignatureScheme.isNull(bytes, parameters), let numbers = rsaNumbers(bytes, info.key) else {
                    return .malformed
                }
                return .rsa(numbers)
            case 10:
                guard let numbers = rsaNumbers(bytes, info.key) else { return .malformed }
                guard parameters.isPresent else { return .rsaPSSOnly(numbers, nil) }
                guard case .supported(.rsaPSS(let hash)) = SignatureScheme.readPSS(bytes, parameters) else {
                    return .malformed
                }
                return .rsaPSSOnly(numbers, hash)
            default: return .other
            }
        }
        // id-ecPublicKey, 1.2.840.10045.2.1
        if equals(bytes, oid, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]) {
            return curve(bytes, parameters)
        }
        if equals(bytes, oid, [0x2b, 0x65, 0x70]) {
            return !parameters.isPresent && Ed25519Point.isUsable(bytes, info.key) ? .ed25519 : .malformed
        }
        if oid.count == 9, matches(bytes, oid.start, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03]) {
            switch bytes[oid.start &+ 8] {
            // FIPS 204, table 2: 1952 and 2592 bytes.
            case 18: return parameters.isPresent || info.key.count != 1952 ? .malformed : .mldsa65
            case 19: return parameters.isPresent || info.key.count != 2592 ? .malformed : .mldsa87
            default: return .other
            }
        }
        // id-dsa and OIW's DSA
        if equals(bytes, oid, [0x2a, 0x86, 0x48, 0xce, 0x38, 0x04, 0x01])
            || equals(bytes, oid, [0x2b, 0x0e, 0x03, 0x02, 0x0c])
        {
            return .dsa
        }
        return .other
    }

    static func curve(_ bytes: Span<UInt8>, _ parameters: ByteRange) -> KeyForm {
        guard parameters.isPresent else { return .malformed }
        var reader = DERReader(bytes, parameters)
        guard let element = try? reader.next("namedCurve") else { return .malformed }
        switch element.tag {
        case DERTag.objectIdentifier:
            let oid = element.contents
            if equals(bytes, oid, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]) { return .p256 }
            if equals(bytes, oid, [0x2b, 0x81, 0x04, 0x00, 0x22]) { return .p384 }
            if equals(bytes, oid, [0x2b, 0x81, 0x04, 0x00, 0x23]) { return .p521 }
            return .otherCurve
        case DERTag.sequence: return .explicitCurve
        default: return .malformed
        }
    }

    /// Reads `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }`, both positive (RFC 8017 § A.1.1).
    static func rsaNumbers(_ bytes: Span<UInt8>, _ key: ByteRange) -> RSANumbers? {
        var outer = DERReader(bytes, key)
        guard var fields = try? outer.nextSequence("RSAPublicKey"), outer.isAtEnd else { return nil }
        guard let modulus = positive(&fields), let exponent = positive(&fields), fields.isAtEnd else { return nil }
        let bits = modulus.count * 8 - bytes[modulus.start].leadingZeroBitCount
        return RSANumbers(modulus: modulus, exponent: exponent, bits: bits)
    }

    private static func positive(_ reader: inout DERReader) -> ByteRange? {
        guard let element = try? reader.next(DERTag.integer, "RSAPublicKey"),
            (try? reader.checkInteger(element, "RSAPublicKey")) != nil, reader.bytes[element.content] < 0x80
        else { return nil }
        let skipped = reader.bytes[element.content] == 0 ? 1 : 0
        guard element.contentCount > skipped else { return nil }
        return ByteRange(element.content + skipped, element.end)
    }
}
