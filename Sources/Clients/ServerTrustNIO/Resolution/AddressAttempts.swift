// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PKIX

/// The attempts to connect to a peer's addresses side by side (RFC 8305).
///
/// NIO makes the attempts. IPv6 and IPv4 take turns, and IPv6 is first. The next attempt begins 250 ms after the last
/// one, or at once if no attempt is under way because all have failed. The first established connection counts, and NIO
/// closes the others. NIO's error for a timeout doesn't name the addresses, and NIO can't cancel. So a handler in each
/// channel records its attempt, and cancellation ends all of them.
package final class AddressAttempts: Sendable {
    private struct State {
        var started: [(address: SocketAddress, result: Result<Void, any Error>?)] = []
        var pending: [Int: any Channel] = [:]
        var isCanceled = false
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// The attempts so far, in the order in which they began.
    package var all: [AddressAttempt] {
        let started = state.withLockedValue { $0.started }
        let isOver = started.contains { if case .success = $0.result { true } else { false } }
        return started.map { address, result in
            let outcome: AddressAttempt.Outcome =
                switch result {
                case .success: .connected
                // NIO closes the other channels when it has a connection, and when the time is over.
                case nil, .failure(is ChannelError): isOver ? .overtaken : .unanswered
                case .failure(let error): .failed(ConnectionFailure.text(error))
                }
            return AddressAttempt(address: ConnectionFailure.text(address), outcome: outcome)
        }
    }

    /// The address that accepted the connection, or nil before that. Unlike the channel's own address, it stays known
    /// after the connection closes.
    package var connected: SocketAddress? {
        state.withLockedValue { state in
            state.started.first { if case .success = $0.result { true } else { false } }?.address
        }
    }

    /// Ends all attempts, and prevents further ones.
    func cancel() {
        let channels = state.withLockedValue { state in
            state.isCanceled = true
            return Array(state.pending.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// - Returns: the number of the attempt, or nil after ``cancel()``.
    fileprivate func begin(_ address: SocketAddress, _ channel: any Channel) -> Int? {
        state.withLockedValue { state in
            guard !state.isCanceled else { return nil }
            state.started.append((address, nil))
            state.pending[state.started.count - 1] = channel
            return state.started.count - 1
        }
    }

    fileprivate func end(_ number: Int, _ result: Result<Void, any Error>) {
        state.withLockedValue { state in
            state.started[number].result = result
            state.pending[number] = nil
        }
    }

    /// Returns the failure of a connection whose attempts have all failed, with the result of each one. Nil without an
    /// attempt.
    package func failure(of host: Hostname?, port: Int?) -> ConnectionFailure? {
        let all = self.all
        guard !all.isEmpty else { return nil }
        var failure = ConnectionFailure(
            all.contains { $0.outcome == .unanswered } ? .connectionTimedOut : .connectionUnreachable, host: host,
            port: port, detail: all.map(\.description).joined(separator: "; "))
        failure.attempts = all
        return failure
    }

    /// Returns the error of a connection. For a timeout, the result contains the result of each attempt. After
    /// ``cancel()``, it is `CancellationError`.
    fileprivate func error(_ error: any Error) -> any Error {
        guard !state.withLockedValue({ $0.isCanceled }) else { return CancellationError() }
        guard case ChannelError.connectTimeout = error else { return error }
        return failure(of: nil, port: nil) ?? error
    }
}

extension ClientBootstrap {
    /// Connects to the addresses of a host side by side, with the bootstrap's resolver. Canceling the task ends the
    /// attempts. It doesn't end a lookup by the bootstrap's resolver.
    /// - Parameters:
    ///   - attempts: records the attempts.
    ///   - initializer: adds the handlers of a channel. It runs for each attempt.
    /// - Throws: ``ConnectionFailure`` if the time is over after the first attempt began. `CancellationError`, and NIO's
    ///   errors.
    package func connect<Output: Sendable>(
        to peer: (host: String, port: Int), _ attempts: AddressAttempts,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Output>
    ) async throws -> Output {
        try await withTaskCancellationHandler {
            do {
                return try await connect(host: peer.host, port: peer.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AttemptHandler(attempts))
                    }.flatMap { initializer(channel) }
                }
            } catch {
                throw attempts.error(error)
            }
        } onCancel: {
            attempts.cancel()
        }
    }
}

extension [SocketAddress] {
    /// Returns the address that first accepts a connection, for a client that can only connect to one address. Closes
    /// that connection. If there is only one address, returns it without a connection.
    /// - Parameters:
    ///   - limit: the time limit for all attempts.
    ///   - attempts: records the attempts.
    /// - Throws: `NIOConnectionError` if every address fails. ``ConnectionFailure`` if none answers in time.
    ///   `CancellationError`.
    package func firstToAccept(
        port: Int, within limit: TimeAmount, on eventLoop: any EventLoop,
        _ attempts: AddressAttempts = AddressAttempts()
    ) async throws -> SocketAddress {
        if count == 1 { return self[0] }
        let channel = try await ClientBootstrap(group: eventLoop).connectTimeout(limit)
            .resolver(ConcurrentNameResolver(self, on: eventLoop))
            .connect(to: ("the known addresses", port), attempts) { $0.eventLoop.makeSucceededFuture($0) }
        channel.close(promise: nil)
        guard let address = attempts.connected else { throw ChannelError.ioOnClosedChannel }
        return address
    }
}

/// Records the attempt of a channel, and leaves the channel.
private final class AttemptHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = ByteBuffer

    private let attempts: AddressAttempts

    init(_ attempts: AddressAttempts) { self.attempts = attempts }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        let result = promise ?? context.eventLoop.makePromise()
        guard let number = attempts.begin(address, context.channel) else {
            // NIO expects that a channel closes itself if it can't connect.
            context.close(promise: nil)
            return result.fail(CancellationError())
        }
        // This runs before NIO's own callback, which comes later.
        result.futureResult.whenComplete { [attempts] in attempts.end(number, $0) }
        context.connect(to: address, promise: result)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

#endif
