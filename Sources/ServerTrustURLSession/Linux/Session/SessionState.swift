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

    /// What a session has for itself, for as long as it lives: connections, credentials, and who waits for which host.
    final class SessionState: Sendable {
        let waiting = WaitingTasks()
        private let shared = Belongings()

        private struct Partition {
            weak var delegate: (any URLSessionTaskDelegate)?
            let belongings = Belongings()
            var transport: (any SessionTransport)?
        }
        private struct Transports {
            var shared: (any SessionTransport)?
            var own: [ObjectIdentifier: Partition] = [:]
            var all: [any SessionTransport] { [shared].compactMap(\.self) + own.values.compactMap(\.transport) }

            /// Those of delegates that are gone: another one may come to be at the same address.
            mutating func takeOrphans() -> [any SessionTransport] {
                let orphans = own.filter { $0.value.delegate == nil }
                for key in orphans.keys { own[key] = nil }
                return orphans.values.compactMap(\.transport)
            }
        }
        private let transports = Locked(Transports())

        deinit {
            for transport in transports.withLock({ $0.all }) { transport.shutdown() }
        }

        /// Judges the servers of all open connections anew, and closes those that aren't trusted any more.
        func reevaluate() async {
            for transport in transports.withLock({ $0.all }) { await transport.reevaluate() }
        }

        /// What a task may use of what others before it have kept.
        /// - Parameter delegate: the task's own; nil for what belongs to the whole session.
        func belongings(of delegate: (any URLSessionTaskDelegate)?) -> Belongings {
            guard let delegate else { return shared }
            let (belongings, orphans) = transports.withLock { transports -> (Belongings, [any SessionTransport]) in
                let orphans = transports.takeOrphans()
                let partition = transports.own[ObjectIdentifier(delegate)] ?? Partition(delegate: delegate)
                transports.own[ObjectIdentifier(delegate)] = partition
                return (partition.belongings, orphans)
            }
            for orphan in orphans { orphan.shutdown() }
            return belongings
        }

        /// The connections that a task may use.
        ///
        /// Those that a task's own delegate had a say in are kept apart, by delegate: what one task's delegate accepted another's
        /// might refuse, and would never be asked. They go when the delegate is gone.
        /// - Parameters:
        ///   - delegate: the task's own; nil for the connections of the whole session.
        ///   - make: makes connections for the delegate, with the credentials they may use.
        func transport(
            for delegate: (any URLSessionTaskDelegate)?, make: @Sendable (CredentialMemory) -> any SessionTransport
        ) -> any SessionTransport {
            // Boxed for the closure; the delegate is sendable.
            let (transport, orphans) = transports.withLock {
                transports -> (any SessionTransport, [any SessionTransport]) in
                guard let delegate else {
                    let transport = transports.shared ?? make(shared.credentials)
                    transports.shared = transport
                    return (transport, [])
                }
                let orphans = transports.takeOrphans()
                var partition = transports.own[ObjectIdentifier(delegate)] ?? Partition(delegate: delegate)
                let transport = partition.transport ?? make(partition.belongings.credentials)
                partition.transport = transport
                transports.own[ObjectIdentifier(delegate)] = partition
                return (transport, orphans)
            }
            for orphan in orphans { orphan.shutdown() }
            return transport
        }
    }

    /// Who waits for a connection to which host. A connection is made for a host and may serve any of them; the question whether
    /// to trust it is put to one, the one that has waited longest.
    final class WaitingTasks: Sendable {
        struct Entry: Sendable {
            let ticket: Int
            let host: Hostname
            let partition: ObjectIdentifier?
            let asker: ChallengeAsker
        }
        private let entries = Locked((next: 0, list: [Entry]()))

        func enter(_ host: Hostname, _ partition: ObjectIdentifier?, _ asker: ChallengeAsker) -> Int {
            entries.withLock { entries in
                entries.next += 1
                entries.list.append(Entry(ticket: entries.next, host: host, partition: partition, asker: asker))
                return entries.next
            }
        }

        func leave(_ ticket: Int) {
            entries.withLock { $0.list.removeAll { $0.ticket == ticket } }
        }

        func longest(for host: Hostname, in partition: ObjectIdentifier?) -> ChallengeAsker? {
            entries.withLock { $0.list.first { $0.host == host && $0.partition == partition }?.asker }
        }

        /// The same for connections to an address, which have no name to know them by.
        func longestForAddress(in partition: ObjectIdentifier?) -> ChallengeAsker? {
            entries.withLock { entries in
                entries.list.first { entry in
                    guard case .ip = entry.host.kind else { return false }
                    return entry.partition == partition
                }?.asker
            }
        }
    }
#endif
