// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import ServerTrust
import ServerTrustGRPC

/// `TrustedGRPCTransport`. The answer is the message, with the status 200.
struct GRPCTestClient: TestedClient {
    private static let method = MethodDescriptor(fullyQualifiedService: "example.Echo", method: "Say")

    private let client: GRPCClient<TrustedGRPCTransport>
    private let running: Task<Void, any Error>

    init(port: Int, _ trust: ServerTrustConfiguration) throws {
        var config = HTTP2ClientTransport.Posix.Config.defaults
        config.backoff.initial = .milliseconds(20)
        config.backoff.max = .milliseconds(100)
        let transport = try TrustedGRPCTransport(
            target: .ipv4(address: "127.0.0.1", port: port), host: try Hostname(Site.host),
            transportSecurity: .serverTrust(trust), config: config)
        let client = GRPCClient(transport: transport)
        self.client = client
        running = Task { try await client.runConnections() }
    }

    func send(_ request: Request) async throws -> Answer {
        var options = CallOptions.defaults
        options.timeout = request.limit
        options.waitForReady = true
        let message = request.body.isEmpty ? [1] : request.body
        let body = try await client.unary(
            request: ClientRequest(message: message), descriptor: Self.method, serializer: Bytes(),
            deserializer: Bytes(),
            options: options
        ) { try $0.message }
        return Answer(status: 200, body: body)
    }

    func close() async {
        client.beginGracefulShutdown()
        running.cancel()
        _ = try? await running.value
    }

    private struct Bytes: MessageSerializer, MessageDeserializer {
        func serialize<Content: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Content { Content(message) }

        func deserialize<Content: GRPCContiguousBytes>(_ bytes: Content) throws -> [UInt8] {
            bytes.withUnsafeBytes { Array($0) }
        }
    }
}
