// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import PKIX

/// Keeps frames from SwiftNIO's HTTP/2 handler that would end the process. Add it between TLS and that handler.
///
/// It ends the connection for these frames, and drops everything from there on:
/// * PUSH_PROMISE. Clients switch push off, but the setting only counts when the server acknowledges it, and a server
///   may never do so. The streams of pushes would confuse async-http-client's count of streams.
/// * SETTINGS that lower the window of streams while the client is sending a body. A stream's window may then be
///   negative (RFC 9113 § 6.9.2), and SwiftNIO can't end a stream with a negative window.
/// * SETTINGS of more than 16 KiB, which the filter would have to keep to read them.
package final class HTTP2FrameFilter: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = IOData

    private enum FrameType {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let pushPromise: UInt8 = 5
    }

    private static let headSize = 9
    /// The start of the client's preface (RFC 9113 § 3.4), which isn't a frame: `PRI `.
    private static let preface: UInt32 = 0x5052_4920
    /// The largest SETTINGS to read. A server needs less than 100 bytes.
    private static let largestSettings = 1 << 14

    private let refuse: (_ problem: String, ChannelHandlerContext) -> Void
    private var isOver = false
    /// The start of an incomplete frame that the filter has to read.
    private var held: ByteBuffer?
    /// The number of bytes of the last frame that are still to come.
    private var rest = 0
    private var sentRest = 0
    private var window: UInt32 = 65_535
    /// The streams whose body the client hasn't ended.
    private var sending: Set<UInt32> = []

    /// - Parameter refuse: ends the connection because of a problem.
    package init(_ refuse: @escaping (_ problem: String, ChannelHandlerContext) -> Void) { self.refuse = refuse }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var bytes = unwrapInboundIn(data)
        if var start = held {
            held = nil
            start.writeImmutableBuffer(bytes)
            bytes = start
        }
        var position = bytes.readerIndex + min(rest, bytes.readableBytes)
        rest -= position - bytes.readerIndex
        while position < bytes.writerIndex {
            let available = bytes.writerIndex - position
            guard available >= Self.headSize, let head: UInt32 = bytes.getInteger(at: position),
                let flags: UInt8 = bytes.getInteger(at: position + 4),
                let stream: UInt32 = bytes.getInteger(at: position + 5)
            else { return pass(bytes, upTo: position, context) }
            let (length, type) = (Int(head >> 8), UInt8(truncatingIfNeeded: head))
            if type == FrameType.settings, flags & 1 == 0 {
                guard length <= Self.largestSettings else {
                    return end("it sent SETTINGS of \(length) bytes", bytes, position, context)
                }
                guard available >= Self.headSize + length else { return pass(bytes, upTo: position, context) }
                guard acceptsSettings(bytes, at: position + Self.headSize, length) else {
                    return end(
                        "it lowered the window of streams while the client was sending a body", bytes, position, context
                    )
                }
            }
            guard type != FrameType.pushPromise else {
                return end("it pushed a response that nobody requested", bytes, position, context)
            }
            if type == FrameType.reset { sending.remove(stream & ~(1 << 31)) }
            let next = position + Self.headSize + length
            position = min(next, bytes.writerIndex)
            rest = next - position
        }
        context.fireChannelRead(wrapInboundOut(bytes))
    }

    /// Reads the initial window of streams (RFC 9113 § 6.5.2).
    private func acceptsSettings(_ bytes: ByteBuffer, at start: Int, _ length: Int) -> Bool {
        var last = window
        for index in 0..<(length / 6) {
            guard let name: UInt16 = bytes.getInteger(at: start + 6 * index), name == 4,
                let value: UInt32 = bytes.getInteger(at: start + 6 * index + 2)
            else { continue }
            guard value >= last || sending.isEmpty else { return false }
            last = value
        }
        window = last
        return true
    }

    /// Passes on the bytes up to a position, and holds back the rest until more bytes arrive.
    private func pass(_ bytes: ByteBuffer, upTo position: Int, _ context: ChannelHandlerContext) {
        held = bytes.getSlice(at: position, length: bytes.writerIndex - position)
        forward(bytes, upTo: position, context)
    }

    private func end(_ problem: String, _ bytes: ByteBuffer, _ position: Int, _ context: ChannelHandlerContext) {
        isOver = true
        forward(bytes, upTo: position, context)
        refuse(problem, context)
    }

    private func forward(_ bytes: ByteBuffer, upTo position: Int, _ context: ChannelHandlerContext) {
        guard let prefix = bytes.getSlice(at: bytes.readerIndex, length: position - bytes.readerIndex),
            prefix.readableBytes > 0
        else { return }
        context.fireChannelRead(wrapInboundOut(prefix))
    }

    /// Records which streams send a body. Each frame begins a new write.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let written = unwrapOutboundIn(data)
        if sentRest == 0, case .byteBuffer(let bytes) = written,
            let head: UInt32 = bytes.getInteger(at: bytes.readerIndex), head != Self.preface,
            let flags: UInt8 = bytes.getInteger(at: bytes.readerIndex + 4),
            let stream: UInt32 = bytes.getInteger(at: bytes.readerIndex + 5)
        {
            sentRest = max(0, Self.headSize + Int(head >> 8) - bytes.readableBytes)
            let isEnd = flags & 1 == 1
            switch UInt8(truncatingIfNeeded: head) {
            case FrameType.headers where !isEnd: sending.insert(stream)
            case FrameType.headers, FrameType.reset: sending.remove(stream)
            case FrameType.data where isEnd: sending.remove(stream)
            default: break
            }
        } else {
            sentRest = max(0, sentRest - written.readableBytes)
        }
        context.write(data, promise: promise)
    }
}

#endif
