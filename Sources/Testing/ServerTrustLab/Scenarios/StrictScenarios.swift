// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting
import SwiftASN1

// Certificates that clients with the default rules accept, but that a client with the strict rules refuses.

extension LabScenario {
    /// A serial number of 21 bytes.
    static let strictSerialNumber = strict(
        "strict-serial-number", "strict: a serial number of 21 bytes", .strictSerialNumber
    ) { lab in
        try lab.below(client: .strict) { $0.serialNumber = [0x40] + (1...20).map { UInt8($0) } }
    }

    /// A leaf that doesn't name its issuer's key.
    static let strictAuthorityKeyIdentifier = strict(
        "strict-authority-key-identifier", "strict: no authority key identifier",
        .strictAuthorityKeyIdentifier
    ) { lab in
        try lab.below(client: .strict) { $0.hasAuthorityKeyIdentifier = false }
    }

    /// A CA that doesn't name its own key.
    static let strictSubjectKeyIdentifier = strict(
        "strict-subject-key-identifier", "strict: a CA without a subject key identifier",
        .strictSubjectKeyIdentifier
    ) { lab in
        try lab.belowOwnAuthority("Keyless CA", client: .strict) { $0.hasSubjectKeyIdentifier = false }
    }

    /// A critical extended key usage.
    static let strictCriticality = strict(
        "strict-extension-criticality", "strict: a critical extended key usage",
        .strictExtensionCriticality
    ) { lab in
        try lab.below(client: .strict) {
            $0.extendedKeyUsage = nil
            $0.extensions = [
                .critical(
                    [2, 5, 29, 37],
                    DERWriter.sequence(DERWriter.oid([1, 3, 6, 1, 5, 5, 7, 3, 1] as ASN1ObjectIdentifier)))
            ]
        }
    }

    /// A leaf with inhibitAnyPolicy, which is for CAs.
    static let strictExtensionNotAllowed = strict(
        "strict-extension-not-allowed", "strict: an extension that only CAs may have",
        .strictExtensionNotAllowed
    ) { lab in
        try lab.below(client: .strict) { $0.extensions = [.critical([2, 5, 29, 54], DERWriter.integer(0))] }
    }

    /// A leaf whose key may sign certificates, although it isn't a CA.
    static let strictKeyUsage = strict(
        "strict-key-usage", "strict: a server's key that may sign certificates", .strictKeyUsage
    ) { lab in
        try lab.below(client: .strict) { $0.keyUsage = [.digitalSignature, .keyCertSign] }
    }

    /// A leaf that is valid for any purpose.
    static let strictExtendedKeyUsage = strict(
        "strict-extended-key-usage", "strict: a certificate for any purpose", .strictExtendedKeyUsage
    ) { lab in
        try lab.below(client: .strict) { $0.extendedKeyUsage = [.serverAuth, .anyExtendedKeyUsage] }
    }

    /// A common name that isn't among the alternative names.
    static let strictSubjectName = strict(
        "strict-subject-name", "strict: a common name that isn't an alternative name",
        .strictSubjectName
    ) { lab in
        try lab.below(client: .strict) { $0.commonName = "Lab Server" }
    }

    /// An alternative name with an underscore.
    static let strictAlternativeName = strict(
        "strict-alternative-name", "strict: an alternative name with an underscore",
        .strictAlternativeName
    ) { lab in
        try lab.below(client: .strict) { $0.dnsNames.append("build_1.lab.test") }
    }

    /// A CA with a name constraint that begins with a dot.
    static let strictNameConstraints = strict(
        "strict-name-constraints", "strict: a CA's name constraint that begins with a dot",
        .strictNameConstraints
    ) { lab in
        try lab.belowOwnAuthority("Dotted CA", client: .strict) { $0.permittedDNSNames = [".lab.test"] }
    }

    /// A CA certificate instead of a server certificate.
    static let strictLeafIsAuthority = strict(
        "strict-leaf-is-ca", "strict: a server with a CA certificate", .strictLeafIsAuthority
    ) { lab in
        try lab.below(client: .strict) {
            $0.isAuthority = true
            $0.keyUsage = [.digitalSignature]
        }
    }

    /// A CA with a 2,050-bit RSA key.
    static let strictKeySize = strict(
        "strict-key-size", "strict: a CA with an RSA key of 2050 bits", .strictKeySize
    ) { lab in
        try lab.belowOwnAuthority("RSA 2050 CA", key: SharedKeys.rsa2050.get(), client: .strict) { _ in }
    }

    /// Dates before 2050, encoded as GeneralizedTime.
    static let strictTimeEncoding = strict(
        "strict-time-encoding", "strict: dates before 2050 as GeneralizedTime", .strictTimeEncoding
    ) { lab in
        try lab.below(client: .strict) { $0.encoding.usesGeneralizedTime = true }
    }

    /// Basic constraints with the default value encoded explicitly.
    static let strictEncoding = strict(
        "strict-encoding", "strict: basic constraints with an encoded FALSE", .strictEncoding
    ) { lab in
        try lab.below(client: .strict) {
            $0.isAuthority = nil
            $0.extensions = [.critical([2, 5, 29, 19], [0x30, 3, 1, 1, 0])]
        }
    }

    private static func strict(
        _ name: String, _ summary: String, _ code: TrustFailure.Code,
        build: @escaping @Sendable (ScenarioFixture) throws -> LabCertificates
    ) -> LabScenario {
        LabScenario(name, summary, .refused(code), build: build)
    }
}

#endif
