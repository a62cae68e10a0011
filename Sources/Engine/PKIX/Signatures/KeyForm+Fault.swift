// SPDX-License-Identifier: Apache-2.0

extension KeyForm {
    /// Returns the reason why the bytes aren't a key of their algorithm, for the message of a failure.
    ///
    /// It doesn't decide whether a key is valid. Call it after ``read(_:_:)``, ``PublicKeyCheck`` or the crypto library
    /// has rejected the key.
    static func fault(_ bytes: Span<UInt8>, _ info: CertificateFields.PublicKeyInfo) -> String {
        let oid = info.algorithm.oid
        let parameters = info.algorithm.parameters
        let length = info.key.count
        if oid.count == 9, matches(bytes, oid.start, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01]) {
            let isPSS = bytes[oid.start &+ 8] == 10
            if !isPSS, !SignatureScheme.isNull(bytes, parameters) {
                return parameters.isPresent
                    ? "its parameters are \(DERError.hexadecimal(bytes, parameters)), expected NULL (RFC 3279 § 2.3.1)"
                    : "its parameters are missing, expected NULL (RFC 3279 § 2.3.1)"
            }
            return rsaFault(bytes, info.key)
                ?? (isPSS
                    ? "its parameters don't name SHA-2 with a salt as long as the hash (RFC 4055 § 3.1)"
                    : rsaNumbersFault(bytes, info.key))
        }
        if equals(bytes, oid, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]) {
            return curveFault(bytes, parameters, length, first: length > 0 ? bytes[info.key.start] : 0)
        }
        // The other known algorithms have no parameters (RFC 8410 § 3, RFC 9881 § 2).
        if parameters.isPresent { return "it has parameters, expected none" }
        if equals(bytes, oid, [0x2b, 0x65, 0x70]) {
            return length == 32
                ? "its point is not on the curve, or has a small order" : "it has \(length) bytes, expected 32"
        }
        return "it has \(length) bytes, expected the length of its algorithm (FIPS 204, table 2)"
    }

    /// Returns the fault in the encoding of an RSAPublicKey (RFC 8017 § A.1.1), or nil if the encoding is correct.
    private static func rsaFault(_ bytes: Span<UInt8>, _ key: ByteRange) -> String? {
        var outer = DERReader(bytes, key)
        guard var fields = try? outer.nextSequence("RSAPublicKey"), outer.isAtEnd else {
            return "it isn't a SEQUENCE of modulus and exponent"
        }
        for name in ["modulus", "exponent"] {
            guard let number = try? fields.next(DERTag.integer, "RSAPublicKey") else {
                return "its \(name) is missing or isn't an INTEGER"
            }
            guard number.contentCount > 0, (try? fields.checkInteger(number, "RSAPublicKey")) != nil else {
                return "its \(name) is not in its shortest form"
            }
            if bytes[number.content] >= 0x80 {
                return "its \(name) is negative: a positive number with its first bit set needs a leading zero byte"
            }
            if number.contentCount == 1, bytes[number.content] == 0 { return "its \(name) is zero" }
        }
        return fields.isAtEnd ? nil : "it has bytes after its exponent"
    }

    /// Returns the fault of an RSA key with a correct encoding.
    private static func rsaNumbersFault(_ bytes: Span<UInt8>, _ key: ByteRange) -> String {
        guard let numbers = rsaNumbers(bytes, key) else { return "its numbers can't be used" }
        if bytes[numbers.modulus.end &- 1] & 1 == 0 { return "its modulus is even" }
        if bytes[numbers.exponent.end &- 1] & 1 == 0 { return "its exponent is even" }
        if numbers.exponent.count == 1, bytes[numbers.exponent.start] < 3 { return "its exponent is 1" }
        if numbers.exponent.count >= numbers.modulus.count { return "its exponent is as large as its modulus" }
        return "its exponent is larger than the crypto library allows"
    }

    /// Returns the fault of a key on an elliptic curve.
    private static func curveFault(
        _ bytes: Span<UInt8>, _ parameters: ByteRange, _ length: Int, first: UInt8
    ) -> String {
        let name: String
        let size: Int
        switch curve(bytes, parameters) {
        case .p256: (name, size) = ("P-256", 65)
        case .p384: (name, size) = ("P-384", 97)
        case .p521: (name, size) = ("P-521", 133)
        default: return parameters.isPresent ? "its parameters name no curve (RFC 5480 § 2.1.1)" : "it names no curve"
        }
        guard length == size else { return "it has \(length) bytes, expected an uncompressed point of \(size) bytes" }
        guard first == 4 else { return "its first byte is \(hexByte(first)), expected 0x04 for an uncompressed point" }
        return "its point is not on \(name)"
    }
}

extension SubjectPublicKeyInfo {
    /// The reason why the bytes aren't a key of their algorithm, or nil if they are or the algorithm is unknown.
    package var keyFault: String? {
        let view = der[...]
        var reader = DERReader(view.span)
        guard let info = try? reader.nextPublicKeyInfo() else { return nil }
        let form = KeyForm.read(view.span, info)
        if case .malformed = form { return KeyForm.fault(view.span, info) }
        return PublicKeyCheck.isWellFormed(view.span, info, form) ? nil : KeyForm.fault(view.span, info)
    }
}
