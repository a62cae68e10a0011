// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting
import SwiftASN1

// Issuers that may not issue at all, or may not issue this certificate, and fields that make a certificate unusable.

extension LabScenario {
    /// A leaf with a critical extension that a private enterprise defined.
    static let unknownCriticalExtension = LabScenario(
        "unknown-critical-extension", "a critical extension that no client knows",
        .refused(.criticalExtensionUnhandled)
    ) { lab in
        try lab.below {
            $0.extensions = [
                .critical([1, 3, 6, 1, 4, 1, 32473, 1], DERWriter.null)
            ]
        }
    }

    /// A leaf with an empty issuer, issued by a root with an empty subject.
    static let noIssuerName = LabScenario(
        "no-issuer-name", "names no issuer", .refused(.issuerNameEmpty)
    ) { lab in
        let nameless = try TestAuthority.root(lab.authority("") { $0.organization = nil })
        return try lab.certificates(nameless.issue(lab.leaf()), [], anchors: [nameless.certificate])
    }

    /// A leaf whose key is only for signing documents. Clients with BoringSSL end the handshake before they evaluate
    /// the chain. Clients with OpenSSL continue.
    static let wrongKeyUsage = LabScenario(
        "wrong-key-usage", "a key for signing documents, not for TLS", .refused(.keyUsageNotForTLS), isForProbes: true
    ) { lab in
        try lab.below(key: SharedKeys.rsa2048.get()) { $0.keyUsage = [.nonRepudiation] }
    }

    /// A leaf issued by a certificate that says it isn't a CA.
    static let notAnAuthority = LabScenario(
        "not-a-ca", "issued by a certificate that isn't a CA's", .refused(.notCertificateAuthority)
    ) { lab in
        try lab.belowOwnAuthority("Not a CA") { $0.isAuthority = false }
    }

    /// A leaf issued by a certificate without basic constraints.
    static let noBasicConstraints = LabScenario(
        "no-basic-constraints", "issued by a certificate without basic constraints",
        .refused(.basicConstraintsMissing)
    ) { lab in
        try lab.belowOwnAuthority("Unclear CA") { $0.isAuthority = nil }
    }

    /// A leaf issued by a CA whose key may only sign CRLs.
    static let authorityMayNotSign = LabScenario(
        "ca-may-not-sign", "issued by a CA whose key may only sign CRLs", .refused(.keyUsageLacksCertSign)
    ) { lab in
        try lab.belowOwnAuthority("CRL CA") { $0.keyUsage = [.cRLSign] }
    }

    /// A leaf without the TLS features that its CA's certificate requires (RFC 7633 § 4.2.2).
    static let tlsFeatureMissing = LabScenario(
        "tls-feature-missing", "doesn't require the staple that its CA requires", .refused(.tlsFeatureMissing)
    ) { lab in
        try lab.belowOwnAuthority("Stapling CA") { $0.mustStaple = true }
    }

    /// A leaf from a CA whose name constraints exclude lab.test.
    static let nameExcluded = LabScenario(
        "name-excluded", "a name that its CA's name constraints exclude", .refused(.nameExcluded)
    ) { lab in
        try lab.belowOwnAuthority("Excluding CA") { $0.excludedDNSNames = ["lab.test"] }
    }

    /// A leaf with a URI that has no host, below a CA that permits only URIs with one host.
    static let nameNotComparable = LabScenario(
        "name-not-comparable", "a name that can't be compared with a constraint",
        .refused(.nameConstraintUndecidable)
    ) { lab in
        try lab.belowOwnAuthority("URI CA", leaf: { $0.alternativeNames = [.uri("urn:lab:api")] }) {
            $0.permittedNames = [.uri("api.lab.test")]
        }
    }

    /// A CA that maps anyPolicy to another policy.
    static let mapsAnyPolicy = LabScenario(
        "maps-any-policy", "a CA that maps anyPolicy to another policy", .refused(.policyMappingOfAnyPolicy)
    ) { lab in
        try lab.belowOwnAuthority("Mapping CA") {
            $0.policies = [.anyPolicy]
            $0.extensions = [
                .critical(
                    [2, 5, 29, 33],
                    DERWriter.sequence(
                        DERWriter.sequence(
                            DERWriter.oid([2, 5, 29, 32, 0] as ASN1ObjectIdentifier),
                            DERWriter.oid([1, 3, 6, 1, 4, 1, 32473, 2] as ASN1ObjectIdentifier))))
            ]
        }
    }

    /// A leaf without a policy, below a CA that requires one (RFC 5280 § 4.2.1.11).
    static let noPolicy = LabScenario(
        "no-policy", "no certificate policy, but its CA requires one", .refused(.policyNotAcceptable)
    ) { lab in
        try lab.belowOwnAuthority("Policy CA") {
            $0.policies = [.anyPolicy]
            $0.extensions = [
                .critical([2, 5, 29, 36], DERWriter.sequence(DERWriter.implicit(0, [0])))
            ]
        }
    }

    /// One CA between the leaf and the root, for a client that allows none.
    static let tooManyIntermediates = LabScenario(
        "too-many-intermediates", "more CAs than the client allows", .refused(.maximumIntermediatesExceeded)
    ) { lab in
        try lab.below(client: ScenarioClient(policy: ValidationPolicy(maximumIntermediates: 0))) { _ in }
    }
}

extension Extension {
    /// Returns a critical extension with a value in DER.
    static func critical(_ identifier: ASN1ObjectIdentifier, _ value: [UInt8]) -> Extension {
        // The tag and length come before the contents, as in every identifier shorter than 128 bytes.
        Extension(
            identifier: OID(contents: Array(DERWriter.oid(identifier).dropFirst(2))), isCritical: true, value: value)
    }
}

#endif
