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

#endif
