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

/// The connection and the response that a head belongs to, as the value of a header that never leaves the process.
///
/// The client writes and reads a tag for each response. A tag without a time is therefore 14 bytes long, which a string
/// stores without a heap allocation. Each number takes seven bytes with six bits each, and the time eleven.
struct ResponseTag: Equatable {
    let connection: Int
    let number: Int
    /// The time when the client began to send the request, or nil if the client doesn't record it.
    let sent: NIODeadline?

    /// - Parameters:
    ///   - connection: from 0 to 2⁴² - 1.
    ///   - number: from 0 to 2⁴² - 1.
    init(_ connection: Int, _ number: Int, sent: NIODeadline? = nil) {
        self.connection = connection
        self.number = number
        self.sent = sent
    }

    /// Parses the ``text`` of a tag. Returns nil for any other string.
    init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count == 2 * Self.digits || bytes.count == 2 * Self.digits + Self.timeDigits else { return nil }
        var numbers = (0, 0)
        var time: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            guard byte >= Self.zero, byte < Self.zero + 64 else { return nil }
            let bits = byte - Self.zero
            switch index {
            case ..<Self.digits: numbers.0 = numbers.0 << 6 | Int(bits)
            case ..<(2 * Self.digits): numbers.1 = numbers.1 << 6 | Int(bits)
            default: time = time << 6 | UInt64(bits)
            }
        }
        self.init(
            numbers.0, numbers.1, sent: bytes.count > 2 * Self.digits ? .uptimeNanoseconds(time) : nil)
    }

    var text: String {
        let count = 2 * Self.digits + (sent == nil ? 0 : Self.timeDigits)
        return unsafe String(unsafeUninitializedCapacity: count) { bytes in
            // The buffer has at least the requested capacity.
            for index in 0..<Self.digits {
                let shift = 6 * (Self.digits - 1 - index)
                unsafe bytes[index] = Self.zero + UInt8(truncatingIfNeeded: connection >> shift & 63)
                unsafe bytes[index + Self.digits] = Self.zero + UInt8(truncatingIfNeeded: number >> shift & 63)
            }
            guard let time = sent?.uptimeNanoseconds else { return count }
            for index in 0..<Self.timeDigits {
                let shift = 6 * (Self.timeDigits - 1 - index)
                unsafe bytes[index + 2 * Self.digits] = Self.zero + UInt8(truncatingIfNeeded: time >> shift & 63)
            }
            return count
        }
    }

    private static let digits = 7
    /// Enough for 64 bits.
    private static let timeDigits = 11
    /// All digits are printable: `0` to `o`.
    private static let zero = UInt8(ascii: "0")
}

#endif
