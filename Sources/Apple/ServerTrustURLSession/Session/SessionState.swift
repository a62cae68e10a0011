// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX
    import TrustSupport

    /// The cached responses and credentials of the tasks with the same delegates, shared with no other task: a response from a server
    /// that one task's delegate accepted is no answer to another task, and credentials for one server are not for a server that only
    /// a task's delegate accepts.
    struct DelegateScope: Sendable {
        /// Marks these tasks' entries in a cache: a cache may be shared with tasks that ask less of a server.
        let id = UUID().uuidString
        let credentials = CredentialMemory()
    }

    /// The connections, credentials and waiting tasks of one session, for as long as it lives.
    final class SessionState: Sendable {
        /// Servers whose connections are kept for later tasks.
        static let maximumServers = 256

        let waiting = PendingTasks()
        private let shared = DelegateScope()

        private struct Partition {
            weak var delegate: (any FoundationNetworking.URLSessionTaskDelegate)?
            let scope = DelegateScope()
        }
        /// Connections that tasks still use, and that no further task gets.
        private struct DetachedTransport {
            weak var transport: (any SessionTransport)?
        }
        private struct State {
            var partitions: [ObjectIdentifier: Partition] = [:]
            var connections = LeastRecentlyUsedCache<ConnectionKey, any SessionTransport>(
                capacity: SessionState.maximumServers)
            var detached: [DetachedTransport] = []

            /// Drops the state of delegates that are gone: another one may come to be at the same address.
            mutating func dropOrphans() {
                let orphans = partitions.filter { $0.value.delegate == nil }
                guard !orphans.isEmpty else { return }
                for key in orphans.keys { partitions[key] = nil }
                connections.removeAll { key in key.delegate.map { orphans[$0] != nil } ?? false }
            }

            /// Keeps a server's connections as the ones used last, and detaches those of servers that were used longest ago.
            mutating func use(_ transport: any SessionTransport, to server: ConnectionKey) {
                let evicted = connections.insert(transport, for: server)
                guard !evicted.isEmpty else { return }
                detached.removeAll { $0.transport == nil }
                detached += evicted.map { DetachedTransport(transport: $0) }
            }
        }
        private let state = Locked(State())
        /// By the tasks' identifiers, which are a session's own, those whose bytes go to a sequence and not to a delegate.
        private let streams = Locked<[Int: ByteStream]>([:])

        /// To be called before the task is resumed.
        func addStream(_ stream: ByteStream, for task: URLSessionTask) {
            streams.withLock { $0[task.taskIdentifier] = stream }
        }

        /// The stream of a task, once; nil for a task whose bytes go elsewhere.
        func takeStream(for task: URLSessionTask) -> ByteStream? {
            streams.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        }

        /// Evaluates the servers of all open connections anew, all at once, and closes those that aren't trusted any more.
        func reevaluate() async {
            let all = state.withLock { $0.connections.values + $0.detached.compactMap(\.transport) }
            await withTaskGroup(of: Void.self) { group in
                for transport in all { group.addTask { await transport.reevaluate() } }
            }
        }

        /// The cached responses and credentials that a task may use.
        /// - Parameter delegate: the task's own; nil for those of the whole session.
        func scope(for delegate: (any FoundationNetworking.URLSessionTaskDelegate)?) -> DelegateScope {
            state.withLock { state in
                state.dropOrphans()
                guard let delegate else { return shared }
                let partition = state.partitions[ObjectIdentifier(delegate)] ?? Partition(delegate: delegate)
                state.partitions[ObjectIdentifier(delegate)] = partition
                return partition.scope
            }
        }

        /// The connections to a server that a task may use: to be held for as long as they are used.
        ///
        /// Those that a task's own delegate had a say in are kept apart, by delegate: a server that one task's delegate accepted another's
        /// might refuse, and would never be asked. They go when the delegate is gone.
        /// - Parameters:
        ///   - delegate: the task's own, the one in `server`; nil for the connections of the whole session.
        ///   - make: makes connections to the server, with the credentials they may use.
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
#endif
