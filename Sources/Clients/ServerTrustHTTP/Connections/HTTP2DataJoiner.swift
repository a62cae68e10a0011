// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// Joins the small DATA frames of each stream of an HTTP/2 connection.
///
/// A stream keeps the frames that its request hasn't read. Flow control limits their bytes and not their number, and the server chooses their
/// size. A frame of one byte costs some hundred bytes, and its slice keeps the buffer that was read with it. So bytes wait here while the stream
/// has others to read. A stream has at most two frames for every 8 KiB.
///
/// Stands right behind NIO's handler for HTTP/2. ``StreamTaggingHandler`` reports that a stream was read. On the event loop.
final class HTTP2DataJoiner: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    /// The size from which bytes don't wait, in bytes. A frame of that size isn't copied.
    static let joinedSize = 8 << 10

    private struct Stream {
        /// Bytes that the stream hasn't got.
        var waiting = ByteBuffer()
        /// Whether the stream may have bytes that its request hasn't read.
        var hasUnread = false
    }
    private var streams: [HTTP2StreamID: Stream] = [:]
    /// The streams that bytes were added to since the last end of a read.
    private var changed: [HTTP2StreamID] = []
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .data(let payload):
            guard case .byteBuffer(let bytes) = payload.data else { return pass(frame, context) }
            if payload.endStream {
                streams[frame.streamID, default: Stream()].waiting.writeImmutableBuffer(bytes)
                flush(frame.streamID, context, endStream: true)
                streams[frame.streamID] = nil
            } else if bytes.readableBytes >= Self.joinedSize {
                pass(frame, context)
                streams[frame.streamID, default: Stream()].hasUnread = true
            } else {
                add(bytes, to: frame.streamID, context)
            }
        // NIO's handler has taken it into account, and no request reads it. A stream would keep it.
        case .windowUpdate where frame.streamID != .rootStream: break
        default: pass(frame, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let ids = changed
        changed = []
        for id in ids where streams[id]?.hasUnread == false { flush(id, context) }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? StreamClosedEvent {
            flush(event.streamID, context)
            streams[event.streamID] = nil
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        for id in Array(streams.keys) { flush(id, context) }
        streams = [:]
        context.fireChannelInactive()
    }

    /// The request of a stream has read all frames of the stream.
    func streamWasRead(_ id: HTTP2StreamID) {
        guard let stream = streams[id] else { return }
        streams[id]?.hasUnread = false
        guard stream.waiting.readableBytes > 0, let context else { return }
        // Not within the call that delivers the frames before them.
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { loopBound.value.deliver(to: id) }
    }

    private func deliver(to id: HTTP2StreamID) {
        guard let context, streams[id]?.hasUnread == false else { return }
        flush(id, context)
        context.fireChannelReadComplete()
    }

    private func add(_ bytes: ByteBuffer, to id: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard bytes.readableBytes > 0 else { return }
        let count = streams[id, default: Stream()].waiting.writeImmutableBuffer(bytes)
        let waiting = streams[id]?.waiting.readableBytes ?? 0
        if waiting >= Self.joinedSize {
            flush(id, context)
        } else if waiting == count {
            changed.append(id)
        }
    }

    /// Passes a frame on, behind the bytes of its stream.
    private func pass(_ frame: HTTP2Frame, _ context: ChannelHandlerContext) {
        flush(frame.streamID, context)
        context.fireChannelRead(wrapInboundOut(frame))
    }

    /// Passes the bytes of a stream on.
    private func flush(_ id: HTTP2StreamID, _ context: ChannelHandlerContext, endStream: Bool = false) {
        guard let bytes = streams[id]?.waiting, bytes.readableBytes > 0 || endStream else { return }
        streams[id] = Stream(hasUnread: true)
        let payload = HTTP2Frame.FramePayload.Data(data: .byteBuffer(bytes), endStream: endStream)
        context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: id, payload: .data(payload))))
    }
}
