// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

@testable import ServerTrustTesting

/// CAs that break a rule, and keys and signatures that the crypto library doesn't verify.
extension Situation {
    static let authorities: [Situation] = [
        Situation(
            "Under strict rules, every CA needs a key usage, as in Python 3.13", file: "authority-without-key-usage",
            source: "canonical/microk8s 5537, anthropics/claude-code 87378", verify("--host", Lab.host, "--strict"),
            status: 1, .verdict(["strictKeyUsage", "strictKeyUsage"])
        ) {
            let root = try TestAuthority.root(.authority("Home Root").with { $0.keyUsage = nil })
            let authority = try root.intermediate(.authority("Home CA").with { $0.keyUsage = nil })
            return chain(try authority.issue(.leaf(Lab.host)), of: authority)
        },
        Situation(
            "Of two CAs with name constraints, each failure names its own", file: "two-constrained-authorities",
            source: "caddyserver/caddy 6227, smallstep/certificates 271", verify("--host", "api.example.net"),
            status: 1, .verdict(["nameExcluded", "nameNotPermitted", "nameNotPermitted"])
        ) {
            let root = try TestAuthority.root(
                .authority("Constrained Root").with { $0.excludedDNSNames = ["db.example.com"] })
            let middle = try root.intermediate(
                .authority("Company CA").with { $0.permittedDNSNames = ["example.com", "example.org"] })
            let authority = try middle.intermediate(
                .authority("Department CA").with { $0.permittedDNSNames = ["example.com"] })
            return chain(
                try authority.issue(
                    .leaf("api.example.net").with { $0.dnsNames = ["api.example.net", "db.example.com"] }),
                of: authority)
        },
        Situation(
            "Two certificates of one CA with the same number are reported, although the chain is valid",
            file: "reused-serial-number", source: "FiloSottile/mkcert 226", verify("--host", Lab.host), status: 0,
            .verdict([])
        ) {
            let root = try TestAuthority.root(.authority("Printer Root"))
            let leaf = try root.issue(.leaf(Lab.host).with { $0.serialNumber = [1] })
            let other = try root.issue(.leaf("printer.example.com").with { $0.serialNumber = [1] })
            return [
                "chain.pem": text([leaf.certificate, other.certificate]), "root.pem": text([root.certificate]),
            ]
        },
        Situation(
            "The revocation of one certificate is known, and the report says how many statuses are missing",
            file: "one-status-of-two", source: "j81blog/GenLeCertForNS 36",
            verify("--host", Lab.host, "--crl", "root.crl"), status: 1, .verdict(["certificateRevoked"])
        ) {
            let root = try TestAuthority.root(.authority("Revoking Root"))
            let authority = try root.intermediate(.authority("Revoked CA"))
            let crl = try root.crl { $0.revoke(authority.certificate, reason: .superseded) }
            return chain(try authority.issue(.leaf(Lab.host)), of: authority).merging([
                "root.crl": Data(crl.pem.utf8)
            ]) { $1 }
        },
        Situation(
            "A revoked leaf below the root was checked for revocation", file: "revoked-leaf",
            source: "j81blog/GenLeCertForNS 36", verify("--host", Lab.host, "--crl", "root.crl"), status: 1,
            .verdict(["certificateRevoked"])
        ) {
            let root = try TestAuthority.root(.authority("Revoking Root"))
            let leaf = try root.issue(.leaf(Lab.host))
            let crl = try root.crl { $0.revoke(leaf.certificate, reason: .keyCompromise) }
            return chain(leaf, of: root).merging(["root.crl": Data(crl.pem.utf8)]) { $1 }
        },
        Situation(
            "A chain of ML-DSA-44 learns which sizes are verified, once for each certificate", file: "ml-dsa-44",
            source: "pyca/cryptography 15332, aws/s2n-tls 5740", verify("--host", Lab.host), status: 1,
            .verdict([
                "signatureAlgorithmUnsupported", "signatureAlgorithmUnsupported", "keyAlgorithmUnsupported",
                "keyAlgorithmUnsupported", "keyAlgorithmUnsupported",
            ])
        ) {
            func sized(_ template: CertificateTemplate) -> CertificateTemplate {
                let algorithm = Situation.algorithm("2.16.840.1.101.3.4.3.17")
                return template.with {
                    $0.encoding.signedAlgorithm = algorithm
                    $0.encoding.outerAlgorithm = algorithm
                    $0.encoding.publicKeyInfo = key(algorithm, bytes: 1312)
                }
            }
            let authority = try TestAuthority.root(sized(.authority("Quantum Root")))
                .intermediate(sized(.authority("Quantum CA")))
            return chain(try authority.issue(sized(.leaf(Lab.host))), of: authority)
        },
        unusable("composite-key", "digicert/pkilint 132", "1.3.6.1.5.5.7.6.45"),
        unusable("slh-dsa-key", "digicert/pkilint 132", "2.16.840.1.101.3.4.3.26"),
        unusable("ed448-key", "openssl/openssl 25697", "1.3.101.113"),
    ]

    /// A server whose key has an algorithm that no browser accepts.
    private static func unusable(_ file: String, _ source: String, _ identifier: String) -> Situation {
        Situation(
            "No profile makes a handshake with this key work (\(file))", file: file, source: source,
            verify("--host", Lab.host), status: 1, .verdict(["keyAlgorithmUnsupported"])
        ) {
            let root = try TestAuthority.root(.authority("Usual Root"))
            return chain(
                try root.issue(
                    .leaf(Lab.host).with { $0.encoding.publicKeyInfo = key(Situation.algorithm(identifier), bytes: 57) }
                ),
                of: root)
        }
    }

    private static func algorithm(_ dotted: String) -> [UInt8] {
        let contents = OID(dotted)?.der ?? []
        return DERWriter.sequence([0x06, UInt8(contents.count)] + contents)
    }

    private static func key(_ algorithm: [UInt8], bytes: Int) -> [UInt8] {
        DERWriter.sequence(algorithm, DERWriter.bits([UInt8](repeating: 0x5a, count: bytes)))
    }
}
