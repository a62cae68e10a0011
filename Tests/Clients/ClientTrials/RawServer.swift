// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL

/// Answers the first bytes of a request over TLS with the given bytes, then closes the connection without a
/// close_notify.
struct RawServer {
    private let channel: any Channel
    var port: Int { channel.localAddress?.port ?? 0 }

    /// A complete response.
    static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    /// Returns a server's TLS context with the site's certificates.
    static func context(_ site: Site, protocols: [String] = []) throws -> NIOSSLContext {
        let chain = try [site.leaf.certificate, site.intermediate.certificate].map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(try site.leaf.key.pemRepresentation().utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }

    /// - Parameter path: the Unix socket to listen on, or nil for a port on loopback.
    static func start(_ site: Site, answering text: String, path: String? = nil) async throws -> RawServer {
        let context = try context(site)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLServerHandler(context: context), AnswerOnce(text))
                }
            }
        guard let path else { return RawServer(channel: try await bootstrap.bind(host: "127.0.0.1", port: 0).get()) }
        return RawServer(channel: try await bootstrap.bind(unixDomainSocketPath: path).get())
    }
}

private final class AnswerOnce: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var text: String?

    init(_ text: String) { self.text = text }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let answer = text else { return }
        text = nil
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
            // Closes below TLS, because TLS would send a close_notify.
            let tls = try? loopBound.value.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            tls?.close(promise: nil)
        }
    }
}
