// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOExtras
import NIOHTTP1
import NIOSOCKS
import NIOTLS
import PKIX
import ServerTrust

/// Establishes TLS to a proxy, opens its tunnel, runs a prologue, and leaves the pipeline when TLS to the server begins.
///
/// `CONNECT` is sent after the proxy is trusted. Until TLS to the server begins, handlers above this one can't write.
///
/// A byte beyond the expected answers fails the connection. Otherwise, a peer could send bytes before TLS that look
/// like the server's bytes.
final class ApproachHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = ByteBuffer

    private enum State {
        case idle
        /// TLS to the proxy.
        case handshake
        case tunnel(Tunnel)
        case prologue(next: Int)
        case done
    }

    private let route: ConnectionRoute
    private let timeout: TimeAmount
    private let promise: EventLoopPromise<TimeAmount>
    private var state = State.idle
    private var received: [UInt8] = []
    private var limit: Scheduled<Void>?
    private var deadline = NIODeadline.distantFuture

    init(_ route: ConnectionRoute, timeout: TimeAmount, eventLoop: any EventLoop) {
        self.route = route
        self.timeout = timeout
        self.promise = eventLoop.makePromise(of: TimeAmount.self)
    }

    // This handler was never added to a pipeline.
    deinit { promise.fail(ConnectionFailure(.connectionClosed, host: route.host)) }

    var opened: EventLoopFuture<TimeAmount> { promise.futureResult }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(ended) }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ended, context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch state {
        case .tunnel(let tunnel): fail(tunnel.problem(for: error), context)
        case .idle, .handshake, .prologue: fail("the connection failed: \(ConnectionFailure.text(error))", context)
        case .done: break
        }
    }

    private func start(_ context: ChannelHandlerContext) {
        guard case .idle = state else { return }
        deadline = .now() + timeout
        limit = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            fail(timeoutError, context)
        }
        guard let proxy = route.proxy else { return startPrologue(at: 0, context) }
        if let problem = proxy.problem { return fail(TunnelProblem(problem), context) }
        guard proxy.isSecure else { return startTunnel(proxy, context) }
        state = .handshake
        do {
            let server = try route.addProxyTLS(to: context.pipeline.syncOperations, before: self, until: deadline)
            server.assumeIsolated().whenComplete { [self] result in
                guard case .handshake = state else { return }
                switch result {
                case .success: startTunnel(proxy, context)
                case .failure(let error): fail(route.proxyError(error), context)
                }
            }
        } catch {
            fail(route.proxyError(error), context)
        }
    }

    private func startTunnel(_ proxy: ConnectionProxy, _ context: ChannelHandlerContext) {
        let tunnel = Tunnel(proxy, to: route, until: deadline)
        state = .tunnel(tunnel)
        do throws(TunnelProblem) {
            let opened = try tunnel.start(before: self, context)
            opened.assumeIsolated().whenSuccess { [self] in tunnelOpened(context) }
        } catch {
            fail(error, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is SOCKSProxyEstablishedEvent { tunnelOpened(context) }
        // These events are about the proxy. Handlers above would take them for the server's.
        if event is EvaluatedServer || event is TLSUserEvent { return }
        context.fireUserInboundEventTriggered(event)
    }

    /// Removes the proxy's handlers. They pass on the bytes that they have read beyond the proxy's answer.
    private func tunnelOpened(_ context: ChannelHandlerContext) {
        guard case .tunnel(let tunnel) = state else { return }
        tunnel.removeHandlers(context).assumeIsolated().whenComplete { [self] _ in
            guard case .tunnel = state else { return }
            // From now on, the only handler of this type is the server's.
            if let verdict = try? context.pipeline.syncOperations.context(handlerType: ServerTrustHandler.self) {
                context.pipeline.syncOperations.removeHandler(context: verdict, promise: nil)
            }
            startPrologue(at: 0, context)
        }
    }

    private func startPrologue(at index: Int, _ context: ChannelHandlerContext) {
        guard let steps = route.prologue?.steps, index < steps.count else {
            state = .done
            limit?.cancel()
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            return promise.succeed(deadline - .now())
        }
        state = .prologue(next: index)
        let step = steps[index]
        if !step.request.isEmpty {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: step.request)), promise: nil)
        }
        if step.maximumSize == 0 { startPrologue(at: index + 1, context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        // The proxy's handlers only pass on bytes beyond the proxy's answer.
        case .idle, .handshake, .tunnel: fail("bytes arrived before TLS began", context)
        case .prologue(let index): readAnswer(unwrapInboundIn(data), to: index, context)
        case .done: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .done = state { return context.write(data, promise: promise) }
        let error = ConnectionFailure(.connectionSentTooEarly, host: route.host, port: route.port)
        promise?.fail(error)
        fail(error, context)
    }

    /// Tests the answer after each byte, so that it ends with the first byte that completes it.
    private func readAnswer(_ buffer: ByteBuffer, to index: Int, _ context: ChannelHandlerContext) {
        guard let step = route.prologue?.steps[index] else { return }
        var rest = buffer.readableBytesView
        while let byte = rest.popFirst() {
            received.append(byte)
            guard received.count <= step.maximumSize else {
                let problem = "the answer before TLS is larger than \(step.maximumSize) bytes"
                return fail(PrologueRefusal(.tooLarge, problem), context)
            }
            do { guard try step.isAnswer(received) else { continue } } catch {
                return fail(error as? PrologueRefusal ?? PrologueRefusal(.declined, "\(error)"), context)
            }
            guard rest.isEmpty else {
                let problem = "bytes arrived in the clear after the answer, before TLS: \(PrologueRefusal.quoted(rest))"
                return fail(PrologueRefusal(.extraBytes, problem), context)
            }
            received = []
            return startPrologue(at: index + 1, context)
        }
    }

    // MARK: - The end

    private var ended: ConnectionFailure { error("the connection ended before TLS began", isEnd: true) }

    private var timeoutError: ConnectionFailure {
        guard let proxy = unreachedProxy else { return error(silence, isTimeout: true) }
        return ConnectionFailure(.silent, of: proxy, to: route.host, port: route.port)
    }

    /// The proxy until its tunnel is open.
    private var unreachedProxy: ConnectionProxy? {
        switch state {
        case .handshake, .tunnel: route.proxy
        case .idle, .prologue, .done: nil
        }
    }

    private func error(_ problem: String, isTimeout: Bool = false, isEnd: Bool = false) -> ConnectionFailure {
        if let proxy = unreachedProxy {
            return ConnectionFailure(TunnelProblem(problem), of: proxy, to: route.host, port: route.port)
        }
        let code: ErrorCode =
            isTimeout ? .connectionTimedOut : isEnd ? .connectionClosed : .connectionHandshakeFailed
        return ConnectionFailure(code, host: route.host, port: route.port, detail: problem)
    }

    /// The problem with a peer that doesn't answer in time.
    private var silence: String {
        guard case .prologue(let index) = state, let prologue = route.prologue else {
            return "no answer within the time allowed"
        }
        guard index == 0, received.isEmpty, prologue.steps[0].request.isEmpty else {
            return "no answer from \(prologue.name) within the time allowed"
        }
        return "no greeting from \(prologue.name) within the time allowed; the server may expect TLS at once"
    }

    private func fail(_ problem: String, _ context: ChannelHandlerContext) { fail(error(problem), context) }

    private func fail(_ problem: TunnelProblem, _ context: ChannelHandlerContext) {
        let failure = route.proxy.map { ConnectionFailure(problem, of: $0, to: route.host, port: route.port) }
        fail(failure ?? error(problem.text), context)
    }

    private func fail(_ refusal: PrologueRefusal, _ context: ChannelHandlerContext) {
        let code: ErrorCode =
            refusal.kind == .declined ? .connectionStartTLSDeclined : .connectionStartTLSFailed
        fail(
            ConnectionFailure(code, host: route.host, port: route.port, exactly: refusal.description), context)
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        if case .done = state { return }
        end(error)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func end(_ error: any Error) {
        if case .done = state { return }
        state = .done
        limit?.cancel()
        promise.fail(error)
    }
}

#endif
