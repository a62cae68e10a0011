// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import PKIX
import ServerTrustLab
import ServerTrustTesting

/// A server on loopback that records every decrypted byte. The test chooses certificates and behavior for each
/// connection.
final class HTTP2Server: Sendable {
    /// The certificates that a server presents.
    struct Presented: Sendable {
        var chain: [Certificate]
        var key: TestKey

        init(_ certificates: LabCertificates) { (chain, key) = (certificates.chain, certificates.key) }

        init(_ leaf: TestIdentity, of authority: TestAuthority) {
            (chain, key) = (authority.chain(leaf), leaf.key)
        }
    }

    /// The settings of one connection.
    struct Setup: Sendable {
        var presented: Presented
        var protocols = ["h2", "http/1.1"]
        /// Whether the server requests a client certificate, which it doesn't require.
        var requestsCertificate = false
        /// Whether the server stays silent after the handshake. If so, it doesn't send SETTINGS.
        var isSilent = false
        /// The frames that the server sends instead of its answers, or nil for an HTTP server.
        var script: FrameScript?
        /// Unencrypted bytes that the server sends instead of its handshake, before it closes the connection.
        var greeting: [UInt8]?
        var answer: @Sendable (_ path: String) -> Answer = { _ in .text("hello") }

        init(_ presented: Presented) { self.presented = presented }
    }

    enum Answer: Sendable {
        case text(String)
        case redirect(String)
        case later(TimeAmount)
        /// The head, then a byte of the body after each pause, without an end.
        case drip(TimeAmount)
        /// The body of ``chunks(_:)``, each byte in its own frame and record.
        case chunks(Int)
        case never
        case reset
        /// An answer, with GOAWAY for the connection.
        case goAway
        /// An answer, and GOAWAY with this stream as the last one.
        case last
        /// GOAWAY with the previous stream as the last one, as if the request came too late.
        case tooLate
        /// REFUSED_STREAM.
        case refuse
        /// The end of the connection.
        case cut
    }

    struct Record: Sendable {
        /// The decrypted bytes, by connection.
        var bytes: [[UInt8]] = []
        var handshakes = 0
        var requests: [(connection: Int, isHTTP2: Bool, path: String)] = []
        var open = 0
        /// The number of chunked answers that were sent completely.
        var finished = 0
        /// The number of flood frames that were sent.
        var flooded = 0
    }

    let port: Int
    private let listener: any Channel
    private let state: Locked<Record>
    private let channels: Locked<[any Channel]>

    var record: Record { state.withLock { $0 } }

    private init(_ listener: any Channel, _ state: Locked<Record>, _ channels: Locked<[any Channel]>) {
        self.channels = channels
        self.listener = listener
        self.state = state
        self.port = listener.localAddress?.port ?? 0
    }

    /// - Parameter setup: returns the setup of the connection with this number, from 0.
    static func start(_ setup: @escaping @Sendable (_ connection: Int) -> Setup) async throws -> HTTP2Server {
        let state = Locked(Record())
        let channels = Locked<[any Channel]>([])
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 512)
            .childChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channels.withLock { $0.append(channel) }
                let number = state.withLock { record in
                    record.bytes.append([])
                    record.open += 1
                    return record.bytes.count - 1
                }
                channel.closeFuture.whenComplete { _ in state.withLock { $0.open -= 1 } }
                do {
                    return try configure(channel, number, setup(number), state)
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return HTTP2Server(listener, state, channels)
    }

    func stop() async { try? await listener.close().get() }

    /// Closes all connections.
    func closeConnections() { for channel in channels.withLock({ $0 }) { channel.close(mode: .all, promise: nil) } }

    /// Returns bytes whose values reveal a byte at the wrong position.
    static func chunks(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    private static func configure(
        _ channel: any Channel, _ number: Int, _ setup: Setup, _ state: Locked<Record>
    ) throws -> EventLoopFuture<Void> {
        if let greeting = setup.greeting {
            try channel.pipeline.syncOperations.addHandler(ClearGreeter(greeting))
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try setup.presented.chain.map {
                .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
            },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(setup.presented.key.pemRepresentation().utf8), format: .pem)))
        tls.applicationProtocols = setup.protocols
        if setup.requestsCertificate {
            (tls.certificateVerification, tls.trustRoots) = (.optionalVerification, .certificates([]))
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(NIOSSLServerHandler(context: NIOSSLContext(configuration: tls)))
        try pipeline.addHandler(ByteLog(number, state))
        guard !setup.isSilent else { return channel.eventLoop.makeSucceededVoidFuture() }
        if let script = setup.script {
            try pipeline.addHandler(FrameScriptHandler(script, number, state))
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        return channel.configureHTTP2SecureUpgrade(
            h2ChannelConfigurator: { channel in
                channel.configureHTTP2Pipeline(mode: .server) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandlers([
                            HTTP2FramePayloadToHTTP1ServerCodec(),
                            Answerer(setup.answer, state, number, connection: channel, isHTTP2: true),
                        ])
                    }
                }.map { _ in }
            },
            http1ChannelConfigurator: { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(
                        Answerer(setup.answer, state, number, connection: channel, isHTTP2: false))
                }
            })
    }
}

private final class ByteLog: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let number: Int
    private let state: Locked<HTTP2Server.Record>

    init(_ number: Int, _ state: Locked<HTTP2Server.Record>) {
        self.number = number
        self.state = state
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(buffer: unwrapInboundIn(data))
        state.withLock { [number] in $0.bytes[number] += bytes }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if "\(event)".hasPrefix("handshakeCompleted") { state.withLock { $0.handshakes += 1 } }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: @Sendable (String) -> HTTP2Server.Answer
    private let state: Locked<HTTP2Server.Record>
    private let number: Int
    private let connection: any Channel
    private let isHTTP2: Bool
    private var path = ""

    init(
        _ answer: @escaping @Sendable (String) -> HTTP2Server.Answer, _ state: Locked<HTTP2Server.Record>,
        _ number: Int, connection: any Channel, isHTTP2: Bool
    ) {
        self.answer = answer
        self.state = state
        self.number = number
        self.connection = connection
        self.isHTTP2 = isHTTP2
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            path = head.uri
            state.withLock { [number, isHTTP2, path] in $0.requests.append((number, isHTTP2, path)) }
        case .body: break
        case .end: run(answer(path), context)
        }
    }

    private func run(_ answer: HTTP2Server.Answer, _ context: ChannelHandlerContext) {
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        switch answer {
        case .text(let text): send(.ok, [("content-length", "\(text.utf8.count)")], text, context)
        case .redirect(let url): send(.found, [("location", url), ("content-length", "0")], "", context)
        case .later(let pause):
            context.eventLoop.scheduleTask(in: pause) { loopBound.value.0.run(.text("later"), loopBound.value.1) }
        case .drip(let pause):
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok))), promise: nil)
            context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { task in
                let (handler, context) = loopBound.value
                guard context.channel.isActive else { return task.cancel() }
                context.writeAndFlush(
                    handler.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "x")))), promise: nil)
            }
        case .chunks(let count):
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok))), promise: nil)
            for byte in HTTP2Server.chunks(count) {
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: [byte])))), promise: nil)
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenSuccess { [state] in
                state.withLock { $0.finished += 1 }
            }
        case .never: break
        case .reset: context.close(promise: nil)
        case .goAway:
            let frame = HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil))
            run(.text("the last"), context)
            connection.writeAndFlush(frame, promise: nil)
        case .last:
            // Sent before the answer, so that this server ignores the streams above the last one.
            sendGoAway(last: streamID(context), context)
            run(.text("hello"), context)
        case .tooLate: sendGoAway(last: max(0, streamID(context) - 2), context)
        case .refuse:
            let codec = try? context.pipeline.syncOperations.context(
                handlerType: HTTP2FramePayloadToHTTP1ServerCodec.self)
            codec?.writeAndFlush(NIOAny(HTTP2Frame.FramePayload.rstStream(.refusedStream)), promise: nil)
        case .cut: connection.close(promise: nil)
        }
    }

    private func streamID(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)).map { Int($0) } ?? 0
    }

    private func sendGoAway(last: Int, _ context: ChannelHandlerContext) {
        let frame = HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: HTTP2StreamID(last), errorCode: .noError, opaqueData: nil))
        connection.writeAndFlush(frame, promise: nil)
    }

    private func send(
        _ status: HTTPResponseStatus, _ headers: [(String, String)], _ body: String, _ context: ChannelHandlerContext
    ) {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: HTTPHeaders(headers))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
