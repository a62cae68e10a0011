// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustTesting

/// Staples and timestamps from OpenSSL and nginx, with TLS 1.2 and 1.3. Some servers are trusted, and others are
/// refused for another reason.
@Suite("servertrust check and the evidence in handshakes", .serialized, .timeLimit(.minutes(10)))
struct CheckEvidenceLiveTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let staple: String?
        var isForAnotherHost = false
        /// The claim in the report and whether it is verified, the outcome, and the first failure code of the verdict.
        let claim: String?
        var isVerified = false
        let outcome: String
        let code: String?

        var testDescription: String { (staple ?? "none") + (isForAnotherHost ? " of a server with another name" : "") }
    }

    static let rows = [
        Row(staple: "good", claim: "good", isVerified: true, outcome: "trusted", code: nil),
        Row(staple: "revoked", claim: "revoked", isVerified: true, outcome: "rejected", code: "certificateRevoked"),
        Row(staple: "expired", claim: "good", outcome: "rejected", code: "revocationUnavailable"),
        Row(staple: nil, claim: nil, outcome: "rejected", code: "revocationUnavailable"),
        // The evaluation refuses the path before it examines the staple.
        Row(staple: "good", isForAnotherHost: true, claim: "good", outcome: "rejected", code: "hostMismatch"),
        Row(staple: "revoked", isForAnotherHost: true, claim: "revoked", outcome: "rejected", code: "hostMismatch"),
        Row(staple: "expired", isForAnotherHost: true, claim: "good", outcome: "rejected", code: "hostMismatch"),
    ]

    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Handshake: Decodable {
                struct Observed: Decodable { let signature: String }
                let observed: Observed?
                let timestamps: Int
            }
            struct Verdict: Decodable {
                struct Failure: Decodable { let code: String }
                struct Staple: Decodable {
                    let claim: String
                    let verified: Bool
                }
                let failures: [Failure]
                let staple: Staple?
            }
            let tlsVersion: String?
            let handshake: Handshake?
            let verdict: Verdict?
        }
        let outcome: String
        let steps: [Step]
    }

    @Test(
        "check shows and evaluates a staple, whatever else is wrong with the server",
        arguments: [Peer.openssl, .nginx].filter(\.isThere), rows)
    func staple(peer: Peer, row: Row) throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf(row.isForAnotherHost ? "other.lab.test" : "api.lab.test"))
        let now = TestAuthority.now
        let staple = try root.ocspResponse { template in
            template.add(leaf.certificate, row.staple == "revoked" ? .revoked : .good)
            guard row.staple == "expired" else { return }
            template.responses[0].thisUpdate = now.advanced(by: -9 * 86_400)
            template.responses[0].nextUpdate = now.advanced(by: -2 * 86_400)
        }
        for version in ["1.2", "1.3"] {
            try TemporaryFolder.with { folder in
                let identity = try PeerIdentity(leaf, in: folder)
                let anchors = try folder.write("root.pem", pem(root.certificate))
                let file = try folder.write("staple.der", Data(staple.der)).path
                var options: [String] = []
                switch peer {
                case .nginx:
                    options = ["TLSv\(version)"]
                    if row.staple != nil { options.append("ssl_stapling on; ssl_stapling_file \(file);") }
                default:
                    options = version == "1.2" ? ["-tls1_2"] : ["-tls1_3"]
                    if row.staple != nil { options += ["-status_file", file] }
                }
                let answer = try check(peer, identity, options, anchors, in: folder)
                let step = try #require(answer.steps.first)
                print(
                    "| \(peer.name) | TLS \(version) | \(row.testDescription) | \(step.verdict?.staple?.claim ?? "none") | \(answer.outcome) \(step.verdict?.failures.first?.code ?? "") |"
                )
                #expect(step.tlsVersion == "TLS \(version)" && step.handshake?.observed?.signature == "valid")
                let staple = step.verdict?.staple
                #expect(staple?.claim == row.claim && staple?.verified ?? false == row.isVerified)
                #expect(answer.outcome == row.outcome && step.verdict?.failures.first?.code == row.code)
            }
        }
    }

    @Test(
        "check counts timestamps from the handshake, with TLS 1.2 and 1.3", .enabled(if: Peer.openssl.isThere),
        arguments: ["-tls1_2", "-tls1_3"])
    func timestamps(version: String) throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("api.lab.test"))
        func vector(_ content: [UInt8]) -> [UInt8] {
            [UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
        }
        // RFC 6962 § 3.2: version, log, time, no extensions, signature.
        let timestamp =
            [0] + [UInt8](repeating: 7, count: 32) + [0, 0, 1, 0, 0, 0, 0, 0] + vector([]) + [4, 3] + vector([0x30, 0])
        let list = vector(vector(timestamp) + vector(timestamp))
        // In the ClientHello, the ServerHello of TLS 1.2 and the Certificate of TLS 1.3.
        let information = [0, 0, 0x11, 0x80, 0, 18] + vector(list)
        try TemporaryFolder.with { folder in
            let text = PEM.encode(information, label: "SERVERINFOV2 FOR TIMESTAMPS")
            let file = try folder.write("timestamps.pem", Data(text.utf8)).path
            let anchors = try folder.write("root.pem", pem(root.certificate))
            let answer = try check(
                .openssl, try PeerIdentity(leaf, in: folder), [version, "-serverinfo", file], anchors, in: folder,
                requires: false)
            #expect(answer.outcome == "trusted" && answer.steps.first?.handshake?.timestamps == 2)
        }
    }

    private func check(
        _ peer: Peer, _ identity: PeerIdentity, _ options: [String], _ anchors: URL, in folder: TemporaryFolder,
        requires: Bool = true
    ) throws -> Answer {
        let (server, port) = try peer.start(identity, options, in: folder)
        defer { _ = server.stop(SIGKILL) }
        let outcome = try Tool.run(
            [
                "check", "https://api.lab.test:\(port)/", "--connect", "127.0.0.1", "--anchors", anchors.path,
                "--time", TestAuthority.now.description, "--format", "json", "--timeout", "20s",
            ] + (requires ? ["--revocation", "required"] : []))
        return try #require(try outcome.json([Answer].self).first, "\(outcome.errors)\(server.errors)")
    }
}
