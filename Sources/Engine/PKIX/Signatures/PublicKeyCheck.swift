// SPDX-License-Identifier: Apache-2.0

/// Checks that the bytes of a key are a key of its kind, for keys that verify nothing in a path: the leaf's.
///
/// An issuer's key is checked by the crypto library when it is first used. This check refuses the same keys as the
/// library, except for RSA exponents of more than 33 bits, which the CA/Browser baseline allows (§ 6.1.6). Not checked:
/// that an RSA modulus is the product of two large primes, which can't be seen, and the contents of ML-DSA keys.
enum PublicKeyCheck {
    static func isWellFormed(_ bytes: Span<UInt8>, _ info: CertificateFields.PublicKeyInfo, _ form: KeyForm) -> Bool {
        switch form {
        case .p256: P256Point.isValid(bytes, info.key)
        // Rare in leaves, so that the cost of an import doesn't matter.
        case .p384, .p521: VerificationKey(bytes, info, form) != nil
        case .rsa(let numbers), .rsaPSSOnly(let numbers, _): isWellFormed(bytes, numbers)
        // Defects of these were found when their form was read.
        case .ed25519, .mldsa65, .mldsa87, .explicitCurve, .otherCurve, .dsa, .other, .malformed: true
        }
    }

    /// Whether an RSA key is well-formed (RFC 8017 § 3.1): an odd modulus and an exponent from 3 to one below the
    /// modulus, which has no factor in common with p - 1 and q - 1, and so is odd.
    private static func isWellFormed(_ bytes: Span<UInt8>, _ numbers: KeyForm.RSANumbers) -> Bool {
        let modulus = numbers.modulus
        let exponent = numbers.exponent
        guard bytes[modulus.end &- 1] & 1 == 1, bytes[exponent.end &- 1] & 1 == 1 else { return false }
        if exponent.count == 1, bytes[exponent.start] < 3 { return false }
        guard exponent.count == modulus.count else { return exponent.count < modulus.count }
        for offset in 0..<modulus.count where bytes[exponent.start &+ offset] != bytes[modulus.start &+ offset] {
            return bytes[exponent.start &+ offset] < bytes[modulus.start &+ offset]
        }
        return false
    }
}

/// Ed25519 keys with which every signature can be forged.
enum Ed25519Point {
    /// Whether the y-coordinate that `range` (32 bytes) encodes is below the prime and not that of a point of small
    /// order (RFC 8032 § 5.1.3; § 5.1.7 leaves the order to the verifier).
    ///
    /// Under a key of order 1, 2, 4 or 8 signatures can be made without the private key, as under an RSA exponent of 1.
    /// Not checked: that there is a point with that coordinate.
    static func isUsable(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        guard range.count == 32 else { return false }
        var contents: [UInt8] = []
        contents.reserveCapacity(32)
        for index in range.indices { contents.append(bytes[index]) }
        // The highest bit is the sign of the other coordinate.
        contents[31] &= 0x7f
        return !smallOrder.contains(contents) && isBelowPrime(contents)
    }

    /// Whether the number is below the prime 2²⁵⁵ - 19.
    private static func isBelowPrime(_ contents: [UInt8]) -> Bool {
        contents[31] != 0x7f || contents[0] < 0xed || contents[1..<31].contains { $0 != 0xff }
    }

    /// The y-coordinates of the points of order 4, 1, 2, 8 and 8, lowest byte first.
    private static let smallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
    ]
}
