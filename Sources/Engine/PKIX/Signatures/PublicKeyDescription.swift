// SPDX-License-Identifier: Apache-2.0

/// A description of a public key: its kind, size and bits. It doesn't prepare the key for use.
package struct PublicKeyDescription: Sendable, Hashable {
    /// The kind of key.
    package enum Kind: Sendable, Hashable {
        case rsa
        case ellipticCurve
        case ed25519
        case mldsa
        case dsa
        case other
    }

    /// The kind of key, or ``Kind/other`` if the key doesn't conform to its standard.
    package let kind: Kind
    /// The size in bits that describes this kind: the modulus of an RSA key, the field of a curve. nil for other kinds.
    package let bits: Int?
    /// The contents of `subjectPublicKey`: an RSAPublicKey (RFC 8017 § A.1.1), a point (SEC 1 § 2.3.3), or the key in
    /// its kind's own form.
    package let contents: [UInt8]
}

extension SubjectPublicKeyInfo {
    /// The kind, size and bits of the key.
    package var keyDescription: PublicKeyDescription {
        let view = der[...]
        var reader = DERReader(view.span)
        guard let info = try? reader.nextPublicKeyInfo() else {
            return PublicKeyDescription(kind: .other, bits: nil, contents: [])
        }
        let (kind, bits): (PublicKeyDescription.Kind, Int?) =
            switch KeyForm.read(view.span, info) {
            case .rsa(let numbers), .rsaPSSOnly(let numbers, _): (.rsa, numbers.bits)
            case .p256: (.ellipticCurve, 256)
            case .p384: (.ellipticCurve, 384)
            case .p521: (.ellipticCurve, 521)
            case .explicitCurve, .otherCurve: (.ellipticCurve, nil)
            case .ed25519: (.ed25519, 256)
            case .mldsa65, .mldsa87: (.mldsa, nil)
            case .dsa: (.dsa, nil)
            case .other, .malformed: (.other, nil)
            }
        return PublicKeyDescription(kind: kind, bits: bits, contents: Array(der[info.key.indices]))
    }
}
