// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import Testing

@Suite("The lab's chains without servers")
struct LabRequestsTests {
    private struct Request: Decodable {
        var id: String
        var host: String
        var chain: [String]
        var anchors: [String]

        var kind: String { id.split(separator: "-").dropLast().joined(separator: "-") }
    }

    private static let kinds = LabScenario.all.filter { $0.requestObstacle == nil }
    /// The number of chains after which every scenario has occurred.
    private static let enough = 5 * kinds.count

    private func run(_ arguments: String...) throws -> Tool.Outcome {
        let outcome = try Tool.run(["lab", "--requests"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        return outcome
    }

    private func requests(_ outcome: Tool.Outcome) throws -> [Request] {
        try outcome.lines.map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }

    private func certificates(_ chain: [String]) throws -> [Certificate] {
        try chain.map { try Certificate(der: Array(try #require(Data(base64Encoded: $0)))) }
    }

    private func kinds(_ lines: [String]) -> [String] {
        lines.map { $0.split(separator: "-").dropLast().joined(separator: "-") }
    }

    // MARK: - Requests

    @Test("Every line produces the verdict and the code that the lab expects", .timeLimit(.minutes(10)))
    func verdicts() throws {
        let outcome = try run("\(Self.enough)")
        let requests = try requests(outcome)
        let answers = try Tool.batch(outcome.output)
        #expect(requests.count == Self.enough)
        #expect(answers.map(\.id) == requests.map(\.id))
        #expect(Set(requests.map(\.kind)) == Set(Self.kinds.map(\.name)))
        for (request, answer) in zip(requests, answers) {
            let expected = LabScenario.named(request.kind)?.expected.description
            #expect(
                (answer.verdict == "trusted" ? "trusted" : answer.failures.first?.code) == expected, "\(request.id)")
            #expect(answer.verdict != "unreadable")
        }
        #expect(requests.filter { ["good", "good-rsa"].contains($0.kind) }.count == Self.enough / 5 * 4)
    }

    @Test("No leaf, serial number or host occurs twice, and each scenario has its own anchors")
    func distinct() throws {
        let requests = try requests(try run("1000"))
        #expect(requests.indices.allSatisfy { requests[$0].id.hasSuffix("-\($0)") })
        #expect(Set(requests.map(\.host)).count == 1000)
        let leaves = try requests.map { try certificates([$0.chain[0]])[0] }
        #expect(Set(leaves).count == 1000)
        #expect(Set(leaves.map(\.serialNumber.bytes)).count == 1000)
        for group in Dictionary(grouping: requests, by: \.kind).values {
            #expect(Set(group.map(\.anchors)).count == 1)
            #expect(Set(group.map { Array($0.chain.dropFirst()) }).count == 1)
        }
        let pins = zip(requests, leaves).filter { $0.0.kind == "good" }.map { SPKIPin($0.1) }
        #expect(Set(pins).count == 16)
    }

    @Test("A seed always produces the same IDs, hosts and serial numbers")
    func seeds() throws {
        func stable(_ arguments: String...) throws -> [[String]] {
            try requests(try Tool.run(["lab", "--requests", "300"] + arguments)).map {
                [$0.id, $0.host, Hex.encode(try certificates($0.chain)[0].serialNumber.bytes)]
            }
        }
        let first = try stable()
        #expect(first.count == 300)
        #expect(try stable("--seed", "1") == first)
        #expect(try stable("--seed", "2") != first)
    }

    @Test("The lab writes any number of chains, only from the named scenarios")
    func named() throws {
        #expect(try requests(try run("1")).count == 1)
        let some = try requests(try run("130", "--scenario", "expired", "revoked-by-crl", "good")).map(\.kind)
        #expect(some.count == 130)
        #expect(Set(some) == ["good", "expired", "revoked-by-crl"])
        let outcome = try Tool.run(["lab", "--requests", "1", "--scenario", "good", "tls-1.0"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("the scenario tls-1.0 has no requests: its outcome depends on the handshake"))
        #expect(outcome.output.isEmpty)
    }

    @Test("The lab stops silently if the reader closes the pipe", .timeLimit(.minutes(10)))
    func closedOutput() throws {
        let outcome = try Process.run(
            "/bin/sh", ["-c", "\"$0\" lab --requests 1000000000 --scenario good | head -1 | wc -l", Tool.url.path])
        #expect(outcome.status == 0)
        #expect(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
    }

    // MARK: - Other formats

    @Test("The anchors of all chains are in a file, which only --force replaces")
    func anchorsFile() throws {
        try TemporaryFolder.with { folder in
            let roots = folder.url.appendingPathComponent("roots.pem").path
            #expect(try run("300", "--write-anchors", roots).lines.count == 300)
            let anchors = try PEM.decode(Array(Data(contentsOf: URL(fileURLWithPath: roots))), labels: ["CERTIFICATE"])
            #expect(Set(anchors).count == anchors.count && anchors.count > 1)
            let again = try Tool.run(["lab", "--requests", "1", "--write-anchors", roots])
            #expect(again.status == 2 && again.output.isEmpty)
            #expect(again.errors.contains("already exists"))
            #expect(try run("1", "--write-anchors", roots, "--force").lines.count == 1)
        }
    }

    @Test("The CSV has a header and a quoted PEM chain in each row")
    func csv() throws {
        let text = try run("50", "--requests-format", "csv", "--scenario", "good", "untrusted-root").text
        let rows = text.dropFirst("id,host,pem\n".count).components(separatedBy: "\"\n").dropLast()
        #expect(text.hasPrefix("id,host,pem\n") && text.hasSuffix("\"\n"))
        #expect(rows.count == 50)
        for (number, row) in rows.enumerated() {
            let fields = row.components(separatedBy: ",")
            #expect(fields.count == 3)
            #expect(fields[0].hasSuffix("-\(number)"))
            #expect(fields[2].first == "\"" && !fields[2].dropFirst().contains("\""))
            let chain = try PEM.decode(Array(fields[2].dropFirst().utf8), labels: ["CERTIFICATE"])
            #expect(chain.count == 2)
        }
    }

    @Test("openssl verifies chains with the anchors in the file")
    func pem() throws {
        try TemporaryFolder.with { folder in
            let roots = folder.url.appendingPathComponent("roots.pem").path
            let requests = try requests(try run("4", "--scenario", "good", "--write-anchors", roots))
            #expect(requests.count == 4)
            for (number, request) in requests.enumerated() {
                let pem = try certificates(request.chain).map(\.pem)
                try #require(pem.count == 2)
                let leaf = try folder.write("leaf.pem", Data(pem[0].utf8)).path
                let issuer = try folder.write("issuer.pem", Data(pem[1].utf8)).path
                try Openssl.expectSuccess([
                    "verify", "-CAfile", roots, "-untrusted", issuer, "-verify_hostname",
                    "h00000000\(number).lab.test", leaf,
                ])
            }
        }
    }

    @Test("Formats without settings contain only the scenarios that need no settings")
    func scenariosWithoutSettings() throws {
        let text = try run("\(Self.enough)", "--requests-format", "csv").text
        let ids = text.components(separatedBy: "\n").filter { $0.hasSuffix("-----BEGIN CERTIFICATE-----") }
            .compactMap { $0.components(separatedBy: ",h").first }
        let names = Set(kinds(ids.filter { !$0.hasPrefix("-----") }))
        #expect(names == Set(Self.kinds.filter { !$0.dependsOnClient }.map(\.name)))
    }
}
