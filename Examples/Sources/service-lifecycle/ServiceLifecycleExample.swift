// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Logging
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServiceLifecycle

/// A client in a service group: it outlives the services that use it, and its sockets are closed when the group has
/// ended.
///
/// The server is a real lab server on loopback.
@main
struct ServiceLifecycleExample {
    /// Sends requests to a server until it is shut down, and then a last one.
    struct Poller: Service {
        let client: TrustedHTTPClient
        let url: String

        func run() async throws {
            try await poll("started")
            try await gracefulShutdown()
            try await poll("shutting down")
        }

        private func poll(_ moment: String) async throws {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(10))
            print("\(moment): \(response.status.code)")
        }
    }

    static func main() async throws {
        let server = try await LabServer.start(.good)
        var trust = ServerTrustConfiguration(server.certificates.manager)
        trust.anchors = .only(server.certificates.anchors)
        var configuration = TrustedHTTPConfiguration()
        configuration.dnsOverride = [server.host.description: "127.0.0.1"]
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)

        // The group shuts down in reverse order. To handle signals, pass `gracefulShutdownSignals:`.
        let poller = Poller(client: client, url: server.url + "/")
        let group = ServiceGroup(services: [client, poller], logger: Logger(label: "example"))
        async let running: Void = group.run()
        while server.counts.requests == 0 { try await Task.sleep(for: .milliseconds(10)) }
        await group.triggerGracefulShutdown()
        try await running

        while server.counts.openConnections > 0 { try await Task.sleep(for: .milliseconds(10)) }
        print("requests: \(server.counts.requests), open connections: \(server.counts.openConnections)")
        await server.stop()
    }
}
