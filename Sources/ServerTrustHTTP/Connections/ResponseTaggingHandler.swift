// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust
import ServerTrustNIO

/// Tells a connection's responses apart: which connection one came over, whether it is complete, and how to end it.
///
/// async-http-client says nothing of that. So each response's head is marked on its way up, and the mark taken off again before
/// anybody sees it. Stands right behind the response decoder.
final class ResponseTaggingHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    /// A header that no server can set: what comes under this name is dropped.
    static let header = "x-servertrust-exchange"

    private let connection: Connection
    private var context: ChannelHandlerContext?
    private var limit: Scheduled<Void>?
    /// Whether a request is out whose response isn't complete.
    private var isRunning = false

    init(_ connection: Connection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        limit?.cancel()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            head.headers.remove(name: Self.header)
            // Informational heads come before the response (RFC 9110 § 15.2).
            if head.status.code >= 200 || head.status == .switchingProtocols {
                head.headers.add(name: Self.header, value: ResponseTag(connection.id, connection.begin()).text)
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .end:
            isRunning = false
            connection.complete()
            limit?.cancel()
            limit = nil
            context.fireChannelRead(data)
        case .body: context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Whatever is written is part of a request. What is left of one whose answer came early counts as well, and does no harm.
        isRunning = true
        context.write(data, promise: promise)
    }

    /// A connection that is closed in the middle of an exchange is one whose answer nobody wants. TLS's farewell would go on reading
    /// it, for seconds.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isRunning, mode == .all else { return context.close(mode: mode, promise: promise) }
        (context.pipeline.syncOperations.tls ?? context).close(mode: mode, promise: promise)
    }

    /// Ends the response of that number if it isn't complete by then.
    func end(_ number: Int, at deadline: NIODeadline) {
        guard !connection.isCompleted(number), let context else { return }
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        limit = context.eventLoop.scheduleTask(deadline: deadline) {
            loopBound.value.end(with: HTTPClientError.deadlineExceeded)
        }
    }

    /// Ends the connection, and with this error whatever runs on it.
    func end(with error: any Error) {
        guard let context else { return }
        context.fireErrorCaught(error)
        (context.pipeline.syncOperations.tls ?? context).close(promise: nil)
    }
}
