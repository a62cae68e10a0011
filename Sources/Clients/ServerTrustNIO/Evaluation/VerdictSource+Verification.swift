// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import PKIX
import ServerTrust

// The outcome of an evaluation is a server with its verdict, good or bad. Without a verdict in time, it is nil or the
// error of a future, and the server is refused.

/// The largest number of evaluations for one connection. A source may change the rules each time it is called, and may
/// ask a person.
private let mostRounds = 3

extension VerdictSource {
    /// Evaluates a server to find out whether its connection may continue. If the rules change during an evaluation, its
    /// verdict doesn't count, and the method evaluates the server again, three times at most.
    /// - Parameters:
    ///   - chain: the certificates that the server sent, and the evidence of the handshake.
    ///   - timeout: the longest time to wait for a source that evaluates in a task.
    ///   - eventLoop: the connection's event loop. Call this method on it.
    ///   - settle: receives the outcome on the event loop. It is called once.
    /// - Returns: a closure that cancels the evaluation. You can call it on any thread.
    @discardableResult
    package func verify(
        _ chain: PresentedChain, of host: Hostname, within timeout: TimeAmount, on eventLoop: any EventLoop,
        settle: @escaping (EvaluatedServer?) -> Void
    ) -> @Sendable () -> Void {
        switch kind {
        case .immediate(let verdict):
            let revision = revision
            settle(
                EvaluatedServer(host: host, presentedChain: chain, verdict: verdict(chain, host), revision: revision))
            return {}
        case .waiting(let verdict):
            let outcome = eventLoop.makePromise(of: EvaluatedServer?.self)
            let task = Task {
                var server: EvaluatedServer
                var rounds = mostRounds
                repeat {
                    let revision = revision
                    server = EvaluatedServer(
                        host: host, presentedChain: chain, verdict: await verdict(chain, host), revision: revision)
                    rounds -= 1
                } while isOutdated(server) && rounds > 0 && !Task.isCancelled
                // A refusal may be by older rules. A good verdict may not.
                let counts = !server.verdict.isTrusted || !isOutdated(server)
                outcome.succeed(counts ? server : nil)
            }
            // The first result counts. The promise ignores the second one.
            let limit = eventLoop.scheduleTask(in: timeout) {
                outcome.succeed(nil)
                task.cancel()
            }
            outcome.futureResult.assumeIsolated().whenSuccess { outcome in
                limit.cancel()
                settle(outcome)
            }
            return { task.cancel() }
        }
    }

    /// Checks that the rules don't deny a host, before the client sends anything for it, including its name to a
    /// resolver.
    /// - Parameters:
    ///   - host: the host. Nil for a peer that isn't evaluated.
    ///   - isCleartext: whether the connection doesn't use TLS.
    package func requireNotDenied(_ host: Hostname?, isCleartext: Bool = false) throws(TrustRefusal) {
        if let host, let verdict = denial(of: host, isCleartext: isCleartext) { throw TrustRefusal(verdict) }
    }

    /// Whether the rules have changed since a server was evaluated.
    package func isOutdated(_ server: EvaluatedServer) -> Bool { server.revision != revision }

    /// Evaluates a server by a deadline, and returns it with its verdict, good or bad. Fails with ``ConnectionFailure``
    /// if there is no verdict by then.
    package func evaluatedServer(
        presenting chain: PresentedChain, for host: Hostname, on eventLoop: any EventLoop, by deadline: NIODeadline
    ) -> EventLoopFuture<EvaluatedServer> {
        eventLoop.flatSubmit {
            let promise = eventLoop.makePromise(of: EvaluatedServer?.self)
            verify(chain, of: host, within: deadline - .now(), on: eventLoop) { promise.succeed($0) }
            return promise.futureResult.flatMapThrowing { try $0.evaluated(host) }
        }
    }

    /// Evaluates the server of a connection whose TLS handshake is complete. Call it on the connection's event loop.
    /// - Returns: a future with the server and its good verdict. It fails with `TrustRefusal` after a bad verdict. It
    ///   fails with ``ConnectionFailure`` if there is no verdict in time, or if the connection closes first, which
    ///   cancels the evaluation.
    package func trustedServer(
        presenting chain: PresentedChain, for host: Hostname, on channel: any Channel, within timeout: TimeAmount
    ) -> EventLoopFuture<EvaluatedServer> {
        let promise = channel.eventLoop.makePromise(of: EvaluatedServer?.self)
        let cancel = verify(chain, of: host, within: timeout, on: channel.eventLoop) { promise.succeed($0) }
        // The first result counts. The promise ignores the second one.
        channel.closeFuture.whenComplete { _ in
            promise.fail(ConnectionFailure(.connectionClosed, host: host))
            cancel()
        }
        return promise.futureResult.flatMapThrowing { try $0.evaluated(host).trusted() }
    }
}

extension EvaluatedServer {
    /// Returns the server if its verdict is good.
    package func trusted() throws(TrustRefusal) -> EvaluatedServer {
        try verdict.requireTrust()
        return self
    }
}

extension EvaluatedServer? {
    /// Whether the connection may continue, because there is a verdict and it is good.
    var isTrusted: Bool { self?.verdict.isTrusted == true }

    fileprivate func evaluated(_ host: Hostname) throws(ConnectionFailure) -> EvaluatedServer {
        guard let server = self else { throw ConnectionFailure(.connectionEvaluationTimedOut, host: host) }
        return server
    }
}

/// A server that was evaluated while the connection to it was established, with a good or a bad verdict.
///
/// ``ServerTrustTLS`` fires it down the pipeline as a user inbound event. For a trusted server, the event precedes
/// `TLSUserEvent.handshakeCompleted`. For a refused server, it precedes the error. If the rules change during the
/// handshake, there is another event with the verdict by the new rules.
public struct EvaluatedServer: Sendable, Hashable {
    /// The requested host.
    public let host: Hostname
    /// The certificates that the server sent, leaf first.
    public let presentedChain: PresentedChain
    /// The verdict on the chain. The connection continues if the verdict is trusted.
    public let verdict: TrustVerdict
    /// The rules that the verdict depends on. Nil for a verdict that no connection depends on.
    package let revision: TrustRevision?

    /// - Parameters:
    ///   - host: the requested host.
    ///   - presentedChain: the certificates that the server sent.
    ///   - verdict: the result of the evaluation.
    ///   - revision: the revision of the source before the evaluation.
    package init(
        host: Hostname, presentedChain: PresentedChain, verdict: TrustVerdict, revision: TrustRevision? = nil
    ) {
        self.host = host
        self.presentedChain = presentedChain
        self.verdict = verdict
        self.revision = revision
    }
}

#endif
