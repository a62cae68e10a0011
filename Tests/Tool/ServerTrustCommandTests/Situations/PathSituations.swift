// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

@testable import ServerTrustTesting

/// Chains, anchors, dates and algorithms.
extension Situation {
    private static let now = TestAuthority.now

    static let paths: [Situation] = [
        Situation(
            "A device whose clock shows 1970 needs the correct time, not other certificates", file: "clock-1970",
            source: "espressif/esp-at 432, esp8266/Arduino 5022",
            verify("--host", Lab.host, "--time", "1970-01-01T00:00:30Z"), status: 1,
            .verdict(["certificateNotYetValid", "certificateNotYetValid", "certificateNotYetValid"])
        ) {
            let authority = try TestAuthority.root(.authority("Device Root")).intermediate(.authority("Device CA"))
            return chain(try authority.issue(.leaf(Lab.host)), of: authority)
        },
        Situation(
            "A server that recreated its self-signed certificate no longer matches the anchor",
            file: "renewed-self-signed", source: "owncloud/core 18060", verify("--host", "cloud.example.com"),
            status: 1, .verdict(["signatureInvalid", "notCertificateAuthority", "keyUsageLacksCertSign"])
        ) {
            let template = CertificateTemplate.leaf("cloud.example.com")
            let old = try TestAuthority.selfSigned(
                template.with { $0.notBefore = TestAuthority.notBefore.advanced(by: .days(-300)) })
            let new = try TestAuthority.selfSigned(template.with { $0.serialNumber = [0x52, 1] })
            return ["chain.pem": text([new.certificate]), "root.pem": text([old.certificate])]
        },
        Situation(
            "A database's generated certificate names no host, so trusting it doesn't help",
            file: "fallback-certificate",
            source: "dotnet/SqlClient 3235, microsoft/CSS_SQL_Networking_Tools 71",
            verify("--host", "sql.example.com"), status: 1,
            .verdict(["subjectAlternativeNameMissing", "selfSignedLeaf"])
        ) {
            let fallback = CertificateTemplate(commonName: "SSL_Self_Signed_Fallback").with {
                $0.hasSubjectKeyIdentifier = false
                $0.hasAuthorityKeyIdentifier = false
            }
            return [
                "chain.pem": text([try TestAuthority.selfSigned(fallback).certificate]),
                "root.pem": text([try TestAuthority.root(.authority("Company Root")).certificate]),
            ]
        },
        Situation(
            "In a file that starts with the CA, the server's certificate is second", file: "authority-first",
            source: "cloudflare/cfssl 1221, apache/trafficcontrol 7035", verify("--host", Lab.host), status: 1,
            .verdict(["keyUsageNotForTLS", "subjectAlternativeNameMissing"])
        ) {
            let authority = try TestAuthority.root(.authority("Order Root")).intermediate(.authority("Order CA"))
            let leaf = try authority.issue(.leaf(Lab.host))
            return [
                "chain.pem": text([authority.certificate, leaf.certificate]),
                "root.pem": text(authority.path.suffix(1)),
            ]
        },
        Situation(
            "The server can't fix a root that allows no CA below it", file: "path-length-of-root",
            source: "square/certstrap 78", verify("--host", "localhost"), status: 1,
            .verdict(["pathLengthExceeded"])
        ) {
            let root = try TestAuthority.root(.authority("Unit Test Root").with { $0.maximumPathLength = 0 })
            let authority = try root.intermediate(.authority("Unit Test CA"))
            return chain(try authority.issue(.leaf("localhost")), of: authority)
        },
        Situation(
            "A certificate with a SHA-1 signature must be signed again, but the root can stay", file: "sha1-leaf",
            source: "fatedier/frp 2957", verify("--host", "frp.example.com"), status: 1,
            .verdict(["signatureUsesSHA1"])
        ) {
            let root = try TestAuthority.root(.authority("frp Root").with { $0.signatureAlgorithm = .ecdsaSHA1 })
            return chain(
                try root.issue(.leaf("frp.example.com").with { $0.signatureAlgorithm = .ecdsaSHA1 }), of: root)
        },
        Situation(
            "A SHA-1 root and its successor with the same key are both good anchors",
            file: "two-roots-of-one-key", source: "eu-emi/canl-java 94", verify("--host", Lab.host), status: 0,
            .verdict([])
        ) {
            let key = TestKey.p256()
            let old = try TestAuthority.root(
                .authority("Grid Root").with {
                    $0.signatureAlgorithm = .ecdsaSHA1
                    $0.serialNumber = [0x52, 1]
                }, key: key)
            let new = try TestAuthority.root(.authority("Grid Root").with { $0.serialNumber = [0x52, 2] }, key: key)
            let leaf = try new.issue(.leaf(Lab.host))
            return [
                "chain.pem": text([leaf.certificate]), "root.pem": text([old.certificate, new.certificate]),
            ]
        },
        Situation(
            "Replacing an expired intermediate doesn't require a new server certificate",
            file: "expired-intermediate", source: "cert-manager/cert-manager 5864", verify("--host", Lab.host),
            status: 1, .verdict(["certificateExpired"])
        ) {
            let root = try TestAuthority.root(.authority("Company Root"))
            let authority = try root.intermediate(
                .authority("Company Cluster CA").with { $0.notAfter = now.advanced(by: .days(-2)) })
            return chain(try authority.issue(.leaf(Lab.host)), of: authority)
        },
        Situation(
            "The chain from an inspecting proxy needs the proxy's root and no change to the server",
            file: "inspecting-proxy", source: "Azure/azure-iot-explorer 604",
            verify("--host", "hub.azure-devices.net"), status: 1, .verdict(["unknownIssuer"])
        ) {
            func zscaler(_ name: String) -> CertificateTemplate {
                .authority(name).with {
                    $0.country = "US"
                    $0.organization = "Zscaler Inc."
                    $0.organizationalUnit = "Zscaler Inc."
                }
            }
            let middle = try TestAuthority.root(zscaler("Zscaler Root CA"))
                .intermediate(zscaler("Zscaler Intermediate Root CA (zscloud.net)"))
            let authority = try middle.intermediate(zscaler("Zscaler Intermediate Root CA (zscloud.net) (t) "))
            let leaf = try authority.issue(
                .leaf("*.azure-devices.net").with { $0.organization = "Microsoft Corporation" })
            return [
                "chain.pem": text(authority.chain(leaf)),
                "root.pem": text([try TestAuthority.root(.authority("Public Root")).certificate]),
            ]
        },
        Situation(
            "A root with a 1024-bit RSA key must be recreated where it is installed", file: "weak-root",
            source: "ottomao/node-easy-cert 12, kvic-z/pixelserv-tls 28", verify("--host", Lab.host), status: 1,
            .verdict(["rsaKeyTooSmall"])
        ) {
            let root = try TestAuthority.root(.authority("AnyProxy"), key: .rsa(bits: 1024))
            return chain(try root.issue(.leaf(Lab.host)), of: root)
        },
        Situation(
            "A root for clients can't issue server certificates, so another anchor is needed", file: "root-with-usages",
            source: "openssl/openssl 26046", verify("--host", Lab.host), status: 1,
            .verdict(["extendedKeyUsageNotAllowed"])
        ) {
            let root = try TestAuthority.root(
                .authority("Client Root").with { $0.extendedKeyUsage = [.clientAuth] })
            return chain(try root.issue(.leaf(Lab.host)), of: root)
        },
    ]
}
