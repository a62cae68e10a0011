// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import ServerTrustNIO

/// Stands at the end of the pipeline of an HTTP/2 connection that has a good verdict; its streams find it there. It notes the GOAWAY.
final class TrustedConnectionMarker: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    let connection: Connection
    let activity: HTTP2Activity
    let joiner: HTTP2DataJoiner
    /// The last stream that the server processes, by its GOAWAY; nil without one.
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
    /// Prepares a stream before the request on it: its response is tagged. On the event loop.
    /// - Returns: fails for a stream of a connection that wasn't let through; nothing of the request is sent then.
    static func prepareStream(_ stream: any Channel, of key: ConnectionKey) -> EventLoopFuture<Void> {
        stream.eventLoop.makeCompletedFuture {
            let pipeline = stream.pipeline.syncOperations
            guard
                let marker = try? stream.parent?.pipeline.syncOperations.handler(type: TrustedConnectionMarker.self)
            else { throw ServerConnectionError(.notEvaluated, host: key.host) }
            let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            let number = try marker.connection.openStream(stream)
            try pipeline.addHandler(StreamTaggingHandler(marker, number), position: .after(codec))
        }
    }
}

/// Tags the response of an HTTP/2 stream with the connection and the stream's number, and ends one that takes too long.
///
/// Stands right behind the translation to the parts of HTTP/1.1. A request that may be repeated fails with ``UnansweredRequest``.
final class StreamTaggingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private let marker: TrustedConnectionMarker
    private let number: Int
    private var streamID: HTTP2StreamID?
    private let isCounted: Bool
    /// Whether the connection had answered another request before this one began.
    private let isReused: Bool
    /// Whether the request has an answer, or an error that isn't about the connection.
    private var isAnswered = false
    private var context: ChannelHandlerContext?
    private var limit: Scheduled<Void>?

    /// - Parameter number: of the stream, which is open.
    init(_ marker: TrustedConnectionMarker, _ number: Int) {
        self.marker = marker
        self.number = number
        self.isReused = marker.connection.hasAnswered
        self.isCounted = marker.activity.begin()
    }

    private var connection: Connection { marker.connection }
    private var joiner: HTTP2DataJoiner { marker.joiner }
    private var activity: HTTP2Activity { marker.activity }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        limit?.cancel()
        self.context = nil
        if !Self.isSent(context) { activity.loseStream() }
        connection.closeStream(number)
        if isCounted { activity.finish() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAnswered = true
        switch unwrapInboundIn(data) {
        case .head(var head):
            head.headers.remove(name: ResponseTaggingHandler.header)
            // Informational heads come before the response (RFC 9110 § 15.2).
            if head.status.code >= 200 {
                connection.beginStream()
                head.headers.add(
                    name: ResponseTaggingHandler.header, value: ResponseTag(connection.id, number).text)
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
        streamID =
            streamID ?? (try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID))
        if let streamID { joiner.streamWasRead(streamID) }
    }

    /// Ends the response if it isn't complete by then.
    func end(at deadline: NIODeadline) {
        guard let context else { return }
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        limit = context.eventLoop.scheduleTask(deadline: deadline) {
            loopBound.value.end(with: HTTPClientError.deadlineExceeded)
        }
    }

    /// Ends the stream, and with this error the request on it. The connection goes on.
    func end(with error: any Error) {
        guard let context else { return }
        isAnswered = true
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}

// MARK: - Requests that may be repeated

extension StreamTaggingHandler {
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let fate = isAnswered ? nil : fate(of: error)
        isAnswered = true
        context.fireErrorCaught(fate.map { UnansweredRequest($0, error) } ?? error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isAnswered, let fate = Self.isSent(context) ? (isReused ? .lost : nil) : UnansweredRequest.Fate.unsent {
            context.fireErrorCaught(UnansweredRequest(fate, HTTPClientError.remoteConnectionClosed))
        }
        isAnswered = true
        context.fireChannelInactive()
    }

    /// Returns nil for an error that doesn't show whether the server processed the request.
    private func fate(of error: any Error) -> UnansweredRequest.Fate? {
        switch error {
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: return .unsent
        case let error as NIOHTTP2Errors.StreamClosed where error.errorCode == .refusedStream:
            if let last = marker.lastStreamID, error.streamID > last {
                return .refused(servesOthers: last != .rootStream)
            }
            // The connection goes on. The repeat goes to another one.
            activity.loseStream()
            return .refused(servesOthers: connection.hasAnswered)
        default: return nil
        }
    }

    /// A stream gets its number with the first frame.
    private static func isSent(_ context: ChannelHandlerContext) -> Bool {
        (try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)) != nil
    }
}
