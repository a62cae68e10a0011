// SPDX-License-Identifier: Apache-2.0

import Logging
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO
import Testing

/// Records a manager's events.
final class EventRecord: TrustEventObserver {
    private let all = Locked<[TrustEvent]>([])

    func observe(_ event: TrustEvent) { all.withLock { $0.append(event) } }

    /// The verdicts that have no revocation answer.
    var unchecked: [TrustVerdict] {
        all.withLock { $0.compactMap { if case .revocationNotChecked(let verdict) = $0 { verdict } else { nil } } }
    }
    /// The codes of the warnings about configurations.
    var warnings: [String] {
        all.withLock { $0.compactMap { if case .configurationWarning(let warning) = $0 { warning.code } else { nil } } }
    }
}

@Suite("Revoked servers, with and without an evidence source")
struct RevocationTests {
    /// Returns a client's configuration with a rule that checks revocation, but without the scenario's evidence.
    private func trust(_ server: LabServer, _ rule: any TrustEvaluator, hasSource: Bool) throws
        -> ServerTrustConfiguration
    {
        var trust = server.certificates.configuration
        trust.manager = try ServerTrustManager(evaluators: [server.host.description: rule], memory: nil)
        trust.revocation = .off
        trust.revocationData = RevocationData()
        if hasSource {
            let loopback = try #require(IPAddress("127.0.0.1"))
            trust.fetching = TrustFetchCoordinator(
                fetcher: try HTTPTrustFetcher(rules: AddressRules(allowedAddresses: [loopback])))
        }
        return trust
    }

    @Test(
        "A client with an evidence source refuses a revoked server, but a client without one trusts it, with a warning and an event",
        arguments: [LabScenario.revokedByCRL, .revokedByOCSP], [true, false])
    func revoked(scenario: LabScenario, hasSource: Bool) async throws {
        let server = try await LabServer.start(scenario)
        let trust = try trust(server, RevocationTrustEvaluator(), hasSource: hasSource)
        let events = EventRecord()
        trust.manager.events.add(events)
        try await withClient(of: server, trust: trust) { client in
            #expect(events.warnings == (hasSource ? [] : ["revocationWithoutSource"]))
            let error = await failure { try await client.expectOK(at: server.url + "/") }
            if hasSource {
                #expect((error as? TrustRefusal)?.headline.code == .certificateRevoked)
                #expect(events.unchecked.isEmpty)
                #expect(server.counts.requestBytes == 0)
            } else {
                #expect(error == nil)
                #expect(events.unchecked.map(\.revocationGaps) == [[.noSource, .noAddress]])
                #expect(events.unchecked.first?.warnings.count == 2)
            }
            // The manager warns once, however many clients there are.
            try await client.replaceTrust(trust)
            #expect(events.warnings == (hasSource ? [] : ["revocationWithoutSource"]))
        }
    }

    @Test(
        "A client that requires a revocation answer but has no evidence source warns at creation and refuses every server"
    )
    func required() async throws {
        let server = try await LabServer.start(.good)
        let rule = RevocationTrustEvaluator(.required)
        let trust = try trust(server, rule, hasSource: false)
        #expect(trust.warnings.map(\.code) == ["revocationWithoutSource"])
        try await withClient(of: server, trust: trust) { client in
            let error = await failure { try await client.expectOK(at: server.url + "/") }
            #expect((error as? TrustRefusal)?.headline.code == .revocationUnavailable)
        }
    }

    @Test("A client logs its configuration's warnings if it has a logger")
    func logged() async throws {
        let server = try await LabServer.start(.good)
        defer { Task { await server.stop() } }
        for (rule, count) in [(RevocationTrustEvaluator() as any TrustEvaluator, 1), (DefaultTrustEvaluator(), 0)] {
            let lines = Locked<[Logger.Level]>([])
            let logger = Logger(label: "test") { _ in LevelRecord(lines: lines) }
            let client = try TrustedHTTPClient(trust: try trust(server, rule, hasSource: false), logger: logger)
            await client.shutdown()
            #expect(lines.withLock { $0.count { $0 == .warning } } == count)
        }
    }
}

/// Records the levels of messages.
private struct LevelRecord: LogHandler {
    let lines: Locked<[Logger.Level]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(lines: Locked<[Logger.Level]>) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.withLock { $0.append(event.level) } }
}

@Suite("A name that differs from the host")
struct NameOverrideTests {
    /// The certificate is for www.lab.test, and the connection is to api.lab.test.
    @Test(
        "The leaf must have the name that a rule or the settings expect, whatever the host",
        arguments: ["www.lab.test", "api.lab.test", "other.lab.test"], [true, false])
    func expecting(name: String, byRule: Bool) async throws {
        let server = try await LabServer.start(.wrongHost)
        let expected = try Hostname(name)
        var trust = server.certificates.configuration
        let rule = byRule ? DefaultTrustEvaluator(expecting: expected) : DefaultTrustEvaluator()
        trust.manager = try ServerTrustManager(evaluators: [server.host.description: rule], memory: nil)
        if !byRule { trust.identity = .name(expected) }
        try await withClient(of: server, trust: trust) { client in
            let error = await failure { try await client.expectOK(at: server.url + "/") }
            if name == "www.lab.test" {
                #expect(error == nil)
            } else {
                #expect((error as? TrustRefusal)?.headline.code == .hostMismatch)
                #expect((error as? TrustRefusal)?.verdict.referenceName == expected)
                #expect(server.counts.requestBytes == 0)
            }
        }
    }
}
