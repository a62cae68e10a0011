// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// An established connection.
final class Connection: Sendable {
    /// An identifier that is unique in the client.
    let id: Int
    /// The server at the other end, which was trusted when the connection was made. Nil if the connection is in the
    /// clear.
    var server: EvaluatedServer? { verdict?.server }
    let channel: any Channel
    /// Whether responses arrive on HTTP/2 streams, several at a time.
    let isHTTP2: Bool
    /// Whether each response carries the time at which its request was sent.
    let timesRequests: Bool
    /// The time when the connection was ready for its first request.
    let established = NIODeadline.now()
    /// The address at the other end, which is the proxy's if there is a proxy. Unlike the channel's, it stays known
    /// after the connection closes.
    let remoteAddress: SocketAddress?
    let localAddress: SocketAddress?
    /// The version of TLS, or nil if the connection is in the clear.
    let tlsVersion: TLSVersion?
    private let responses = Locked(Responses())
    /// The last good verdict. Nil if the connection is in the clear.
    let verdict: CurrentVerdict?

    /// The numbers of responses. HTTP/1.1 responses arrive one after the other. With HTTP/2, each stream has a number.
    private struct Responses {
        /// The number of the last response whose head has arrived. For HTTP/2, the number of heads that have arrived.
        var begun = 0
        /// The number of responses whose heads reached their request, in any order.
        var delivered = 0
        /// The number of the last complete response. HTTP/1.1 only.
        var completed = 0
        /// The streams whose response isn't complete, by number. HTTP/2 only.
        var streams: [Int: any Channel] = [:]
        var lastStream = 0
        /// The error that closes the connection. HTTP/2 only.
        var end: (any Error)?
    }

    /// Call this initializer on the event loop of the channel.
    init(
        id: Int, server: EvaluatedServer?, channel: any Channel, isHTTP2: Bool = false, timesRequests: Bool = false,
        source: @escaping @Sendable () -> VerdictSource? = { nil }
    ) {
        self.verdict = server.map { CurrentVerdict($0, source) }
        self.id = id
        self.channel = channel
        self.isHTTP2 = isHTTP2
        self.timesRequests = timesRequests
        self.remoteAddress = channel.remoteAddress
        self.localAddress = channel.localAddress
        self.tlsVersion = server == nil ? nil : channel.pipeline.syncOperations.tlsVersion
    }

    /// Returns the reason why the connection must not serve another request. Call it on the event loop, before the first
    /// byte of a request.
    func problemBeforeRequest() -> (any Error)? {
        let problem = verdict?.problemBeforeRequest()
        if let refusal = problem as? TrustRefusal { _ = close(refusal) }
        return problem
    }

    /// Ends the response with this number if it isn't complete by the deadline.
    /// - Parameter expiry: set to true when the deadline has passed.
    func end(_ number: Int, at deadline: NIODeadline, _ expiry: Locked<Bool>? = nil) {
        guard isHTTP2 else { return onEventLoop { $0.end(number, at: deadline, expiry) } }
        guard let stream = responses.withLock({ $0.streams[number] }) else { return }
        Self.onEventLoop(of: stream) { (handler: StreamTaggingHandler) in handler.end(at: deadline, expiry) }
    }

    /// Closes the connection. The requests on it fail with this error.
    /// - Returns: a future that completes when the connection is closed.
    func close(_ error: any Error) -> EventLoopFuture<Void> {
        guard isHTTP2 else {
            onEventLoop { $0.end(with: error) }
            return channel.closeFuture
        }
        let streams = responses.withLock { responses in
            responses.end = error
            return Array(responses.streams.values)
        }
        for stream in streams {
            Self.onEventLoop(of: stream) { (handler: StreamTaggingHandler) in handler.end(with: error) }
        }
        channel.eventLoop.execute { [channel] in channel.closeAtOnce() }
        return channel.closeFuture
    }

    func begin() -> Int {
        responses.withLock {
            $0.begun += 1
            return $0.begun
        }
    }

    func complete() { responses.withLock { $0.completed = $0.begun } }

    /// - Returns: whether the response with this number is complete.
    func deliver(_ number: Int) -> Bool {
        responses.withLock { [isHTTP2] responses in
            responses.delivered += 1
            return isHTTP2 ? responses.streams[number] == nil : responses.completed >= number
        }
    }

    /// Whether the head of a response hasn't reached its request. It never does if the request was canceled.
    var isDelivering: Bool { responses.withLock { $0.delivered < $0.begun } }

    func isCompleted(_ number: Int) -> Bool { responses.withLock { $0.completed >= number } }

    private func onEventLoop(_ body: @escaping @Sendable (ResponseTaggingHandler) -> Void) {
        Self.onEventLoop(of: channel, body)
    }

    private static func onEventLoop<Handler: ChannelHandler & SendableMetatype>(
        of channel: any Channel, _ body: @escaping @Sendable (Handler) -> Void
    ) {
        channel.eventLoop.execute {
            // The handler is gone if the connection or the stream has ended in the meantime.
            guard let handler = try? channel.pipeline.syncOperations.handler(type: Handler.self) else { return }
            body(handler)
        }
    }
}

// MARK: - HTTP/2 streams

extension Connection {
    /// - Returns: the number of the stream's response.
    /// - Throws: the error that is closing the connection.
    func openStream(_ stream: any Channel) throws -> Int {
        try responses.withLock { responses -> Result<Int, any Error> in
            if let end = responses.end {
                // No part of the request was sent, so it can use another connection.
                return .failure(end is HTTP2ConnectionError ? UnansweredRequest(.unsent, end) : end)
            }
            responses.lastStream += 1
            responses.streams[responses.lastStream] = stream
            return .success(responses.lastStream)
        }.get()
    }

    /// Whether the head of a response has arrived on any stream.
    var hasAnswered: Bool { responses.withLock { $0.begun > 0 } }

    /// Records the arrival of the head of a stream's response.
    func beginStream() { responses.withLock { $0.begun += 1 } }

    /// Records that the response is complete, or that the stream ended without a response.
    func closeStream(_ number: Int) { responses.withLock { $0.streams[number] = nil } }
}

#endif
