// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX

/// Answers requests on loopback without TLS, and records whether it received a byte.
///
/// A connection without data doesn't count: a client can connect first and decide before it sends anything.
struct ClearServer {
    private let channel: any Channel
    private let received: Locked<Bool>
    var port: Int { channel.localAddress?.port ?? 0 }
    /// Whether the server received a byte. The server records this before it sends its answer.
    var hasReceived: Bool { received.withLock { $0 } }

    static func start() async throws -> ClearServer {
        let received = Locked(false)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ClearHandler(received))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ClearServer(channel: channel, received: received)
    }

    private init(channel: any Channel, received: Locked<Bool>) {
        self.channel = channel
        self.received = received
    }
}

private final class ClearHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let received: Locked<Bool>

    init(_ received: Locked<Bool>) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isFirst = received.withLock { received in
            defer { received = true }
            return !received
        }
        if isFirst { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: RawServer.hello)), promise: nil) }
    }
}
