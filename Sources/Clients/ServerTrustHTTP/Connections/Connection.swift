// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// A connection that is up.
final class Connection: Sendable {
    /// Unique in its client.
    let id: Int
    /// The server at its other end, which was trusted when the connection was made; nil for one in the clear.
    let server: EvaluatedServer?
    let channel: any Channel
    /// Whether its responses come on streams of HTTP/2, several at a time.
    let isHTTP2: Bool
    private let responses = Locked(Responses())

    /// Numbers of responses. With HTTP/1.1 one comes at a time; with HTTP/2 each stream has a number.
    private struct Responses {
        /// The last whose head came; with HTTP/2, the number of heads that came.
        var begun = 0
        /// The number of responses whose heads were delivered, in any order.
        var delivered = 0
        /// The last that is complete; HTTP/1.1 only.
        var completed = 0
        /// By number, the streams whose response isn't complete; HTTP/2 only.
        var streams: [Int: any Channel] = [:]
        var lastStream = 0
        /// The error that the connection is closed with; HTTP/2 only.
        var end: (any Error)?
    }

    init(id: Int, server: EvaluatedServer?, channel: any Channel, isHTTP2: Bool = false) {
        self.id = id
        self.server = server
        self.channel = channel
        self.isHTTP2 = isHTTP2
    }

    /// Lets the response of that number take no longer than this.
    func end(_ number: Int, at deadline: NIODeadline) {
        guard isHTTP2 else { return onEventLoop { $0.end(number, at: deadline) } }
        guard let stream = responses.withLock({ $0.streams[number] }) else { return }
        Self.onEventLoop(of: stream) { (handler: StreamTaggingHandler) in handler.end(at: deadline) }
    }

    /// Closes it. The requests on it fail with this error.
    /// - Returns: when it is closed.
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
        channel.eventLoop.execute { [channel] in
            // Without TLS's farewell, for which it would be read on.
            if let tls = channel.pipeline.syncOperations.tls {
                tls.close(mode: .all, promise: nil)
            } else {
                channel.close(promise: nil)
            }
        }
        return channel.closeFuture
    }

    func begin() -> Int {
        responses.withLock {
            $0.begun += 1
            return $0.begun
        }
    }

    func complete() { responses.withLock { $0.completed = $0.begun } }

    /// - Returns: whether the response of that number is complete.
    func deliver(_ number: Int) -> Bool {
        responses.withLock { [isHTTP2] responses in
            responses.delivered += 1
            return isHTTP2 ? responses.streams[number] == nil : responses.completed >= number
        }
    }

    /// Whether the head of a response is on its way to its request, or never gets there because the request was canceled.
    var isDelivering: Bool { responses.withLock { $0.delivered < $0.begun } }

    func isCompleted(_ number: Int) -> Bool { responses.withLock { $0.completed >= number } }

    private func onEventLoop(_ body: @escaping @Sendable (ResponseTaggingHandler) -> Void) {
        Self.onEventLoop(of: channel, body)
    }

    private static func onEventLoop<Handler: ChannelHandler & SendableMetatype>(
        of channel: any Channel, _ body: @escaping @Sendable (Handler) -> Void
    ) {
        channel.eventLoop.execute {
            // Not there any more if the connection or the stream has ended meanwhile.
            guard let handler = try? channel.pipeline.syncOperations.handler(type: Handler.self) else { return }
            body(handler)
        }
    }
}

// MARK: - Streams of HTTP/2

extension Connection {
    /// - Returns: the number of the stream's response.
    /// - Throws: the error that the connection is about to be closed with.
    func openStream(_ stream: any Channel) throws -> Int {
        try responses.withLock { responses -> Result<Int, any Error> in
            if let end = responses.end { return .failure(end) }
            responses.lastStream += 1
            responses.streams[responses.lastStream] = stream
            return .success(responses.lastStream)
        }.get()
    }

    /// Whether the head of a response has come on any stream.
    var hasAnswered: Bool { responses.withLock { $0.begun > 0 } }

    /// The head of a stream's response is here.
    func beginStream() { responses.withLock { $0.begun += 1 } }

    /// The response is complete, or the stream has ended without.
    func closeStream(_ number: Int) { responses.withLock { $0.streams[number] = nil } }
}
