// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOExtras
import NIOHTTP1
import NIOSOCKS
import PKIX
import ServerTrust

/// The handlers from swift-nio-extras that request a tunnel from a proxy.
final class Tunnel {
    private let proxy: ConnectionProxy
    private let route: ConnectionRoute
    private let deadline: NIODeadline
    private let response = ResponseHeadHandler()
    private var handlers: [any RemovableChannelHandler] = []

    init(_ proxy: ConnectionProxy, to route: ConnectionRoute, until deadline: NIODeadline) {
        self.proxy = proxy
        self.route = route
        self.deadline = deadline
    }

    /// Adds the handlers, which send their request at once.
    /// - Returns: a future that succeeds when an HTTP proxy has opened the tunnel. SOCKS fires an event instead.
    func start(
        before next: ApproachHandler, _ context: ChannelHandlerContext
    ) throws(TunnelProblem) -> EventLoopFuture<Void> {
        let opened = context.eventLoop.makePromise(of: Void.self)
        do {
            let handlers: [any ChannelHandler] =
                switch proxy.kind {
                case .socks5(let login):
                    (login.map { [SOCKSLoginHandler($0.value)] } ?? [])
                        + [SOCKSClientHandler(targetAddress: try target())]
                case .http, .https: connectHandlers(opened)
                }
            self.handlers = handlers.compactMap { $0 as? any RemovableChannelHandler }
            try context.pipeline.syncOperations.addHandlers(handlers, position: .before(next))
        } catch {
            opened.fail(error)
            throw TunnelProblem("the tunnel can't be requested: \(error)")
        }
        return opened.futureResult
    }

    private func connectHandlers(_ opened: EventLoopPromise<Void>) -> [any ChannelHandler] {
        var name = route.target
        if name.contains(":") { name = "[\(name)]" }
        let target = "\(name):\(route.port)"
        var headers = HTTPHeaders([("host", target)])
        for field in proxy.connectFields(to: target) where field.isValid {
            headers.add(name: field.name, value: field.value)
        }
        return [
            HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)),
            response,
            NIOHTTP1ProxyConnectHandler(
                targetHost: name, targetPort: route.port, headers: headers, deadline: deadline, promise: opened),
        ]
    }

    private func target() throws -> SOCKSAddress {
        guard IPAddress(route.target) == nil else {
            return .address(try SocketAddress(ipAddress: route.target, port: route.port))
        }
        return .domain(route.target, port: route.port)
    }

    /// Removes the handlers when the tunnel is open. First, they pass on the bytes beyond the proxy's answer.
    func removeHandlers(_ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        let pipeline = context.pipeline.syncOperations
        // The order is from the end of the pipeline, so that no message handler receives the bytes that the decoder
        // passes on.
        let removals = handlers.reversed().filter { !($0 is NIOHTTP1ProxyConnectHandler) }
            .map { pipeline.removeHandler($0) }
        return EventLoopFuture.andAllComplete(removals, on: context.eventLoop)
    }

    /// Returns the meaning of the handlers' error.
    func problem(for error: any Error) -> TunnelProblem {
        var problem = TunnelProblem(error, status: response.head?.status.code)
        if case .socks5(_?) = proxy.kind, problem.code == .connectionProxyAuthorizationRequired {
            problem = error is SOCKSLoginRefused ? .wrongLogin : .noPasswords
        }
        if let head = response.head, head.status == .proxyAuthenticationRequired {
            problem.challenges = head.headers["proxy-authenticate"]
        }
        return problem
    }
}

/// Records the head of the last response.
private final class ResponseHeadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart

    private(set) var head: HTTPResponseHead?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { self.head = head }
        context.fireChannelRead(data)
    }
}

#endif
