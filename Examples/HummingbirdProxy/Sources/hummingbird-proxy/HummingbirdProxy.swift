// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Hummingbird
import Logging
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustLifecycle
import ServerTrustNIO
import ServiceLifecycle

/// A service that forwards requests to a server behind it. A server that isn't trusted is a 502 whose body has the reason.
///
/// The servers behind it are the lab's, real and on loopback.
@main
struct HummingbirdProxy {
    static func main() async throws {
        for scenario in [LabScenario.good, .expired, .intercepted] {
            let server = try await LabServer.start(scenario)
            var trust = ServerTrustConfiguration(server.certificates.manager)
            trust.anchors = .only(server.certificates.anchors)
            var configuration = TrustedHTTPConfiguration()
            configuration.dnsOverride = [server.host.description: "127.0.0.1"]
            let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
            print("\(scenario.summary):")
            try await withService(forwardingTo: server.url, with: client) { port in
                let response = try await HTTPClient.shared.execute(
                    HTTPClientRequest(url: "http://127.0.0.1:\(port)/news"), timeout: .seconds(10))
                let body = String(buffer: try await response.body.collect(upTo: 1 << 16))
                print("  \(response.status.code) \(body.prefix { $0 != "\n" })")
            }
            print("  bytes of a request that arrived: \(server.counts.requestBytes > 0 ? "some" : "none")")
            await server.stop()
        }
    }

    /// The answer to a request: the server's, or the reason why it wasn't asked.
    private static func forward(_ request: Request, to base: String, with client: TrustedHTTPClient) async -> Response {
        do {
            let answer = try await client.execute(
                HTTPClientRequest(url: base + request.uri.path), timeout: .seconds(10))
            return Response(
                status: .init(code: Int(answer.status.code)), body: ResponseBody(asyncSequence: answer.body))
        } catch let refusal as TrustRefusal {
            // The host and the reason, for the people who run the service. Nothing was sent.
            return error(.badGateway, "\(refusal.verdict.host?.description ?? "") is refused: \(refusal.headline.code)")
        } catch let failure as ConnectionFailure {
            return error(.badGateway, "no verdict: \(failure.message)")
        } catch {
            return self.error(.gatewayTimeout, "no answer")
        }
    }

    private static func error(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    /// Runs the service on a port of the system's choice until `body` returns.
    private static func withService(
        forwardingTo base: String, with client: TrustedHTTPClient, _ body: @Sendable (Int) async throws -> Void
    ) async throws {
        let router = Router()
        router.get("**") { request, _ in await forward(request, to: base, with: client) }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "proxy")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            // A service of the group: its sockets are closed after the server's.
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
