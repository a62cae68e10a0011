// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustURLSession

@Suite("Reevaluation of open connections")
struct ReevaluationTests {
    private func session(
        _ lab: SessionLab, _ manager: ServerTrustManager, delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        URLSession(
            configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                SessionLab.configuration(manager, lab.server.certificates), connectingTo: lab.addresses,
                environment: [:]),
            delegate: delegate, delegateQueue: nil)
    }

    private func manager() throws -> ServerTrustManager {
        try ServerTrustManager(evaluators: ["api.lab.test": DefaultTrustEvaluator()], memory: nil)
    }

    @Test("A host that the new rules deny loses its connection and gets no further request")
    func denied() async throws {
        try await SessionLab.with { lab in
            let manager = try manager()
            let session = session(lab, manager)
            #expect(try await session.text(lab.url).status == 200)
            manager.replaceRules(by: try ServerTrustManager(rules: ["api.lab.test": .denied]), denied: nil)
            await session.reevaluateServerTrust()
            #expect(await session.failure(lab.url)?.serverTrustVerdict?.headline?.code == .hostDenied)
            #expect(lab.server.counts.requests == 1)
            // The session doesn't even contact the host again.
            #expect(lab.server.counts.connections == 1)
        }
    }

    @Test("The session also reevaluates the connections of a task's own delegate")
    func ofTaskDelegate() async throws {
        try await SessionLab.with { lab in
            let manager = try manager()
            let (session, delegate) = (session(lab, manager), ScriptedDelegate())
            _ = try await session.data(for: URLRequest(url: lab.url), delegate: delegate)
            manager.replaceRules(by: try ServerTrustManager(rules: ["api.lab.test": .denied]), denied: nil)
            await session.reevaluateServerTrust()
            await #expect { _ = try await session.data(for: URLRequest(url: lab.url), delegate: delegate) } throws: {
                ($0 as? URLError)?.serverTrustVerdict?.headline?.code == .hostDenied
            }
            // The delegate has nothing left to decide.
            #expect(delegate.record.asked.count == 1)
            #expect(lab.server.counts.requests == 1)
        }
    }

    @Test("A server that is still trusted keeps its connection")
    func trusted() async throws {
        try await SessionLab.with { lab in
            let session = session(lab, try manager())
            #expect(try await session.text(lab.url).status == 200)
            await session.reevaluateServerTrust()
            #expect(try await session.text(lab.url).status == 200)
            #expect(lab.server.counts.connections == 1)
        }
    }

    @Test("A session without a manager has nothing to reevaluate")
    func foreign() async { await URLSession(configuration: .ephemeral).reevaluateServerTrust() }
}
