// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust

/// Stands behind a connection's TLS handler and reports the evaluation of the server went.
///
/// * ``EvaluatedServer`` goes down the pipeline as a user inbound event, with a good or a bad verdict.
/// * NIOSSL's opaque handshake error becomes `TrustRefusal`, or ``ConnectionFailure`` if it didn't come to a verdict.
/// * A handshake that takes too long is ended.
/// * A connection that is up without a good verdict is closed: even if a TLS library went on, nothing gets past it.
///
/// Made by ``ServerTrustTLS/addHandlers(to:host:position:)`` alone.
package final class ServerTrustHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    private enum State {
        case waiting
        case evaluated(EvaluatedServer)
        case established
        case failed
    }

    private let host: Hostname
    private let timeout: TimeAmount
    private let promise: EventLoopPromise<EvaluatedServer>
    private var state = State.waiting
    private var limit: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// Sees the server's bytes until TLS is up.
    var witness: HandshakeWitness?
    /// Cancels the evaluation of a source that waits.
    var cancelVerification: (@Sendable () -> Void)?

    init(host: Hostname, timeout: TimeAmount, eventLoop: any EventLoop) {
        self.host = host
        self.timeout = timeout
        self.promise = eventLoop.makePromise(of: EvaluatedServer.self)
    }

    // A handler that never got into a pipeline.
    deinit { promise.fail(ConnectionFailure(.connectionClosed, host: host)) }

    /// The server, when TLS is up and the verdict is good.
    var server: EventLoopFuture<EvaluatedServer> { promise.futureResult }

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { startClock(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        startClock(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        end(ConnectionFailure(.connectionClosed, host: host))
        self.context = nil
    }

    /// The verification's outcome, before NIOSSL goes on.
    func settle(_ outcome: VerificationOutcome) {
        guard let context, case .waiting = state else { return }
        switch outcome {
        case .timedOut:
            fail(ConnectionFailure(.connectionEvaluationTimedOut, host: host), context)
        case .evaluated(let server):
            state = .evaluated(server)
            context.fireUserInboundEventTriggered(server)
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        switch state {
        case .evaluated(let server) where server.verdict.isTrusted:
            state = .established
            limit?.cancel()
            if let witness { context.pipeline.syncOperations.removeHandler(witness, promise: nil) }
            // The pipeline first: code that waits for the future will write at once.
            context.fireUserInboundEventTriggered(event)
            promise.succeed(server)
        case .evaluated(let server): fail(TrustRefusal(server.verdict), context)
        case .waiting, .established: fail(ConnectionFailure(.connectionNotEvaluated, host: host), context)
        case .failed: break
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch state {
        case .waiting where error.isEndOfConnection:
            fail(failure(.connectionClosed), context)
        case .evaluated(let server) where !server.verdict.isTrusted: fail(TrustRefusal(server.verdict), context)
        case .evaluated where error.isEndOfConnection:
            fail(failure(.connectionClosed), context)
        case .waiting, .evaluated: fail(failure(.connectionHandshakeFailed, error), context)
        // A server of TLS 1.3 refuses a client's certificate after the handshake.
        case .established where TLSErrorDetails(error).alert != nil:
            context.fireErrorCaught(failure(.connectionHandshakeFailed, error))
        case .established: context.fireErrorCaught(error)
        // The connection ends for a reason that was reported; later errors say nothing.
        case .failed: break
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        switch state {
        case .waiting, .evaluated: fail(failure(.connectionClosed), context)
        case .established, .failed: break
        }
        context.fireChannelInactive()
    }

    // MARK: - The end

    /// The failure for the end of a handshake, with the code that the server's bytes and the TLS library's error show.
    private func failure(
        _ code: ErrorCode, _ error: (any Error)? = nil
    ) -> ConnectionFailure {
        HandshakeFault(witness?.records ?? ServerRecords(), error).map { ConnectionFailure($0, host: host) }
            ?? ConnectionFailure(code, host: host)
    }

    private func startClock(_ context: ChannelHandlerContext) {
        guard limit == nil, case .waiting = state else { return }
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        limit = context.eventLoop.scheduleTask(in: timeout) {
            let (handler, context) = loopBound.value
            switch handler.state {
            case .waiting, .evaluated:
                let code: ErrorCode =
                    handler.cancelVerification == nil ? .connectionTimedOut : .connectionEvaluationTimedOut
                handler.fail(ConnectionFailure(code, host: handler.host), context)
            case .established, .failed: break
            }
        }
    }

    /// Reports the error, and closes.
    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        end(error)
        context.fireErrorCaught(error)
        (context.pipeline.syncOperations.tls ?? context).close(promise: nil)
    }

    private func end(_ error: any Error) {
        if case .established = state { return }
        state = .failed
        limit?.cancel()
        cancelVerification?()
        promise.fail(error)
    }
}

extension ChannelPipeline.SynchronousOperations {
    /// Where a connection is closed from without TLS's farewell, which would wait for a peer that may never answer; nil without TLS.
    package var tls: ChannelHandlerContext? { try? context(handlerType: NIOSSLClientHandler.self) }
}

extension Error {
    /// Whether it says no more than that the peer has gone.
    package var isEndOfConnection: Bool {
        switch self {
        case let error as NIOSSLError:
            switch error {
            case .uncleanShutdown: true
            case .handshakeFailed(.sslError(let stack)): stack.contains(.eofDuringHandshake)
            default: false
            }
        case is IOError: true
        case let error as ChannelError: error == .eof || error == .ioOnClosedChannel || error == .inputClosed
        default: false
        }
    }
}
