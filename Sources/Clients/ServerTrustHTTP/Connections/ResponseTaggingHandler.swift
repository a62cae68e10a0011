// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrust
import ServerTrustNIO

/// Tags each response with its connection and number, and ends responses that take too long.
///
/// async-http-client doesn't expose the connection of a response. So this handler tags each response's head, and the
/// client removes the tag before the caller receives the head. Add the handler directly after the response decoder.
///
/// If the connection ends, a request that the client may repeat fails with ``UnansweredRequest``.
final class ResponseTaggingHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    /// The name of a header that no server can set. The handler drops a field with this name if a server sends it.
    static let header = "x-servertrust-exchange"

    private let connection: Connection
    private var context: ChannelHandlerContext?
    private var limit: Scheduled<Void>?
    /// Whether there is a request whose response isn't complete.
    private var isRunning = false
    /// Whether the head of the response has arrived.
    private var hasHead = false
    /// Whether the connection has served a request.
    private var hasServed = false
    /// Whether there is a request that isn't the connection's first one.
    private var isReused = false
    /// The time when the request's head was written, if the connection records it.
    private var sent: NIODeadline?
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
            // Informational heads precede the response (RFC 9110 § 15.2).
            if head.status.code >= 200 || head.status == .switchingProtocols {
                let tag = ResponseTag(connection.id, connection.begin(), sent: sent)
                head.headers.add(name: Self.header, value: tag.text)
                hasHead = true
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
        // Every write is part of a request. The rest of a request with an early response also counts, which does no
        // harm.
        isRunning = true
        if case .head = unwrapOutboundIn(data) {
            isReused = hasServed
            hasHead = false
            watch.hasBytes = false
            if connection.timesRequests { sent = .now() }
        }
        guard let promise else { return context.write(data, promise: nil) }
        // This is the end of a body. If this write fails, async-http-client fails the request with its error.
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

    /// Returns nil unless the error ends a reused connection before any part of a response arrived.
    ///
    /// Bytes that don't begin a response belong to the one before: some servers send a body after status 204 or 304.
    private func lost(_ error: any Error) -> UnansweredRequest? {
        guard isReused, !hasHead else { return nil }
        let isLeftOver = error as? HTTPParserError == .invalidConstant
        guard isLeftOver || (!watch.hasBytes && UnansweredRequest.isLoss(error)) else { return nil }
        return UnansweredRequest(.lost, error)
    }

    /// The error of a request that was sent. When async-http-client itself throws `ioOnClosedChannel`, the request
    /// wasn't sent.
    private static func sent(_ error: any Error) -> any Error {
        error as? ChannelError == .ioOnClosedChannel ? HTTPClientError.remoteConnectionClosed : error
    }

    /// Closes the connection.
    ///
    /// If an exchange is running, its response is no longer needed. In that case, this method skips TLS's closing
    /// handshake, which would continue reading for seconds.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isRunning, mode == .all else { return context.close(mode: mode, promise: promise) }
        (context.pipeline.syncOperations.tls ?? context).close(mode: mode, promise: promise)
    }

    /// Ends the response with this number if it isn't complete by the deadline.
    func end(_ number: Int, at deadline: NIODeadline, _ expiry: Locked<Bool>?) {
        guard !connection.isCompleted(number), let context else { return }
        limit = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            expiry?.withLock { $0 = true }
            end(with: HTTPClientError.deadlineExceeded)
        }
    }

    /// Ends the connection, and fails its request with this error.
    func end(with error: any Error) {
        guard let context else { return }
        isReused = false
        context.fireErrorCaught(error)
        context.closeAtOnce()
    }
}

#endif
