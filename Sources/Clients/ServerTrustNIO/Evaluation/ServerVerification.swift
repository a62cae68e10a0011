// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust

/// The outcome of evaluating a server: a verdict, or none.
public enum VerificationOutcome: Sendable, Hashable {
    /// There is a verdict, good or bad.
    case evaluated(EvaluatedServer)
    /// There was none in time. The server is refused.
    case timedOut
}

/// One connection's verification: the host, whom to ask and how long to wait.
package struct ServerVerification: Sendable {
    let host: Hostname
    let source: VerdictSource
    let timeout: TimeAmount

    package init(host: Hostname, source: VerdictSource, timeout: TimeAmount) {
        self.host = host
        self.source = source
        self.timeout = timeout
    }

    /// Finds out once whether to go on.
    /// - Parameters:
    ///   - chain: the certificates that the server sent, and the evidence of the handshake.
    ///   - eventLoop: the connection's, which is the one that calls.
    ///   - settle: called with the outcome on the event loop, once.
    /// - Returns: a closure that cancels the evaluation; may be called on any thread.
    @discardableResult
    package func verify(
        _ chain: PresentedChain, on eventLoop: any EventLoop,
        settle: @escaping (VerificationOutcome) -> Void
    ) -> @Sendable () -> Void {
        switch source.kind {
        case .immediate(let verdict):
            settle(evaluated(chain, verdict(chain, host)))
            return {}
        case .waiting(let verdict):
            let outcome = eventLoop.makePromise(of: VerificationOutcome.self)
            let task = Task {
                let verdict = await verdict(chain, host)
                outcome.succeed(evaluated(chain, verdict))
            }
            // Whichever comes first; a promise takes one answer and ignores the other.
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

    private func evaluated(_ chain: PresentedChain, _ verdict: TrustVerdict) -> VerificationOutcome {
        .evaluated(EvaluatedServer(host: host, presentedChain: chain, verdict: verdict))
    }
}

extension VerificationOutcome {
    /// Whether the connection may go on: there is a verdict, and it is a good one.
    public var isTrusted: Bool {
        if case .evaluated(let server) = self { server.verdict.isTrusted } else { false }
    }
}
