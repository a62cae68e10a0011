// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// The chain of an ordinary server: a leaf and an intermediate with the extensions that public CAs include, below a
/// root.
struct ServerChain {
    static let hostname = "api.example.com"

    let kind: KeyKind
    let leaf: Certificate
    let intermediate: Certificate
    let root: Certificate

    init(_ kind: KeyKind) throws {
        self.kind = kind
        let root = try TestAuthority.root(
            .authority("Example Trust Services Root R1").with { $0.organization = "Example Trust Services Ltd" },
            key: kind.make())
        let intermediate = try root.intermediate(
            .authority("Example Trust Services TLS CA 2026").with {
                $0.organization = "Example Trust Services Ltd"
                $0.maximumPathLength = 0
                $0.extendedKeyUsage = [.serverAuth, .clientAuth]
                $0.extensions = [
                    ExtensionBytes.issuerAddresses(certificate: "http://i.example.net/r1.crt"),
                    ExtensionBytes.revocationList("http://c.example.net/r1.crl"),
                    ExtensionBytes.policies(["2.23.140.1.2.1"]),
                ]
            }, key: kind.make())
        let leaf = try intermediate.issue(
            .leaf(Self.hostname, "www.example.com", "example.com").with {
                $0.extensions = [
                    ExtensionBytes.issuerAddresses(
                        certificate: "http://i.example.net/tls2026.crt", ocsp: "http://o.example.net"),
                    ExtensionBytes.revocationList("http://c.example.net/tls2026/7.crl"),
                    ExtensionBytes.policies(["2.23.140.1.2.1"]),
                ]
            }, key: kind.make())
        self.leaf = leaf.certificate
        self.intermediate = intermediate.certificate
        self.root = root.certificate
    }

    /// Returns an evaluator that expects the intermediate's key, or the root's.
    func pinningEvaluator() throws -> SPKIPinsTrustEvaluator {
        SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [SPKIPin(intermediate)], backup: [SPKIPin(root)]))
    }

    var sizes: String { "leaf \(leaf.der.count), intermediate \(intermediate.der.count) bytes" }
}
