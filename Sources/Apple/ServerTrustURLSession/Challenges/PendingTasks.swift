// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import FoundationNetworking
import PKIX
import ServerTrust

/// The tasks that wait for a connection, by server. A new connection to a server may serve any of them. The
/// delegate of the task that has waited longest receives the challenges about it.
final class PendingTasks: Sendable {
    private struct Entry {
        let ticket: Int
        let proxy: DelegateProxy
    }
    private struct Queue {
        var entries: [Entry] = []
        /// The number of challenges about the server that a delegate hasn't answered yet.
        var openChallenges = 0

        var isEmpty: Bool { entries.isEmpty && openChallenges == 0 }
    }
    private struct State {
        var queues: [ConnectionKey: Queue] = [:]
        var lastTicket = 0
    }
    private let state = Locked(State())

    /// Changes the queue of a server. Keeps only queues that aren't empty.
    private func update(_ server: ConnectionKey, _ change: (inout Queue) -> Void) {
        state.withLock { state in
            var queue = state.queues[server] ?? Queue()
            change(&queue)
            state.queues[server] = queue.isEmpty ? nil : queue
        }
    }

    func add(_ proxy: DelegateProxy, for server: ConnectionKey) -> Int {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        update(server) { queue in
            queue.entries.append(Entry(ticket: ticket, proxy: proxy))
            for _ in 0..<queue.openChallenges { proxy.limits.pause() }
        }
        return ticket
    }

    func remove(_ ticket: Int, for server: ConnectionKey) {
        update(server) { queue in
            guard let index = queue.entries.firstIndex(where: { $0.ticket == ticket }) else { return }
            let entry = queue.entries.remove(at: index)
            for _ in 0..<queue.openChallenges { entry.proxy.limits.resume() }
        }
    }

    func count(for server: ConnectionKey) -> Int { state.withLock { $0.queues[server]?.entries.count ?? 0 } }

    func longestWaiting(for server: ConnectionKey) -> DelegateProxy? {
        state.withLock { $0.queues[server]?.entries.first?.proxy }
    }

    /// Sends a challenge about a connection to a task's delegate. The idle time of all tasks that wait for the
    /// server is paused meanwhile, because they need the answer too.
    func challengeDelegate(
        _ proxy: DelegateProxy, _ challenge: URLAuthenticationChallenge, about server: ConnectionKey
    ) async -> ChallengeAnswer {
        update(server) { queue in
            queue.openChallenges += 1
            for entry in queue.entries { entry.proxy.limits.pause() }
        }
        defer {
            update(server) { queue in
                queue.openChallenges -= 1
                for entry in queue.entries { entry.proxy.limits.resume() }
            }
        }
        return await proxy.connectionChallenge(challenge)
    }
}

/// The properties that two tasks must have in common to share a connection: the server, and the delegate that takes
/// part in trusting it. The port is one of them because another process may answer on another port.
struct ConnectionKey: Sendable, Hashable {
    let origin: Origin
    /// The task's own delegate, or nil for tasks that only use the session's delegate.
    let delegate: ObjectIdentifier?

    var host: Hostname { origin.host }
    var port: Int { origin.port }
}

#endif
