// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Other libraries' servers, each with a setting that changes the handshake. A row contains the facts that check must
/// report.
@Suite("servertrust check with other libraries' servers", .serialized, .timeLimit(.minutes(10)))
struct CheckPeersLiveTests {
    /// The expected report: `trusted`, `rejected` or `undecided`, version, suite, group, scheme, and the result of the
    /// signature check.
    struct Facts: Sendable, Equatable {
        var outcome = "trusted"
        var version: String? = "TLS 1.3"
        var suite: String? = "TLS_AES_128_GCM_SHA256"
        var group: String? = "x25519"
        var scheme: String? = "rsa_pss_rsae_sha256"
        var signature: String? = "valid"
        /// The code of the first failure, or `error` for any error.
        var code: String?

        static let failed = Self(
            outcome: "undecided", version: nil, suite: nil, group: nil, scheme: nil, signature: nil, code: "error")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var server = Peer.openssl
        let key: String
        let options: [String]
        let check: [String]
        let facts: Facts

        init(
            _ testDescription: String, key: String = "rsa", _ options: [String], check: [String] = [], _ facts: Facts
        ) {
            self.testDescription = testDescription
            (self.key, self.options, self.check, self.facts) = (key, options, check, facts)
        }

        init(_ testDescription: String, key: String = "rsa", _ facts: Facts) {
            self.init(testDescription, key: key, [], facts)
        }

        init(_ testDescription: String, _ server: Peer, key: String = "rsa", _ options: [String], _ facts: Facts) {
            self.init(testDescription, key: key, options, facts)
            self.server = server
        }
    }

    private static let old = ["-cipher", "ALL:@SECLEVEL=0"]
    private static let tls12 = Facts(version: "TLS 1.2", suite: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")

    private static func changed(_ facts: Facts = Facts(), _ change: (inout Facts) -> Void) -> Facts {
        var facts = facts
        change(&facts)
        return facts
    }

    static let openssl: [Row] = [
        Row("OpenSSL with default settings", Facts()),
        Row("no tickets", ["-no_ticket"], Facts()),
        Row("the server's preferred suite", ["-serverpref"], changed { $0.suite = "TLS_AES_256_GCM_SHA384" }),
        Row("ALPN", ["-alpn", "h2,http/1.1"], Facts()),
        Row(
            "TLS 1.3 with AES-256", ["-ciphersuites", "TLS_AES_256_GCM_SHA384"],
            changed { $0.suite = "TLS_AES_256_GCM_SHA384" }),
        Row(
            "TLS 1.3 with ChaCha20", ["-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"],
            changed { $0.suite = "TLS_CHACHA20_POLY1305_SHA256" }),
        Row("P-256 alone", ["-groups", "P-256"], changed { $0.group = "secp256r1" }),
        Row("only P-384, with a second hello", ["-groups", "P-384"], changed { $0.group = "secp384r1" }),
        Row(
            "only P-521, which the TLS client doesn't offer", ["-groups", "P-521"],
            changed { ($0.group, $0.outcome, $0.code) = ("secp521r1", "undecided", "error") }),
        Row("X448 alone", ["-groups", "X448"], .failed),
        Row("signatures with SHA-512", ["-sigalgs", "RSA-PSS+SHA512"], changed { $0.scheme = "rsa_pss_rsae_sha512" }),
        Row("a key of P-256", key: "p256", changed { $0.scheme = "ecdsa_secp256r1_sha256" }),
        Row("a key of P-384", key: "p384", changed { $0.scheme = "ecdsa_secp384r1_sha384" }),
        Row("a key of P-521", key: "p521", changed { $0.scheme = "ecdsa_secp521r1_sha512" }),
        Row("an Ed25519 key", key: "ed25519", changed { $0.scheme = "ed25519" }),
        Row(
            "an RSA-PSS key, which the TLS client doesn't accept", key: "rsa-pss",
            changed { ($0.scheme, $0.outcome, $0.code) = ("rsa_pss_pss_sha256", "undecided", "error") }),
        Row("a brainpool key", key: "brainpool", .failed),
        Row("TLS 1.2", ["-tls1_2"], tls12),
        Row(
            "TLS 1.2 with a CBC suite", ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-SHA"],
            changed(tls12) { $0.suite = "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA" }),
        Row(
            "TLS 1.2 with a suite that the TLS client doesn't offer",
            ["-tls1_2", "-cipher", "ECDHE-RSA-AES256-SHA384"],
            changed(tls12) {
                ($0.suite, $0.outcome, $0.code) = (
                    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", "undecided", "error"
                )
            }),
        Row(
            "TLS 1.2 with finite-field Diffie-Hellman", ["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"],
            changed(tls12) {
                $0.suite = "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"
                ($0.group, $0.outcome, $0.code) = ("a 2048-bit prime", "undecided", "error")
            }),
        Row(
            "TLS 1.2 without a signature", ["-tls1_2", "-cipher", "AES128-GCM-SHA256"],
            changed(tls12) {
                ($0.suite, $0.group, $0.scheme, $0.signature) = ("TLS_RSA_WITH_AES_128_GCM_SHA256", nil, nil, "none")
            }),
        Row(
            "TLS 1.2 without a signature, with a suite that no client offers", ["-tls1_2", "-cipher", "AES256-SHA256"],
            changed(tls12) {
                ($0.suite, $0.group, $0.scheme, $0.signature) = ("TLS_RSA_WITH_AES_256_CBC_SHA256", nil, nil, "none")
                ($0.outcome, $0.code) = ("rejected", "handshakeUnproven")
            }),
        Row("TLS 1.2 although 1.3 is required", ["-tls1_2"], check: ["--tls-minimum", "1.3"], .failed),
        Row("TLS 1.1", ["-tls1_1"] + old, .failed),
        Row(
            "TLS 1.1, shown", ["-tls1_1"] + old, check: ["--tls-minimum", "1.0"],
            Facts(
                outcome: "rejected", version: "TLS 1.1", suite: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", scheme: nil,
                signature: "notChecked", code: "tlsVersionOutdated")),
        Row(
            "TLS 1.0, shown", ["-tls1"] + old, check: ["--tls-minimum", "1.0"],
            Facts(
                outcome: "rejected", version: "TLS 1.0", suite: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", scheme: nil,
                signature: "notChecked", code: "tlsVersionOutdated")),
        Row("an optional client certificate", ["-verify", "1"], Facts()),
        Row("TLS 1.2: an optional client certificate", ["-tls1_2", "-verify", "1"], tls12),
    ]

    static let others: [Row] = [
        Row("GnuTLS with default settings", .gnutls, [], Facts()),
        Row("GnuTLS with TLS 1.2", .gnutls, ["NORMAL:-VERS-TLS1.3"], tls12),
        Row("nginx with default settings", .nginx, ["TLSv1.2 TLSv1.3"], Facts()),
        Row("nginx with TLS 1.2", .nginx, ["TLSv1.2"], tls12),
        Row("Python with default settings", .python, [], changed { $0.suite = "TLS_AES_256_GCM_SHA384" }),
        Row(
            "Python with P-384", .python, key: "p384", [],
            changed { ($0.scheme, $0.suite) = ("ecdsa_secp384r1_sha384", "TLS_AES_256_GCM_SHA384") }),
    ]

    @Test(
        "check reports the facts about an OpenSSL server", .enabled(if: Peer.openssl.isThere, "no openssl"),
        arguments: openssl
    )
    func opensslServer(row: Row) throws { try check(row) }

    @Test("check reports the facts about another library's server", arguments: others.filter { $0.server.isThere })
    func otherServer(row: Row) throws { try check(row) }

    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Handshake: Decodable {
                struct Observed: Decodable {
                    let cipherSuite: String?
                    let group: String?
                    let signatureScheme: String?
                    let signature: String
                }
                let observed: Observed?
            }
            struct Verdict: Decodable {
                struct Failure: Decodable { let code: String }
                let failures: [Failure]
            }
            struct Failure: Decodable { let reason: String }
            let tlsVersion: String?
            let handshake: Handshake?
            let verdict: Verdict?
            let error: Failure?
        }
        let outcome: String
        let steps: [Step]
    }

    private func check(_ row: Row) throws {
        try TemporaryFolder.with { folder in
            let identity = try PeerIdentity(row.key, in: folder)
            let (server, port) = try row.server.start(identity, row.options, in: folder)
            defer { _ = server.stop(SIGKILL) }
            let outcome = try Tool.run(
                [
                    "check", "https://api.lab.test:\(port)/", "--connect", "127.0.0.1", "--anchors",
                    identity.certificate.path, "--format", "json", "--timeout", "20s",
                ] + row.check)
            let answer = try #require(try outcome.json([Answer].self).first, "\(outcome.errors)")
            let step = try #require(answer.steps.first)
            let seen = step.handshake?.observed
            var facts = Facts(
                outcome: answer.outcome, version: step.tlsVersion, suite: seen?.cipherSuite, group: seen?.group,
                scheme: seen?.signatureScheme, signature: seen?.signature)
            facts.code = step.verdict?.failures.first?.code ?? step.error.map { _ in "error" }
            print(
                "| \(row.testDescription) | \(facts.outcome) | \([facts.version, facts.suite, facts.group, facts.scheme, facts.signature, facts.code].compactMap { $0 }.joined(separator: ", ")) |"
            )
            #expect(facts == row.facts, "\(outcome.errors) \(server.errors)")
        }
    }
}
