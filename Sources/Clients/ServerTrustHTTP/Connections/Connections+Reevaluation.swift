// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

extension Connections {
    /// Evaluates by another source from now on; nil for the same one anew. Connections to servers that are not trusted any more are closed,
    /// and those about which there is no verdict within the handshake's time-out. All are asked about at once.
    /// - Returns: the servers whose connections were closed for their verdict.
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
    /// - Returns: the server, if it was refused, when the connection is closed.
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
            // No verdict is not a good one.
            try? await close(error).get()
            return nil
        }
    }
}

extension VerdictSource {
    /// The server of a chain, with a verdict; fails with `ConnectionFailure` if there is no verdict by then.
    func ask(
        about chain: PresentedChain, _ host: Hostname, on eventLoop: any EventLoop, by deadline: NIODeadline
    ) -> EventLoopFuture<EvaluatedServer> {
        let answer = eventLoop.makePromise(of: EvaluatedServer.self)
        let task = Task {
            let verdict = await evaluate(chain, host: host)
            answer.succeed(EvaluatedServer(host: host, presentedChain: chain, verdict: verdict))
        }
        // Whichever comes first; a promise takes one answer and ignores the other.
        let limit = eventLoop.scheduleTask(deadline: deadline) {
            answer.fail(ConnectionFailure(.connectionEvaluationTimedOut, host: host))
            task.cancel()
        }
        return answer.futureResult.always { _ in limit.cancel() }
    }
}
