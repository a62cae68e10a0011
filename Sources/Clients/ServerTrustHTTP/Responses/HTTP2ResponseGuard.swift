// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOHPACK
import NIOHTTP2
import ServerTrust
import ServerTrustNIO

/// Guards async-http-client's handlers of an HTTP/2 stream. Add it as the first handler, below the codec that translates
/// to HTTP/1.1 parts.
///
/// * It ends a stream whose response breaks ``ResponseOrder``, or whose `:status` isn't three digits (RFC 9113 § 8.3.2).
/// * It ends a stream whose response is complete before its request. async-http-client then sends no more of the request,
///   and would end the process when the stream ends.
/// * It asks before the request whether the connection may still be used.
final class HTTP2ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload

    private let problemBeforeRequest: () -> (any Error)?
    /// Returns the reason why async-http-client must not read a head.
    private let problemOfHead: (HPACKHeaders) -> (any Error)?
    private var order = ResponseOrder()
    private var hasBegun = false
    private var isRequestComplete = false
    private var isResponseComplete = false
    private var isOver = false
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - problemBeforeRequest: returns the reason why the connection must not serve a request.
    ///   - problemOfHead: returns the reason why async-http-client must not read a head.
    init(
        problemBeforeRequest: @escaping () -> (any Error)?,
        problemOfHead: @escaping (HPACKHeaders) -> (any Error)? = { _ in nil }
    ) {
        self.problemBeforeRequest = problemBeforeRequest
        self.problemOfHead = problemOfHead
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        do throws(ResponseOrder.Problem) {
            switch unwrapInboundIn(data) {
            case .headers(let head):
                isResponseComplete = head.endStream
                try order.headers(head.headers.first(name: ":status"), isEnd: head.endStream)
                if let problem = problemOfHead(head.headers) { return fail(with: problem) }
            case .data(let body):
                isResponseComplete = body.endStream
                try order.data(isEnd: body.endStream)
            default: break
            }
        } catch {
            return fail(with: TrustedHTTPError(.responseMalformed, detail: error.text))
        }
        context.fireChannelRead(data)
        guard isAbandoned else { return }
        isOver = true
        context.close(promise: nil)
    }

    /// Whether async-http-client is done with the response, but not with the request. It expects nothing more then, and
    /// would end the process.
    private var isAbandoned: Bool { isResponseComplete && !isRequestComplete }

    func channelInactive(context: ChannelHandlerContext) {
        if !isAbandoned { context.fireChannelInactive() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !isAbandoned { context.fireChannelWritabilityChanged() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isAbandoned { context.fireErrorCaught(error) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if !hasBegun {
            hasBegun = true
            if let problem = problemBeforeRequest() {
                isOver = true
                // async-http-client's call is still running.
                context.eventLoop.assumeIsolated().execute { [self] in fail(with: problem) }
            }
        }
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .headers(let head): isRequestComplete = head.endStream
        case .data(let body): isRequestComplete = body.endStream
        default: break
        }
        context.write(data, promise: promise)
    }

    /// Ends the stream, and fails its request with this error. The connection stays open. Call it on the event loop.
    func fail(with error: any Error) {
        guard let context else { return }
        isOver = true
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}

#endif
