// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX

@testable import ServerTrustLab

/// A peer on loopback that answers each read with the next string in a script. It then passes bytes on to a server, or
/// stays silent.
package final class ScriptedPeer: Sendable {
    /// An answer, and how many bytes from the client to wait for before it is sent.
    package struct Answer: Sendable {
        package var bytes: [UInt8]
        package var after: Int
        /// Whether the peer sends the bytes one at a time, with a pause after each.
        package var dribbles: Bool
        /// Whether the peer closes the connection after the answer.
        package var closes: Bool

        package init(bytes: [UInt8], after: Int = 1, dribbles: Bool = false, closes: Bool = false) {
            self.bytes = bytes
            self.after = after
            self.dribbles = dribbles
            self.closes = closes
        }
    }

    private let channel: any Channel
    private let log: Locked<[UInt8]>
    private let open: Locked<Int>

    package var port: Int { channel.localAddress?.port ?? 0 }
    /// The bytes received from all clients, in order of arrival.
    package var received: [UInt8] { log.withLock { $0 } }
    package var openConnections: Int { open.withLock { $0 } }

    /// - Parameters:
    ///   - script: the answers.
    ///   - port: the port on loopback to pass bytes on to after the script, or nil to stay silent.
    ///   - certificates: the certificates of a peer that uses TLS, or nil for one without TLS.
    package init(
        _ script: [Answer], leadingTo port: Int? = nil, certificates: LabCertificates? = nil
    ) async throws {
        let log = Locked<[UInt8]>([])
        let open = Locked(0)
        self.log = log
        self.open = open
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                open.withLock { $0 += 1 }
                channel.closeFuture.whenComplete { _ in open.withLock { $0 -= 1 } }
                return channel.eventLoop.makeCompletedFuture {
                    try certificates?.addServerTLS(to: channel.pipeline.syncOperations)
                    try channel.pipeline.syncOperations.addHandler(ScriptHandler(script, log, leadingTo: port))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    package func stop() async { try? await channel.close() }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var script: ArraySlice<ScriptedPeer.Answer>
    private let log: Locked<[UInt8]>
    private let port: Int?
    private var waiting = 0
    private var pending = ByteBuffer()
    private var server: (any Channel)?
    private var isConnecting = false

    init(_ script: [ScriptedPeer.Answer], _ log: Locked<[UInt8]>, leadingTo port: Int?) {
        self.script = script[...]
        self.log = log
        self.port = port
    }

    func channelActive(context: ChannelHandlerContext) { answer(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var read = unwrapInboundIn(data)
        log.withLock { $0 += read.readableBytesView }
        if let server { return server.writeAndFlush(read, promise: nil) }
        waiting += read.readableBytes
        pending.writeBuffer(&read)
        answer(context)
    }

    private func answer(_ context: ChannelHandlerContext) {
        while let next = script.first, waiting >= next.after {
            script.removeFirst()
            waiting -= next.after
            pending.moveReaderIndex(forwardBy: next.after)
            if next.dribbles { return dribble(next.bytes[...], context) }
            let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: next.bytes)))
            if next.closes { written.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
        }
        if script.isEmpty { relay(context) }
    }

    private func dribble(_ bytes: ArraySlice<UInt8>, _ context: ChannelHandlerContext) {
        guard let byte = bytes.first else { return answer(context) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [byte])), promise: nil)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(1)) {
            bound.value.0.dribble(bytes.dropFirst(), bound.value.1)
        }
    }

    private func relay(_ context: ChannelHandlerContext) {
        guard let port, !isConnecting else { return }
        isConnecting = true
        let client = context.channel
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BackHandler(client))
                }
            }
            .connect(host: "127.0.0.1", port: port).assumeIsolated().whenSuccess { [self] channel in
                server = channel
                channel.writeAndFlush(pending, promise: nil)
            }
    }

    func channelInactive(context: ChannelHandlerContext) { server?.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

private final class BackHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let client: any Channel

    init(_ client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }
    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
