// SPDX-License-Identifier: Apache-2.0

import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

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

@Suite("A configuration's revocation checks and names, over NIO")
struct ConfigurationTests {
    @Test(
        "With evidence, a revoked server is refused, but without evidence it is trusted, with a warning and an event",
        arguments: [LabScenario.revokedByCRL, .revokedByOCSP], [true, false])
    func revoked(scenario: LabScenario, hasEvidence: Bool) async throws {
        let server = try await LabServer.start(scenario)
        var trust = server.certificates.configuration
        trust.manager = try ServerTrustManager(
            evaluators: [server.host.description: RevocationTrustEvaluator()], memory: nil)
        trust.revocation = .off
        if !hasEvidence { trust.revocationData = RevocationData() }
        let events = Events()
        trust.manager.events.add(events)
        let report = try await Caller(tls: ServerTrustTLS(trust)).call(server)
        await server.stop()
        #expect(report.finding == (hasEvidence ? .refused(.certificateRevoked) : .trusted))
        #expect(events.warnings == (hasEvidence ? [] : ["revocationWithoutSource"]))
        #expect(events.unchecked.map(\.revocationGaps) == (hasEvidence ? [] : [[.noSource, .noAddress]]))
    }

    @Test("Handlers for many connections emit a warning only once")
    func handlers() throws {
        let manager = try ServerTrustManager(evaluators: ["api.lab.test": RevocationTrustEvaluator()])
        let events = Events()
        manager.events.add(events)
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        for _ in 0..<3 {
            _ = try NIOSSLClientHandler(
                context: context, host: try Hostname("api.lab.test"), trust: ServerTrustConfiguration(manager))
        }
        #expect(events.warnings == ["revocationWithoutSource"])
    }

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
        let report = try await Caller(tls: ServerTrustTLS(trust)).call(server)
        await server.stop()
        #expect(report.finding == (name == "www.lab.test" ? .trusted : .refused(.hostMismatch)))
    }
}
