// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import PKIX

/// Answers every request with the same text, over HTTP/1.1 and HTTP/2, however many requests the client cancels.
/// Servers with swift-nio-http2's limit close a connection after 200 canceled streams in half a minute.
final class SoakServer: Sendable {
    struct Counts: Sendable {
        var connections = 0
        var open = 0
        var requests = 0
        var http2Requests = 0
    }

    private let locked = Locked(Counts())
    private let listener = Locked<(any Channel)?>(nil)

    var counts: Counts { locked.withLock { $0 } }
    var url: String { "https://localhost:\(listener.withLock { $0?.localAddress?.port ?? 0 })/" }

    static func start(_ site: Site, answering text: String) async throws -> SoakServer {
        let server = SoakServer()
        let context = try RawServer.context(site, protocols: ["h2", "http/1.1"])
        let body = ByteBuffer(string: text)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelInitializer { server.configure($0, context, body) }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listener.withLock { $0 = listener }
        return server
    }

    private func configure(
        _ channel: any Channel, _ context: NIOSSLContext, _ body: ByteBuffer
    ) -> EventLoopFuture<Void> {
        locked.withLock {
            $0.connections += 1
            $0.open += 1
        }
        channel.closeFuture.whenComplete { _ in self.locked.withLock { $0.open -= 1 } }
        do { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        var streams = NIOHTTP2Handler.StreamConfiguration()
        streams.streamResetFrameRateLimit.maximumCount = .max
        streams.streamErrorRateLimit.maximumCount = .max
        return channel.configureHTTP2SecureUpgrade(
            h2ChannelConfigurator: { [streams] channel in
                channel.configureHTTP2Pipeline(
                    mode: .server, connectionConfiguration: .init(), streamConfiguration: streams
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandlers(
                            HTTP2FramePayloadToHTTP1ServerCodec(), Answer(self, body, isHTTP2: true))
                    }
                }.map { _ in }
            },
            http1ChannelConfigurator: { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(Answer(self, body, isHTTP2: false))
                }
            })
    }

    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: SoakServer
        private let body: ByteBuffer
        private let isHTTP2: Bool

        init(_ server: SoakServer, _ body: ByteBuffer, isHTTP2: Bool) {
            self.server = server
            self.body = body
            self.isHTTP2 = isHTTP2
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            server.locked.withLock {
                $0.requests += 1
                if isHTTP2 { $0.http2Requests += 1 }
            }
            let headers = HTTPHeaders([("content-length", "\(body.readableBytes)")])
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil
            )
            write(body, context)
        }

        /// Writes a large body in parts, each when the one before is sent. So the server's memory doesn't count.
        private func write(_ rest: ByteBuffer, _ context: ChannelHandlerContext) {
            var rest = rest
            guard rest.readableBytes > 0, let part = rest.readSlice(length: min(rest.readableBytes, 1 << 17)) else {
                return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
            let isSent = context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            isSent.futureResult.whenSuccess { [rest] in bound.value.0.write(rest, bound.value.1) }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part))), promise: isSent)
        }

        /// The client can close the connection at any time.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
