// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

#if canImport(FoundationXML)
import FoundationXML
#endif

/// `check` with real servers: the lab, and sockets that don't complete a handshake.
@Suite("servertrust check", .serialized)
struct CheckLiveTests {
    /// The JSON entry of one server.
    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Presented: Decodable {
                let der: String
                let inPath: Int?
            }
            struct Failure: Decodable { let reason: String }
            let host: String
            let verdict: Verdict?
            let presented: [Presented]
            let advice: [String]
            let status: Int?
            let problem: String?
            let error: Failure?
            let tlsVersion: String?
        }
        struct Verdict: Decodable {
            struct Failure: Decodable { let code: String }
            let failures: [Failure]
        }
        let schemaVersion: Int
        let server: String
        let outcome: String
        let steps: [Step]
    }

    /// Runs `check` on a lab server, with the scenario's anchors.
    private func check(_ server: LabServer, path: String = "/", _ arguments: [String] = []) throws -> Tool.Outcome {
        try TemporaryFolder.with { folder in
            // Both CAs are anchors here, so only the pin fails.
            let others = server.redirectTarget?.certificates.chain.last?.pem ?? ""
            let trusted = server.certificates.anchorsPEM + others
            let anchors = try folder.write("anchors.pem", Data(trusted.utf8))
            var options = ["--connect", server.address.rawValue, "--anchors", anchors.path]
            options += try revocation(server.certificates, folder)
            if server.certificates.client.policy.isStrict { options.append("--strict") }
            return try Tool.run(["check", server.url + path] + options + arguments)
        }
    }

    /// Writes the files for the scenario's client.
    private func revocation(_ certificates: LabCertificates, _ folder: TemporaryFolder) throws -> [String] {
        guard certificates.client.revocation == .required else { return [] }
        var options = ["--revocation", "required"]
        for (index, der) in certificates.revocationData.ocspResponses.enumerated() {
            options += ["--ocsp", try folder.write("\(index).ocsp", Data(der)).path]
        }
        for (index, der) in certificates.revocationData.crls.enumerated() {
            options += ["--crl", try folder.write("\(index).crl", Data(der)).path]
        }
        return options
    }

    @Test("check conforms in every scenario that its options can express")
    func conformance() async throws {
        // check has no options for the pins, rules and budgets of a scenario.
        let plain = LabScenario.all.filter { scenario in
            guard let made = try? scenario.certificates(at: TestAuthority.now) else { return true }
            return !made.client.hasRulesOfItsOwn
        }
        let violations = try await ClientConformance(plain).run { server in
            let outcome = try check(server, ["--format", "json", "--follow"])
            let answer = try #require(try outcome.json([Answer].self).first)
            let first = try #require(answer.steps.first)
            guard let verdict = first.verdict else {
                #expect(outcome.status == 2)
                #expect(answer.outcome == "undecided")
                #expect(first.error != nil)
                return .noHandshake
            }
            guard let failure = verdict.failures.first else {
                #expect(first.status != nil)
                #expect(first.presented.map(\.der) == server.certificates.chain.map { Base64.encode($0.der) })
                return .trusted
            }
            #expect(outcome.status == 1)
            #expect(answer.outcome == "rejected")
            return .refused(try #require(TrustFailure.Code.named(failure.code)))
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "No format reports a server as trusted if it doesn't prove its key, even if its chain is valid",
        arguments: HandshakeFlight.End.allCases)
    func unprovenKey(_ end: HandshakeFlight.End) async throws {
        let lab = try await LabServers([.unfinishedHandshake(end)])
        let limit = ["--timeout", end == .staysSilent ? "2s" : "30s"]
        for (format, status) in [
            ("text", 2), ("json", 2), ("jsonl", 2), ("junit", 2), ("html", 2), ("prometheus", 2), ("nagios", 3),
        ] as [(String, Int32)] {
            let outcome = try lab.check(lab.names + limit + ["--format", format])
            #expect(outcome.status == status, "\(format): \(outcome.errors)")
            // A page says that the path's anchor is trusted, and metrics explain their name in a comment.
            let text = outcome.lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
            #expect(!text.contains(format == "html" ? "lab.test is trusted" : "is trusted"), "\(format)")
            switch format {
            case "html": #expect(outcome.text.contains("could not be checked"))
            case "text": #expect(outcome.text.hasPrefix("FAIL") && !outcome.text.contains("OK "))
            case "json":
                let answer = try #require(try outcome.json([Answer].self).first)
                #expect(answer.outcome == "undecided" && answer.steps.first?.error != nil)
                #expect(answer.steps.first?.verdict?.failures.map(\.code) == ["handshakeUnproven"])
            case "junit": #expect(outcome.text.contains("errors=\"1\""))
            case "prometheus": #expect(outcome.text.contains("servertrust_check_success{server=\"\(lab.names[0])\"} 0"))
            case "nagios": #expect(outcome.text.hasPrefix("SERVERTRUST UNKNOWN"))
            default: break
            }
        }
        let summary = try lab.check(lab.names + limit + ["--summary"])
        #expect(summary.status == 2 && summary.text.hasPrefix("FAIL") && summary.text.contains("0 of 1 trusted"))
        let followed = try lab.check(lab.names + limit + ["--follow"])
        #expect(followed.status == 2 && followed.text.hasPrefix("FAIL"))
        await lab.stop()
    }

    @Test("The headline matches the outcome for a server that proves its key but refuses the client")
    func refusedClient() async throws {
        var options = LabServer.Options()
        options.clientCertificates = .required
        let server = try await LabServer.start(.good, options: options)
        let outcome = try check(server)
        #expect(outcome.status == 2 && outcome.text.hasPrefix("FAIL"))
        #expect(!outcome.text.contains("is trusted") && outcome.text.contains("[clientCertificateRequired]"))
        await server.stop()
    }

    @Test("check sends no request unless it follows redirects")
    func noRequest() async throws {
        let server = try await LabServer.start(.good)
        let outcome = try check(server)
        #expect(outcome.status == 0)
        #expect(server.counts.connections == 1)
        #expect(server.counts.requests == 0)
        await server.stop()
    }

    @Test("check reports a pin mismatch at a redirect's target as the target's failure")
    func pinBreaksAfterRedirect() async throws {
        let server = try await LabServer.start(.redirectToAnotherAuthority)
        let target = try #require(server.redirectTarget)
        let pin = SPKIPin(server.certificates.chain[0]).description
        let unpinned = try check(server, ["--format", "json", "--follow"])
        #expect(
            try unpinned.json([Answer].self).first?.steps.map(\.host) == [server.host, target.host].map(\.description))
        let before = target.counts.requestBytes
        let pinned = try check(server, ["--format", "json", "--follow", "--pins", pin])
        #expect(pinned.status == 1)
        let steps = try #require(try pinned.json([Answer].self).first).steps
        #expect(steps.count == 2)
        #expect(steps.first?.verdict?.failures.isEmpty == true)
        #expect(steps.last?.verdict?.failures.first?.code == "pinNotMatched")
        #expect(target.counts.requestBytes == before)
        await server.stop()
    }

    @Test("check reports a redirect to plain http as a problem")
    func redirectToPlain() async throws {
        var options = LabServer.Options()
        options.response = .redirect(to: "http://api.lab.test/")
        let server = try await LabServer.start(.good, options: options)
        let outcome = try check(server, ["--format", "json", "--follow"])
        #expect(outcome.status == 1)
        #expect(try outcome.json([Answer].self).first?.steps.first?.problem != nil)
        await server.stop()
    }

    @Test("check ends a redirect loop")
    func loop() async throws {
        var options = LabServer.Options()
        options.response = .redirect(to: "/")
        let server = try await LabServer.start(.good, options: options)
        let outcome = try check(server, ["--format", "json", "--follow"])
        #expect(outcome.status == 1)
        #expect(try outcome.json([Answer].self).first?.steps.count == 1)
        await server.stop()
    }

    @Test("check reads pins from the command line, a list and a certificate")
    func pins() async throws {
        let server = try await LabServer.start(.good)
        let leaf = server.certificates.chain[0]
        let unrelated = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        try TemporaryFolder.with { folder in
            let list = try folder.write("pins.txt", Data("# the leaf\n\(SPKIPin(leaf))\n\n".utf8))
            let certificate = try folder.write("leaf.pem", Data(leaf.pem.utf8))
            let bad = try folder.write("bad.txt", Data("sha256/short=\n".utf8))
            #expect(try check(server, ["--pins", SPKIPin(leaf).description]).status == 0)
            #expect(try check(server, ["--pins", unrelated]).status == 1)
            #expect(try check(server, ["--pins", unrelated, "--pins", list.path]).status == 0)
            #expect(try check(server, ["--pins", certificate.path]).status == 0)
            #expect(try check(server, ["--pins", bad.path]).status == 2)
            #expect(try check(server, ["--pins", "/nonexistent"]).status == 2)
        }
        await server.stop()
    }

    @Test("--showcerts prints the presented chain as PEM in the sent order")
    func showcerts() async throws {
        let server = try await LabServer.start(.strangers)
        let outcome = try check(server, ["--showcerts"])
        let blocks = try PEM.blocks(in: Array(outcome.output)).map { try $0.get().der }
        #expect(blocks == server.certificates.chain.map(\.der))
        await server.stop()
    }

    @Test(
        "check gives advice for a trusted chain with unnecessary or unordered certificates",
        arguments: [LabScenario.wrongOrder, .strangers])
    func advice(_ scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let outcome = try check(server, ["--format", "json"])
        #expect(outcome.status == 0)
        #expect(try outcome.json([Answer].self).first?.steps.first?.advice.isEmpty == false)
        await server.stop()
    }

    @Test("The results for many servers come in the order of the arguments")
    func many() async throws {
        let good = try await LabServer.start(.good)
        let names = (0..<50).map { $0 == 7 ? "other.lab.test:\(good.port)" : "api.lab.test:\(good.port)" }
        let outcome = try TemporaryFolder.with { folder in
            let anchors = try folder.write("anchors.pem", Data(good.certificates.anchorsPEM.utf8))
            return try Tool.run(
                ["check"] + names + ["--connect", "127.0.0.1", "--anchors", anchors.path, "--format", "json"])
        }
        #expect(outcome.status == 1)
        let answers = try outcome.json([Answer].self)
        #expect(answers.map(\.server) == names)
        #expect(answers.enumerated().filter { $0.element.outcome != "trusted" }.map(\.offset) == [7])
        await good.stop()
    }

    @Test("The JUnit XML is well-formed and has a case for each server")
    func junit() async throws {
        let server = try await LabServer.start(.expired)
        let outcome = try check(server, ["--format", "junit"])
        #expect(outcome.status == 1)
        let counter = ElementCounter()
        let parser = XMLParser(data: outcome.output)
        parser.delegate = counter
        #expect(parser.parse())
        #expect(counter.counts == ["testsuites": 1, "testsuite": 1, "testcase": 1, "failure": 1])
        await server.stop()
    }

    @Test("check times out on a server that sends nothing")
    func silent() throws {
        let socket = try SilentSocket()
        let outcome = try Tool.run(
            [
                "check", "api.lab.test:\(socket.port)", "--connect", "127.0.0.1", "--timeout", "300ms", "--format",
                "json",
            ])
        #expect(outcome.status == 2)
        #expect(try outcome.json([Answer].self).first?.steps.first?.error?.reason == "timedOut")
    }

    @Test("check reports a refused connection")
    func refusedConnection() throws {
        let closed = try SilentSocket(isListening: false)
        defer { withExtendedLifetime(closed) {} }
        let port = closed.port
        let outcome = try Tool.run(["check", "localhost:\(port)", "--connect", "127.0.0.1", "--format", "json"])
        #expect(outcome.status == 2)
        #expect(try outcome.json([Answer].self).first?.steps.first?.error?.reason == "unreachable")
    }

    @Test(
        "An argument that doesn't name a server causes a usage error",
        arguments: [
            "http://api.example.com", "api.example.com:0", "api.example.com:65536", "api.example.com:x", "",
            "user@api.example.com", "https://", "[::1", "☃.example", "999.1.1.1",
        ])
    func wrongServer(_ text: String) throws {
        #expect(try Tool.run(["check", text]).status == 64)
    }

    @Test(
        "An invalid time span causes a usage error",
        arguments: ["5 s", "0s", "-1s", "s", "5y", "99999999999999999999d"])
    func wrongTime(_ text: String) throws {
        #expect(try Tool.run(["check", "localhost", "--timeout=\(text)"]).status == 64)
    }
}

private final class ElementCounter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
    ) { counts[elementName, default: 0] += 1 }
}
