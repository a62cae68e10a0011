// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import PKIX
import ServerTrustNIO

/// Marks an HTTP/2 connection with a good verdict. The handler is at the end of the pipeline, where the connection's
/// streams find it. It also records GOAWAY.
final class TrustedConnectionMarker: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    let connection: Connection
    let activity: HTTP2Activity
    let joiner: HTTP2DataJoiner
    /// The last stream that the server processes according to its GOAWAY. Nil without a GOAWAY.
    private(set) var lastStreamID: HTTP2StreamID?

    init(_ connection: Connection, _ activity: HTTP2Activity, _ joiner: HTTP2DataJoiner) {
        self.connection = connection
        self.activity = activity
        self.joiner = joiner
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway(let last, _, _) = unwrapInboundIn(data).payload { lastStreamID = last }
        context.fireChannelRead(data)
    }
}

extension Connections {
    /// Prepares a stream for its request by adding the handler that tags the response. Call it on the event loop.
    /// - Returns: a future that fails if the connection wasn't accepted. In that case, no part of the request is sent.
    static func prepareStream(_ stream: any Channel, of key: ConnectionKey) -> EventLoopFuture<Void> {
        stream.eventLoop.makeCompletedFuture {
            let pipeline = stream.pipeline.syncOperations
            do {
                guard stream.parent?.isActive != false else {
                    // The connection has ended, and the pool doesn't know it yet.
                    throw UnansweredRequest(.unsent, HTTPClientError.remoteConnectionClosed)
                }
                guard
                    let marker = try? stream.parent?.pipeline.syncOperations.handler(type: TrustedConnectionMarker.self)
                else { throw ConnectionFailure(.connectionNotEvaluated, host: key.host) }
                let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                let connection = marker.connection
                let number = try connection.openStream(stream)
                try pipeline.addHandler(
                    HTTP2ResponseGuard { connection.problemBeforeRequest() }, position: .first)
                try pipeline.addHandler(StreamTaggingHandler(marker, number), position: .after(codec))
            } catch {
                // The next handler has no request yet, and can't handle an end. The request fails through this future.
                try? pipeline.addHandler(UnusedStreamEnd(), position: .first)
                throw error
            }
        }
    }
}

/// Hides the end of a stream without a request from the handlers behind it.
final class UnusedStreamEnd: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}

    func channelInactive(context: ChannelHandlerContext) {}
}

/// Tags the response of an HTTP/2 stream with the connection and the stream's number, and ends a response that takes
/// too long.
///
/// Add the handler directly after the codec that translates to HTTP/1.1 parts. A request that the client may repeat
/// fails with ``UnansweredRequest``.
final class StreamTaggingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private let marker: TrustedConnectionMarker
    private let number: Int
    private var streamID: HTTP2StreamID?
    private let isCounted: Bool
    /// Whether the connection had answered another request before this request began.
    private let isReused: Bool
    /// The time when the stream was opened for its request, if the connection records it.
    private let sent: NIODeadline?
    /// Whether the request has received a response, or an error that isn't about the connection.
    private var isAnswered = false
    private var context: ChannelHandlerContext?
    private var limit: Scheduled<Void>?

    /// - Parameter number: the number of the open stream.
    init(_ marker: TrustedConnectionMarker, _ number: Int) {
        self.marker = marker
        self.number = number
        self.isReused = marker.connection.hasAnswered
        self.sent = marker.connection.timesRequests ? .now() : nil
        self.isCounted = marker.activity.begin()
    }

    private var connection: Connection { marker.connection }
    private var joiner: HTTP2DataJoiner { marker.joiner }
    private var activity: HTTP2Activity { marker.activity }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        limit?.cancel()
        self.context = nil
        if Self.streamID(context) == nil { activity.loseStream() }
        connection.closeStream(number)
        if isCounted { activity.finish() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAnswered = true
        switch unwrapInboundIn(data) {
        case .head(var head):
            head.headers.remove(name: ResponseTaggingHandler.header)
            // Informational heads precede the response (RFC 9110 § 15.2).
            if head.status.code >= 200 {
                connection.beginStream()
                let tag = ResponseTag(connection.id, number, sent: sent)
                head.headers.add(name: ResponseTaggingHandler.header, value: tag.text)
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .end:
            connection.closeStream(number)
            limit?.cancel()
            limit = nil
            context.fireChannelRead(data)
        case .body: context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        streamID = streamID ?? Self.streamID(context)
        if let streamID { joiner.streamWasRead(streamID) }
    }

    /// Ends the response if it isn't complete by the deadline.
    func end(at deadline: NIODeadline, _ expiry: Locked<Bool>?) {
        guard let context else { return }
        limit = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            expiry?.withLock { $0 = true }
            end(with: HTTPClientError.deadlineExceeded)
        }
    }

    /// Ends the stream, and fails its request with this error. The connection stays open.
    ///
    /// If the server broke the connection, and the stream has received nothing, the client may repeat the request.
    func end(with error: any Error) {
        guard let context else { return }
        let fate = !isAnswered && error is HTTP2ConnectionError ? fateAtEnd(context) : nil
        isAnswered = true
        context.fireErrorCaught(fate.map { UnansweredRequest($0, error) } ?? error)
        context.close(promise: nil)
    }
}

// MARK: - Requests that may be repeated

extension StreamTaggingHandler {
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let unanswered = isAnswered ? nil : unanswered(error)
        isAnswered = true
        // When async-http-client itself throws `ioOnClosedChannel`, there was no stream, and the request wasn't sent.
        let isSent = error as? ChannelError == .ioOnClosedChannel
        context.fireErrorCaught(unanswered ?? (isSent ? HTTPClientError.remoteConnectionClosed : error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isAnswered, let fate = fateAtEnd(context) {
            // The pool may not know yet that the connection has ended, and would use it for the repeat.
            activity.loseStream()
            context.fireErrorCaught(UnansweredRequest(fate, HTTPClientError.remoteConnectionClosed))
        }
        isAnswered = true
        context.fireChannelInactive()
    }

    /// Returns nil for an error that doesn't show whether the server processed the request.
    private func unanswered(_ error: any Error) -> UnansweredRequest? {
        switch error {
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: return UnansweredRequest(.unsent, error)
        case let error as NIOHTTP2Errors.StreamClosed:
            // NIOHTTP2 closes the streams above a GOAWAY's last stream as if they were canceled.
            if let fate = refusalByGoAway(of: error.streamID) {
                return UnansweredRequest(
                    fate, NIOHTTP2Errors.streamClosed(streamID: error.streamID, errorCode: .refusedStream))
            }
            guard error.errorCode == .refusedStream else { return nil }
            // The connection stays open. The repeat uses another one.
            activity.loseStream()
            return UnansweredRequest(.refused(servesOthers: connection.hasAnswered), error)
        default: return nil
        }
    }

    /// The fate of a request whose connection ended. After a GOAWAY, the end may arrive before the stream's error.
    private func fateAtEnd(_ context: ChannelHandlerContext) -> UnansweredRequest.Fate? {
        guard let id = Self.streamID(context) else { return .unsent }
        return refusalByGoAway(of: id) ?? (isReused ? .lost : nil)
    }

    /// Returns nil unless the stream is above the last one that the server processes.
    private func refusalByGoAway(of id: HTTP2StreamID) -> UnansweredRequest.Fate? {
        guard let last = marker.lastStreamID, id > last else { return nil }
        return .refused(servesOthers: last != .rootStream)
    }

    /// A stream gets its number with the first frame.
    private static func streamID(_ context: ChannelHandlerContext) -> HTTP2StreamID? {
        try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
    }
}

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

extension TrustedHTTPConfiguration {
    /// Adds pings to an HTTP/2 connection, if there is an interval for them and the connection is open. Call it on the
    /// event loop.
    func addPings(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        guard let http2PingInterval, let http2 = try? pipeline.handler(type: NIOHTTP2Handler.self) else { return }
        // NIOHTTP2 ends connections with more than 200 PING frames in 30 seconds, and the answers count.
        let handler = KeepAliveHandler(
            interval: TimeAmount(clamping: max(http2PingInterval, .seconds(1))),
            timeout: TimeAmount(clamping: max(http2PingTimeout, .milliseconds(1)))
        ) { number, context in
            let ping = HTTP2Frame.FramePayload.ping(HTTP2PingData(withInteger: UInt64(number)), ack: false)
            context.writeAndFlush(NIOAny(HTTP2Frame(streamID: .rootStream, payload: ping)), promise: nil)
        } end: { context in
            context.closeAtOnce()
        }
        try pipeline.addHandler(handler, position: .after(http2))
    }
}

#endif
