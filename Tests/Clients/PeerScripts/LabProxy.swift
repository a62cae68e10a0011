// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX

@testable import ServerTrustLab

/// A proxy on the loopback address that records its tunnels. It supports HTTP `CONNECT` and SOCKS 5 on the same port, in
/// the clear or over TLS, and resolves every name to 127.0.0.1.
package final class LabProxy: Sendable {
    /// A tunnel that a client requested.
    package struct Tunnel: Sendable, Hashable {
        /// The protocol that the client used.
        package enum Kind: Sendable, Hashable { case http, socks }
        package let kind: Kind
        /// The host and port that the client named.
        package let target: String
        /// The value of `Proxy-Authorization`, or `USER:PASSWORD` with SOCKS.
        package let authorization: String?

        package init(kind: Kind, target: String, authorization: String?) {
            self.kind = kind
            self.target = target
            self.authorization = authorization
        }
    }

    private let channel: any Channel
    private let log: Locked<[Tunnel]>
    private let bytes: Locked<[UInt8]>
    private let requests: Locked<[UInt8]>
    private let accepted: Locked<Int>
    private let connections: LabConnections

    /// The port on 127.0.0.1.
    package let port: Int
    /// The tunnels, in the order in which clients requested them.
    package var tunnels: [Tunnel] { log.withLock { $0 } }
    /// The first bytes that clients sent through tunnels, at most 64 KiB in total.
    package var clientBytes: [UInt8] { bytes.withLock { $0 } }
    /// The number of connections that clients have made.
    package var connectionCount: Int { accepted.withLock { $0 } }
    /// The first bytes that clients sent to the proxy itself, at most 64 KiB in total. With TLS, these are the decrypted
    /// bytes.
    package var requestBytes: [UInt8] { requests.withLock { $0 } }

    private init(
        _ channel: any Channel, log: Locked<[Tunnel]>, bytes: Locked<[UInt8]>, requests: Locked<[UInt8]>,
        accepted: Locked<Int>, connections: LabConnections
    ) {
        self.channel = channel
        self.log = log
        self.bytes = bytes
        self.requests = requests
        self.accepted = accepted
        self.connections = connections
        self.port = channel.localAddress?.port ?? 0
    }

    /// Starts a proxy.
    /// - Parameters:
    ///   - authorization: the required value of `Proxy-Authorization`, or nil to require none.
    ///   - challenge: the challenge that a client has to answer for each tunnel, or nil to require none.
    ///   - login: the required user and password with SOCKS, `USER:PASSWORD`, or nil to require none.
    ///   - certificates: the certificates of a proxy that uses TLS, or nil for one without TLS.
    ///   - replacement: a port on 127.0.0.1 that every tunnel leads to, regardless of its target. This simulates an
    ///     interceptor.
    ///   - fault: the way in which the proxy fails every client, or nil for none. For
    ///     ``ProxyFault/refusesConnections``, the caller arranges the fault.
    package static func start(
        authorization: String? = nil, challenge: LabChallenge? = nil, login: String? = nil,
        certificates: LabCertificates? = nil, replacement: Int? = nil, fault: ProxyFault? = nil
    ) async throws -> LabProxy {
        let demands = TunnelHandler.Demands(authorization: authorization, challenge: challenge, login: login)
        let log = Locked<[Tunnel]>([])
        let bytes = Locked<[UInt8]>([])
        let requests = Locked<[UInt8]>([])
        let accepted = Locked(0)
        let connections = LabConnections()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connections.add(channel)
                accepted.withLock { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try certificates?.addServerTLS(to: channel.pipeline.syncOperations)
                    try channel.pipeline.syncOperations.addHandler(
                        TunnelHandler(log, bytes, requests, demands, replacement: replacement, fault: fault))
                }
            }
        let channel = try await LabListener.start(bootstrap, .v4, port: 0)
        return LabProxy(
            channel, log: log, bytes: bytes, requests: requests, accepted: accepted, connections: connections)
    }

    /// Closes the port and every tunnel.
    package func stop() async {
        try? await channel.close()
        for end in connections.close() { try? await end.get() }
    }
}

/// Reads the client's request, connects, and forwards bytes in both directions.
private final class TunnelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The credentials that clients need.
    struct Demands: Sendable {
        var authorization: String?
        var challenge: LabChallenge?
        var login: String?
    }

    private enum State {
        case head
        case socksLogin
        case socksRequest
        case connecting
        case open(any Channel)
    }

    private let log: Locked<[LabProxy.Tunnel]>
    private let bytes: Locked<[UInt8]>
    private let requests: Locked<[UInt8]>
    private let demands: Demands
    private var login: String?
    private let replacement: Int?
    private let fault: ProxyFault?
    private var state = State.head
    private var buffer = ByteBuffer()

    init(
        _ log: Locked<[LabProxy.Tunnel]>, _ bytes: Locked<[UInt8]>, _ requests: Locked<[UInt8]>, _ demands: Demands,
        replacement: Int?, fault: ProxyFault?
    ) {
        self.log = log
        self.bytes = bytes
        self.requests = requests
        self.demands = demands
        self.replacement = replacement
        self.fault = fault
    }

    func channelActive(context: ChannelHandlerContext) {
        if fault?.endsAtOnce == true { context.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var read = unwrapInboundIn(data)
        if case .open(let server) = state {
            record(read, in: bytes)
            return server.writeAndFlush(read, promise: nil)
        }
        record(read, in: requests)
        buffer.writeBuffer(&read)
        if buffer.readableBytes > 16_384 { return context.close(promise: nil) }
        switch state {
        case .head: readHead(context)
        case .socksLogin: readSOCKSLogin(context)
        case .socksRequest: readSOCKSRequest(context)
        case .connecting, .open: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .open(let server) = state { server.close(promise: nil) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func record(_ read: ByteBuffer, in log: Locked<[UInt8]>) {
        log.withLock { if $0.count < 65_536 { $0 += Array(read.readableBytesView.prefix(4096)) } }
    }

    private func readHead(_ context: ChannelHandlerContext) {
        switch buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) {
        case 5: return readSOCKSGreeting(context)
        // The first byte of a TLS handshake.
        case 22: return context.close(promise: nil)
        default: break
        }
        let text = String(decoding: buffer.readableBytesView, as: UTF8.self)
        guard text.hasSuffix("\r\n\r\n") else { return }
        buffer.clear()
        let lines = text.split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[0] == "CONNECT" else {
            return answer(context, "405 Method Not Allowed", closes: true)
        }
        let given = lines.dropFirst().first { $0.lowercased().hasPrefix("proxy-authorization:") }
            .map { String($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
        log.withLock { $0.append(.init(kind: .http, target: String(words[1]), authorization: given)) }
        if let authorization = demands.authorization, given != authorization {
            return answer(context, "407 Proxy Authentication Required", closes: true)
        }
        if let challenge = demands.challenge, !challenge.accepts(given, method: "CONNECT") {
            let fields = challenge.headers.map { "\r\nProxy-Authenticate: \($0)" }.joined()
            return answer(context, "407 Proxy Authentication Required\(fields)", closes: true)
        }
        guard let port = words[1].split(separator: ":").last.flatMap({ Int($0) }) else {
            return answer(context, "400 Bad Request", closes: true)
        }
        connect(context, to: port, success: ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"))
    }

    private func answer(_ context: ChannelHandlerContext, _ status: String, closes: Bool) {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"
        let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head)))
        if closes { written.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
    }

    private func end(_ context: ChannelHandlerContext, with bytes: [UInt8]) {
        let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)))
        written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    /// RFC 1928 § 3: version, number of methods, methods. 0 means "no authentication".
    private func readSOCKSGreeting(_ context: ChannelHandlerContext) {
        guard buffer.readableBytes >= 2, let count: UInt8 = buffer.getInteger(at: buffer.readerIndex + 1),
            buffer.readableBytes >= 2 + Int(count)
        else { return }
        let methods = buffer.getBytes(at: buffer.readerIndex + 2, length: Int(count)) ?? []
        buffer.moveReaderIndex(forwardBy: 2 + Int(count))
        state = demands.login == nil ? .socksRequest : .socksLogin
        if let greeting = fault?.greeting { return end(context, with: greeting) }
        let method: UInt8 = demands.login == nil ? 0 : 2
        guard methods.contains(method) else { return end(context, with: [5, 0xff]) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [5, method])), promise: nil)
        if buffer.readableBytes > 0 { readSOCKSRequest(context) }
    }

    /// RFC 1929 § 2: version, length and bytes of the user, length and bytes of the password.
    private func readSOCKSLogin(_ context: ChannelHandlerContext) {
        var request = buffer
        guard request.readInteger(as: UInt8.self) != nil,
            let user = request.readLengthPrefixedString(), let password = request.readLengthPrefixedString()
        else { return }
        buffer = request
        login = "\(user):\(password)"
        guard login == demands.login else { return end(context, with: [1, 1]) }
        state = .socksRequest
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [1, 0])), promise: nil)
    }

    /// § 4: version, CONNECT, 0, kind of address, address, port.
    private func readSOCKSRequest(_ context: ChannelHandlerContext) {
        var request = buffer
        guard let head = request.readBytes(length: 4) else { return }
        let host: String
        switch head[3] {
        case 1:
            guard let address = request.readBytes(length: 4) else { return }
            host = address.map { String($0) }.joined(separator: ".")
        case 3:
            guard let count: UInt8 = request.readInteger(), let name = request.readString(length: Int(count)) else {
                return
            }
            host = name
        default:
            guard let address = request.readBytes(length: 16) else { return }
            host = "[\(Hex.encode(address))]"
        }
        guard let port: UInt16 = request.readInteger() else { return }
        buffer.clear()
        log.withLock { $0.append(.init(kind: .socks, target: "\(host):\(port)", authorization: login)) }
        connect(context, to: Int(port), success: ByteBuffer(bytes: [5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
    }

    private func connect(_ context: ChannelHandlerContext, to port: Int, success: ByteBuffer) {
        state = .connecting
        if let answer = fault?.answer { return end(context, with: answer) }
        let client = context.channel
        let connected = ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BackwardHandler(client))
                }
            }
            .connect(host: "127.0.0.1", port: replacement ?? port)
        connected.assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let server):
                // The client may have left in the meantime.
                guard client.isActive else { return server.close(promise: nil) }
                state = .open(server)
                context.writeAndFlush(wrapOutboundOut(success), promise: nil)
                guard buffer.readableBytes > 0 else { return }
                record(buffer, in: bytes)
                server.writeAndFlush(buffer, promise: nil)
                buffer.clear()
            case .failure: context.close(promise: nil)
            }
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func readLengthPrefixedString() -> String? {
        readInteger(as: UInt8.self).flatMap { readString(length: Int($0)) }
    }
}

/// Forwards the server's bytes to the client.
private final class BackwardHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(_ client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        client.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
