// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PKIX

/// Serves one file. Cuts off its first response after five bytes, and answers range requests for the rest (RFC 9110 §
/// 14).
final class RangeServer: Sendable {
    static let file = "hello world"
    /// The file's SHA-256.
    static let digest = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"

    /// The `Range` field of each request.
    let ranges = Locked<[String?]>([])
    let site: Site
    private let listener = Locked<(any Channel)?>(nil)
    var port: Int { listener.withLock { $0?.localAddress?.port ?? 0 } }

    private init(_ site: Site) { self.site = site }

    static func start(_ site: Site) async throws -> RangeServer {
        let server = RangeServer(site)
        let context = try RawServer.context(site)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(RangeHandler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listener.withLock { $0 = channel }
        return server
    }
}

private final class RangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: RangeServer

    init(_ server: RangeServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else { return }
        let range = request.headers.first(name: "range")
        server.ranges.withLock { $0.append(range) }
        let length = RangeServer.file.utf8.count
        var headers = HTTPHeaders([("etag", "\"1\""), ("accept-ranges", "bytes")])
        let text: Substring
        if range == nil {
            headers.add(name: "content-length", value: "\(length)")
            text = RangeServer.file.prefix(5)
        } else {
            headers.add(name: "content-range", value: "bytes 5-\(length - 1)/\(length)")
            headers.add(name: "content-length", value: "\(length - 5)")
            text = RangeServer.file.dropFirst(5)
        }
        let head = HTTPResponseHead(version: .http1_1, status: range == nil ? .ok : .partialContent, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let isWhole = range != nil
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(substring: text))))).whenComplete { _ in
            if isWhole {
                loopBound.value.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
            } else {
                loopBound.value.close(promise: nil)
            }
        }
    }
}
