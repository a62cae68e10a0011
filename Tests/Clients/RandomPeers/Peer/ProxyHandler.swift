// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL

/// Answers as a proxy, and then becomes the server.
final class ProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let proxy: Script.Proxy
    private let run: Peer.Run
    private let server: NIOSSLContext?
    private var received: [UInt8] = []
    private var messages = 0
    private var isOpen = false

    init(_ proxy: Script.Proxy, _ run: Peer.Run, server: NIOSSLContext?) {
        self.proxy = proxy
        self.run = run
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOpen else { return context.fireChannelRead(data) }
        received += unwrapInboundIn(data).readableBytesView
        switch proxy {
        case .connect(let acts, _):
            guard received.suffix(4).elementsEqual([13, 10, 13, 10]) else { return }
            answer(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), acts, isLast: true, context)
        case .start(let acts):
            guard received.count >= 8 else { return }
            answer([0x53], acts, isLast: true, context)
        case .socks(let turns):
            received = []
            let good: [UInt8] = messages == 0 ? [5, 0] : [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]
            let acts = messages < turns.count ? turns[messages] : []
            messages += 1
            answer(good, acts, isLast: messages == 2, context)
        }
    }

    /// Sends an answer. After the last one, the connection belongs to the server.
    private func answer(_ good: [UInt8], _ acts: [Act], isLast: Bool, _ context: ChannelHandlerContext) {
        if run.isGood {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: good)), promise: nil)
        } else {
            for act in acts {
                switch act {
                case .send(let delivery):
                    for write in delivery.writes(stream: 1, accept: "") {
                        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: write.bytes)), promise: nil)
                    }
                case .raw(let bytes): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
                case .pause: break
                case .close(let closing): return context.end(closing)
                }
            }
        }
        guard isLast else { return }
        isOpen = true
        try? PeerHandler.add(to: context.pipeline.syncOperations, run, server)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
