// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust
import ServerTrustNIO

/// Tags the responses of a connection with the connection and their number, and ends those that take too long.
///
/// async-http-client says nothing of that. So each response's head is tagged on its way up, and the tag is removed before
/// the caller gets it. Stands right behind the response decoder.
///
/// If the connection ends, a request that may be repeated fails with ``UnansweredRequest``.
final class ResponseTaggingHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    /// A header that no server can set: a field of this name from a server is dropped.
    static let header = "x-servertrust-exchange"

    private let connection: Connection
    private var context: ChannelHandlerContext?
    private var limit: Scheduled<Void>?
    /// Whether a request is out whose response isn't complete.
    private var isRunning = false
    /// Whether the connection has served a request.
    private var hasServed = false
    /// Whether a request is out that isn't the connection's first one.
    private var isReused = false
    private let watch: ResponseWatch

    init(_ connection: Connection, _ watch: ResponseWatch) {
        self.connection = connection
        self.watch = watch
    }

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
            isReused = false
            hasServed = true
            connection.complete()
            limit?.cancel()
            limit = nil
            context.fireChannelRead(data)
        case .body: context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Every write is part of a request. The rest of one whose answer came early counts as well, and does no harm.
        isRunning = true
        if case .head = unwrapOutboundIn(data) {
            isReused = hasServed
            watch.hasBytes = false
        }
        guard let promise else { return context.write(data, promise: nil) }
        // The end of a body: async-http-client fails the request with the error of this write.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: promise.succeed(())
            case .failure(let error): promise.fail(self.lost(error) ?? Self.sent(error))
            }
        }
        context.write(data, promise: written)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(lost(error) ?? (isRunning ? Self.sent(error) : error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let lost = lost(HTTPClientError.remoteConnectionClosed) { context.fireErrorCaught(lost) }
        context.fireChannelInactive()
    }

    /// nil unless the error ends a connection that was used before, and without a byte of a response.
    private func lost(_ error: any Error) -> UnansweredRequest? {
        guard isReused, !watch.hasBytes, UnansweredRequest.isLoss(error) else { return nil }
        return UnansweredRequest(.lost, error)
    }

    /// The error of a request that was sent. From async-http-client itself `ioOnClosedChannel` says that it wasn't.
    private static func sent(_ error: any Error) -> any Error {
        error as? ChannelError == .ioOnClosedChannel ? HTTPClientError.remoteConnectionClosed : error
    }

    /// A connection that is closed in the middle of an exchange is one whose answer isn't wanted. TLS's farewell would go on reading
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

    /// Ends the connection, and with this error the request on it.
    func end(with error: any Error) {
        guard let context else { return }
        isReused = false
        context.fireErrorCaught(error)
        (context.pipeline.syncOperations.tls ?? context).close(promise: nil)
    }
}
