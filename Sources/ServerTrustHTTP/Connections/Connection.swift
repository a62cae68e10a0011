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
    private let responses = Locked(Responses())

    /// Numbers of responses, of which one comes at a time.
    private struct Responses {
        /// The last whose head came.
        var begun = 0
        /// The number of responses whose heads were delivered, in any order.
        var delivered = 0
        /// The last that is complete.
        var completed = 0
    }

    init(id: Int, server: EvaluatedServer?, channel: any Channel) {
        self.id = id
        self.server = server
        self.channel = channel
    }

    /// Lets the response of that number take no longer than this.
    func end(_ number: Int, at deadline: NIODeadline) { onEventLoop { $0.end(number, at: deadline) } }

    /// Closes it. A request on it fails with this error.
    /// - Returns: when it is closed.
    func close(_ error: any Error) -> EventLoopFuture<Void> {
        onEventLoop { $0.end(with: error) }
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
        responses.withLock { responses in
            responses.delivered += 1
            return responses.completed >= number
        }
    }

    /// Whether the head of a response is on its way to its request, or never gets there because the request was cancelled.
    var isDelivering: Bool { responses.withLock { $0.delivered < $0.begun } }

    func isCompleted(_ number: Int) -> Bool { responses.withLock { $0.completed >= number } }

    private func onEventLoop(_ body: @escaping @Sendable (ResponseTaggingHandler) -> Void) {
        channel.eventLoop.execute { [channel] in
            // Not there any more if the connection has ended meanwhile.
            guard let exchanges = try? channel.pipeline.syncOperations.handler(type: ResponseTaggingHandler.self) else {
                return
            }
            body(exchanges)
        }
    }
}
