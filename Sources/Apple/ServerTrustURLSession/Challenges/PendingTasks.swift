// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import FoundationNetworking
import PKIX

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

    func add(_ proxy: DelegateProxy, for server: ConnectionKey) -> Int {
        state.withLock { state in
            state.lastTicket += 1
            var queue = state.queues[server] ?? Queue()
            queue.entries.append(Entry(ticket: state.lastTicket, proxy: proxy))
            for _ in 0..<queue.openChallenges { proxy.limits.pause() }
            state.queues[server] = queue
            return state.lastTicket
        }
    }

    func remove(_ ticket: Int, for server: ConnectionKey) {
        state.withLock { state in
            guard var queue = state.queues[server] else { return }
            if let index = queue.entries.firstIndex(where: { $0.ticket == ticket }) {
                let entry = queue.entries.remove(at: index)
                for _ in 0..<queue.openChallenges { entry.proxy.limits.resume() }
            }
            state.queues[server] = queue.isEmpty ? nil : queue
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
        state.withLock { state in
            var queue = state.queues[server] ?? Queue()
            queue.openChallenges += 1
            for entry in queue.entries { entry.proxy.limits.pause() }
            state.queues[server] = queue
        }
        defer {
            state.withLock { state in
                guard var queue = state.queues[server] else { return }
                queue.openChallenges -= 1
                for entry in queue.entries { entry.proxy.limits.resume() }
                state.queues[server] = queue.isEmpty ? nil : queue
            }
        }
        return await proxy.connectionChallenge(challenge)
    }
}
#endif
