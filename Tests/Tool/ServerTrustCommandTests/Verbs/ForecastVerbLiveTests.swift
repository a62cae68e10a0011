// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

/// Forecasts from `check --pins` and `pins lint --live` for servers whose certificates the same or the next
/// intermediate then renews.
@Suite("Forecasts on the command line", .serialized)
struct ForecastVerbLiveTests {
    struct Answer: Decodable {
        struct Event: Decodable {
            struct Successor: Decodable {
                let name: String
                let outcome: String
            }
            let change: String
            let outcome: String
            let from: String?
            let until: String
            let isSuggested: Bool
            let successors: [Successor]
            let add: [String]
        }
        struct Step: Decodable { let forecast: [Event]? }
        let outcome: String
        let steps: [Step]

        func outcome(of change: String) -> String? { steps.first?.forecast?.first { $0.change == change }?.outcome }
    }

    private static let host = "api.lab.test"

    private struct Renewal {
        let folder: TemporaryFolder
        let root: TestAuthority
        let first: TestAuthority
        let second: TestAuthority
        let leaf: TestIdentity
        let now = Time.now()

        init(_ folder: TemporaryFolder) throws {
            self.folder = folder
            let now = now
            func authority(_ name: String) -> CertificateTemplate {
                CertificateTemplate.authority(name).with { $0.organization = "Lab" }.valid(around: now)
            }
            root = try TestAuthority.root(authority("Lab Root"))
            first = try root.intermediate(authority("Lab CA 1"))
            second = try root.intermediate(authority("Lab CA 2"))
            leaf = try first.issue(.leaf(ForecastVerbLiveTests.host).valid(around: now))
        }

        /// Checks a server with a leaf of the issuer.
        func check(
            _ leaf: TestIdentity, _ issuer: TestAuthority, pins: [SPKIPin], _ arguments: [String] = []
        ) async throws -> Answer {
            let server = try await LabServer.start(
                .custom(
                    host: ForecastVerbLiveTests.host, leaf: leaf, others: Array(issuer.path.dropLast()),
                    anchors: [root.certificate]))
            let anchors = try folder.write("root.pem", Data(root.certificate.pem.utf8))
            let outcome = try Tool.run(
                [
                    "check", server.url, "--connect", server.address.rawValue, "--anchors", anchors.path, "--format",
                    "json",
                ]
                    + pins.flatMap { ["--pins", "\($0)"] } + arguments)
            await server.stop()
            return try #require(try outcome.json([Answer].self).first)
        }

        func renewed(by issuer: TestAuthority, key: TestKey = .p256()) throws -> TestIdentity {
            try issuer.issue(.leaf(ForecastVerbLiveTests.host).valid(around: now), key: key)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        enum Key: CaseIterable { case leaf, first, second, root, spare }
        let testDescription: String
        let pins: [Key]
        let renewal: String
        let nextIssuer: String
    }

    static let rows = [
        Row(testDescription: "the server's key", pins: [.leaf], renewal: "ifKeyIsKept", nextIssuer: "ifKeyIsKept"),
        Row(
            testDescription: "the server's key and a spare key", pins: [.leaf, .spare], renewal: "ifKeyIsKept",
            nextIssuer: "ifKeyIsKept"),
        Row(testDescription: "the intermediate", pins: [.first], renewal: "survives", nextIssuer: "breaks"),
        Row(
            testDescription: "the intermediate and a spare key", pins: [.first, .spare], renewal: "survives",
            nextIssuer: "withReserve"),
        Row(
            testDescription: "both intermediates", pins: [.first, .second], renewal: "survives", nextIssuer: "survives"),
        Row(testDescription: "the root", pins: [.root], renewal: "survives", nextIssuer: "survives"),
        Row(
            testDescription: "the server's key and the next intermediate", pins: [.leaf, .second],
            renewal: "ifKeyIsKept", nextIssuer: "survives"),
    ]

    @Test("check forecasts both renewals correctly", arguments: rows)
    func check(_ row: Row) async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let renewal = try Renewal(folder)
        let spare = TestKey.p256()
        let spareLeaf = try renewal.renewed(by: renewal.first, key: spare)
        let pins = row.pins.map { key in
            switch key {
            case .leaf: SPKIPin(renewal.leaf.certificate)
            case .first: SPKIPin(renewal.first.certificate)
            case .second: SPKIPin(renewal.second.certificate)
            case .root: SPKIPin(renewal.root.certificate)
            case .spare: SPKIPin(spareLeaf.certificate)
            }
        }
        let report = try folder.write(
            "report.csv", Data(Self.ccadb([renewal.first, renewal.second].map(\.certificate)).utf8))
        let before = try await renewal.check(renewal.leaf, renewal.first, pins: pins, ["--ccadb", report.path])
        #expect(before.outcome == "trusted")
        #expect(before.outcome(of: "renewal") == row.renewal)
        #expect(before.outcome(of: "nextIssuer") == row.nextIssuer)
        let event = try #require(before.steps.first?.forecast?.first { $0.change == "nextIssuer" })
        #expect(event.successors.map(\.name).contains { $0.contains("Lab CA 2") })

        for (outcome, issuer) in [(row.renewal, renewal.first), (row.nextIssuer, renewal.second)] {
            let fresh = try await renewal.check(try renewal.renewed(by: issuer), issuer, pins: pins)
            #expect(fresh.outcome == (outcome == "survives" ? "trusted" : "rejected"))
            let kept = try await renewal.check(
                try renewal.renewed(by: issuer, key: renewal.leaf.key), issuer, pins: pins)
            #expect(kept.outcome == (["survives", "ifKeyIsKept"].contains(outcome) ? "trusted" : "rejected"))
            if row.pins.contains(.spare) {
                let reserve = try await renewal.check(try renewal.renewed(by: issuer, key: spare), issuer, pins: pins)
                #expect(reserve.outcome == "trusted")
            }
        }
    }

    /// Returns a CCADB report in the form of `PublicAllIntermediateCertsWithPEMCSV`, which quotes the PEM twice.
    private static func ccadb(_ certificates: [Certificate]) -> String {
        "\"CA Owner\",\"Certificate Subject Common Name\",\"PEM Info\"\r\n"
            + certificates.map { "\"Lab\",\"\($0)\",\"'\($0.pem.trimmingCharacters(in: .newlines))'\"\r\n" }.joined()
    }

    @Test("lint --live makes the same forecast, with the renewal time that the CA's ACME server suggests") func lint()
        async throws
    {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let renewal = try Renewal(folder)
        let server = try await LabServer.start(
            .custom(
                host: Self.host, leaf: renewal.leaf, others: [renewal.first.certificate],
                anchors: [renewal.root.certificate]))
        let acme = try await Self.acmeServers(renewal, window: ("2026-12-12T00:00:00Z", "2026-12-14T00:00:00Z"))
        let anchors = try folder.write("root.pem", Data(renewal.root.certificate.pem.utf8))
        let pins = try folder.write(
            "pins.txt",
            Data("\(Self.host) \(SPKIPin(renewal.first.certificate)) \(SPKIPin(renewal.leaf.certificate))\n".utf8))
        let arguments = [
            "pins", "lint", pins.path, "--live", "--connect", "\(server.address.rawValue):\(server.port)", "--anchors",
            anchors.path,
            "--ccadb", try folder.write("report.csv", Data(Self.ccadb([renewal.second.certificate]).utf8)).path,
        ]
        let outcome = try Tool.run(arguments + ["--acme-directory", acme[0].url + "/directory", "--format", "json"])
        let findings = try #require(try outcome.json([LintTests.Answer].self).first).findings
        let survived = try #require(findings.first { $0.id == "forecast/survives" })
        #expect(survived.message.contains("2026-12-12") && survived.message.contains("2026-12-14"), "\(findings)")
        let issuer = try #require(findings.first { $0.id == "forecast/issuer" })
        #expect(issuer.message.contains("Lab CA 2"))
        #expect(issuer.fix.contains("\(SPKIPin(renewal.root.certificate))"))
        #expect(outcome.status == 1)

        // Another kind of server at the ACME URL causes a warning. The forecast then uses the certificate's expiry.
        let silent = try Tool.run(arguments + ["--acme-directory", server.url + "/directory", "--format", "json"])
        #expect(silent.errors.contains("renewal information"))
        #expect(
            try #require(try silent.json([LintTests.Answer].self).first).findings.contains {
                $0.id == "forecast/issuer"
            })
        for server in acme + [server] { await server.stop() }
    }

    /// Starts an ACME server's directory and renewal information. They need two servers because each server returns
    /// only one answer.
    private static func acmeServers(
        _ renewal: Renewal, window: (start: String, end: String)
    ) async throws -> [LabServer] {
        func start(_ text: String) async throws -> LabServer {
            var options = LabServer.Options()
            options.response = .text(text)
            let leaf = try renewal.first.issue(.leaf("localhost").valid(around: renewal.now))
            return try await LabServer.start(
                .custom(
                    host: "localhost", leaf: leaf, others: [renewal.first.certificate],
                    anchors: [renewal.root.certificate]), options: options)
        }
        let information = try await start(
            "{\"suggestedWindow\": {\"start\": \"\(window.start)\", \"end\": \"\(window.end)\"}}")
        return [try await start("{\"renewalInfo\": \"\(information.url)/ari\"}"), information]
    }

    @Test("--ccadb and --acme-directory without the option they need cause usage errors") func usage() throws {
        for arguments in [
            ["check", "localhost", "--ccadb", "a.csv"],
            ["check", "localhost", "--acme-directory", "https://ca.example/d"],
            ["pins", "lint", "pins.txt", "--acme-directory", "https://ca.example/d"],
            ["check", "localhost", "--pins", "sha256/AAAA", "--acme-directory", "http://ca.example/d"],
        ] {
            #expect(try Tool.run(arguments).status == 64)
        }
    }
}
