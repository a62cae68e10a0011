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
        struct Entry: Sendable {
            let ticket: Int
            let server: Server
            let asker: ChallengeAsker
        }
        private let entries = Locked((next: 0, list: [Entry]()))

        func enter(_ server: Server, _ asker: ChallengeAsker) -> Int {
            entries.withLock { entries in
                entries.next += 1
                entries.list.append(Entry(ticket: entries.next, server: server, asker: asker))
                return entries.next
            }
        }

        func leave(_ ticket: Int) {
            entries.withLock { $0.list.removeAll { $0.ticket == ticket } }
        }

        func longest(for server: Server) -> ChallengeAsker? {
            entries.withLock { $0.list.first { $0.server == server }?.asker }
        }
    }
#endif
