// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOHTTP2
import PKIX
import ServerTrustNIO

/// Ends a broken HTTP/2 connection, and holds the server's frames back until the connection may serve requests.
///
/// On a connection error, NIOHTTP2 sends GOAWAY and leaves closing to its user (RFC 9113 § 5.4.1). The guard closes the
/// connection in these cases:
/// * A connection error. NIOHTTP2's limits turn floods into connection errors: 5 CONTINUATION frames in a row, 1 DATA
///   frame without data, 200 PING, SETTINGS and PRIORITY frames in 30 seconds, 200 RST_STREAM frames, 200 stream
///   errors, or 10,000 control frames that the server doesn't read.
/// * A GOAWAY from the server. If it contains an error, the guard closes the connection at once. Otherwise, it closes
///   the connection when the last stream has ended.
/// * A push, which would confuse async-http-client's count of streams, and SETTINGS that lower the window of streams while
///   the client is sending a body, which would end the process. For gRPC, `HTTP2FrameFilter` does the same.
/// * More than ``maximumIdleBytes`` without progress, which NIOHTTP2 doesn't limit: WINDOW_UPDATE, informational heads,
///   frames of unknown types and frames of streams that were reset. The head and the data of a response count as
///   progress, and so do the client's frames on a stream.
///
/// As a result, the streams fail, and the pool drops the connection. The guard drops bytes that arrive in the meantime.
///
/// async-http-client's pool adds a connection when the initializer has returned. Until then, further SETTINGS wait, and
/// any GOAWAY ends the connection.
final class HTTP2Guard: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The largest number of bytes without progress: twice the window of 8 MiB, because a full window may be in transit
    /// when a request is canceled.
    static let maximumIdleBytes = 1 << 24
    /// The largest number of frames that wait for the initializer.
    private static let maximumWaiting = 16

    private let maximumIdleBytes: Int
    private var context: ChannelHandlerContext?
    /// The frames that wait for the initializer. Nil after it has returned.
    private var waiting: [HTTP2Frame]? = []
    private var idleBytes = 0
    private var openStreams = 0
    /// The open streams whose requests have a body.
    private var uploads: Set<HTTP2StreamID> = []
    /// The window of streams in the last SETTINGS. Nil before the guard has seen it.
    private var window: Int?
    /// Whether the server has sent a GOAWAY without an error.
    private var isLeaving = false
    /// The error that is closing the connection.
    private(set) var end: HTTP2ConnectionError?

    init(maximumIdleBytes: Int) { self.maximumIdleBytes = maximumIdleBytes }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // NIOHTTP2 still reads the bytes that it has.
        guard end == nil else { return }
        let frame = unwrapInboundIn(data)
        guard !frame.streamID.isPush else { return }
        switch frame.payload {
        case .pushPromise: return refuse("it pushed a response that nobody requested")
        case .settings(.settings(let settings)) where lowersWindow(settings): return endUploads(context)
        default: break
        }
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
        switch event {
        // async-http-client would count the server's streams as its own.
        case let event as NIOHTTP2StreamCreatedEvent where event.streamID.isPush: return
        case let event as StreamClosedEvent where event.streamID.isPush: return
        default: context.fireUserInboundEventTriggered(event)
        }
        switch event {
        case is NIOHTTP2StreamCreatedEvent: openStreams += 1
        case let event as StreamClosedEvent:
            openStreams -= 1
            uploads.remove(event.streamID)
            closeIfUnused()
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        if frame.isProgress { idleBytes = 0 }
        if case .headers(let head) = frame.payload, !head.endStream { uploads.insert(frame.streamID) }
        context.write(data, promise: promise)
    }

    /// Whether SETTINGS may lower the window of a stream that sends a body (RFC 9113 § 6.9.2). The guard doesn't see the
    /// server's first SETTINGS, so the next window counts as a lower one unless it is the largest.
    private func lowersWindow(_ settings: [HTTP2Setting]) -> Bool {
        var isLower = false
        for setting in settings where setting.parameter == .initialWindowSize {
            if setting.value < window ?? Int(Int32.max) { isLower = true }
            window = setting.value
        }
        return isLower && !uploads.isEmpty
    }

    /// Ends the requests that send a body, and then the connection. SwiftNIO can't end a stream with a negative window,
    /// so the streams have to end before it sends more.
    private func endUploads(_ context: ChannelHandlerContext) {
        for stream in uploads {
            context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: .rstStream(.cancel))), promise: nil)
        }
        uploads = []
        refuse("it lowered the window of streams while the client was sending a body")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The first error is the reason for the GOAWAY that NIOHTTP2 has just sent.
        if end?.isUnexplained == true { end = HTTP2ConnectionError("the server violated HTTP/2: \(error)") }
        context.fireErrorCaught(error)
    }

    /// Passes frames on from now on.
    private func open() {
        guard let waiting, let context, end == nil else { return }
        self.waiting = nil
        for frame in waiting { context.fireChannelRead(wrapInboundOut(frame)) }
        // The multiplexer holds back its streams' frames until this event.
        if !waiting.isEmpty { context.fireChannelReadComplete() }
    }

    /// Closes a connection that won't serve further requests. The server may leave closing to the client.
    private func closeIfUnused() {
        guard isLeaving, openStreams <= 0, end == nil, let context else { return }
        context.eventLoop.assumeIsolated().execute { context.close(promise: nil) }
    }

    /// Closes the connection because of a frame that NIOHTTP2 must not read.
    fileprivate func refuse(_ problem: String) { close(HTTP2ConnectionError("the server violated HTTP/2: \(problem)")) }

    /// NIOHTTP2 has found a connection error. The error itself follows.
    fileprivate func didSendGoAway() { close(HTTP2ConnectionError()) }

    /// - Parameter process: passes the bytes to NIOHTTP2.
    fileprivate func receive(_ bytes: Int, _ process: () -> Void) {
        idleBytes += bytes
        process()
        guard idleBytes > maximumIdleBytes else { return }
        close(HTTP2ConnectionError("the server sent \(idleBytes) bytes of HTTP/2 without a response"))
    }

    /// Closes the connection after the current event. By then, NIOHTTP2 has closed the streams that a GOAWAY rejects,
    /// and has sent its own GOAWAY.
    private func close(_ error: HTTP2ConnectionError) {
        guard end == nil, let context else { return }
        end = error
        context.eventLoop.assumeIsolated().execute { [self] in
            let pipeline = context.pipeline.syncOperations
            if let marker = try? pipeline.handler(type: TrustedConnectionMarker.self) {
                _ = marker.connection.close(end ?? error)
            } else if let connection = try? pipeline.handler(type: GatedConnection.self) {
                connection.end(with: end ?? error)
            } else {
                context.closeAtOnce()
            }
        }
    }
}

extension HTTP2Guard {
    /// Adds a guard to a connection of async-http-client. Its initializer for HTTP/2 connections calls this method.
    /// - Parameters:
    ///   - maximumIdleBytes: only tests change it.
    ///   - initialize: the rest of the initializer.
    /// - Returns: the result of `initialize`. The future fails if the connection ends first.
    static func watch(
        _ channel: any Channel, maximumIdleBytes: Int = maximumIdleBytes,
        _ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        let eventLoop = channel.eventLoop
        // The guard has to be added at once, because the next frame may be in the same buffer.
        guard eventLoop.inEventLoop else {
            return eventLoop.flatSubmit { watch(channel, maximumIdleBytes: maximumIdleBytes, initialize) }
        }
        let frameGuard = HTTP2Guard(maximumIdleBytes: maximumIdleBytes)
        do {
            let pipeline = channel.pipeline.syncOperations
            let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
            try pipeline.addHandler(frameGuard, position: .after(http2))
            try pipeline.addHandler(HTTP2ByteGuard(frameGuard), position: .before(http2))
            // Heads of streams can be larger than NIO's limit of 64 KiB. If a head makes the connection unwritable for a
            // moment, async-http-client begins with the body too early, and ends the process.
            let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 128 << 10, high: 1 << 20)
            try channel.syncOptions?.setOption(.writeBufferWaterMark, value: mark)
        } catch {
            channel.close(promise: nil)
            return eventLoop.makeFailedFuture(error)
        }
        let loopBound = NIOLoopBound(frameGuard, eventLoop: eventLoop)
        return initialize(channel).hop(to: eventLoop).flatMapThrowing {
            if let end = loopBound.value.end { throw end }
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
            // This runs after async-http-client has added the connection to its pool, which it does when this future
            // completes.
            eventLoop.execute { loopBound.value.open() }
        }
    }
}

/// The part of ``HTTP2Guard`` between TLS and NIOHTTP2.
///
/// It counts bytes, and drops them after the connection has ended. It detects when NIOHTTP2 sends GOAWAY. NIOHTTP2
/// sends it for a connection error but not for a stream error.
private final class HTTP2ByteGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    private let frameGuard: HTTP2Guard
    /// The number of bytes of the last frame that are still to come in later writes.
    private var rest = 0

    init(_ frameGuard: HTTP2Guard) { self.frameGuard = frameGuard }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard frameGuard.end == nil else { return }
        frameGuard.receive(unwrapInboundIn(data).readableBytes) { context.fireChannelRead(data) }
    }

    /// Each frame starts a new write (RFC 9113 § 4.1). The payload of DATA and GOAWAY may follow in the next one.
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

/// The error of requests on an HTTP/2 connection that was closed because the server broke the protocol or sent GOAWAY.
public struct HTTP2ConnectionError: TrustError, Hashable {
    public var code: ErrorCode { .http2ConnectionEnded }
    public let message: String
    fileprivate let isUnexplained: Bool

    package init(_ message: String) { (self.message, isUnexplained) = (message, false) }

    fileprivate init() { (message, isUnexplained) = ("the server violated HTTP/2", true) }
}

/// The code of ``HTTP2ConnectionError``.
extension ErrorCode {
    /// The server broke HTTP/2, or ended the connection with GOAWAY.
    public static let http2ConnectionEnded = ErrorCode("http2ConnectionEnded")
}

extension HTTP2StreamID {
    /// Whether the stream is for a pushed response (RFC 9113 § 5.1.1).
    fileprivate var isPush: Bool { self != .rootStream && Int(self).isMultiple(of: 2) }
}

extension HTTP2Frame {
    /// Whether the frame is an essential part of an exchange: data, or a head that isn't informational.
    fileprivate var isProgress: Bool {
        switch payload {
        case .data(let data): data.data.readableBytes > 0 || data.endStream
        case .headers(let head): head.endStream || head.headers.first(name: ":status")?.hasPrefix("1") != true
        default: false
        }
    }
}

#endif
