// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import PKIX
import ServerTrust

/// The outcome of evaluating a server: a verdict, or no verdict.
public enum VerificationOutcome: Sendable, Hashable {
    /// There is a verdict, good or bad.
    case evaluated(EvaluatedServer)
    /// There was no verdict in time. The server is refused.
    case timedOut
}

/// The verification of one connection: its host, the source of the verdict, and the timeout.
package struct ServerVerification: Sendable {
    let host: Hostname
    let source: VerdictSource
    let timeout: TimeAmount
    /// The largest number of evaluations. A source may change the rules each time it is called, and may ask a person.
    private static let mostRounds = 3

    package init(host: Hostname, source: VerdictSource, timeout: TimeAmount) {
        self.host = host
        self.source = source
        self.timeout = timeout
    }

    /// Evaluates the server to find out whether the connection may continue. If the rules change during an evaluation,
    /// its verdict doesn't count, and the method evaluates the server again, three times at most.
    /// - Parameters:
    ///   - chain: the certificates that the server sent, and the evidence of the handshake.
    ///   - eventLoop: the connection's event loop. Call this method on it.
    ///   - settle: receives the outcome on the event loop. It is called once.
    /// - Returns: a closure that cancels the evaluation. You can call it on any thread.
    @discardableResult
    package func verify(
        _ chain: PresentedChain, on eventLoop: any EventLoop,
        settle: @escaping (VerificationOutcome) -> Void
    ) -> @Sendable () -> Void {
        switch source.kind {
        case .immediate(let verdict):
            settle(.evaluated(server(chain) { verdict(chain, host) }))
            return {}
        case .waiting(let verdict):
            let outcome = eventLoop.makePromise(of: VerificationOutcome.self)
            let task = Task {
                var server: EvaluatedServer
                var rounds = Self.mostRounds
                repeat {
                    let revision = source.revision
                    server = EvaluatedServer(
                        host: host, presentedChain: chain, verdict: await verdict(chain, host), revision: revision)
                    rounds -= 1
                } while isOutdated(server) && rounds > 0 && !Task.isCancelled
                // A refusal may be by older rules. A good verdict may not.
                let counts = !server.verdict.isTrusted || !isOutdated(server)
                outcome.succeed(counts ? .evaluated(server) : .timedOut)
            }
            // The first result counts. The promise ignores the second one.
            let limit = eventLoop.scheduleTask(in: timeout) {
                outcome.succeed(.timedOut)
                task.cancel()
            }
            outcome.futureResult.assumeIsolated().whenSuccess { outcome in
                limit.cancel()
                settle(outcome)
            }
            return { task.cancel() }
        }
    }

    private func server(_ chain: PresentedChain, _ verdict: () -> TrustVerdict) -> EvaluatedServer {
        let revision = source.revision
        return EvaluatedServer(host: host, presentedChain: chain, verdict: verdict(), revision: revision)
    }

    /// Whether the rules have changed since a server was evaluated.
    package func isOutdated(_ server: EvaluatedServer) -> Bool { server.revision != source.revision }
}

extension VerificationOutcome {
    /// Whether the connection may continue, because there is a verdict and it is good.
    public var isTrusted: Bool {
        if case .evaluated(let server) = self { server.verdict.isTrusted } else { false }
    }
}

#endif
