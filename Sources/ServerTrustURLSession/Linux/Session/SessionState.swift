#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX

    /// What a session has for itself, for as long as it lives: connections, credentials, and who waits for which host.
    final class SessionState: Sendable {
        /// Marks what this session put into a cache: a cache may be shared with sessions that ask less of a server.
        let mark = UUID().uuidString
        let credentials = CredentialMemory()
        let waiting = WaitingTasks()

        private struct Partition {
            weak var delegate: (any URLSessionTaskDelegate)?
            let transport: any SessionTransport
        }
        private struct Transports {
            var shared: (any SessionTransport)?
            var own: [ObjectIdentifier: Partition] = [:]
        }
        private let transports = Locked(Transports())

        deinit {
            let all = transports.withLock { [$0.shared].compactMap(\.self) + $0.own.values.map(\.transport) }
            for transport in all { transport.shutdown() }
        }

        /// The connections that a task may use.
        ///
        /// Those that a task's own delegate had a say in are kept apart, by delegate: what one task's delegate accepted another's
        /// might refuse, and would never be asked. They go when the delegate is gone.
        /// - Parameters:
        ///   - delegate: the task's own; nil for the connections of the whole session.
        ///   - make: makes connections for the delegate.
        func transport(
            for delegate: (any URLSessionTaskDelegate)?, make: @Sendable () -> any SessionTransport
        ) -> any SessionTransport {
            // Boxed for the closure; the delegate is sendable.
            let (transport, orphans) = transports.withLock {
                transports -> (any SessionTransport, [any SessionTransport]) in
                guard let delegate else {
                    let transport = transports.shared ?? make()
                    transports.shared = transport
                    return (transport, [])
                }
                let orphans = transports.own.filter { $0.value.delegate == nil }
                for key in orphans.keys { transports.own[key] = nil }
                let key = ObjectIdentifier(delegate)
                let transport = transports.own[key]?.transport ?? make()
                transports.own[key] = Partition(delegate: delegate, transport: transport)
                return (transport, orphans.values.map(\.transport))
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
