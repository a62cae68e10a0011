// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import NIOConcurrencyHelpers
import NIOCore
import PKIX

/// Looks up names concurrently, each on a separate thread, with a time limit for each caller.
///
/// ```swift
/// let addresses = try await NameLookup.shared.addresses(of: "api.example.com", within: .seconds(5), on: eventLoop).get()
/// ```
/// The system's resolver blocks and can't be interrupted. A name whose servers don't answer occupies a thread for 10
/// seconds or longer. It must not delay other names, as it would in a queue. So each lookup starts a thread, up to a
/// maximum, and the thread ends when no name waits. A caller that times out receives its error at once, while the
/// thread continues. The threads are detached: neither cancellation nor the end of the process waits for them.
///
/// Callers share a running lookup of the same name unless the lookup has taken longer than ``freshness``. In that case,
/// the network may have recovered since the lookup began. Nothing is cached: only the callers that wait for an answer
/// receive it.
package final class NameLookup: Sendable {
    /// The blocking lookup of a name.
    package typealias Resolve = @Sendable (_ name: String) throws(ConnectionFailure) -> [SocketAddress]

    /// The lookup for a program's connections.
    package static let shared = NameLookup()

    /// The maximum age of a lookup that more callers can join.
    ///
    /// A typical resolver gives up after 10 seconds. A dead name that is requested again and again therefore occupies
    /// at most five threads.
    static let freshness = TimeAmount.seconds(2)

    /// The stack size of a thread. It is several times what the C library's resolver and its plug-ins need, and an
    /// eighth of a usual stack.
    private static let stackSize = 1 << 20

    private let maximumThreads: Int
    private let resolve: Resolve
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - maximumThreads: the number of simultaneous lookups. Further names wait. The default is 256, which is far
    ///     more than clients need at once, and a fraction of a process's descriptors.
    ///   - resolve: the lookup of a name. The default uses the system's resolver.
    package init(
        maximumThreads: Int = 256,
        resolve: @escaping Resolve = { name throws(ConnectionFailure) in try SystemNames.addresses(of: name) }
    ) {
        self.maximumThreads = maximumThreads
        self.resolve = resolve
    }

    /// The current number of threads, for tests.
    package var threads: Int { state.withLockedValue { $0.threads } }

    /// Looks up a name.
    /// - Parameters:
    ///   - name: a host name, or an address, which needs no lookup.
    ///   - limit: the time limit from now on, including the time spent waiting for a thread.
    ///   - eventLoop: the event loop of the future.
    /// - Returns: a future with at least one address, in the order to try them, with port 0. It fails with
    ///   ``ConnectionFailure``.
    package func addresses(
        of name: String, within limit: TimeAmount, on eventLoop: any EventLoop
    ) -> EventLoopFuture<[SocketAddress]> {
        if let literal = try? SocketAddress(ipAddress: name, port: 0) {
            return eventLoop.makeSucceededFuture([literal])
        }
        let promise = eventLoop.makePromise(of: [SocketAddress].self)
        let (id, startsThread) = state.withLockedValue { state in
            let (id, isNew) = state.add(promise, for: name)
            guard isNew, state.threads < maximumThreads else { return (id, false) }
            state.threads += 1
            return (id, true)
        }
        let deadline = eventLoop.scheduleTask(in: limit) { [self] in
            state.withLockedValue { $0.remove(promise, from: id) }
            // This has no effect if the answer came first.
            promise.fail(ConnectionFailure(.connectionNameLookupTimedOut, name: name))
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        if startsThread { startThread() }
        return promise.futureResult
    }

    /// Looks up a name. Canceling the task ends the wait at once.
    /// - Parameters:
    ///   - name: a host name, or an address, which needs no lookup.
    ///   - deadline: the deadline, including the time spent waiting for a thread.
    ///   - eventLoop: the event loop that tracks the deadline.
    /// - Returns: at least one address, in the order to try them, with port 0.
    /// - Throws: ``ConnectionFailure``, and `CancellationError`.
    package func addresses(
        of name: String, before deadline: NIODeadline, on eventLoop: any EventLoop
    ) async throws -> [SocketAddress] {
        let answer = eventLoop.makePromise(of: [SocketAddress].self)
        // The first result counts. The promise ignores the second one.
        addresses(of: name, within: deadline - .now(), on: eventLoop).cascade(to: answer)
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(CancellationError())
        }
    }

    private func startThread() {
        let thread = Thread { [self] in
            while let (id, name) = state.withLockedValue({ $0.next() }) {
                let result = Result { () throws(ConnectionFailure) in try resolve(name) }
                for waiter in state.withLockedValue({ $0.end(id) }) {
                    waiter.completeWith(result.mapError { $0 as any Error })
                }
            }
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }
}

extension NameLookup {
    private struct Lookup {
        let name: String
        var waiters: [EventLoopPromise<[SocketAddress]>] = []
        /// The start of the lookup, or nil while it waits for a thread.
        var start: NIODeadline?

        var isFresh: Bool { start.map { .now() - $0 < freshness } ?? true }
    }

    private struct State {
        var threads = 0
        private var lastID = 0
        /// The lookups that wait for a thread or have one.
        private var lookups: [Int: Lookup] = [:]
        /// The latest lookup of each name.
        private var latest: [String: Int] = [:]
        /// The lookups that wait for a thread.
        private var line = CircularBuffer<Int>()

        /// - Returns: the lookup that the promise was added to, and whether it is new and waits for a thread.
        mutating func add(_ promise: EventLoopPromise<[SocketAddress]>, for name: String) -> (id: Int, isNew: Bool) {
            if let id = latest[name], lookups[id]?.isFresh == true {
                lookups[id]?.waiters.append(promise)
                return (id, false)
            }
            lastID += 1
            lookups[lastID] = Lookup(name: name, waiters: [promise])
            latest[name] = lastID
            line.append(lastID)
            return (lastID, true)
        }

        /// Removes a waiter that ran out of time.
        mutating func remove(_ promise: EventLoopPromise<[SocketAddress]>, from id: Int) {
            lookups[id]?.waiters.removeAll { $0.futureResult === promise.futureResult }
        }

        /// Returns the next lookup with waiting callers. Nil without such a lookup, and the thread then ends.
        mutating func next() -> (id: Int, name: String)? {
            while let id = line.popFirst() {
                guard let lookup = lookups[id], !lookup.waiters.isEmpty else {
                    _ = end(id)
                    continue
                }
                lookups[id]?.start = .now()
                return (id, lookup.name)
            }
            threads -= 1
            return nil
        }

        /// - Returns: the promises to complete.
        mutating func end(_ id: Int) -> [EventLoopPromise<[SocketAddress]>] {
            guard let lookup = lookups.removeValue(forKey: id) else { return [] }
            if latest[lookup.name] == id { latest[lookup.name] = nil }
            return lookup.waiters
        }
    }
}

#endif
