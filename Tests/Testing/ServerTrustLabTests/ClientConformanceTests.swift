// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import ServerTrustLab

@Suite("The conformance suite for clients")
struct ClientConformanceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let scenario: LabScenario
        let rules: [ClientConformance.Violation.Rule]
        let client: @Sendable (LabServer) async throws -> LabOutcome
    }

    struct NoOutcome: Error {}

    static let rows = [
        Row(
            testDescription: "A client with the scenario's outcome has no violation", scenario: .expired,
            rules: []
        ) {
            try await LabClient().get($0).outcome
        },
        Row(
            testDescription: "A client that trusts an expired server accepts an invalid one", scenario: .expired,
            rules: [.acceptsInvalid]
        ) {
            _ = try await LabClient().get($0)
            return .trusted
        },
        Row(
            testDescription: "A client that refuses a good server refuses a valid one", scenario: .good,
            rules: [.refusesValid]
        ) {
            _ = try await LabClient().get($0)
            return .refused(.untrustedRoot)
        },
        Row(
            testDescription: "A client that refuses for another reason has the wrong code", scenario: .expired,
            rules: [.wrongCode]
        ) {
            _ = try await LabClient().get($0)
            return .refused(.hostMismatch)
        },
        Row(
            testDescription: "A client that reports a refusal as a failed handshake has the wrong code",
            scenario: .expired,
            rules: [.wrongCode]
        ) {
            _ = try await LabClient().get($0)
            return .noHandshake
        },
        Row(
            testDescription: "A client that requests twice opens two connections", scenario: .good,
            rules: [.reconnects, .wrongRequestCount]
        ) {
            _ = try await LabClient().get($0)
            return try await LabClient().get($0).outcome
        },
        Row(testDescription: "The suite notices a client that never connects", scenario: .expired, rules: [.reconnects])
        {
            $0.expected
        },
        Row(testDescription: "A client that throws an error fails", scenario: .good, rules: [.fails]) { _ in
            throw NoOutcome()
        },
    ]

    @Test("A client violates exactly the rules it breaks", arguments: rows)
    func violations(row: Row) async throws {
        var conformance = ClientConformance([row.scenario])
        conformance.versions = [.tls13]
        let violations = try await conformance.run(row.client)
        #expect(violations.map(\.rule) == row.rules, "\(violations)")
        #expect(violations.allSatisfy { $0.scenario == row.scenario && $0.versions == .tls13 })
    }

    @Test("A suite that compares only decisions ignores their codes")
    func decisions() async throws {
        let violations = try await ClientConformance([.expired, .noTLS], comparing: .decisions).run { server in
            _ = try await LabClient().get(server)
            return .refused(.evaluatorRefused)
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test("An exemption removes its scenario's violations, and counts as a violation itself if there are none")
    func exemptions() async throws {
        let conformance = ClientConformance(
            [.expired, .wrongHost], exempting: [.expired: "known", .wrongHost: "not needed"])
        let violations = try await conformance.run { server in
            let outcome = try await LabClient().get(server).outcome
            return server.scenario == .expired ? .trusted : outcome
        }
        #expect(violations.map(\.rule) == [.needlessExemption])
        #expect(violations.map(\.scenario) == [.wrongHost])
    }

    @Test("A client that follows redirects must report the target's outcome")
    func redirects() async throws {
        var conformance = ClientConformance([.redirectToAnotherAuthority])
        conformance.followsRedirects = true
        let violations = try await conformance.run { server in
            let first = try await LabClient().get(server)
            guard let target = server.redirectTarget, first.status == 302 else { return first.outcome }
            return try await LabClient().get(target).outcome
        }
        #expect(violations.isEmpty, "\(violations)")
        let stopping = try await conformance.run { try await LabClient().get($0).outcome }
        #expect(stopping.map(\.rule) == [.acceptsInvalid, .reconnects, .acceptsInvalid, .reconnects])
    }

    @Test(
        "The suite reports a client without verification, because it sends bytes to a server that it must refuse",
        .enabled(if: OtherClient.areAvailable))
    func insecure() async throws {
        var conformance = ClientConformance([.expired])
        conformance.versions = [.both]
        let violations = try await conformance.run { server in
            try await OtherClient.curl.ask(server, ["--insecure"]).status == 0 ? .trusted : .noHandshake
        }
        #expect(violations.map(\.rule) == [.acceptsInvalid, .sendsBytes, .completesHandshake])
    }
}
