// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

/// Names that almost match, and certificates from another server.
extension Situation {
    static let names: [Situation] = [
        Situation(
            "An ingress controller's default certificate means that the host isn't configured",
            file: "default-certificate", source: "kubernetes/ingress-nginx 4680", verify("--host", "www.example.com"),
            status: 1, .verdict(["hostMismatch", "selfSignedLeaf"])
        ) {
            let fake = CertificateTemplate.leaf("ingress.local").with {
                $0.commonName = "Kubernetes Ingress Controller Fake Certificate"
                $0.organization = "Acme Co"
            }
            return [
                "chain.pem": text([try TestAuthority.selfSigned(fake).certificate]),
                "root.pem": text([try TestAuthority.root(.authority("Cluster Root")).certificate]),
            ]
        },
        named(
            "A wildcard matches one label, not two", file: "two-labels",
            source: "chromium/badssl.com 411", ["*.example.com", "example.com"], host: "a.b.example.com"),
        named(
            "A wildcard doesn't match the domain itself", file: "domain-of-wildcard",
            source: "chromium/badssl.com 411, spatie/ssl-certificate 194", ["*.example.com"], host: "example.com"),
        named(
            "A wildcard directly below a public suffix matches nothing", file: "wildcard-of-suffix",
            source: "FiloSottile/mkcert 30", ["*.test"], host: "somename.test"),
        Situation(
            "A Unicode name in a certificate must have the xn-- form", file: "unicode-name", source: "zmap/zlint 453",
            verify("--host", "bücher.example"), status: 2, .error
        ) {
            let root = try TestAuthority.root(.authority("Name Root"))
            let leaf = try root.issue(.leaf("b00cher.example")).certificate
            // The builder rejects such a name. The letter is as many bytes long as the zeros.
            let der = Data(leaf.der).replacing(Data("b00cher".utf8), with: Data("bücher".utf8))
            return [
                "chain.pem": Data(PEM.encode([UInt8](der), label: "CERTIFICATE").utf8),
                "root.pem": text([root.certificate]),
            ]
        },
        named(
            "A name with a trailing dot isn't valid in a certificate", file: "final-dot",
            source: "python/cpython 76178", ["api.example.com."], host: "api.example.com"),
    ]

    /// Returns a situation where only the leaf's name is wrong.
    private static func named(
        _ description: String, file: String, source: String, _ names: [String], host: String
    ) -> Situation {
        Situation(
            description, file: file, source: source, verify("--host", host), status: 1, .verdict(["hostMismatch"])
        ) {
            let authority = try TestAuthority.root(.authority("Name Root")).intermediate(.authority("Name CA"))
            let template = CertificateTemplate.leaf().with {
                $0.commonName = "server"
                $0.alternativeNames = names.map { .dnsName($0) }
            }
            return chain(try authority.issue(template), of: authority)
        }
    }
}
