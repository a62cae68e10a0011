// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import Testing

@testable import ServerTrustLab

@Suite("The conformance suite for adapters", .timeLimit(.minutes(10)))
struct AdapterConformanceTests {
    /// Connects with a client that evaluates servers with this source.
    private static func connect(
        _ attempt: AdapterConformance.Attempt, _ source: VerdictSource, timeout: Duration? = nil
    ) async throws {
        var configuration = TrustedHTTPConfiguration(attempt.server)
        configuration.redirects = .disallow
        let seconds = (timeout ?? attempt.evaluationTimeout).components.seconds
        configuration.handshakeTimeout = .seconds(seconds)
        configuration.timeout.connect = .seconds(seconds)
        let client = try TrustedHTTPClient(source: source, configuration: configuration)
        do {
            _ = try await client.get(url: attempt.server.url + "/")
            await client.shutdown()
        } catch {
            await client.shutdown()
            throw error
        }
    }

    @Test("TrustedHTTPClient conforms")
    func conforms() async throws {
        let violations = try await AdapterConformance().run { try await Self.connect($0, $0.source) }
        #expect(violations.isEmpty, "\(violations)")
    }

    /// Returns a source that wraps another one and doesn't forward its denials.
    private static func asking(
        _ source: VerdictSource, denies: Bool = true,
        _ ask: @escaping @Sendable (VerdictSource, PresentedChain, Hostname) async -> TrustVerdict
    ) -> VerdictSource {
        .waiting({ await ask(source, $0, $1) }, denying: { denies ? source.denial(of: $0) : nil })
    }

    private struct Mutant: Sendable {
        let name: String
        let rules: Set<AdapterConformance.Violation.Rule>
        let connect: AdapterConformance.Connect
    }

    private static let mutants: [Mutant] = [
        Mutant(name: "contacts denied hosts", rules: [.contactsDenied]) { attempt in
            try await connect(attempt, asking(attempt.source, denies: false) { await $0.evaluate($1, host: $2) })
        },
        Mutant(name: "asks twice", rules: [.wrongCount]) { attempt in
            try await connect(
                attempt,
                asking(attempt.source) {
                    _ = await $0.evaluate($1, host: $2)
                    return await $0.evaluate($1, host: $2)
                })
        },
        Mutant(name: "passes only the leaf", rules: [.wrongChain, .client]) { attempt in
            try await connect(
                attempt,
                asking(attempt.source) {
                    await $0.evaluate(PresentedChain(der: $1.certificates.prefix(1).map(\.der)), host: $2)
                })
        },
        Mutant(name: "passes the address as the host", rules: [.wrongHost, .client]) { attempt in
            let address = try Hostname(attempt.server.address.rawValue)
            try await connect(
                attempt,
                asking(attempt.source) { source, chain, _ in
                    await source.evaluate(chain, host: address)
                })
        },
        Mutant(
            name: "trusts another source",
            rules: [.sendsBeforeVerdict, .wrongCount, .client, .contactsDenied]
        ) { attempt in
            let host = attempt.server.host.description
            let manager = try ServerTrustManager(
                evaluators: [host: DisabledTrustEvaluator.insecurelyTrustingAnyServer], memory: nil,
                insecureOptions: .allowsDisabledEvaluators)
            let trust = ServerTrustConfiguration(manager)
            try await connect(attempt, .immediate { trust.evaluateWithoutFetching($0, host: $1) })
        },
        Mutant(name: "waits forever", rules: [.waitsForever]) { attempt in
            try await connect(attempt, attempt.source, timeout: .seconds(20))
        },
        Mutant(name: "doesn't cancel the source's task", rules: [.leavesSourceWaiting]) { attempt in
            try await connect(
                attempt,
                asking(attempt.source) { source, chain, host in
                    await Task { await source.evaluate(chain, host: host) }.value
                })
        },
        Mutant(name: "continues after cancellation", rules: [.ignoresCancellation]) { attempt in
            try await Task { try await connect(attempt, attempt.source) }.value
        },
        Mutant(name: "swallows refusals", rules: [.client, .contactsDenied, .sendsBeforeVerdict]) { attempt in
            try? await connect(attempt, attempt.source)
        },
    ]

    @Test("The suite finds an adapter that breaks a rule", arguments: 0..<9)
    func broken(index: Int) async throws {
        let mutant = Self.mutants[index]
        var suite = AdapterConformance()
        suite.scenarios = [.good, .expired, .missingIntermediate]
        suite.patience = .seconds(4)
        let violations = try await suite.run(mutant.connect)
        #expect(Set(violations.map(\.rule)).isSuperset(of: mutant.rules), "\(mutant.name): \(violations)")
    }

    @Test("Breaking an exempted rule isn't a violation, but an unnecessary exemption is")
    func exemptions() async throws {
        var suite = AdapterConformance(rules: [.contactsDenied: "evaluates after connecting", .wrongHost: "no reason"])
        suite.scenarios = [.good]
        let violations = try await suite.run { attempt in
            try await Self.connect(
                attempt, Self.asking(attempt.source, denies: false) { await $0.evaluate($1, host: $2) })
        }
        #expect(violations.map(\.rule) == [.needlessExemption])
    }
}
