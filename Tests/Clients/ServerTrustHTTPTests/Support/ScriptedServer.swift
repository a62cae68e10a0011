// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import ServerTrustLab

/// A server on loopback that sends a test's script byte for byte, unencrypted or with the certificates of a lab
/// scenario. It acts as a hostile, slow or interrupted server.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        case send(String)
        case wait(TimeAmount)
        /// Closes the connection without a TLS close_notify.
        case cut
        /// Drops everything it receives, including a TLS close_notify.
        case deaf
        /// Repeats the text, with a pause before each, until the client closes the connection.
        case forever(String, pause: TimeAmount)
    }

    let port: Int
    /// The received heads and bodies of all requests.
    var received: String { log.withLock { $0.text } }
    var connections: Int { log.withLock { $0.connections } }

    private let listener: any Channel
    private let log: Locked<(text: String, connections: Int)>

    private init(_ listener: any Channel, _ log: Locked<(text: String, connections: Int)>) {
        self.listener = listener
        self.log = log
        self.port = listener.localAddress?.port ?? 0
    }

    /// - Parameters:
    ///   - certificates: the certificates, or nil for a server without TLS.
    ///   - socket: the path of the Unix socket to listen on, or nil for a port on loopback.
    ///   - script: returns the steps for the request with this head.
    static func start(
        _ certificates: LabCertificates?, socket: String? = nil,
        _ script: @escaping @Sendable (_ head: String) -> [Step]
    ) async throws -> ScriptedServer {
        let log = Locked((text: "", connections: 0))
        let context = try certificates.map { certificates in
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: certificates.chain.map {
                        .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
                    },
                    privateKey: .privateKey(
                        NIOSSLPrivateKey(bytes: Array(certificates.key.pemRepresentation().utf8), format: .pem))))
        }
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    log.withLock { $0.connections += 1 }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(Ear())
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(Reader(script, log))
                }
            }
        let listener =
            if let socket { bootstrap.bind(unixDomainSocketPath: socket) } else {
                bootstrap.bind(host: "127.0.0.1", port: 0)
            }
        return ScriptedServer(try await listener.get(), log)
    }

    func stop() async { try? await listener.close().get() }

    /// Handles bytes before TLS.
    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        /// Whether the handler drops bytes.
        var isDeaf = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if !isDeaf { context.fireChannelRead(data) }
        }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let script: @Sendable (String) -> [Step]
        private let log: Locked<(text: String, connections: Int)>
        private var text = ""

        init(_ script: @escaping @Sendable (String) -> [Step], _ log: Locked<(text: String, connections: Int)>) {
            self.script = script
            self.log = log
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let part = String(buffer: unwrapInboundIn(data))
            text += part
            log.withLock { $0.text += part }
            guard let end = text.range(of: "\r\n\r\n") else { return }
            let head = String(text[..<end.lowerBound])
            let length =
                head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
            guard text[end.upperBound...].utf8.count >= length else { return }
            text = ""
            run(script(head)[...], context)
        }

        private func run(_ steps: ArraySlice<Step>, _ context: ChannelHandlerContext) {
            guard let step = steps.first, context.channel.isActive else { return }
            let rest = steps.dropFirst()
            let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            switch step {
            case .send(let text):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                run(rest, context)
            case .wait(let pause):
                context.eventLoop.scheduleTask(in: pause) { loopBound.value.0.run(rest, loopBound.value.1) }
            case .cut:
                let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
                (tls ?? context).close(promise: nil)
            case .deaf:
                try? context.pipeline.syncOperations.handler(type: Ear.self).isDeaf = true
                run(rest, context)
            case .forever(let text, let pause):
                context.eventLoop.scheduleTask(in: pause) {
                    let (handler, context) = loopBound.value
                    guard context.channel.isActive else { return }
                    context.writeAndFlush(handler.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                    handler.run([step], context)
                }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

extension ScriptedServer.Step {
    /// Returns a complete response.
    static func answer(_ status: Int, _ headers: [String] = [], body: String = "") -> Self {
        let head = ["HTTP/1.1 \(status) Whatever", "content-length: \(body.utf8.count)"] + headers
        return .send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}

/// Accepts connections and sends nothing.
final class SilentServer: Sendable {
    let port: Int
    private let listener: any Channel

    private init(_ listener: any Channel) {
        self.listener = listener
        self.port = listener.localAddress?.port ?? 0
    }

    static func start() async throws -> SilentServer {
        SilentServer(
            try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0)
                .get())
    }

    func stop() async { try? await listener.close().get() }
}
