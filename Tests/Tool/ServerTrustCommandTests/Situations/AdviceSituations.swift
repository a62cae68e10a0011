// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

@testable import ServerTrustTesting

/// Situations in which the first idea of a remedy is wrong: another party or another certificate must change.
extension Situation {
    private static let now = TestAuthority.now
    private static let clockRemedy =
        "Compare this machine's clock with the clock of the machine that issued the certificate, and correct the wrong one: the path becomes valid in %, at %. If both are right, use it from then on."

    /// The remedies of each situation, in order.
    static let remedies: [String: [String]] = [
        "superseded-cross-sign": [
            "Replace only the certificate sent as number 3: the CA has another certificate for the same key. Send that one instead. The server's certificate and the rest of the chain can stay."
        ],
        "superseded-issuer-of-client": [
            "Replace only the certificate sent as number 2: the CA has another certificate for the same key. Send that one instead. The client's certificate and the rest of the chain can stay."
        ],
        "compromised-cross-sign": ["Move to a chain without the revoked CA."],
        "valid-in-minutes": [
            clockRemedy.filled("4 minutes", "2026-11-18T11:10:40Z")
        ],
        "authority-of-tomorrow": [
            clockRemedy.filled("20 hours", "2026-11-19T07:06:40Z")
        ],
        "pinned-root-not-in-store": [
            "The certificate sent as number 3 leads to CN=Old Root,O=Test, which isn't trusted here. If you pinned that root, get it from the CA and add it to the anchors or to this machine's root store. If you pinned something else, don't trust the connection before you know why the pin doesn't match."
        ],
        "expired-cross-sign": [
            "Remove the certificate sent as number 3 from the chain: CN=New Root,O=Test. It expired at 2026-11-17T11:06:40Z."
        ],
        "expired-cross-sign-and-root": [
            "Remove the certificate sent as number 3 from the chain: CN=New Root,O=Test. It expired at 2026-11-17T11:06:40Z.",
            "Remove the certificate sent as number 4 from the chain: CN=Old Root,O=Test. It is not part of the path.",
        ],
        "stale-intermediate": [
            "Remove the certificate sent as number 2 from the chain: CN=Company CA,O=Test. It has the name of the certificate sent as number 3, but another key."
        ],
        "older-copy-of-intermediate": [
            "Remove the certificate sent as number 3 from the chain: CN=Company CA,O=Test. The certificate sent as number 2 replaces it."
        ],
        "authority-as-server": [
            "Give the server a certificate from a CA that is trusted here. If this certificate has the same SHA-256 digest as your own copy, you can add your copy to the anchors instead.",
            "Have the certificate reissued with key usage digitalSignature. TLS 1.3 and every cipher suite with forward secrecy need it.",
        ],
        "ldap-address": [
            "Provide a CRL from the certificate's issuer. The certificate's only address of revocation data is ldap://ldap.example.com/cn=CA?certificateRevocationList, and LDAP addresses aren't fetched. Otherwise have the CA issue certificates that also name an http address."
        ],
        "file-address": [
            "Provide a CRL from the certificate's issuer. The certificate's only address of revocation data is file://server/share/ca.crl, and FILE addresses aren't fetched. Otherwise have the CA issue certificates that also name an http address."
        ],
        "traefik-default": [
            "The server sent the default certificate of Traefik, because it has no other one for this name. Don't trust it. Check that a router with `tls` has a rule for the host and a certificate or a resolver, that ACME succeeded (see Traefik's log), and that clients send the host name (SNI)."
        ],
        "synology-default": [
            "The server sent the default certificate of Synology DSM, because it has no other one for this name. Don't trust it. Add a certificate for the host under Control Panel, Security, Certificate, and assign it to the service."
        ],
        "caddy-local": [
            "CN=Caddy Local Authority - 2026 ECC Root,O=Test is the CA of Caddy, which is trusted only where its root is installed. If the site is public, Caddy couldn't get a certificate or has `tls internal`: read its log. Otherwise get the root from Caddy's data folder, `pki/authorities/local/root.crt`. Add that root to the anchors, and never take it from this connection."
        ],
        "cloudflare-origin": [
            "OU=CloudFlare Origin SSL Certificate Authority,O=CloudFlare\\, Inc.,C=US is Cloudflare's origin CA. Its certificates are only for the connection between Cloudflare and the server. Connect through Cloudflare (proxied DNS record), or give the server a certificate from a public CA."
        ],
        "entrust-root": [
            "Have a certificate issued by another CA. CN=Entrust Root Certification Authority - G2,O=Entrust\\, Inc.,C=US belongs to Entrust, and root programs stopped trusting it: certificates issued after November 2024 don't count, and stores remove the root. Don't add it to the anchors."
        ],
    ]

    static let advice: [Situation] = [
        crossSign(
            "If the first cross-signed certificate of a root was revoked, only that certificate must be replaced",
            file: "superseded-cross-sign", source: "j81blog/GenLeCertForNS 36", .superseded),
        crossSign(
            "The chain of a compromised CA must change", file: "compromised-cross-sign",
            source: "j81blog/GenLeCertForNS 36", .keyCompromise),
        Situation(
            "If the CA replaced its certificate, the client's certificate can stay",
            file: "superseded-issuer-of-client", source: "j81blog/GenLeCertForNS 36",
            verify("--purpose", "clientAuth", "--crl", "root.crl"), status: 1, .verdict(["certificateRevoked"])
        ) {
            let root = try TestAuthority.root(.authority("Device Root"))
            let authority = try root.intermediate(.authority("Device CA"))
            let crl = try root.crl { $0.revoke(authority.certificate, reason: .superseded) }
            return chain(try authority.issue(.client("device-1")), of: authority)
                .merging(["root.crl": Data(crl.pem.utf8)]) { $1 }
        },
        Situation(
            "A certificate that becomes valid in four minutes may be right, and this machine's clock wrong",
            file: "valid-in-minutes", source: "smallstep/certificates 1013", verify("--host", Lab.host), status: 1,
            .verdict(["certificateNotYetValid"])
        ) {
            let root = try TestAuthority.root(.authority("Company Root"))
            return chain(
                try root.issue(.leaf(Lab.host).with { $0.notBefore = now.advanced(by: .seconds(240)) }), of: root)
        },
        Situation(
            "If all certificates become valid tomorrow, one of two clocks is wrong", file: "authority-of-tomorrow",
            source: "smallstep/certificates 1013", verify("--purpose", "clientAuth"), status: 1,
            .verdict(["certificateNotYetValid", "certificateNotYetValid"])
        ) {
            let root = try TestAuthority.root(
                .authority("Company Root").with { $0.notBefore = now.advanced(by: .hours(19)) })
            return chain(
                try root.issue(.client("device-1").with { $0.notBefore = now.advanced(by: .hours(20)) }), of: root)
        },
        Situation(
            "A pin of the old root fails if the store has only the new one", file: "pinned-root-not-in-store",
            source: "mParticle/mparticle-apple-sdk 879", verify("--host", Lab.host, "--pins", "Client.kt"), status: 1,
            .verdict(["pinNotMatched"])
        ) {
            let pair = try Roots()
            let pins = "CertificatePinner.Builder().add(\"\(Lab.host)\", \"\(SPKIPin(pair.old.certificate))\").build()"
            return [
                "chain.pem": text(try pair.chain()), "root.pem": text([pair.new.certificate]),
                "Client.kt": Data("val p = \(pins)\n".utf8),
            ]
        },
        Situation(
            "An expired cross-signed certificate of a trusted root is useless", file: "expired-cross-sign",
            source: "letsencrypt/boulder 5622", verify("--host", Lab.host), status: 0, .verdict([])
        ) {
            let pair = try Roots { $0.notAfter = now.advanced(by: .days(-1)) }
            return ["chain.pem": text(try pair.chain()), "root.pem": text([pair.new.certificate])]
        },
        Situation(
            "An expired cross-signed certificate is useless beside its root, too",
            file: "expired-cross-sign-and-root", source: "letsencrypt/boulder 5622", verify("--host", Lab.host),
            status: 0, .verdict([])
        ) {
            let pair = try Roots { $0.notAfter = now.advanced(by: .days(-1)) }
            return [
                "chain.pem": text(try pair.chain() + [pair.old.certificate]), "root.pem": text([pair.new.certificate]),
            ]
        },
        Situation(
            "A server that sends a stale intermediate before the right one has to remove it",
            file: "stale-intermediate", source: "cert-manager/cert-manager 5864", verify("--host", Lab.host), status: 0,
            .verdict([])
        ) {
            let root = try TestAuthority.root(.authority("Company Root"))
            let stale = try root.intermediate(.authority("Company CA"))
            let right = try root.intermediate(.authority("Company CA"))
            let leaf = try right.issue(.leaf(Lab.host))
            return [
                "chain.pem": text([leaf.certificate, stale.certificate, right.certificate]),
                "root.pem": text([root.certificate]),
            ]
        },
        Situation(
            "A server that sends the same CA's older certificate has to remove it",
            file: "older-copy-of-intermediate", source: "cert-manager/cert-manager 5864", verify("--host", Lab.host),
            status: 0, .verdict([])
        ) {
            let root = try TestAuthority.root(.authority("Company Root"))
            let current = try root.intermediate(.authority("Company CA"))
            let older = try current.crossSigned(by: root) { $0.serialNumber = [0x52, 9] }
            let leaf = try current.issue(.leaf(Lab.host))
            return [
                "chain.pem": text([leaf.certificate, current.certificate, older.certificate]),
                "root.pem": text([root.certificate]),
            ]
        },
        Situation(
            "A self-signed CA as a server's certificate is first of all self-signed", file: "authority-as-server",
            source: "cloudflare/cfssl 1221", verify("--host", Lab.host), status: 1,
            .verdict(["selfSignedLeaf", "keyUsageNotForTLS"])
        ) {
            let own = try TestAuthority.selfSigned(
                .authority("Own CA").with {
                    $0.alternativeNames = [.dns(Lab.host)]
                    $0.extendedKeyUsage = [.serverAuth]
                })
            return [
                "chain.pem": text([own.certificate]),
                "root.pem": text([try TestAuthority.root(.authority("Public Root")).certificate]),
            ]
        },
        address("ldap-address", "ldap://ldap.example.com/cn=CA?certificateRevocationList"),
        address("file-address", "file://server/share/ca.crl"),
        named(
            "Traefik's default certificate means that no router has a certificate for the host",
            file: "traefik-default", source: "traefik/traefik 5507", ["hostMismatch", "selfSignedLeaf"]
        ) {
            [
                try TestAuthority.selfSigned(
                    .leaf("0123456789abcdef.traefik.default").with { $0.commonName = "TRAEFIK DEFAULT CERT" }
                ).certificate
            ]
        },
        named(
            "A NAS with its default certificate needs one for the host", file: "synology-default",
            source: "acmesh-official/acme.sh 2727", ["hostMismatch", "unknownIssuer"]
        ) {
            let root = try TestAuthority.root(
                .authority("Synology Inc. CA").with { $0.organization = "Synology Inc." })
            return [try root.issue(.leaf("synology")).certificate]
        },
        named(
            "Caddy's own CA is trusted only where its root is installed", file: "caddy-local",
            source: "caddyserver/caddy 3865", ["unknownIssuer"]
        ) {
            let root = try TestAuthority.root(.authority("Caddy Local Authority - 2026 ECC Root"))
            let authority = try root.intermediate(.authority("Caddy Local Authority - ECC Intermediate"))
            return authority.chain(try authority.issue(.leaf(Lab.host)))
        },
        named(
            "A certificate of Cloudflare's origin CA is only for Cloudflare", file: "cloudflare-origin",
            source: "cloudflare/cloudflared 1217", ["unknownIssuer"]
        ) {
            let root = try TestAuthority.root(
                .authority("").with {
                    $0.country = "US"
                    $0.organization = "CloudFlare, Inc."
                    $0.organizationalUnit = "CloudFlare Origin SSL Certificate Authority"
                })
            return [try root.issue(.leaf(Lab.host)).certificate]
        },
        named(
            "A root that stores removed isn't to be added again", file: "entrust-root",
            source: "bcgov/DriveBC.ca 798", ["untrustedRoot"]
        ) {
            let root = try TestAuthority.root(
                .authority("Entrust Root Certification Authority - G2").with {
                    $0.country = "US"
                    $0.organization = "Entrust, Inc."
                })
            return [try root.issue(.leaf(Lab.host)).certificate, root.certificate]
        },
    ]

    /// An old root, a new one, and a certificate of the new one from the old one.
    private struct Roots {
        let old: TestAuthority
        let new: TestAuthority
        let cross: TestAuthority

        init(_ change: (inout CertificateTemplate) -> Void = { _ in }) throws {
            old = try TestAuthority.root(.authority("Old Root"))
            new = try TestAuthority.root(.authority("New Root"))
            cross = try new.crossSigned(by: old, change)
        }

        /// Returns a leaf, its issuer and the cross-signed certificate.
        func chain() throws -> [Certificate] {
            let authority = try cross.intermediate(.authority("Issuing CA"))
            return authority.chain(try authority.issue(.leaf(Lab.host)))
        }
    }

    private static func crossSign(
        _ description: String, file: String, source: String, _ reason: RevocationReason
    ) -> Situation {
        Situation(
            description, file: file, source: source, verify("--host", Lab.host, "--crl", "root.crl"), status: 1,
            .verdict(["certificateRevoked"])
        ) {
            let pair = try Roots()
            let crl = try pair.old.crl { $0.revoke(pair.cross.certificate, reason: reason) }
            return [
                "chain.pem": text(try pair.chain()), "root.pem": text([pair.old.certificate]),
                "root.crl": Data(crl.pem.utf8),
            ]
        }
    }

    private static func address(_ file: String, _ address: String) -> Situation {
        Situation(
            "An address of revocation data that isn't fetched is named", file: file, source: "CESNET/libnetconf2 604",
            verify("--host", Lab.host, "--revocation", "required"), status: 1, .verdict(["revocationUnavailable"])
        ) {
            let root = try TestAuthority.root(.authority("Directory Root"))
            let leaf = try root.issue(
                .leaf(Lab.host).with { $0.crlDistributionPoints = [.init(stringLiteral: address)] })
            return chain(leaf, of: root)
        }
    }

    private static func named(
        _ description: String, file: String, source: String, _ codes: [String],
        _ chain: @escaping @Sendable () throws -> [Certificate]
    ) -> Situation {
        Situation(description, file: file, source: source, verify("--host", Lab.host), status: 1, .verdict(codes)) {
            [
                "chain.pem": text(try chain()),
                "root.pem": text([try TestAuthority.root(.authority("Public Root")).certificate]),
            ]
        }
    }
}

extension String {
    /// Returns the text with each `%` replaced by a value.
    fileprivate func filled(_ values: String...) -> String {
        values.reduce(self) { text, value in
            guard let place = text.firstRange(of: "%") else { return text }
            return text.replacingCharacters(in: place, with: value)
        }
    }
}
