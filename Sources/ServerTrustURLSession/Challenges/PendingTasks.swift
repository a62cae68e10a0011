// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import FoundationNetworking
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
        private struct Line {
            var entries: [Entry] = []
            /// How many questions about the server a delegate thinks about.
            var questions = 0

            var isOver: Bool { entries.isEmpty && questions == 0 }
        }
        private struct State {
            var lines: [Server: Line] = [:]
            var lastTicket = 0
        }
        private let state = Locked(State())

        func enter(_ server: Server, _ asker: ChallengeAsker) -> Int {
            state.withLock { state in
                state.lastTicket += 1
                var line = state.lines[server] ?? Line()
                line.entries.append(Entry(ticket: state.lastTicket, asker: asker))
                for _ in 0..<line.questions { asker.limits.pause() }
                state.lines[server] = line
                return state.lastTicket
            }
        }

        func leave(_ server: Server, _ ticket: Int) {
            state.withLock { state in
                guard var line = state.lines[server] else { return }
                if let index = line.entries.firstIndex(where: { $0.ticket == ticket }) {
                    let entry = line.entries.remove(at: index)
                    for _ in 0..<line.questions { entry.asker.limits.resume() }
                }
                state.lines[server] = line.isOver ? nil : line
            }
        }

        func count(for server: Server) -> Int { state.withLock { $0.lines[server]?.entries.count ?? 0 } }

        func longest(for server: Server) -> ChallengeAsker? {
            state.withLock { $0.lines[server]?.entries.first?.asker }
        }

        /// Asks about a connection to the server. The time of those who wait for one doesn't run while the delegate thinks: the answer
        /// is theirs as well.
        func ask(
            _ asker: ChallengeAsker, _ challenge: URLAuthenticationChallenge, about server: Server
        ) async -> ChallengeAnswer {
            state.withLock { state in
                var line = state.lines[server] ?? Line()
                line.questions += 1
                for entry in line.entries { entry.asker.limits.pause() }
                state.lines[server] = line
            }
            defer {
                state.withLock { state in
                    guard var line = state.lines[server] else { return }
                    line.questions -= 1
                    for entry in line.entries { entry.asker.limits.resume() }
                    state.lines[server] = line.isOver ? nil : line
                }
            }
            return await asker.askAboutConnection(challenge)
        }
    }
#endif
