// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting
import SwiftASN1

// Signatures with algorithms that clients refuse, and CAs with keys that clients refuse. If a server's own key is
// unusable, TLS libraries close the connection before they evaluate the chain. In these scenarios, the unusable key
// therefore belongs to a CA. If no library can create the signature, the scenario uses a different signature, because
// no client gets as far as verifying it.

extension LabScenario {
    /// A leaf whose signed part names ECDSA with SHA-384, although its signature uses SHA-256.
    static let signatureAlgorithmMismatch = LabScenario(
        "signature-algorithm-mismatch", "names two different signature algorithms",
        .refused(.signatureAlgorithmMismatch)
    ) { lab in
        try lab.below { $0.encoding.signedAlgorithm = DERWriter.sequence(DERWriter.oid(Algorithms.ecdsaSHA384)) }
    }

    /// A leaf that claims to be signed with MD5.
    static let md5 = LabScenario("md5", "signed with MD5", .refused(.signatureUsesMD5)) { lab in
        try lab.below { $0.encoding.nameAlgorithm(Algorithms.md5WithRSA, parameters: DERWriter.null) }
    }

    /// A leaf that claims to be signed with DSA.
    static let dsaSignature = LabScenario("dsa-signature", "signed with DSA", .refused(.signatureUsesDSA)) {
        lab in
        try lab.below { $0.encoding.nameAlgorithm(Algorithms.dsaSHA256) }
    }

    /// A leaf that claims to be signed with Ed448.
    static let ed448Signature = LabScenario(
        "ed448-signature", "signed with Ed448", .refused(.signatureAlgorithmUnsupported)
    ) { lab in
        try lab.below { $0.encoding.nameAlgorithm(Algorithms.ed448) }
    }

    /// A leaf signed with ECDSA and NULL parameters, which RFC 5758 § 3.2 forbids.
    static let signatureParameters = LabScenario(
        "signature-parameters", "an ECDSA signature with forbidden parameters",
        .refused(.signatureParametersUnsupported)
    ) { lab in
        try lab.below { $0.encoding.nameAlgorithm(Algorithms.ecdsaSHA256, parameters: DERWriter.null) }
    }

    /// A CA with a P-256 key whose curve is encoded explicitly, with its parameters instead of its name.
    static let explicitCurve = LabScenario(
        "explicit-curve", "a CA whose key has explicit curve parameters", .refused(.keyUsesExplicitCurve)
    ) { lab in
        let key = TestKey.p256()
        return try lab.belowOwnAuthority("Explicit Curve CA", key: key) {
            $0.encoding.publicKeyInfo = UnusableKeys.explicitCurve(key)
        }
    }

    /// A CA with a P-192 key.
    static let p192 = LabScenario("p-192", "a CA with a P-192 key", .refused(.keyUsesUnsupportedCurve)) {
        lab in
        try lab.belowOwnAuthority("P-192 CA") { $0.encoding.publicKeyInfo = UnusableKeys.p192 }
    }

    /// A CA with a DSA key.
    static let dsaKey = LabScenario("dsa-key", "a CA with a DSA key", .refused(.keyUsesDSA)) { lab in
        try lab.belowOwnAuthority("DSA CA") { $0.encoding.publicKeyInfo = UnusableKeys.dsa }
    }

    /// A CA with an RSA key of 16,392 bits.
    static let hugeRSA = LabScenario(
        "huge-rsa", "a CA with an RSA key of 16392 bits", .refused(.rsaKeyTooLarge)
    ) { lab in
        try lab.belowOwnAuthority("Huge RSA CA") { $0.encoding.publicKeyInfo = UnusableKeys.hugeRSA }
    }

    /// A CA whose key is a point that isn't on its curve.
    static let pointOffCurve = LabScenario(
        "point-off-curve", "a CA whose key is a point off its curve", .refused(.keyMalformed)
    ) { lab in
        let key = TestKey.p256()
        return try lab.belowOwnAuthority("Malformed Key CA", key: key) {
            $0.encoding.publicKeyInfo = UnusableKeys.offCurve(key)
        }
    }

    /// A CA with an Ed448 key.
    static let ed448Key = LabScenario(
        "ed448-key", "a CA with an Ed448 key", .refused(.keyAlgorithmUnsupported)
    ) { lab in
        try lab.belowOwnAuthority("Ed448 CA") { $0.encoding.publicKeyInfo = UnusableKeys.ed448 }
    }
}

private enum Algorithms {
    static let ecdsaSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
    static let ecdsaSHA384: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 3]
    static let md5WithRSA: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 4]
    static let dsaSHA256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 3, 2]
    static let ed448: ASN1ObjectIdentifier = [1, 3, 101, 113]
}

#endif
