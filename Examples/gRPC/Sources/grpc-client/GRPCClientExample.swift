// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import ServerTrust
import ServerTrustGRPC
import ServerTrustTesting

/// A gRPC client that evaluates its server for the host, over gRPC Swift's Posix transport: once with a server that has
/// the pinned key, and once with a server that has another key of the same CA.
///
/// The servers are real and on loopback. Their certificates are created in memory.
@main
struct GRPCClientExample {
    static func main() async throws {
        let now = Time.now()
        let root = try TestAuthority.root(.authority("Our Root").with { $0.setDates(around: now) })
        let leaf = CertificateTemplate.leaf("rpc.example.com").with { $0.setDates(around: now) }
        let ours = try root.issue(leaf)
        let another = try root.issue(leaf)

        var trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [
                "rpc.example.com": SPKIPinsTrustEvaluator(
                    try SPKIPinSet(pins: [SPKIPin(ours.certificate)], backup: [SPKIPin(root.certificate)]), scope: .leaf
                )
            ]))
        trust.anchors = .only([root.certificate])

        for (name, identity) in [("the pinned key", ours), ("another key of the same CA", another)] {
            try await withServer(identity) { [trust] port in
                print("a server with \(name):")
                print("  " + (await ask(port, trust)))
                print("  " + (await ask(port, trust, waits: true)) + ", by a call that waits for a connection")
            }
        }
    }

    /// Performs one call.
    private static func ask(_ port: Int, _ trust: ServerTrustConfiguration, waits: Bool = false) async -> String {
        do {
            // For a target by name, use `.dns(host: "rpc.example.com")` without `host:`.
            let transport = try TrustedGRPCTransport(
                target: .ipv4(address: "127.0.0.1", port: port), host: try Hostname("rpc.example.com"),
                transportSecurity: .serverTrust(trust))
            return try await withGRPCClient(transport: transport) { client in
                var options = CallOptions.defaults
                options.timeout = .seconds(10)
                options.waitForReady = waits
                return try await client.unary(
                    request: ClientRequest(message: "who is there?"), descriptor: Echo.say, serializer: Text(),
                    deserializer: Text(), options: options
                ) { try $0.message }
            }
        } catch {
            guard let refusal = (error as? RPCError)?.cause as? TrustRefusal else { return "\(error)" }
            return "refused: \(refusal.headline.code)"
        }
    }

    private static func withServer(_ identity: TestIdentity, _ body: @Sendable (Int) async throws -> Void) async throws
    {
        let transport = HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: 0),
            transportSecurity: .tls(
                certificateChain: [.bytes(identity.certificate.der, format: .der)],
                privateKey: .bytes(Array(try identity.key.pemRepresentation().utf8), format: .pem)))
        try await withGRPCServer(transport: transport, services: [Echo()]) { server in
            guard let address = try await server.listeningAddress?.ipv4 else { return }
            try await body(address.port)
        }
    }
}

/// Answers every message with a greeting.
struct Echo: RegistrableRPCService {
    static let say = MethodDescriptor(fullyQualifiedService: "example.Echo", method: "Say")

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(forMethod: Self.say, deserializer: Text(), serializer: Text()) { request, _ in
            StreamingServerResponse { writer in
                for try await message in request.messages { try await writer.write("you asked: \(message)") }
                return [:]
            }
        }
    }
}

/// Messages that are text.
struct Text: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: String) throws -> Bytes { Bytes(message.utf8) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> String {
        serializedMessageBytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

extension CertificateTemplate {
    fileprivate mutating func setDates(around now: Time) {
        notBefore = now.advanced(by: .days(-1))
        notAfter = now.advanced(by: .days(30))
    }
}
