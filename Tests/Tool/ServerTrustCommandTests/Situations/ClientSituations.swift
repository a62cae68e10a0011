// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

/// Client certificates that a server evaluates.
extension Situation {
    private static let client = ["--purpose", "clientAuth"]

    static let clients: [Situation] = [
        Situation(
            "The holder, not the server's administrator, renews an expired client certificate", file: "expired-client",
            source: "kubernetes/kubernetes 68924, m-lab/k8s-support 446", verify() + client, status: 1,
            .verdict(["certificateExpired"])
        ) {
            let root = try TestAuthority.root(.authority("kubernetes"))
            let admin = CertificateTemplate.client("kubernetes-admin").with {
                $0.organization = "system:masters"
                $0.notBefore = TestAuthority.now.advanced(by: .days(-366))
                $0.notAfter = TestAuthority.now.advanced(by: .days(-1))
            }
            return chain(try root.issue(admin), of: root)
        },
        Situation(
            "A certificate from the server CA doesn't belong to the client CA",
            file: "client-of-another-authority", source: "etcd-io/etcd 16590", verify() + client, status: 1,
            .verdict(["unknownIssuer"])
        ) {
            let servers = try TestAuthority.root(.authority("etcd Server CA"))
            let clients = try TestAuthority.root(.authority("etcd Client CA"))
            let leaf = CertificateTemplate.client("etcd-0").with { $0.extendedKeyUsage = [.serverAuth, .clientAuth] }
            return [
                "chain.pem": text([try servers.issue(leaf).certificate]), "root.pem": text([clients.certificate]),
            ]
        },
        Situation(
            "A client that sends only its own certificate leaves out the intermediate",
            file: "client-without-intermediate", source: "smallstep/hello-mtls 94, kubernetes/ingress-nginx 3420",
            verify() + client, status: 1, .verdict(["unknownIssuer"])
        ) {
            let root = try TestAuthority.root(.authority("Staff Root"))
            let authority = try root.intermediate(.authority("Staff CA"))
            return [
                "chain.pem": text([try authority.issue(.client("alice")).certificate]),
                "root.pem": text([root.certificate]),
            ]
        },
        Situation(
            "A mail certificate doesn't authenticate a client", file: "mail-as-client",
            source: "openssl/openssl 20090", verify() + client, status: 1,
            .verdict(["extendedKeyUsageNotAllowed"])
        ) {
            let authority = try TestAuthority.root(.authority("Staff Root")).intermediate(.authority("Mail CA"))
            let template = CertificateTemplate.client("Alice", .rfc822Name("alice@example.com")).with {
                // emailProtection
                $0.extendedKeyUsage = OID("1.3.6.1.5.5.7.3.4").map { [$0] }
            }
            return chain(try authority.issue(template), of: authority)
        },
    ]
}
