// SPDX-License-Identifier: Apache-2.0

/// Checks that the bytes of a key are a key of its kind. It is for keys that verify nothing in a path, such as the
/// leaf's.
///
/// The crypto library checks an issuer's key when it is first used. This check rejects the same keys as the library,
/// except for RSA exponents of more than 33 bits, which the CA/Browser baseline allows (§ 6.1.6). Not checked: the
/// contents of ML-DSA keys, and that an RSA modulus is the product of two large primes, which a verifier can't see.
enum PublicKeyCheck {
    static func isWellFormed(_ bytes: Span<UInt8>, _ info: CertificateFields.PublicKeyInfo, _ form: KeyForm) -> Bool {
        switch form {
        case .p256: P256Point.isValid(bytes, info.key)
        // These are rare in leaves, so the cost of an import doesn't matter.
        case .p384, .p521: VerificationKey(bytes, info, form) != nil
        case .rsa(let numbers), .rsaPSSOnly(let numbers, _): isWellFormed(bytes, numbers)
        // The form reader has already found defects of these keys.
        case .ed25519, .mldsa65, .mldsa87, .explicitCurve, .otherCurve, .dsa, .other, .malformed: true
        }
    }

    /// Whether an RSA key is well-formed (RFC 8017 § 3.1). The modulus must be odd, and the exponent from 3 to one
    /// below the modulus. The exponent has no factor in common with p - 1 and q - 1, so it must be odd too.
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
