// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import PKIX
import ServerTrust

extension ServerVerification {
    /// Evaluates the server of a connection whose TLS handshake is complete. Call it on the connection's event loop.
    /// - Returns: a future with the server and its good verdict. It fails with `TrustRefusal` after a bad verdict. It
    ///   fails with ``ConnectionFailure`` if there is no verdict in time, or if the connection closes first, which
    ///   cancels the evaluation.
    package func verify(_ chain: PresentedChain, of channel: any Channel) -> EventLoopFuture<EvaluatedServer> {
        let promise = channel.eventLoop.makePromise(of: VerificationOutcome.self)
        let cancel = verify(chain, on: channel.eventLoop) { promise.succeed($0) }
        // The first result counts. The promise ignores the second one.
        channel.closeFuture.whenComplete { [host] _ in
            promise.fail(ConnectionFailure(.connectionClosed, host: host))
            cancel()
        }
        return promise.futureResult.flatMapThrowing { [host] outcome in
            switch outcome {
            case .evaluated(let server) where server.verdict.isTrusted: return server
            case .evaluated(let server): throw TrustRefusal(server.verdict)
            case .timedOut: throw ConnectionFailure(.connectionEvaluationTimedOut, host: host)
            }
        }
    }
}

#endif
