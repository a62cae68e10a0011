// SPDX-License-Identifier: Apache-2.0

import Crypto
import NIOCore
import NIOPosix
import NIOSSL
import NIOWebSocket
import PKIX
import ServerTrustLab

/// A TLS server on loopback that sends a scripted response to a request and logs every decrypted byte.
final class WebSocketPeer: Sendable {
    /// Returns the answer to the request, from the value for `Sec-WebSocket-Accept`.
    typealias Answer = @Sendable (_ accept: String) -> [UInt8]

    enum Behaviour: Sendable {
        /// Answers, echoes data frames, and answers closing frames.
        case echo(Answer = WebSocketPeer.accepting())
        /// Answers, and closes the connection if the flag is set.
        case raw(Answer, closes: Bool = false)
        /// Sends nothing.
        case silent
    }

    struct Log: Sendable {
        /// The decrypted bytes of each connection, by connection number.
        var bytes: [Int: [UInt8]] = [:]
        var connections = 0
        var open = 0
        var hasUnmaskedFrame = false
    }

    private let channel: any Channel
    private let state: Locked<Log>
    let host: Hostname

    var port: Int { channel.localAddress?.port ?? 0 }
    var log: Log { state.withLock { $0 } }
    var url: String { "wss://\(host):\(port)/feed?a=b" }

    /// - Parameter certificates: the certificates of the connections, in turn.
    init(_ certificates: [LabCertificates], _ behaviour: Behaviour = .echo()) async throws {
        let contexts = try certificates.map { certificates in
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try certificates.chain.map {
                    .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
                },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(certificates.key.pemRepresentation().utf8), format: .pem)))
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        }
        let state = Locked(Log())
        self.state = state
        host = certificates[0].host
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 512)
            .childChannelInitializer { channel in
                let number = state.withLock { state in
                    state.connections += 1
                    state.open += 1
                    return state.connections - 1
                }
                channel.closeFuture.whenComplete { _ in state.withLock { $0.open -= 1 } }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLServerHandler(context: contexts[number % contexts.count]),
                        PeerHandler(behaviour, state, number))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func stop() async { try? await channel.close() }

    /// Waits until all connections are closed.
    func drain() async throws { while log.open > 0 { try await Task.sleep(for: .milliseconds(5)) } }

    /// Returns a correct answer with additional fields, followed by frames.
    static func accepting(_ fields: String = "", then frames: [UInt8] = []) -> Answer {
        { accept in
            Array(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\(fields)\r\n"
                    .utf8) + frames
        }
    }

    static func text(_ text: String) -> Answer { { _ in Array(text.utf8) } }
}

private final class PeerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let behaviour: WebSocketPeer.Behaviour
    private let log: Locked<WebSocketPeer.Log>
    private let number: Int
    private var request = ""
    private var isUpgraded = false

    init(_ behaviour: WebSocketPeer.Behaviour, _ log: Locked<WebSocketPeer.Log>, _ number: Int) {
        self.behaviour = behaviour
        self.log = log
        self.number = number
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let read = unwrapInboundIn(data)
        log.withLock { $0.bytes[number, default: []] += read.readableBytesView }
        if isUpgraded { return context.fireChannelRead(data) }
        request += String(buffer: read)
        guard request.hasSuffix("\r\n\r\n") else { return }
        switch behaviour {
        case .silent: break
        case .raw(let answer, let closes):
            let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer(accept))))
            if closes { written.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
            isUpgraded = true
        case .echo(let answer):
            isUpgraded = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer(accept))), promise: nil)
            try? context.pipeline.syncOperations.addHandlers(
                WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder()), EchoHandler(log))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private var accept: String {
        let key =
            request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }
            .map { $0.dropFirst(18).drop { $0 == " " } } ?? ""
        let digest = Insecure.SHA1.hash(data: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        return Base64.encode(Array(digest))
    }
}

private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let log: Locked<WebSocketPeer.Log>

    init(_ log: Locked<WebSocketPeer.Log>) { self.log = log }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if frame.maskKey == nil { log.withLock { $0.hasUnmaskedFrame = true } }
        switch frame.opcode {
        case .text, .binary, .connectionClose:
            let answer = WebSocketFrame(fin: true, opcode: frame.opcode, data: frame.unmaskedData)
            let written = context.writeAndFlush(wrapOutboundOut(answer))
            if frame.opcode == .connectionClose {
                written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            }
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
