// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Applies a fault to the bytes below TLS, while the peer follows its script.
final class WireTap: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let fault: WireFault
    private let run: Peer.Run
    private var sent = 0
    private var isStalled = false
    private var dribbles = 0

    init(_ fault: WireFault, _ run: Peer.Run) {
        self.fault = fault
        self.run = run
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var buffer = unwrapOutboundIn(data)
        guard !isStalled else {
            promise?.succeed()
            return
        }
        let start = sent
        sent += buffer.readableBytes
        if (start..<sent).contains(fault.offset), !run.isGood {
            let place = buffer.readerIndex + fault.offset - start
            switch fault.kind {
            case .flip(let mask):
                buffer.setInteger((buffer.getInteger(at: place, as: UInt8.self) ?? 0) ^ mask, at: place)
            case .insert(let bytes):
                let head = buffer.readSlice(length: fault.offset - start) ?? ByteBuffer()
                context.write(wrapOutboundOut(head), promise: nil)
                context.write(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .stall, .cut:
                isStalled = true
                let head = buffer.readSlice(length: fault.offset - start) ?? ByteBuffer()
                context.writeAndFlush(wrapOutboundOut(head), promise: promise)
                if case .cut(let closing) = fault.kind { context.end(closing) }
                return
            case .dribble(let count): dribbles = count
            }
        }
        while dribbles > 0, buffer.readableBytes > 1, let byte = buffer.readSlice(length: 1) {
            dribbles -= 1
            context.writeAndFlush(wrapOutboundOut(byte), promise: nil)
        }
        context.write(wrapOutboundOut(buffer), promise: promise)
    }
}

extension ChannelHandlerContext {
    /// Ends the connection in this way, from this handler downward.
    func end(_ closing: Closing) {
        switch closing {
        case .notify, .fin: close(promise: nil)
        case .half: close(mode: .output, promise: nil)
        case .reset: channel.reset()
        }
    }
}
