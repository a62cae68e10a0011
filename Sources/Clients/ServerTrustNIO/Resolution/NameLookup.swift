// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
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

/// The system's resolver, which uses files, DNS and the machine's other sources.
package enum SystemNames {
    /// Returns the addresses of a name without duplicates, in the order to try them (RFC 6724), with port 0.
    ///
    /// Blocks its thread until the resolver answers. This takes as long as the resolver's configuration allows, and
    /// can't be interrupted.
    /// - Throws: ``ConnectionFailure`` if there is no address.
    package static func addresses(of name: String) throws(ConnectionFailure) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        #if canImport(Glibc)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        // Safe: the call copies the name, and the list is freed once, below.
        let status = unsafe getaddrinfo(name, nil, &hints, &first)
        guard status == 0 else { throw error(status, name) }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = unsafe first
        while let entry = unsafe next {
            unsafe next = entry.pointee.ai_next
            guard let address = unsafe address(entry.pointee), !addresses.contains(address) else { continue }
            addresses.append(address)
        }
        guard !addresses.isEmpty else { throw ConnectionFailure(.connectionNameNotResolved, name: name) }
        return addresses
    }

    private static func error(_ status: Int32, _ name: String) -> ConnectionFailure {
        switch status {
        case EAI_NONAME: ConnectionFailure(.connectionNameNotResolved, name: name)
        case EAI_AGAIN: ConnectionFailure(.connectionNameServerFailed, name: name)
        // Safe: the message for a status ends with a zero byte, and is copied here.
        default:
            unsafe ConnectionFailure(
                .connectionNameNotResolved, name: name, detail: String(cString: gai_strerror(status)))
        }
    }

    /// Copies an address if its family is IPv4 or IPv6.
    private static func address(_ entry: addrinfo) -> SocketAddress? {
        guard let raw = unsafe UnsafeRawPointer(entry.ai_addr) else { return nil }
        // Safe: the family identifies the structure, and the length shows that it is complete.
        let size = unsafe Int(entry.ai_addrlen)
        switch unsafe entry.ai_family {
        case AF_INET where size >= MemoryLayout<sockaddr_in>.size:
            return unsafe SocketAddress(raw.loadUnaligned(as: sockaddr_in.self))
        case AF_INET6 where size >= MemoryLayout<sockaddr_in6>.size:
            return unsafe SocketAddress(raw.loadUnaligned(as: sockaddr_in6.self))
        default: return nil
        }
    }
}

/// A resolver for NIO's bootstraps that looks up names concurrently.
///
/// ```swift
/// let bootstrap = ClientBootstrap(group: group).resolver(ConcurrentNameResolver())
/// ```
/// NIO's own resolver has one queue for each event loop. If a name's servers don't answer, all later names in the queue
/// wait. This resolver calls the system's resolver on a separate thread for each name, so a name only waits for its own
/// servers. Each lookup has its own time limit.
///
/// The bootstrap tries the addresses side by side (RFC 8305), at most 16 of each family.
///
/// If a name isn't found, the connection fails with `NIOConnectionError`, which contains a ``ConnectionFailure``.
public struct ConcurrentNameResolver: Resolver, Sendable {
    private let answer: @Sendable (_ host: String) -> EventLoopFuture<[SocketAddress]>

    /// - Parameter limit: the longest time for the lookup of a name. The default is 10 seconds.
    public init(limit: Duration = .seconds(10)) { self.init(limit: TimeAmount(clamping: limit), .shared) }

    package init(limit: TimeAmount, _ lookup: NameLookup) {
        // The bootstrap accepts answers from any event loop.
        answer = { lookup.addresses(of: $0, within: limit, on: MultiThreadedEventLoopGroup.singleton.any()) }
    }

    /// Returns known addresses for every name, so that NIO connects to one of them.
    package init(_ addresses: [SocketAddress], on eventLoop: any EventLoop) {
        answer = { _ in eventLoop.makeSucceededFuture(addresses) }
    }

    // One lookup serves both queries.

    public func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        answer(host).map { $0.only(.inet6, port: port) }
    }

    public func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        answer(host).map { $0.only(.inet, port: port) }
    }

    /// Does nothing, because the system's resolver can't be interrupted.
    public func cancelQueries() {}
}

extension [SocketAddress] {
    /// The largest number of addresses of a family to connect to. Within 10 seconds, attempts to 40 silent addresses
    /// can begin, 250 ms apart.
    fileprivate static var mostOfFamily: Int { 16 }

    /// Returns the first addresses of a family, with a port.
    fileprivate func only(_ family: NIOBSDSocket.ProtocolFamily, port: Int) -> [SocketAddress] {
        filter { $0.protocol == family }.prefix(Self.mostOfFamily).map { $0.at(port: port) }
    }
}

extension SocketAddress {
    /// Returns the address with a different port.
    fileprivate func at(port: Int) -> SocketAddress {
        var address = self
        address.port = port
        return address
    }
}

#endif
