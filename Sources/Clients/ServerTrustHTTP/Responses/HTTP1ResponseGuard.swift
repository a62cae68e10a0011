// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust
import ServerTrustNIO

/// Guards async-http-client's handler of an HTTP/1.1 connection. Add it directly after the response decoder.
///
/// * It ends a connection whose response breaks ``ResponseOrder``.
/// * It ends a connection with bytes after a complete response. Common faults of servers leave such bytes: a body with
///   status 204 or 304, or a body longer than its `Content-Length`. The next response must not begin with them.
/// * It asks before each request whether the connection may still be used.
final class HTTP1ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    private let problemBeforeRequest: () -> (any Error)?
    /// Returns the reason why async-http-client must not read a head.
    private let problemOfHead: (HTTPResponseHead) -> (any Error)?
    private let watch: ResponseWatch
    private var order = ResponseOrder()
    /// Whether there is a request whose response isn't complete.
    private var isRunning = false
    private var isRequestSent = true
    private var hasServed = false
    private var isUpgrade = false
    /// The end of a response, until all bytes that arrived with it are read.
    private var end: HTTPClientResponsePart?
    /// Whether the connection serves nothing more.
    private var isOver = false
    /// The reason why the last request wasn't sent.
    private var refusal: (any Error)?
    /// The writes of the request that wasn't sent.
    private var unsent: [EventLoopPromise<Void>] = []
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - problemBeforeRequest: returns the reason why the connection must not serve a request.
    ///   - problemOfHead: returns the reason why async-http-client must not read a head.
    init(
        _ watch: ResponseWatch, problemBeforeRequest: @escaping () -> (any Error)?,
        problemOfHead: @escaping (HTTPResponseHead) -> (any Error)? = { _ in nil }
    ) {
        self.watch = watch
        self.problemBeforeRequest = problemBeforeRequest
        self.problemOfHead = problemOfHead
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watch.guardian = self
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        watch.guardian = nil
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        // A surplus part. The watch ends the connection after this read.
        guard isRunning, end == nil else { return watch.hasSurplus = true }
        let part = unwrapInboundIn(data)
        do throws(ResponseOrder.Problem) {
            switch part {
            case .head(let head):
                try order.head(Int(head.status.code), isUpgrade: isUpgrade)
                if let problem = problemOfHead(head) { return fail(with: problem) }
            case .body: try order.body()
            case .end:
                try order.end()
                end = part
                if !watch.isReading { deliverEnd() }
                return
            }
        } catch {
            return fail(with: TrustedHTTPError(.responseMalformed, detail: error.text))
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else { return }
        guard end == nil else { return watch.hasSurplus = true }
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deliverEnd()
        if let refusal, !unsent.isEmpty { fail(with: refusal) }
        context.fireChannelInactive()
    }

    /// Delivers the end of a response after the bytes that arrived with it are read.
    fileprivate func deliverEnd() {
        guard let context, let end else { return }
        // async-http-client would begin the next request before the channel is writable, and end the process when it is.
        guard watch.hasSurplus || !isRequestSent || context.channel.isWritable || !context.channel.isActive else {
            return
        }
        self.end = nil
        isRunning = false
        let isLast = watch.hasSurplus
        if isLast {
            isOver = true
            // async-http-client drops this head, but closes the connection instead of using it again.
            let last = HTTPResponseHead(version: .http1_1, status: .continue, headers: ["connection": "close"])
            context.fireChannelRead(wrapInboundOut(.head(last)))
        }
        context.fireChannelRead(wrapInboundOut(end))
        if isLast { context.closeAtOnce() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.fireChannelWritabilityChanged()
        if !watch.isReading { deliverEnd() }
    }

    /// Ends a connection on which bytes arrived although no request is running.
    fileprivate func endIdle() {
        guard let context, !isOver else { return }
        isOver = true
        context.closeAtOnce()
    }

    /// Whether bytes from the server belong to no request.
    fileprivate var isIdle: Bool { !isRunning && hasServed }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data) {
            if let problem = isOver
                ? UnansweredRequest(.unsent, HTTPClientError.remoteConnectionClosed)
                : problemBeforeRequest()
            {
                isOver = true
                // async-http-client's call is still running.
                context.eventLoop.assumeIsolated().execute { [self] in fail(with: problem) }
                if let promise { unsent.append(promise) }
                return
            }
            isRunning = true
            isRequestSent = false
            hasServed = true
            isUpgrade = head.headers.contains(name: "upgrade")
            makeRoom(for: head, context)
        } else if isOver {
            // If a write failed first, async-http-client would close the connection and report that instead.
            guard let promise else { return }
            if refusal == nil { promise.fail(ChannelError.ioOnClosedChannel) } else { unsent.append(promise) }
            return
        }
        if case .end = unwrapOutboundIn(data) { isRequestSent = true }
        context.write(data, promise: promise)
    }

    /// Keeps the channel writable while a large head is written. If a head makes the channel unwritable for a moment,
    /// async-http-client begins with the body too early, and ends the process. A redirect or a challenge of the server
    /// can make a head large.
    private func makeRoom(for head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let size = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard size > 16 << 10 else { return }
        let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 2 * size, high: 4 * size)
        try? context.channel.syncOptions?.setOption(.writeBufferWaterMark, value: mark)
    }

    /// Ends the connection, and fails its request with this error. Call it on the event loop.
    func fail(with error: any Error) {
        guard let context else { return }
        isOver = true
        end = nil
        context.fireErrorCaught(error)
        let unsent = unsent
        self.unsent = []
        for promise in unsent { promise.fail(error) }
        context.closeAtOnce()
    }
}

/// Detects the first byte of a response, and bytes after a complete one. Add the handler directly below the decoder,
/// which retains the bytes of an incomplete head.
final class ResponseWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Whether bytes have arrived since this was last set to false.
    var hasBytes = false
    /// Whether something followed a complete response.
    fileprivate var hasSurplus = false
    /// The number of reads that the decoder is in the middle of.
    private var reads = 0
    fileprivate var isReading: Bool { reads > 0 }
    fileprivate weak var guardian: HTTP1ResponseGuard?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard guardian?.isIdle != true else {
            guardian?.endIdle()
            return
        }
        hasBytes = true
        reads += 1
        context.fireChannelRead(data)
        reads -= 1
        if !isReading { guardian?.deliverEnd() }
    }
}

#endif
