// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Hummingbird
import Logging
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting

/// A service that forwards requests to upstream servers, with a rule for each. If an upstream isn't trusted, the
/// response is a 502 whose body contains a code.
///
/// The upstreams are real lab servers on loopback.
@main
struct HummingbirdProxy {
    static func main() async throws {
        let lab = try await Upstreams.start()
        let trust = try lab.trust()
        var configuration = TrustedHTTPConfiguration()
        // DNS doesn't contain the lab's names.
        for host in lab.hosts { configuration.dnsOverride[host] = "127.0.0.1" }

        // Make one client for all upstreams, and keep it for the life of the service.
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        try await withService(routes(to: lab.addresses, with: client), client) { port in
            for name in lab.addresses.keys.sorted() {
                let response = try await HTTPClient.shared.execute(
                    HTTPClientRequest(url: "http://127.0.0.1:\(port)/\(name)/today"), timeout: .seconds(10))
                let body = String(buffer: try await response.body.collect(upTo: 1 << 16))
                print("/\(name)/today: \(response.status.code) \(body.prefix { $0 != "\n" })")
            }
        }
        for (name, server) in lab.servers.sorted(by: { $0.key < $1.key }) {
            print("requests that reached \(name): \(server.counts.requests)")
            await server.stop()
        }
    }

    /// Runs the service on a port that the system chooses, until `body` returns.
    private static func withService(
        _ router: Router<BasicRequestContext>, _ client: TrustedHTTPClient, _ body: @Sendable (Int) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        // The example only prints answers. A service logs at the usual level.
        var logger = Logger(label: "proxy")
        logger.logLevel = .critical
        // A group shuts down in reverse order: first the server, then the client that its requests use.
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            services: [client],
            onServerRunning: { channel in
                port.yield(channel.localAddress?.port ?? 0)
                port.finish()
            }, logger: logger)
        let group = ServiceGroup(services: [application], logger: logger)
        async let running: Void = group.run()
        for await port in ports { try await body(port) }
        await group.triggerGracefulShutdown()
        try await running
    }
}
