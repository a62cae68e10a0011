// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

/// `check --fix` and `verify --fix` write the chain that a server should send.
@Suite("servertrust --fix", .serialized, .timeLimit(.minutes(10)))
struct FixLiveTests {
    private func chain(_ outcome: Tool.Outcome) throws -> [Certificate] {
        try PEM.blocks(in: Array(outcome.output)).map { try Certificate(der: $0.get().der) }
    }

    // MARK: - Files

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The certificates in the files: l leaf, i intermediate, r root, u unrelated, s self-signed leaf.
        var presented: String
        var anchor = "r"
        var host = Lab.host
        /// The certificates that the command writes, or an empty string if the chain isn't trusted.
        var expected: String
    }

    static let rows: [Row] = [
        Row(testDescription: "already in order", presented: "li", expected: "li"),
        Row(testDescription: "with the root", presented: "lir", expected: "li"),
        Row(
            testDescription: "out of order, with a duplicate and an unrelated certificate", presented: "lruiilr",
            expected: "li"),
        Row(testDescription: "an anchor below the root is kept", presented: "li", anchor: "i", expected: "li"),
        Row(testDescription: "a leaf that is its own anchor is kept", presented: "s", anchor: "s", expected: "s"),
        Row(testDescription: "without the intermediate", presented: "l", expected: ""),
        Row(testDescription: "a root that isn't trusted", presented: "lir", anchor: "u", expected: ""),
        Row(testDescription: "another host", presented: "li", host: "other.example", expected: ""),
    ]

    @Test("verify writes the chain only if the path is trusted", arguments: rows) func verify(_ row: Row) throws {
        let lab = try Lab.shared()
        func certificates(_ names: String) -> [Certificate] {
            names.map { name in
                switch name {
                case "l": lab.leaf
                case "i": lab.intermediate
                case "r": lab.root
                case "s": lab.selfSigned
                default: lab.unrelated
                }
            }
        }
        try TemporaryFolder.with { folder in
            func file(_ name: String, _ certificates: [Certificate]) throws -> String {
                try folder.write(name, Data(certificates.map(\.pem).joined().utf8)).path
            }
            let outcome = try Tool.run([
                "verify", try file("chain.pem", certificates(row.presented)), "--anchors",
                try file("anchor.pem", certificates(row.anchor)), "--host", row.host, "--time", Lab.time, "--fix",
                "--no-cache",
            ])
            #expect(outcome.status == (row.expected.isEmpty ? 1 : 0))
            #expect(try chain(outcome) == certificates(row.expected))
            // The report is on standard error.
            #expect(outcome.errors.contains(row.host))
        }
    }

    @Test("verify writes a trusted chain that expires soon and exits with 1") func expiring() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let outcome = try Tool.run([
                "verify", try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path, "--anchors",
                try folder.write("root.pem", pem(lab.root)).path, "--host", Lab.host, "--time", Lab.time, "--fix",
                "--no-cache", "--expires-within", "36000d",
            ])
            #expect(outcome.status == 1)
            #expect(try chain(outcome) == [lab.leaf, lab.intermediate])
        }
    }

    // MARK: - Servers

    @Test("check fetches an intermediate that the server doesn't send") func fetched() async throws {
        let lab = try await LabServers([.servedIntermediate])
        let fix = [lab.names[0], "--fix", "--no-cache"]
        let outcome = try lab.check(fix + ["--fetch-from", "127.0.0.1"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let written = try chain(outcome)
        #expect(written.count == 2)
        #expect(written.first == lab.servers[0].certificates.chain[0])
        #expect(written.last?.subject == written.first?.issuer)
        // The user must allow loopback. Otherwise, check neither fetches nor writes anything.
        let refused = try lab.check(fix)
        #expect(refused.status == 1)
        #expect(refused.output.isEmpty)
        await lab.stop()
    }

    @Test("check puts the chain in order") func ordered() async throws {
        let lab = try await LabServers([.wrongOrder])
        let outcome = try lab.check([lab.names[0], "--fix", "--no-cache"])
        #expect(outcome.status == 0)
        let written = try chain(outcome)
        #expect(Set(written).count == written.count && written.count == 3)
        for (certificate, issuer) in zip(written, written.dropFirst()) { #expect(certificate.issuer == issuer.subject) }
        #expect(written.last?.subject != written.last?.issuer)
        await lab.stop()
    }

    @Test("check writes nothing for a server that it can't reach") func unreached() throws {
        let closed = try SilentSocket(isListening: false)
        defer { withExtendedLifetime(closed) {} }
        let outcome = try Tool.run(["check", "localhost:\(closed.port)", "--connect", "127.0.0.1", "--fix"])
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
    }
}
