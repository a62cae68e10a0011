// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust

/// The calls that an adapter has made to a source.
final class SourceRecord: Sendable {
    private struct State {
        var questions: [(chain: [[UInt8]], host: Hostname)] = []
        var isReleased = false
        var wasCancelled = false
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.questions.count } }
    /// Whether the task of a waiting source was canceled.
    var wasCancelled: Bool { state.withLock { $0.wasCancelled } }

    /// Makes a waiting source answer.
    func release() { state.withLock { $0.isReleased = true } }

    private func add(_ chain: PresentedChain, _ host: Hostname) {
        let question = (chain: chain.certificates.map(\.der), host: host)
        state.withLock { $0.questions.append(question) }
    }

    /// Returns a source that answers immediately.
    func source(_ trust: ServerTrustConfiguration) -> VerdictSource {
        .immediate(
            { chain, host in
                self.add(chain, host)
                return trust.evaluateWithoutFetching(chain, host: host)
            }, denying: { trust.denial(of: $0) })
    }

    /// Returns a source that answers after some time.
    func source(
        _ trust: ServerTrustConfiguration, after delay: Duration, before answer: @escaping @Sendable () -> Void
    ) -> VerdictSource {
        .waiting(
            { chain, host in
                self.add(chain, host)
                try? await Task.sleep(for: delay)
                answer()
                return trust.evaluateWithoutFetching(chain, host: host)
            }, denying: { trust.denial(of: $0) })
    }

    /// Returns a source that answers only when it is canceled or released, which is too late.
    func silentSource(_ trust: ServerTrustConfiguration) -> VerdictSource {
        .waiting(
            { chain, host in
                self.add(chain, host)
                while !self.state.withLock({ $0.isReleased }), !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(10))
                }
                if Task.isCancelled { self.state.withLock { $0.wasCancelled = true } }
                return trust.evaluateWithoutFetching(chain, host: host)
            }, denying: { trust.denial(of: $0) })
    }

    /// Compares the calls with the single call that a connection to the server requires.
    func violations(for server: LabServer, _ situation: String) -> [AdapterConformance.Violation] {
        let questions = state.withLock { $0.questions }
        // The adapter doesn't contact a denied host, so there is no chain to pass to the source.
        let isDenied = server.certificates.configuration.denial(of: server.host) != nil
        let expected = server.expected == .noHandshake || isDenied ? 0 : 1
        guard questions.count == expected else {
            return [
                .init(rule: .wrongCount, detail: "\(situation): \(questions.count) calls, expected \(expected)")
            ]
        }
        var found: [AdapterConformance.Violation] = []
        for question in questions {
            if question.host != server.host {
                found.append(
                    .init(rule: .wrongHost, detail: "\(situation): \(question.host), expected \(server.host)"))
            }
            if question.chain != server.certificates.chain.map(\.der) {
                found.append(
                    .init(
                        rule: .wrongChain,
                        detail: "\(situation): \(question.chain.count) certificates, expected exactly the "
                            + "\(server.certificates.chain.count) that the server presented"))
            }
        }
        return found
    }
}

#endif
