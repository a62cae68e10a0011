// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustPins
import ServiceLifecycle
import Testing

@Suite("Services", .timeLimit(.minutes(10)))
struct ServiceTests {
    /// Uses a client until shutdown, then once more.
    private struct Worker: Service {
        let client: TrustedHTTPClient
        let url: String
        let done: @Sendable (Bool) -> Void

        func run() async throws {
            let before = try await status()
            try? await gracefulShutdown()
            // The client comes before this service in the group, so it is still running.
            let after = try await status()
            done(before == 200 && after == 200)
        }

        private func status() async throws -> UInt {
            try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60)).status.code
        }
    }

    @Test("A client outlives the services listed after it, and its sockets are closed when the group ends")
    func client() async throws {
        let server = try await LabServer.start(.good)
        var configuration = TrustedHTTPConfiguration()
        configuration.dnsOverride = [server.host.description: "127.0.0.1"]
        let client = try TrustedHTTPClient(trust: server.certificates.configuration, configuration: configuration)
        await confirmation { confirm in
            let worker = Worker(client: client, url: server.url + "/") { if $0 { confirm() } }
            let group = ServiceGroup(
                configuration: .init(
                    services: [.init(service: client), .init(service: worker)], logger: .init(label: "test")))
            let running = Task { try await group.run() }
            while server.counts.requests == 0 { try? await Task.sleep(for: .milliseconds(5)) }
            await group.triggerGracefulShutdown()
            _ = await running.result
        }
        #expect(server.counts.requests == 2)
        while server.counts.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await #expect(throws: (any Error).self) {
            try await client.execute(HTTPClientRequest(url: server.url + "/"), timeout: .seconds(60))
        }
        await server.stop()
    }

    @Test("A client shuts down when its task is canceled")
    func cancelled() async throws {
        let server = try await LabServer.start(.good)
        let client = try TrustedHTTPClient(trust: server.certificates.configuration)
        let task = Task { try await client.run() }
        task.cancel()
        try await task.value
        await #expect(throws: (any Error).self) {
            try await client.execute(HTTPClientRequest(url: server.url + "/"), timeout: .seconds(60))
        }
        await server.stop()
    }
}
