// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX

    /// What tasks keep that ask the same delegates about a server, and share with nobody else: what came from a server that one
    /// task's delegate accepted is no answer to another task, and what one server was given is not for a server that only a
    /// task's delegate accepts.
    struct Belongings: Sendable {
        /// Marks what these tasks put into a cache: a cache may be shared with tasks that ask less of a server.
        let mark = UUID().uuidString
        let credentials = CredentialMemory()
    }

    /// What a session has for itself, for as long as it lives: connections, credentials, and who waits for which server.
    final class SessionState: Sendable {
        /// Servers whose connections are kept for later tasks.
        static let maximumServers = 256

        let waiting = WaitingTasks()
        private let shared = Belongings()

        private struct Partition {
            weak var delegate: (any URLSessionTaskDelegate)?
            let belongings = Belongings()
        }
        private struct Connections {
            let transport: any SessionTransport
            var lastUse: Int
        }
        /// Connections that tasks still use, and that no further task gets.
        private struct LetGo {
            weak var transport: (any SessionTransport)?
        }
        private struct State {
            var partitions: [ObjectIdentifier: Partition] = [:]
            var connections: [Server: Connections] = [:]
            var letGo: [LetGo] = []
            var uses = 0

            /// Drops what belongs to delegates that are gone: another one may come to be at the same address.
            mutating func dropOrphans() {
                let orphans = partitions.filter { $0.value.delegate == nil }
                guard !orphans.isEmpty else { return }
                for key in orphans.keys { partitions[key] = nil }
                connections = connections.filter { entry in entry.key.delegate.map { orphans[$0] == nil } ?? true }
            }

            /// Lets go of the servers that were used longest ago.
            mutating func trim() {
                while connections.count > SessionState.maximumServers,
                    let oldest = connections.min(by: { $0.value.lastUse < $1.value.lastUse })
                {
                    letGo.append(LetGo(transport: oldest.value.transport))
                    connections[oldest.key] = nil
                    letGo.removeAll { $0.transport == nil }
                }
            }
        }
        private let state = Locked(State())

        /// Judges the servers of all open connections anew, all at once, and closes those that aren't trusted any more.
        func reevaluate() async {
            let all = state.withLock { $0.connections.values.map(\.transport) + $0.letGo.compactMap(\.transport) }
            await withTaskGroup(of: Void.self) { group in
                for transport in all { group.addTask { await transport.reevaluate() } }
            }
        }

        /// What a task may use of what others before it have kept.
        /// - Parameter delegate: the task's own; nil for what belongs to the whole session.
        func belongings(of delegate: (any URLSessionTaskDelegate)?) -> Belongings {
            state.withLock { state in
                state.dropOrphans()
                guard let delegate else { return shared }
                let partition = state.partitions[ObjectIdentifier(delegate)] ?? Partition(delegate: delegate)
                state.partitions[ObjectIdentifier(delegate)] = partition
                return partition.belongings
            }
        }

        /// The connections to a server that a task may use: to be held for as long as they are used.
        ///
        /// Those that a task's own delegate had a say in are kept apart, by delegate: what one task's delegate accepted another's
        /// might refuse, and would never be asked. They go when the delegate is gone.
        /// - Parameters:
        ///   - delegate: the task's own, the one in `server`; nil for the connections of the whole session.
        ///   - make: makes connections to the server, with the credentials they may use.
        func transport(
            to server: Server, for delegate: (any URLSessionTaskDelegate)?,
            make: @Sendable (CredentialMemory) -> any SessionTransport
        ) -> any SessionTransport {
            let credentials = belongings(of: delegate).credentials
            return state.withLock { state in
                state.uses += 1
                let transport = state.connections[server]?.transport ?? make(credentials)
                state.connections[server] = Connections(transport: transport, lastUse: state.uses)
                state.trim()
                return transport
            }
        }
    }
#endif
