// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint

/// The rules for live servers, with a scripted probe.
@Suite struct LiveRulesTests {
    /// Every server's CA, unless a row names another one.
    static let authority = try? TestAuthority.root(.authority("Root"))

    /// Servers by URL, OkHttp lines, and the expected findings as `severity id host`.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lines: String
        let servers: [String: ProbedServer]
        let findings: [String]
        let probes: [String]

        init(
            _ sentence: String, _ lines: String, _ servers: [String: ProbedServer], probes: [String],
            finds findings: [String]
        ) {
            self.testDescription = sentence
            self.lines = lines
            self.servers = servers
            self.findings = findings
            self.probes = probes
        }
    }

    static func path(_ names: String...) -> [Certificate] {
        guard let authority, let leaf = try? authority.issue(.leaf(names[0]).with { $0.dnsNames = names }) else {
            return []
        }
        return [leaf.certificate, authority.certificate]
    }

    /// The CA's pin and a backup, so that offline rules only report the renewal.
    static var pins: String {
        "\(authority.map { SPKIPin($0.certificate).description } ?? "") \(TestPins.pin(1))"
    }

    static let rows = [
        Row(
            "a server with a valid path and a pin in it has no finding", "api.example.com \(pins)",
            ["https://api.example.com/": .valid(path("api.example.com"))], probes: ["https://api.example.com/"],
            finds: []),
        Row(
            "a server without a valid path is an error", "api.example.com \(pins)",
            ["https://api.example.com/": .failed(.certificateExpired, path("api.example.com"))],
            probes: ["https://api.example.com/"], finds: ["error live/not-trusted api.example.com"]),
        Row(
            "an unreachable server is an error", "api.example.com \(pins)", [:],
            probes: ["https://api.example.com/"], finds: ["error live/unreachable api.example.com"]),
        Row(
            "a server that ends the connection before it responds is an error", "api.example.com \(pins)",
            ["https://api.example.com/": .valid(path("api.example.com"), interruption: "ended by the server")],
            probes: ["https://api.example.com/"], finds: ["error live/unreachable api.example.com"]),
        Row(
            "the name above a wildcard is probed, and its failures are notes", "*.example.com \(pins)",
            ["https://example.com/": .failed(.certificateExpired, path("example.com"))],
            probes: ["https://example.com/"], finds: ["note live/not-trusted example.com"]),
        Row(
            "a redirect to a host without a rule is a warning about that host", "example.com \(pins)",
            [
                "https://example.com/": .valid(
                    path("example.com"), status: 301, location: "https://www.example.net/start"),
                "https://www.example.net/start": .valid(path("www.example.net")),
            ],
            probes: ["https://example.com/", "https://www.example.net/start from https://example.com/"],
            finds: ["warning live/redirect-uncovered www.example.net"]),
        Row(
            "a redirect to another pinned host has no finding", "**.example.com \(pins)",
            [
                "https://example.com/": .valid(path("example.com"), status: 308, location: "//www.example.com/"),
                "https://www.example.com/": .valid(path("www.example.com")),
            ],
            probes: ["https://example.com/", "https://www.example.com/ from https://example.com/"], finds: []),
        Row(
            "a redirect to http is an error and isn't followed", "api.example.com \(pins)",
            [
                "https://api.example.com/": .valid(
                    path("api.example.com"), status: 302, location: "http://api.example.com/")
            ],
            probes: ["https://api.example.com/"], finds: ["error live/redirect-insecure api.example.com"]),
        Row(
            "redirects in a circle are an error", "api.example.com \(pins)",
            [
                "https://api.example.com/": .valid(path("api.example.com"), status: 302, location: "/a"),
                "https://api.example.com/a": .valid(path("api.example.com"), status: 302, location: "/"),
            ],
            probes: ["https://api.example.com/", "https://api.example.com/a from https://api.example.com/"],
            finds: ["error live/redirect-insecure api.example.com"]),
        Row(
            "a Location that isn't a URL is an error", "api.example.com \(pins)",
            [
                "https://api.example.com/": .valid(
                    path("api.example.com"), status: 302, location: "mailto:postmaster@example.com")
            ],
            probes: ["https://api.example.com/"], finds: ["error live/redirect-insecure api.example.com"]),
        Row(
            "the certificate's alternative names are probed if they have a rule, and their failures are notes",
            "**.example.com \(pins)",
            ["https://example.com/": .valid(path("example.com", "www.example.com", "www.example.net"))],
            probes: ["https://example.com/", "https://www.example.com/"],
            finds: ["note live/unreachable www.example.com"]),
        Row(
            "a rule for any host doesn't name a server", "sha256//\(pins.dropFirst(7).prefix(44))", [:], probes: [],
            finds: []
        ),
    ]

    @Test("Each live rule reports only its server and severity", arguments: rows)
    func finds(_ row: Row) async throws {
        let probe = ScriptedProbe(row.servers)
        let sources = PinLintSource.sources(reading: Array(row.lines.utf8), file: "pins")
        let findings = try await PinLinter(at: TestAuthority.now).findings(in: sources, probing: probe)
        let live = findings.filter { $0.rule.id.hasPrefix("live/") }
        #expect(live.map { "\($0.severity.rawValue) \($0.rule.id) \($0.subject ?? "")" } == row.findings, "\(findings)")
        #expect(live.allSatisfy { $0.location.file == "pins" && $0.location.line == 1 })
        #expect(probe.log == row.probes)
    }

    @Test("The offline rules use the paths from probed servers") func paths() async throws {
        let probe = ScriptedProbe(["https://api.example.com/": .valid(Self.path("api.example.com"))])
        let text = "api.example.com \(TestPins.pin(1)) \(TestPins.pin(2))"
        let sources = PinLintSource.sources(reading: Array(text.utf8), file: "pins")
        let linter = PinLinter(at: TestAuthority.now)
        let notMet = try await linter.findings(in: sources, probing: probe)
        #expect(notMet.contains { $0.rule == .notInPath && $0.subject == "api.example.com" })
        #expect(!linter.findings(in: sources).contains { $0.rule == .notInPath })
    }

    @Test("The probe follows the tenth redirect, and the eleventh causes an error") func redirectLimit() async throws {
        var servers: [String: ProbedServer] = [:]
        for number in 0...20 {
            let path = number == 0 ? "/" : "/\(number)"
            servers["https://api.example.com\(path)"] = .valid(
                Self.path("api.example.com"), status: 302, location: "/\(number + 1)")
        }
        let probe = ScriptedProbe(servers)
        let sources = PinLintSource.sources(reading: Array("api.example.com \(Self.pins)".utf8), file: "pins")
        let findings = try await PinLinter(at: TestAuthority.now).findings(in: sources, probing: probe)
        #expect(findings.filter { $0.rule.id.hasPrefix("live/") }.map(\.rule) == [.redirectInsecure])
        #expect(probe.log.count == 11)
    }

    @Test("Text from a server is printable in findings") func printableText() async throws {
        let probe = ScriptedProbe([
            "https://api.example.com/": .valid(Self.path("api.example.com"), interruption: "\u{1b}[31m\u{202e}")
        ])
        let sources = PinLintSource.sources(reading: Array("api.example.com \(Self.pins)".utf8), file: "pins")
        let findings = try await PinLinter(at: TestAuthority.now).findings(in: sources, probing: probe)
        #expect(findings.contains { $0.rule == .unreachable })
        #expect(findings.allSatisfy { !$0.message.contains("\u{1b}") && !$0.message.contains("\u{202e}") })
    }

    @Test("Every probe is counted, and a canceled inspection throws") func progress() async throws {
        let hosts = (0..<40).map { "host\($0).example.com" }
        let probe = ScriptedProbe([:])
        let text = hosts.map { "\($0) \(Self.pins)" }.joined(separator: "\n")
        let sources = PinLintSource.sources(reading: Array(text.utf8), file: "pins")
        let counts = Locked<[Int]>([])
        let linter = PinLinter(at: TestAuthority.now)
        _ = try await linter.findings(in: sources, probing: probe) { completed, total in
            #expect(total == 40)
            counts.withLock { $0.append(completed) }
        }
        #expect(counts.withLock { $0 } == Array(1...40))
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await linter.findings(in: sources, probing: probe)
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
