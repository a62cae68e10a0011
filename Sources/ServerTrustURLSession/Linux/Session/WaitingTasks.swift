#if canImport(FoundationNetworking)
    import PKIX

    /// What has connections of its own: a server, as one delegate (or the session) sees it. Nothing that was found out or decided
    /// about one port holds for another, where somebody else may answer.
    struct Server: Sendable, Hashable {
        let host: Hostname
        let port: Int
        /// The task's own delegate; nil for the session's tasks without one.
        let delegate: ObjectIdentifier?
    }

    /// Who waits for a connection to which server. A connection is made for a server and may serve any of them; the question
    /// whether to trust it is put to one, the one that has waited longest.
    final class WaitingTasks: Sendable {
        private struct Entry {
            let ticket: Int
            let asker: ChallengeAsker
        }
        private let entries = Locked((next: 0, servers: [Server: [Entry]]()))

        func enter(_ server: Server, _ asker: ChallengeAsker) -> Int {
            entries.withLock { entries in
                entries.next += 1
                entries.servers[server, default: []].append(Entry(ticket: entries.next, asker: asker))
                return entries.next
            }
        }

        /// - Returns: whether nobody else waits for the server.
        func leave(_ server: Server, _ ticket: Int) -> Bool {
            entries.withLock { entries in
                entries.servers[server]?.removeAll { $0.ticket == ticket }
                guard entries.servers[server]?.isEmpty ?? true else { return false }
                entries.servers[server] = nil
                return true
            }
        }

        func longest(for server: Server) -> ChallengeAsker? {
            entries.withLock { $0.servers[server]?.first?.asker }
        }
    }
#endif
