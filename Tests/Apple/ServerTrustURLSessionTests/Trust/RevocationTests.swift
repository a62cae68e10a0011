// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession
import Testing

/// Fetches from the lab's own repository.
struct RepositoryFetcher: TrustFetcher {
    func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse {
        do {
            var get = URLRequest(url: URL(string: request.url) ?? URL(fileURLWithPath: "/"))
            if let body = request.body {
                get.httpMethod = "POST"
                get.httpBody = Data(body)
                get.setValue("application/ocsp-request", forHTTPHeaderField: "Content-Type")
            }
            return TrustFetchResponse(body: Array(try await URLSession.shared.data(for: get).0))
        } catch {
            throw TrustFetchError(.fetchUnreachable, url: request.url)
        }
    }
}

/// Records a manager's events.
private final class Events: TrustEventObserver {
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
    @Test(
        "A session with an evidence source refuses a revoked server, but a session without one trusts it, with a warning and an event",
        arguments: [LabScenario.revokedByCRL, .revokedByOCSP], [true, false])
    func revoked(scenario: LabScenario, hasSource: Bool) async throws {
        for (hasDelegate, byRule) in [(false, true), (true, true), (false, false)] {
            try await SessionLab.with(scenario) { lab in
                let rule: any TrustEvaluator = byRule ? RevocationTrustEvaluator() : DefaultTrustEvaluator()
                let manager = try ServerTrustManager(
                    evaluators: [lab.server.host.description: rule], memory: nil)
                let events = Events()
                manager.events.add(events)
                var trust = SessionLab.configuration(manager, lab.server.certificates)
                trust.revocation = byRule ? .off : .bestEffort
                trust.revocationData = RevocationData()
                if hasSource { trust.fetching = TrustFetchCoordinator(fetcher: RepositoryFetcher()) }
                #expect(trust.warnings.map(\.code) == (hasSource ? [] : ["revocationWithoutSource"]))
                let session = URLSession(
                    configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                        trust, connectingTo: lab.addresses),
                    delegate: hasDelegate ? ScriptedDelegate() : nil, delegateQueue: nil)
                #expect(events.warnings == trust.warnings.map(\.code))
                let error = await session.failure(lab.url)
                if hasSource {
                    #expect(error?.serverTrustVerdict?.headline?.code == .certificateRevoked)
                    #expect(events.unchecked.isEmpty)
                    #expect(lab.server.counts.requestBytes == 0)
                } else {
                    #expect(error == nil)
                    #expect(events.unchecked.map(\.revocationGaps) == [[.noSource, .noAddress]])
                    #expect(events.unchecked.first?.warnings.count == 2)
                }
                #expect(events.warnings == trust.warnings.map(\.code))
            }
        }
    }

    @Test(
        "The session refuses a must-staple server whose handshake contains no staple",
        arguments: [false, true])
    func mustStaple(hasDelegate: Bool) async throws {
        try await SessionLab.with(.mustStaple) { lab in
            let manager = try ServerTrustManager(
                evaluators: [lab.server.host.description: DefaultTrustEvaluator()], memory: nil)
            var trust = SessionLab.configuration(manager, lab.server.certificates)
            trust.revocation = .off
            let session = URLSession(
                configuration: URLSessionConfiguration.ephemeral.withServerTrust(trust, connectingTo: lab.addresses),
                delegate: hasDelegate ? ScriptedDelegate() : nil, delegateQueue: nil)
            let error = await session.failure(lab.url)
            #expect(error?.serverTrustVerdict?.failures.map(\.code) == [.stapleMissing])
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test("A new session warns about OCSP without network access or a staple, and the verdict lists the gap")
    func withoutNetwork() async throws {
        try await SessionLab.with(.revokedByOCSP) { lab in
            let rule = RevocationTrustEvaluator(
                RevocationPolicy(.bestEffort, sources: .ocsp, scope: .leaf, fetching: false))
            let manager = try ServerTrustManager(evaluators: [lab.server.host.description: rule], memory: nil)
            let events = Events()
            manager.events.add(events)
            var trust = SessionLab.configuration(manager, lab.server.certificates)
            trust.revocation = .off
            trust.revocationData = RevocationData()
            trust.fetching = TrustFetchCoordinator(fetcher: RepositoryFetcher())
            let session = URLSession(
                configuration: URLSessionConfiguration.ephemeral.withServerTrust(trust, connectingTo: lab.addresses))
            #expect(events.warnings == ["revocationFetchingNotAllowed"])
            #expect(await session.failure(lab.url) == nil)
            #expect(events.unchecked.map(\.revocationGaps) == [[.fetchingNotAllowed]])
        }
    }
}

@Suite("A name that differs from the host")
struct NameOverrideTests {
    /// The certificate is for www.lab.test, and the connection is to api.lab.test.
    @Test(
        "The leaf must have the name that a rule or the settings expect, whatever the host",
        arguments: ["www.lab.test", "api.lab.test", "other.lab.test"], [true, false])
    func expecting(name: String, byRule: Bool) async throws {
        let expected = try Hostname(name)
        for hasDelegate in [false, true] {
            try await SessionLab.with(.wrongHost) { lab in
                let rule = byRule ? DefaultTrustEvaluator(expecting: expected) : DefaultTrustEvaluator()
                let manager = try ServerTrustManager(evaluators: [lab.server.host.description: rule], memory: nil)
                var trust = SessionLab.configuration(manager, lab.server.certificates)
                if !byRule { trust.identity = .name(expected) }
                let session = URLSession(
                    configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                        trust, connectingTo: lab.addresses),
                    delegate: hasDelegate ? ScriptedDelegate() : nil, delegateQueue: nil)
                let error = await session.failure(lab.url)
                if name == "www.lab.test" {
                    #expect(error == nil)
                } else {
                    #expect(error?.serverTrustVerdict?.headline?.code == .hostMismatch)
                    #expect(error?.serverTrustVerdict?.referenceName == expected)
                    #expect(lab.server.counts.requestBytes == 0)
                }
            }
        }
    }

    @Test("A delegate that accepts everything can't accept a name other than the one a rule expects")
    func delegate() async throws {
        for (evaluator, isAccepted) in [
            (DefaultTrustEvaluator(expecting: try Hostname("other.lab.test")), false), (DefaultTrustEvaluator(), true),
        ] {
            try await SessionLab.with(.wrongHost) { lab in
                let manager = try ServerTrustManager(
                    evaluators: [lab.server.host.description: evaluator], memory: nil)
                let delegate = ScriptedDelegate()
                delegate.onSession = {
                    (.useCredential, $0.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
                }
                let session = URLSession(
                    configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                        SessionLab.configuration(manager, lab.server.certificates), connectingTo: lab.addresses),
                    delegate: delegate, delegateQueue: nil)
                #expect((await session.failure(lab.url) == nil) == isAccepted)
            }
        }
    }
}
