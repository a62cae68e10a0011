// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import ServerTrustNIO

/// Stands in the pipeline of an HTTP/2 connection that has a good verdict; its streams find it there. It handles nothing.
final class TrustedConnectionMarker: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame

    let connection: Connection
    let activity: HTTP2Activity
    let joiner: HTTP2DataJoiner

    init(_ connection: Connection, _ activity: HTTP2Activity, _ joiner: HTTP2DataJoiner) {
        self.connection = connection
        self.activity = activity
        self.joiner = joiner
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
            try pipeline.addHandler(
                StreamTaggingHandler(marker.connection, number, marker.activity, marker.joiner), position: .after(codec)
            )
        }
    }
}

/// Tags the response of an HTTP/2 stream with the connection and the stream's number, and ends one that takes too long.
///
/// Stands right behind the translation to the parts of HTTP/1.1.
final class StreamTaggingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private let connection: Connection
    private let activity: HTTP2Activity
    private let joiner: HTTP2DataJoiner
    private var streamID: HTTP2StreamID?
    private let number: Int
    private let isCounted: Bool
    private var context: ChannelHandlerContext?
    private var limit: Scheduled<Void>?

    /// - Parameter number: of the stream, which is open.
    init(_ connection: Connection, _ number: Int, _ activity: HTTP2Activity, _ joiner: HTTP2DataJoiner) {
        self.connection = connection
        self.number = number
        self.activity = activity
        self.joiner = joiner
        self.isCounted = activity.begin()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        limit?.cancel()
        self.context = nil
        // A stream gets its number with the first frame.
        if (try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)) == nil {
            activity.loseStream()
        }
        connection.closeStream(number)
        if isCounted { activity.finish() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}
