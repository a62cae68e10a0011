// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting
import SwiftASN1

/// SubjectPublicKeyInfos of keys that clients refuse and that none of this package's libraries can create. Their
/// private keys are unknown.
enum UnusableKeys {
    private static let ecPublicKey: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]

    private static func info(_ oid: ASN1ObjectIdentifier, _ parameters: [UInt8] = [], _ key: [UInt8]) -> [UInt8] {
        DERWriter.sequence(DERWriter.sequence(DERWriter.oid(oid), parameters), DERWriter.bits(key))
    }

    // MARK: - Curves

    /// The base point of P-192 (SEC 2 § 2.2.2).
    static let p192 = info(
        ecPublicKey, DERWriter.oid([1, 2, 840, 10045, 3, 1, 1] as ASN1ObjectIdentifier),
        hex("04188da80eb03090f67cbf20eb43a18800f4ff0afd82ff101207192b95ffc8da78631011ed6b24cdd573f977a11e794811"))

    /// A P-256 key with the curve's parameters instead of its name (SEC 2 § 2.4.2, X9.62 ECParameters).
    static func explicitCurve(_ key: TestKey) -> [UInt8] {
        let prime = hex("00ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        let order = hex("00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let field = DERWriter.sequence(
            DERWriter.oid([1, 2, 840, 10045, 1, 1] as ASN1ObjectIdentifier), DERWriter.integer(contents: prime))
        let curve = DERWriter.sequence(
            DERWriter.octets(hex("ffffffff00000001000000000000000000000000fffffffffffffffffffffffc")),
            DERWriter.octets(hex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b")))
        let base = hex(
            "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        )
        let parameters = DERWriter.sequence(
            DERWriter.integer(1), field, curve, DERWriter.octets(base), DERWriter.integer(contents: order),
            DERWriter.integer(1))
        return info(ecPublicKey, parameters, key.publicKeyBits)
    }

    /// A P-256 key with one bit changed, so that it isn't a point on the curve.
    static func offCurve(_ key: TestKey) -> [UInt8] {
        var point = key.publicKeyBits
        if let last = point.indices.last { point[last] ^= 1 }
        return info(ecPublicKey, DERWriter.oid([1, 2, 840, 10045, 3, 1, 7] as ASN1ObjectIdentifier), point)
    }

    // MARK: - Others

    /// A DSA key with made-up numbers (RFC 3279 § 2.3.2).
    static let dsa = info(
        [1, 2, 840, 10040, 4, 1],
        DERWriter.sequence(
            DERWriter.integer(contents: [0] + number(bytes: 256)),
            DERWriter.integer(contents: [0] + number(bytes: 32)), DERWriter.integer(2)),
        DERWriter.integer(contents: [0] + number(bytes: 256)))

    /// An RSA key of 16,392 bits, more than any library accepts for verification. The modulus is made up.
    static let hugeRSA = info(
        [1, 2, 840, 113549, 1, 1, 1], DERWriter.null,
        DERWriter.sequence(
            DERWriter.integer(contents: [0] + number(bytes: 2049)), DERWriter.integer(65_537)))

    /// An Ed448 key with made-up bytes (RFC 8410 § 3).
    static let ed448 = info([1, 3, 101, 113], [], number(bytes: 57))

    /// Returns an odd number of this size, with its highest bit set.
    private static func number(bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) | 0x81 }
    }

    private static func hex(_ digits: String) -> [UInt8] {
        let values = digits.utf8.compactMap(Hex.value(ofDigit:))
        return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}

#endif
