// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust

/// A handler after a connection's TLS handler that reports the result of evaluating the server.
///
/// * It fires ``EvaluatedServer`` as a user inbound event, with a good or a bad verdict.
/// * It replaces NIOSSL's opaque handshake error with `TrustRefusal`, or with ``ConnectionFailure`` if there is no
///   verdict.
/// * It ends a handshake that takes too long.
/// * It closes an established connection without a good verdict. So even if a TLS library continues, no data gets past
///   this handler.
/// * It evaluates the server again if the rules have changed since the verdict, and holds back the server's data
///   meanwhile.
/// * It lists the connection in ``OpenServers``, which closes it if later rules refuse the server.
///
/// Only ``ServerTrustTLS/addHandlers(to:host:position:)`` creates it.
package final class ServerTrustHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer

    private enum State {
        case waiting
        case evaluated(EvaluatedServer)
        /// TLS is established, but the verdict is from before a change of the rules.
        case renewing
        case established
        case failed
    }

    private let host: Hostname
    private let source: VerdictSource
    /// Nil if another object lists the connections.
    private let open: OpenServers?
    private let timeouts: (handshake: TimeAmount, evaluation: TimeAmount)
    private let promise: EventLoopPromise<EvaluatedServer>
    private var state = State.waiting
    private var limit: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// The server's data that arrived while the handler evaluated the server again, and whether a read waits.
    private var held: (data: [NIOAny], isReading: Bool) = ([], false)
    /// The client's writes before the connection is established, and whether a flush waits.
    private var unsent: (writes: [(data: NIOAny, promise: EventLoopPromise<Void>?)], isFlushing: Bool) = ([], false)
    /// Records the server's bytes until TLS is established.
    var witness: HandshakeWitness?
    /// The TLS handler, whose callback owns this handler.
    weak var tls: NIOSSLClientHandler?
    /// Cancels an asynchronous evaluation.
    var cancelVerification: (@Sendable () -> Void)?

    init(
        _ host: Hostname, _ source: VerdictSource, _ open: OpenServers?,
        timeouts: (handshake: TimeAmount, evaluation: TimeAmount), eventLoop: any EventLoop
    ) {
        self.host = host
        self.source = source
        self.open = open
        self.timeouts = timeouts
        self.promise = eventLoop.makePromise(of: EvaluatedServer.self)
    }

    // This handler was never added to a pipeline.
    deinit { promise.fail(ConnectionFailure(.connectionClosed, host: host)) }

    /// A future with the server. It completes when TLS is established and the verdict is good.
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

    /// Records the outcome of the verification before NIOSSL continues.
    func settle(_ outcome: EvaluatedServer?) {
        guard let context, case .waiting = state else { return }
        guard let server = outcome else {
            return fail(ConnectionFailure(.connectionEvaluationTimedOut, host: host), context)
        }
        state = .evaluated(server)
        context.fireUserInboundEventTriggered(server)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        switch state {
        case .evaluated(let server): establish(server, event, context)
        case .waiting, .renewing, .established: fail(ConnectionFailure(.connectionNotEvaluated, host: host), context)
        case .failed: break
        }
    }

    /// Continues after the handshake, if the server is trusted by the current rules.
    private func establish(_ server: EvaluatedServer, _ event: Any, _ context: ChannelHandlerContext) {
        guard server.verdict.isTrusted else { return fail(TrustRefusal(server.verdict), context) }
        // The connection is listed before the comparison. So a change after it finds the connection.
        open?.add(self, server, of: context.channel)
        guard source.isOutdated(server) else {
            state = .established
            limit?.cancel()
            sendHeld(context)
            if let witness { context.pipeline.syncOperations.removeHandler(witness, promise: nil) }
            // The pipeline receives the event first, because code that waits for the future can write immediately.
            context.fireUserInboundEventTriggered(event)
            promise.succeed(server)
            return release(context)
        }
        state = .renewing
        cancelVerification = source.verify(
            server.presentedChain, of: host, within: timeouts.evaluation, on: context.eventLoop
        ) { [weak self] outcome in
            guard let self, let context = self.context, case .renewing = self.state else { return }
            guard let server = outcome else {
                return fail(ConnectionFailure(.connectionEvaluationTimedOut, host: host), context)
            }
            context.fireUserInboundEventTriggered(server)
            establish(server, event, context)
        }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .established: context.fireChannelRead(data)
        case .renewing: held.data.append(data)
        case .waiting, .evaluated, .failed: break
        }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch state {
        case .established: context.write(data, promise: promise)
        case .failed: promise?.fail(ChannelError.ioOnClosedChannel)
        // The TLS handler would send it at the end of the handshake, even if the server is refused then.
        case .waiting, .evaluated, .renewing: unsent.writes.append((data, promise))
        }
    }

    package func flush(context: ChannelHandlerContext) {
        switch state {
        case .waiting, .evaluated, .renewing: unsent.isFlushing = true
        case .established, .failed: context.flush()
        }
    }

    /// Sends what the client wrote before the connection was established.
    private func sendHeld(_ context: ChannelHandlerContext) {
        let unsent = unsent
        self.unsent = ([], false)
        for (data, promise) in unsent.writes { context.write(data, promise: promise) }
        if unsent.isFlushing { context.flush() }
    }

    package func read(context: ChannelHandlerContext) {
        guard case .renewing = state else { return context.read() }
        held.isReading = true
    }

    /// Passes on what arrived during the evaluation.
    private func release(_ context: ChannelHandlerContext) {
        let held = held
        self.held = ([], false)
        for data in held.data { context.fireChannelRead(data) }
        if !held.data.isEmpty { context.fireChannelReadComplete() }
        if held.isReading { context.read() }
    }

    /// Ends an established connection whose server is no longer trusted. Call it on the event loop.
    func refuse(_ channel: any Channel, with error: any Error) {
        switch state {
        case .established: state = .failed
        case .renewing: return context.map { fail(error, $0) } ?? ()
        case .waiting, .evaluated, .failed: return
        }
        // The handler of a proxy has left the pipeline.
        if let context { context.fireErrorCaught(error) } else { channel.pipeline.fireErrorCaught(error) }
        channel.closeAtOnce()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch state {
        case .renewing: fail(failure(.connectionClosed, error), context)
        case .waiting where error.isEndOfConnection:
            fail(failure(.connectionClosed), context)
        case .evaluated(let server) where !server.verdict.isTrusted: fail(TrustRefusal(server.verdict), context)
        case .evaluated where error.isEndOfConnection:
            fail(failure(.connectionClosed), context)
        case .evaluated(let server) where error is ClientCertificateRequested:
            fail(ClientCertificateRequested(server: server), context)
        case .waiting, .evaluated: fail(failure(.connectionHandshakeFailed, error), context)
        // A TLS 1.3 server refuses a client certificate after the handshake.
        case .established where TLSErrorDetails(error).alert != nil:
            context.fireErrorCaught(failure(.connectionHandshakeFailed, error))
        case .established: context.fireErrorCaught(error)
        // The reason for the end is already reported. Later errors add nothing.
        case .failed: break
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        switch state {
        case .waiting, .evaluated, .renewing: fail(failure(.connectionClosed), context)
        case .established, .failed: break
        }
        context.fireChannelInactive()
    }

    // MARK: - The end

    /// Returns the failure for the end of a handshake. The server's bytes and the TLS library's error determine its
    /// code.
    private func failure(
        _ code: ErrorCode, _ error: (any Error)? = nil
    ) -> ConnectionFailure {
        ConnectionFailure(witness?.records ?? ServerRecords(), error, host: host) ?? ConnectionFailure(code, host: host)
    }

    private func startClock(_ context: ChannelHandlerContext) {
        guard limit == nil, case .waiting = state else { return }
        limit = context.eventLoop.assumeIsolated().scheduleTask(in: timeouts.handshake) { [self] in
            switch state {
            case .waiting, .evaluated, .renewing:
                let code: ErrorCode = cancelVerification == nil ? .connectionTimedOut : .connectionEvaluationTimedOut
                fail(ConnectionFailure(code, host: host), context)
            case .established, .failed: break
            }
        }
    }

    /// Reports the error and closes the connection.
    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        end(error)
        context.fireErrorCaught(error)
        context.closeAtOnce()
    }

    private func end(_ error: any Error) {
        if case .established = state { return }
        state = .failed
        limit?.cancel()
        cancelVerification?()
        promise.fail(error)
        let writes = unsent.writes
        unsent = ([], false)
        for (_, written) in writes { written?.fail(error) }
    }
}

/// The error of a handshake that the client ended because a trusted server requested a certificate.
///
/// A client that wants to continue on another connection fails the promise of `TLSConfiguration.sslContextCallback` with
/// this error.
package struct ClientCertificateRequested: Error {
    /// The server, which ``ServerTrustHandler`` adds.
    package var server: EvaluatedServer?

    package init(server: EvaluatedServer? = nil) { self.server = server }
}

extension ChannelPipeline.SynchronousOperations {
    /// The context for closing a connection without TLS's closing handshake. Nil without TLS.
    package var tls: ChannelHandlerContext? { try? context(handlerType: NIOSSLClientHandler.self) }

    /// The TLS handler of the connection to the server. A proxy may have another one below it.
    var serverTLS: NIOSSLClientHandler? { (try? handler(type: ServerTrustHandler.self))?.tls }

    /// The version of TLS to the server, or nil before the end of the handshake and without TLS.
    package var tlsVersion: TLSVersion? {
        (serverTLS ?? (try? handler(type: NIOSSLClientHandler.self)))?.tlsVersion
    }

    /// The position of TLS to the server below all existing handlers: above the TLS of a proxy, or at the socket.
    package var positionOfServerTLS: Position {
        (try? handler(type: NIOSSLClientHandler.self)).map { .after($0) } ?? .first
    }
}

extension ChannelHandlerContext {
    /// Closes the connection without TLS's closing handshake. The handshake would wait for a peer that may never answer,
    /// and would continue reading meanwhile.
    package func closeAtOnce() { (pipeline.syncOperations.tls ?? self).close(promise: nil) }
}

extension Channel {
    /// Closes the connection like `ChannelHandlerContext.closeAtOnce()`. Call it on the event loop.
    package func closeAtOnce() {
        guard let tls = pipeline.syncOperations.tls else { return close(promise: nil) }
        tls.close(promise: nil)
    }
}

extension Error {
    /// Whether the error only says that the peer has ended the connection.
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

#endif
