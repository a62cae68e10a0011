// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOHTTP2

/// Joins the small DATA frames of each stream of an HTTP/2 connection.
///
/// A stream keeps the frames that its request hasn't read. Flow control limits their bytes but not their number, and
/// the server chooses their size. A frame of one byte takes several hundred bytes of memory, and its slice retains the
/// whole buffer that it was read into. So this handler holds bytes back while the stream has other bytes to read. As a
/// result, a stream has at most two frames for every 8 KiB.
///
/// Add the handler directly after NIO's HTTP/2 handler. ``StreamTaggingHandler`` reports when a request has read its
/// stream. Use it on the event loop.
final class HTTP2DataJoiner: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    /// The number of bytes that the handler passes on at once. The handler doesn't copy a frame of at least this size.
    static let joinedSize = 8 << 10

    private struct Stream {
        /// The bytes that the stream hasn't received yet.
        var waiting = ByteBuffer()
        /// Whether the stream may have bytes that its request hasn't read.
        var hasUnread = false
    }
    private var streams: [HTTP2StreamID: Stream] = [:]
    /// The streams that received bytes since the last end of a read.
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
        // NIO's handler has already processed this frame, and no request reads it. If the handler passed it on, the
        // stream would keep it.
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

    /// Records that a request has read all frames of its stream.
    func streamWasRead(_ id: HTTP2StreamID) {
        guard let stream = streams[id] else { return }
        streams[id]?.hasUnread = false
        guard stream.waiting.readableBytes > 0, let context else { return }
        // This waits for the end of the current call, which delivers the frames that precede these bytes.
        context.eventLoop.assumeIsolated().execute { [self] in deliver(to: id) }
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

    /// Passes a frame on after the waiting bytes of its stream.
    private func pass(_ frame: HTTP2Frame, _ context: ChannelHandlerContext) {
        flush(frame.streamID, context)
        context.fireChannelRead(wrapInboundOut(frame))
    }

    /// Passes on the waiting bytes of a stream.
    private func flush(_ id: HTTP2StreamID, _ context: ChannelHandlerContext, endStream: Bool = false) {
        guard let bytes = streams[id]?.waiting, bytes.readableBytes > 0 || endStream else { return }
        streams[id] = Stream(hasUnread: true)
        let payload = HTTP2Frame.FramePayload.Data(data: .byteBuffer(bytes), endStream: endStream)
        context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: id, payload: .data(payload))))
    }
}

#endif
