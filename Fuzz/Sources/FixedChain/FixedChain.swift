// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A leaf and its root, P-256, created once for the fuzz targets. Their keys were deleted, so nobody can sign new CRLs
/// or OCSP responses about them.
public struct FixedChain: Sendable {
    public static let shared = FixedChain()

    /// The certificates, leaf first.
    public let certificates: [Certificate]
    /// The path of both certificates at ``time``.
    public let path: ValidatedPath
    public let time: Time

    private init() {
        certificates = [Self.leaf, Self.root].compactMap { text in
            Data(base64Encoded: text).flatMap { try? Certificate(der: [UInt8]($0)) }
        }
        time = certificates.first?.notBefore.advanced(by: .seconds(60)) ?? Time(secondsSinceEpoch: 0)
        guard certificates.count == 2 else { fatalError("the fixed chain can't be read") }
        let validator = PathValidator(
            anchors: [certificates[1]], policy: ValidationPolicy(profile: .rfc5280))
        guard let path = validator.validate(certificates[0], host: nil, at: time).path else {
            fatalError("the fixed chain is not valid")
        }
        self.path = path
    }

    private static let leaf = """
        MIIBrjCCAVWgAwIBAgICEjQwCgYIKoZIzj0EAwIwHjENMAsGA1UECgwERnV6ejENMAsGA1UEAwwEUm9vdDAgFw0yNjExMDEwMDAw\
        MDBaGA8yMDUxMDYyMzAwMDAwMFowHjENMAsGA1UECgwERnV6ejENMAsGA1UEAwwETGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEH\
        A0IABMczta7s0ZfddjPiVkAEkMGBw0voxhN5yNqyv9759nxKLpPFh8v0d8fRGRjoNCJS4ckUTOiuT959sppZ3qoxMvKjgYAwfjAM\
        BgNVHRMBAf8EAjAAMB0GA1UdDgQWBBQ7VkaTp1OGpe24iRbwkBbOb9+fRTBPBgNVHR8ESDBGMBigFqAUhhJodHRwOi8vYS5leGFt\
        cGxlLzEwKoECBkCiJKQiMCAxDTALBgNVBAoMBEZ1enoxDzANBgNVBAMMBlNpZ25lcjAKBggqhkjOPQQDAgNHADBEAiBhYZ08kbS2\
        LwinVsMbze1cfZo72gXazgBeHjvX+4UUsAIgVfJs6yoM7p7Pnc/55ZuZYC/xp9+tHK5YbJSRZmHEyKQ=
        """
    private static let root = """
        MIIBbzCCARWgAwIBAgIBATAKBggqhkjOPQQDAjAeMQ0wCwYDVQQKDARGdXp6MQ0wCwYDVQQDDARSb290MCAXDTI2MTEwMTAwMDAw\
        MFoYDzIwNTEwNjIzMDAwMDAwWjAeMQ0wCwYDVQQKDARGdXp6MQ0wCwYDVQQDDARSb290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD\
        QgAErR402verQbid7hJ3l1V8Tx07LMoPk/RPmQv+Vr1FU/DZ8VWpfaQwELMOk9LHCHaBrzH8bj5MhygUo1wVFUCUIqNCMEAwDwYD\
        VR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFBQJN4J/p0rYRDkygVTK9hTogrGDMAoGCCqGSM49BAMCA0gA\
        MEUCIQCS1c5lvWFAY+sL6lyfVI9wWmYL1P+ki7SDxYCjU7gznAIgTIM5vm4arL7UfAXNd83lNBSgl+yVSEipEW9LkTxdVAY=
        """
}
