// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOConcurrencyHelpers
import NIOCore
import PKIX

/// Looks names up side by side, each in a thread of its own, with a limit for each caller.
///
/// ```swift
/// let addresses = try await NameLookup.shared.addresses(of: "api.example.com", within: .seconds(5), on: eventLoop).get()
/// ```
/// The system's resolver blocks and can't be interrupted: a name whose servers are silent keeps a thread for 10 seconds and longer. One such
/// name must not hold up another, as it does in a queue. So a thread is started for each name that is looked up, up to a maximum, and ends
/// when no name waits; a caller whose time is over gets its error at once, and the thread is left behind. The threads are detached: neither
/// cancellation nor the end of the process waits for them.
///
/// A name that is being looked up isn't looked up again for another caller, unless that look-up has gone on for ``freshness``: it may be one
/// of before the network was mended. Nothing is remembered: each answer serves those who wait for it and no one later.
package final class NameLookup: Sendable {
    /// The blocking look-up of a name.
    package typealias Resolve = @Sendable (_ name: String) throws(ConnectionFailure) -> [SocketAddress]

    /// The look-up for connections that a program makes.
    package static let shared = NameLookup()

    /// The age up to which a look-up takes further callers: with the 10 seconds that a usual resolver gives up after, a dead name that is asked
    /// for again and again keeps five threads at most.
    static let freshness = TimeAmount.seconds(2)

    /// The stack of a thread: several times the need of the C library's resolver and its plug-ins, an eighth of a usual stack.
    private static let stackSize = 1 << 20

    private let maximumThreads: Int
    private let resolve: Resolve
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - maximumThreads: names that are looked up at the same time; further ones wait in line. 256 unless given: far more than clients ask
    ///     for at once, and a fraction of the descriptors of a process.
    ///   - resolve: the look-up; the system's unless given.
    package init(
        maximumThreads: Int = 256,
        resolve: @escaping Resolve = { name throws(ConnectionFailure) in try SystemNames.addresses(of: name) }
    ) {
        self.maximumThreads = maximumThreads
        self.resolve = resolve
    }

    /// The number of threads now; for tests.
    package var threads: Int { state.withLockedValue { $0.threads } }

    /// Looks a name up.
    /// - Parameters:
    ///   - name: a host name, or an address, which is answered without a look-up.
    ///   - limit: from now on, time in line included.
    ///   - eventLoop: where the future completes.
    /// - Returns: at least one address, in the order in which to try them, with port 0. Fails with ``ConnectionFailure``.
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
            // Without effect if the answer came first.
            promise.fail(ConnectionFailure(.connectionNameLookupTimedOut, name: name))
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        if startsThread { startThread() }
        return promise.futureResult
    }

    /// Looks a name up, unless the task is canceled, which ends the wait at once.
    /// - Parameters:
    ///   - name: a host name, or an address, which is answered without a look-up.
    ///   - deadline: time in line included.
    ///   - eventLoop: where the time is kept.
    /// - Returns: at least one address, in the order in which to try them, with port 0.
    /// - Throws: ``ConnectionFailure``; `CancellationError`.
    package func addresses(
        of name: String, before deadline: NIODeadline, on eventLoop: any EventLoop
    ) async throws -> [SocketAddress] {
        let answer = eventLoop.makePromise(of: [SocketAddress].self)
        // Whichever comes first; a promise takes one answer and ignores the other.
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
        /// nil while it waits for a thread.
        var start: NIODeadline?

        var isFresh: Bool { start.map { .now() - $0 < freshness } ?? true }
    }

    private struct State {
        var threads = 0
        private var lastID = 0
        /// Those that wait for a thread and those that have one.
        private var lookups: [Int: Lookup] = [:]
        /// The latest look-up of each name.
        private var latest: [String: Int] = [:]
        /// Those that wait for a thread.
        private var line = CircularBuffer<Int>()

        /// - Returns: the look-up that the promise was added to, and whether it is new and stands in line.
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

        /// Returns the next look-up that is still waited for; nil if there is none, and the thread ends.
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
