// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2
import ServerTrustNIO

/// Ends an HTTP/2 connection that is broken, and keeps the server's frames back until the connection may serve requests.
///
/// NIOHTTP2 answers a connection error with GOAWAY and leaves closing to the owner (RFC 9113 § 5.4.1). The guard closes on:
/// * a connection error. NIOHTTP2's limits make one of floods: 5 frames of CONTINUATION in a row, 1 of DATA without data, 200 of PING,
///   SETTINGS and PRIORITY in 30 seconds, 200 of RST_STREAM, 200 stream errors, 10,000 control frames that the server doesn't read.
/// * a GOAWAY of the server with an error; without one, when the last stream has ended.
/// * more than ``maximumIdleBytes`` without progress, which NIOHTTP2 doesn't limit: WINDOW_UPDATE, informational heads, frames of unknown
///   types and of streams that are reset. The head and the data of a response are progress, and so is what the client sends on a stream.
///
/// The streams fail and the pool forgets the connection. Bytes that come meanwhile are dropped.
///
/// async-http-client's pool knows a connection when the initializer has returned. Until then further SETTINGS wait, and GOAWAY ends the
/// connection.
final class HTTP2Guard: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The most bytes without progress: twice the window of 8 MiB, which may be on its way when a request is canceled.
    static let maximumIdleBytes = 1 << 24
    /// The most frames that wait for the initializer.
    private static let maximumWaiting = 16

    private let maximumIdleBytes: Int
    private var context: ChannelHandlerContext?
    /// Frames that wait for the initializer; nil when it has returned.
    private var waiting: [HTTP2Frame]? = []
    private var idleBytes = 0
    private var openStreams = 0
    /// Whether the server has sent a GOAWAY without an error.
    private var isLeaving = false
    /// Set when the connection is about to be closed.
    private(set) var end: HTTP2ConnectionError?

    init(maximumIdleBytes: Int) { self.maximumIdleBytes = maximumIdleBytes }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if frame.isProgress { idleBytes = 0 }
        if case .goAway(_, let code, _) = frame.payload, code != .noError || waiting != nil {
            close(HTTP2ConnectionError("the server ended the HTTP/2 connection with GOAWAY: \(code)"))
        }
        guard let waiting else {
            context.fireChannelRead(data)
            if case .goAway = frame.payload {
                isLeaving = true
                closeIfUnused()
            }
            return
        }
        guard waiting.count < Self.maximumWaiting else {
            return close(HTTP2ConnectionError("the server sent too many frames before the first request"))
        }
        self.waiting?.append(frame)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        switch event {
        case is NIOHTTP2StreamCreatedEvent: openStreams += 1
        case is StreamClosedEvent:
            openStreams -= 1
            closeIfUnused()
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if unwrapOutboundIn(data).isProgress { idleBytes = 0 }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The first one is the reason for the GOAWAY that went out just now.
        if end?.isUnexplained == true { end = HTTP2ConnectionError("the server broke HTTP/2: \(error)") }
        context.fireErrorCaught(error)
    }

    /// Lets frames through from now on.
    private func open() {
        guard let waiting, let context, end == nil else { return }
        self.waiting = nil
        for frame in waiting { context.fireChannelRead(wrapInboundOut(frame)) }
        // Until then the multiplexer holds back what its streams send.
        if !waiting.isEmpty { context.fireChannelReadComplete() }
    }

    /// Closes a connection that serves no further request. The server may leave that to the client.
    private func closeIfUnused() {
        guard isLeaving, openStreams <= 0, end == nil, let context else { return }
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute { loopBound.value.close(promise: nil) }
    }

    /// NIOHTTP2 has found a connection error. The error follows.
    fileprivate func didSendGoAway() { close(HTTP2ConnectionError()) }

    /// - Parameter process: has NIOHTTP2 read them.
    fileprivate func receive(_ bytes: Int, _ process: () -> Void) {
        idleBytes += bytes
        process()
        guard idleBytes > maximumIdleBytes else { return }
        close(HTTP2ConnectionError("the server sent \(idleBytes) bytes of HTTP/2 without a response"))
    }

    /// Closes the connection when this event is handled: NIOHTTP2 has closed the streams that a GOAWAY names then, and its own GOAWAY is sent.
    private func close(_ error: HTTP2ConnectionError) {
        guard end == nil, let context else { return }
        end = error
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (handler, context) = loopBound.value
            let pipeline = context.pipeline.syncOperations
            if let marker = try? pipeline.handler(type: TrustedConnectionMarker.self) {
                _ = marker.connection.close(handler.end ?? error)
            } else {
                // Without TLS's farewell, for which the connection would be read on.
                (pipeline.tls ?? context).close(promise: nil)
            }
        }
    }
}

extension HTTP2Guard {
    /// Puts a guard into a connection of async-http-client; called by its initializer for connections of HTTP/2.
    /// - Parameters:
    ///   - maximumIdleBytes: only tests change it.
    ///   - initialize: the rest of the initializer.
    /// - Returns: as `initialize`; fails if the connection ends before.
    static func watch(
        _ channel: any Channel, maximumIdleBytes: Int = maximumIdleBytes,
        _ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        let eventLoop = channel.eventLoop
        // At once: the next frame may be in the same buffer.
        guard eventLoop.inEventLoop else {
            return eventLoop.flatSubmit { watch(channel, maximumIdleBytes: maximumIdleBytes, initialize) }
        }
        let frameGuard = HTTP2Guard(maximumIdleBytes: maximumIdleBytes)
        do {
            let pipeline = channel.pipeline.syncOperations
            let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
            try pipeline.addHandler(frameGuard, position: .after(http2))
            try pipeline.addHandler(HTTP2ByteGuard(frameGuard), position: .before(http2))
        } catch {
            channel.close(promise: nil)
            return eventLoop.makeFailedFuture(error)
        }
        let loopBound = NIOLoopBound(frameGuard, eventLoop: eventLoop)
        return initialize(channel).hop(to: eventLoop).flatMapThrowing {
            if let end = loopBound.value.end { throw end }
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
            // When async-http-client has it in its pool, which it puts it into when this returns.
            eventLoop.execute { loopBound.value.open() }
        }
    }
}

/// The part of ``HTTP2Guard`` between TLS and NIOHTTP2. It counts bytes, and drops them after the end. It sees the GOAWAY that NIOHTTP2 sends
/// for a connection error and not for an error of a stream.
private final class HTTP2ByteGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    private let frameGuard: HTTP2Guard
    /// The rest of the last frame, which comes with further writes.
    private var rest = 0

    init(_ frameGuard: HTTP2Guard) { self.frameGuard = frameGuard }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard frameGuard.end == nil else { return }
        frameGuard.receive(unwrapInboundIn(data).readableBytes) { context.fireChannelRead(data) }
    }

    /// Each frame begins a write (RFC 9113 § 4.1); the payload of DATA and of GOAWAY may be the next one.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let written = unwrapOutboundIn(data)
        let isFrame = rest == 0
        if isFrame, case .byteBuffer(let bytes) = written,
            let head: UInt32 = bytes.getInteger(at: bytes.readerIndex)
        {
            rest = max(0, 9 + Int(head >> 8) - bytes.readableBytes)
            if head & 0xff == 7 { frameGuard.didSendGoAway() }
        } else {
            rest = max(0, rest - written.readableBytes)
        }
        context.write(data, promise: promise)
    }
}

/// The error of requests on an HTTP/2 connection that was closed because the server broke the protocol, or because it said so.
package struct HTTP2ConnectionError: Error, Sendable, CustomStringConvertible {
    /// For people; wording may change.
    package let description: String
    fileprivate let isUnexplained: Bool

    fileprivate init(_ description: String) { (self.description, isUnexplained) = (description, false) }

    fileprivate init() { (description, isUnexplained) = ("the server broke HTTP/2", true) }
}

extension HTTP2Frame {
    /// Whether it is a part of an exchange that its receiver has to have: a head that isn't informational, or data.
    fileprivate var isProgress: Bool {
        switch payload {
        case .data(let data): data.data.readableBytes > 0 || data.endStream
        case .headers(let head): head.endStream || head.headers.first(name: ":status")?.hasPrefix("1") != true
        default: false
        }
    }
}
