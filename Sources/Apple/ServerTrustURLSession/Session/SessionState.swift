// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust

/// The cached responses and credentials of tasks with the same delegates. No other task uses them. If one task's
/// delegate accepted a server, its response must not answer another task, and other credentials must not be sent to
/// it.
struct DelegateScope: Sendable {
    /// The mark of these tasks' entries in a cache, because the cache may be shared with tasks that check servers
    /// less strictly.
    let id = UUID().uuidString
    let credentials = CredentialMemory()
    /// The credentials for proxies, which no server receives.
    let proxyCredentials = CredentialMemory()
}

/// The connections, credentials and waiting tasks of one session, for the session's lifetime.
final class SessionState: Sendable {
    /// The largest number of servers whose connections stay open for later tasks.
    static let maximumServers = 256

    let waiting = PendingTasks()
    private let shared = DelegateScope()

    private struct Partition {
        weak var delegate: (any FoundationNetworking.URLSessionTaskDelegate)?
        let scope = DelegateScope()
    }
    /// Connections that tasks still use but that no new task gets.
    private struct DetachedTransport {
        weak var transport: (any SessionTransport)?
    }
    private struct State {
        var partitions: [ObjectIdentifier: Partition] = [:]
        var connections = LeastRecentlyUsedCache<ConnectionKey, any SessionTransport>(
            capacity: SessionState.maximumServers)
        var detached: [DetachedTransport] = []

        /// Removes the state of released delegates, because a new delegate may have the same address.
        mutating func dropOrphans() {
            let orphans = partitions.filter { $0.value.delegate == nil }
            guard !orphans.isEmpty else { return }
            for key in orphans.keys { partitions[key] = nil }
            connections.removeAll { key in key.delegate.map { orphans[$0] != nil } ?? false }
        }

        /// Marks a server's connections as the most recently used, and detaches the connections of the least
        /// recently used servers.
        mutating func use(_ transport: any SessionTransport, to server: ConnectionKey) {
            let evicted = connections.insert(transport, for: server)
            guard !evicted.isEmpty else { return }
            detached.removeAll { $0.transport == nil }
            detached += evicted.map { DetachedTransport(transport: $0) }
        }
    }
    private let state = Locked(State())
    /// The streams of tasks whose bytes go to a sequence instead of a delegate, by the task's identifier, which is
    /// unique within a session.
    private let streams = Locked<[Int: ByteStream]>([:])

    /// Adds a stream. Call this method before the task is resumed.
    func addStream(_ stream: ByteStream, for task: URLSessionTask) {
        streams.withLock { $0[task.taskIdentifier] = stream }
    }

    /// Removes and returns the stream of a task, or returns nil if the task's bytes go elsewhere.
    func takeStream(for task: URLSessionTask) -> ByteStream? {
        streams.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    /// Evaluates the servers of all open connections again, all at the same time, and closes the connections to
    /// servers that are no longer trusted.
    func reevaluate() async {
        let all = state.withLock { $0.connections.values + $0.detached.compactMap(\.transport) }
        await withTaskGroup(of: Void.self) { group in
            for transport in all { group.addTask { await transport.reevaluate() } }
        }
    }

    /// Returns the cached responses and credentials that a task may use.
    /// - Parameter delegate: the task's own delegate, or nil for those of the whole session.
    func scope(for delegate: (any FoundationNetworking.URLSessionTaskDelegate)?) -> DelegateScope {
        state.withLock { state in
            state.dropOrphans()
            guard let delegate else { return shared }
            let partition = state.partitions[ObjectIdentifier(delegate)] ?? Partition(delegate: delegate)
            state.partitions[ObjectIdentifier(delegate)] = partition
            return partition.scope
        }
    }

    /// Returns the connections to a server that a task may use. Keep the object while you use them.
    ///
    /// Each task delegate has separate connections. With shared ones, a server accepted by one task's delegate
    /// could serve another task whose delegate would refuse it and is never called. These connections close when
    /// the delegate is released.
    /// - Parameters:
    ///   - delegate: the task's own delegate, which is also the one in `server`, or nil for the connections of the
    ///     whole session.
    ///   - make: creates connections to the server, with the credentials that they may use.
    func transport(
        to server: ConnectionKey, for delegate: (any FoundationNetworking.URLSessionTaskDelegate)?,
        make: @Sendable (CredentialMemory) -> any SessionTransport
    ) -> any SessionTransport {
        let credentials = scope(for: delegate).credentials
        return state.withLock { state in
            let transport = state.connections.unusedValue(for: server) ?? make(credentials)
            state.use(transport, to: server)
            return transport
        }
    }
}

/// A configuration with a policy, as the tasks of its session see it.
protocol TrustedSessionConfiguration: URLSessionConfiguration, Sendable {
    /// The policy, or nil before the configuration is complete. No task runs without a policy.
    var policy: SessionPolicy? { get }
    /// The app's own protocol classes, in order.
    var appProtocols: [URLProtocol.Type] { get }
    /// The connections, credentials and waiting tasks of the one session that uses this object.
    var state: SessionState { get }
}

#endif
