// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

extension Connections {
    /// Replaces the source of verdicts, and evaluates all open connections again. With nil, the source stays the same.
    ///
    /// The method closes connections to servers that are no longer trusted, and connections without a verdict within
    /// the handshake timeout. All evaluations run at the same time.
    /// - Returns: the servers whose connections were closed because of their verdict.
    func reevaluate(by replacement: VerdictSource?) async -> [EvaluatedServer] {
        let (source, open) = state.withLock { state in
            if let replacement { state.source = replacement }
            state.generation += 1
            return (state.source, Array(state.open.values))
        }
        let deadline = NIODeadline.now() + handshakeTimeout
        return await withTaskGroup(of: EvaluatedServer?.self) { group in
            for connection in open {
                group.addTask { await connection.closeUnlessTrusted(by: source, deadline) }
            }
            return await group.reduce(into: []) { refused, server in
                if let server { refused.append(server) }
            }
        }
    }
}

extension Connection {
    /// - Returns: the server if it was refused. The method returns when the connection is closed.
    fileprivate func closeUnlessTrusted(by source: VerdictSource, _ deadline: NIODeadline) async -> EvaluatedServer? {
        guard let server else { return nil }
        do {
            let server = try await source.ask(
                about: server.presentedChain, server.host, on: channel.eventLoop, by: deadline
            ).get()
            guard !server.verdict.isTrusted else { return nil }
            try? await close(TrustRefusal(server.verdict)).get()
            return server
        } catch {
            // A missing verdict doesn't count as a good one.
            try? await close(error).get()
            return nil
        }
    }
}

extension VerdictSource {
    /// Evaluates the server that presented a chain, and returns it with the verdict. Fails with `ConnectionFailure` if
    /// there is no verdict by the deadline.
    func ask(
        about chain: PresentedChain, _ host: Hostname, on eventLoop: any EventLoop, by deadline: NIODeadline
    ) -> EventLoopFuture<EvaluatedServer> {
        let answer = eventLoop.makePromise(of: EvaluatedServer.self)
        let task = Task {
            let verdict = await evaluate(chain, host: host)
            answer.succeed(EvaluatedServer(host: host, presentedChain: chain, verdict: verdict))
        }
        // The first result counts. The promise ignores the second one.
        let limit = eventLoop.scheduleTask(deadline: deadline) {
            answer.fail(ConnectionFailure(.connectionEvaluationTimedOut, host: host))
            task.cancel()
        }
        return answer.futureResult.always { _ in limit.cancel() }
    }
}
