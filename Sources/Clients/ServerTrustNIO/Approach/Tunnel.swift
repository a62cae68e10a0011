// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
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
                case .socks5:
                    (proxy.login.map { [SOCKSLoginHandler($0.value)] } ?? [])
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
        if proxy.login != nil, problem.code == .connectionProxyAuthorizationRequired {
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

/// The meaning of an error that occurs before a proxy's tunnel is open.
package struct TunnelProblem: Error {
    /// A human-readable message.
    package let text: String
    package let code: ErrorCode
    /// The values of `Proxy-Authenticate` of a proxy that requires credentials (407). Nil for other problems.
    var challenges: [String]?

    package init(_ text: String, _ code: ErrorCode = .connectionProxyFailed) {
        self.text = text
        self.code = code
    }

    // These messages are the same for all clients.
    package static let wrongAuthorization = TunnelProblem(
        "it requires valid credentials (407)", .connectionProxyAuthorizationRequired)
    static let wrongLogin = TunnelProblem(
        "it refuses the user name and the password", .connectionProxyAuthorizationRequired)
    static let noPasswords = TunnelProblem(
        "it accepts neither a user name with a password nor a client without them",
        .connectionProxyAuthorizationRequired)
    package static let ended = TunnelProblem("it ended the connection")
    package static let silent = TunnelProblem("no answer within the time allowed", .connectionProxyTimedOut)
    package static let noTunnel = TunnelProblem("it doesn't open a tunnel")

    /// - Parameter status: the status of the proxy's response, or nil if it has none.
    package init(_ error: any Error, status: UInt? = nil) {
        switch error {
        case NIOHTTP1ProxyConnectHandler.Error.proxyAuthenticationRequired() as NIOHTTP1ProxyConnectHandler.Error:
            self = .wrongAuthorization
        case NIOHTTP1ProxyConnectHandler.Error.remoteConnectionClosed() as NIOHTTP1ProxyConnectHandler.Error:
            self = .ended
        case NIOHTTP1ProxyConnectHandler.Error.httpProxyHandshakeTimeout() as NIOHTTP1ProxyConnectHandler.Error:
            self = .silent
        case is NIOHTTP1ProxyConnectHandler.Error:
            self = status.map { TunnelProblem("it answers \($0) instead of opening a tunnel") } ?? .noTunnel
        case is HTTPParserError: self.init("it doesn't speak HTTP: \(error)")
        case let error as SOCKSError.ConnectionFailed:
            self.init("it can't open a tunnel: SOCKS reply \(error.reply.value)")
        case is SOCKSError.InvalidAuthenticationSelection, is SOCKSError.NoValidAuthenticationMethod,
            is SOCKSLoginRefused:
            self.init(
                "it requires a user name and a password; expected them in the proxy's settings",
                .connectionProxyAuthorizationRequired)
        case is SOCKSError.InvalidProtocolVersion, is SOCKSError.InvalidReservedByte, is SOCKSError.InvalidAddressType,
            is SOCKSError.UnexpectedRead:
            self.init("it doesn't speak SOCKS 5")
        default:
            self.init(
                ConnectionFailure.text(error),
                isConnectTimeout(error) ? .connectionProxyTimedOut : .connectionProxyFailed)
        }
    }

    /// Whether an error can only come from a SOCKS exchange.
    package static func isSOCKS(_ error: any Error) -> Bool {
        switch error {
        case is SOCKSError.ConnectionFailed, is SOCKSError.InvalidAuthenticationSelection,
            is SOCKSError.NoValidAuthenticationMethod, is SOCKSError.InvalidProtocolVersion,
            is SOCKSError.InvalidReservedByte, is SOCKSError.InvalidAddressType, is SOCKSError.UnexpectedRead,
            is SOCKSError.InvalidClientState, is SOCKSError.InvalidServerState:
            true
        default: false
        }
    }
}

extension ConnectionFailure {
    /// Creates the failure of a proxy that can't be reached or doesn't open a tunnel.
    package init(_ problem: TunnelProblem, of proxy: ConnectionProxy, to host: Hostname, port: Int? = nil) {
        self.init(problem.code, host: host, port: port, exactly: "the proxy \(proxy): \(problem.text)")
        proxyChallenges = problem.challenges
    }
}

extension ConnectionFailure {
    /// Names the proxy if the connection through its tunnel ended before TLS was established. A proxy that intercepts
    /// TLS, or forwards only other traffic, ends connections like that.
    package func naming(_ proxy: ConnectionProxy) -> ConnectionFailure {
        guard code == .connectionClosed else { return self }
        return ConnectionFailure(
            code, host: host, port: port, alert: alert,
            exactly: "the connection through the proxy \(proxy) ended in the TLS handshake; check whether the proxy"
                + " allows TLS to this server")
    }
}

/// Whether a connection received no answer in time.
private func isConnectTimeout(_ error: any Error) -> Bool {
    switch error {
    case ChannelError.connectTimeout: true
    case let error as ConnectionFailure:
        error.code == .connectionNameLookupTimedOut || error.code == .connectionTimedOut
    case let error as NIOConnectionError:
        error.nameLookupFailure.map { isConnectTimeout($0) }
            ?? (!error.connectionErrors.isEmpty && error.connectionErrors.allSatisfy { isConnectTimeout($0.error) })
    case let error as IOError: error.errnoCode == ETIMEDOUT
    default: false
    }
}

/// The exchange of user name and password with a SOCKS 5 proxy (RFC 1929), which swift-nio-extras doesn't have.
///
/// The handler is between the socket and `SOCKSClientHandler`. It replaces the greeting of that handler, so that the
/// proxy can select the method. After the exchange, that handler learns that no authentication is required.
final class SOCKSLoginHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State { case greeting, method, login, done }

    private let login: ConnectionProxy.Login
    private var state = State.greeting
    private var received = ByteBuffer()

    init(_ login: ConnectionProxy.Login) { self.login = login }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .greeting = state else { return context.write(data, promise: promise) }
        state = .method
        // RFC 1928 § 3: version 5 and two methods, no authentication and password.
        context.write(wrapOutboundOut(ByteBuffer(bytes: [5, 2, 0, 2])), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var read = unwrapInboundIn(data)
        received.writeBuffer(&read)
        switch state {
        case .greeting, .done: passOn(context)
        case .method:
            guard received.readableBytes >= 2 else { return }
            guard received.readableBytesView.starts(with: [5, 2]) else { return passOn(context) }
            guard received.readableBytes == 2 else { return fail(SOCKSError.UnexpectedRead(), context) }
            received.clear()
            state = .login
            context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        case .login:
            guard received.readableBytes >= 2 else { return }
            // Like libcurl, this ignores the version, because some proxies send another one (§ 2).
            guard received.readableBytes == 2 else { return fail(SOCKSError.UnexpectedRead(), context) }
            guard received.readableBytesView.last == 0 else { return fail(SOCKSLoginRefused(), context) }
            received = ByteBuffer(bytes: [5, 0])
            passOn(context)
        }
    }

    /// Passes the bytes on to `SOCKSClientHandler`, which also finds the errors in them.
    private func passOn(_ context: ChannelHandlerContext) {
        state = .done
        let bytes = received
        received = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(bytes))
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    /// RFC 1929 § 2: version 1, then the lengths and bytes of user name and password.
    private var request: ByteBuffer {
        var request = ByteBuffer(bytes: [1])
        for text in [login.user, login.password] {
            request.writeInteger(UInt8(truncatingIfNeeded: text.utf8.count))
            request.writeString(text)
        }
        return request
    }
}

/// A SOCKS proxy didn't accept the user name and the password.
struct SOCKSLoginRefused: Error {}

#endif
