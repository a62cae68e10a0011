// SPDX-License-Identifier: Apache-2.0

import HTTPRules
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOSOCKS
import PKIX

/// The handlers from swift-nio-extras that request a tunnel from a proxy.
final class Tunnel {
    /// The reason why the client can't request a tunnel.
    struct Unusable: Error {
        let problem: TunnelProblem
    }

    private let proxy: ConnectionProxy
    private let route: ConnectionRoute
    private let deadline: NIODeadline
    private let status = ResponseStatusHandler()
    private var handlers: [any RemovableChannelHandler] = []

    init(_ proxy: ConnectionProxy, to route: ConnectionRoute, until deadline: NIODeadline) {
        self.proxy = proxy
        self.route = route
        self.deadline = deadline
    }

    /// Adds the handlers, which send their request at once.
    /// - Returns: a future that succeeds when an HTTP proxy has opened the tunnel. SOCKS fires an event instead.
    func start(before next: ApproachHandler, _ context: ChannelHandlerContext) throws(Unusable) -> EventLoopFuture<Void>
    {
        guard fields.allSatisfy(\.isValid) else {
            throw Unusable(problem: TunnelProblem("its authorization contains forbidden characters"))
        }
        let opened = context.eventLoop.makePromise(of: Void.self)
        do {
            let handlers =
                try proxy.kind == .socks5 ? [SOCKSClientHandler(targetAddress: target())] : connectHandlers(opened)
            self.handlers = handlers.compactMap { $0 as? any RemovableChannelHandler }
            try context.pipeline.syncOperations.addHandlers(handlers, position: .before(next))
        } catch {
            opened.fail(error)
            throw Unusable(problem: TunnelProblem("the tunnel can't be requested: \(error)"))
        }
        return opened.futureResult
    }

    private func connectHandlers(_ opened: EventLoopPromise<Void>) -> [any ChannelHandler] {
        var name = route.target
        if name.contains(":") { name = "[\(name)]" }
        var headers = HTTPHeaders([("host", "\(name):\(route.port)")])
        for field in fields { headers.add(name: field.name, value: field.value) }
        return [
            HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)),
            status,
            NIOHTTP1ProxyConnectHandler(
                targetHost: name, targetPort: route.port, headers: headers, deadline: deadline, promise: opened),
        ]
    }

    private var fields: [ConnectionProxy.Field] {
        guard case .http(let authorization?) = proxy.kind else { return proxy.fields }
        return proxy.fields + [.init(name: "proxy-authorization", value: authorization.fieldValue)]
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
    func problem(for error: any Error) -> TunnelProblem { TunnelProblem(error, status: status.code) }
}

extension ConnectionProxy.Field {
    /// Whether a request may contain the name and the value (``RequestSyntax``, and only ASCII).
    fileprivate var isValid: Bool {
        RequestSyntax.isToken(name) && RequestSyntax.isValue(value) && value.utf8.allSatisfy { $0 < 0x80 }
    }
}

/// Records the status of the last response.
private final class ResponseStatusHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart

    private(set) var code: UInt?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { code = head.status.code }
        context.fireChannelRead(data)
    }
}
