// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import Synchronization

/// A gRPC client whose server is evaluated by host, over gRPC Swift's Posix transport: once with a server that has the pinned key
/// and once with one that has another of the same CA.
///
/// The servers are real and on loopback; their certificates are made in memory.
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
        // Made once, for all clients.
        let tls = try ServerTrustTLS(trust)

        for (name, identity) in [("the pinned key", ours), ("another key of the same CA", another)] {
            try await withServer(identity) { port in
                print("a server with \(name):")
                print("  " + (await ask(port, tls)))
            }
        }
    }

    /// One call.
    private static func ask(_ port: Int, _ tls: ServerTrustTLS) async -> String {
        let found = Finding()
        do {
            let host = try Hostname("rpc.example.com")
            let transport = try HTTP2ClientTransport.Posix(
                // By name, it would be `.dns(host: "rpc.example.com")`.
                target: .ipv4(address: "127.0.0.1", port: port),
                transportSecurity: .tls {
                    // Not `.noVerification`, with which gRPC Swift doesn't ask, nor `.fullVerification`: names are our part.
                    $0.serverCertificateVerification = .noHostnameVerification
                    $0.customVerificationCallback = tls.verificationCallbackWithMetadata(host: host) { outcome in
                        found.outcome.withLock { $0 = outcome }
                    }
                },
                config: .defaults { $0.http2.authority = "rpc.example.com" })
            return try await withGRPCClient(transport: transport) { client in
                var options = CallOptions.defaults
                options.timeout = .seconds(10)
                options.waitForReady = false
                return try await client.unary(
                    request: ClientRequest(message: "who is there?"), descriptor: Echo.say, serializer: Text(),
                    deserializer: Text(), options: options
                ) { try $0.message }
            }
        } catch {
            // gRPC's error reports no more than the lack of a connection; the verdict has the reason.
            guard case .evaluated(let server) = found.outcome.withLock({ $0 }), let failure = server.verdict.headline
            else {
                return "\(error)"
            }
            return "refused: \(failure.code)"
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
        notBefore = now.advanced(by: -86_400)
        notAfter = now.advanced(by: 30 * 86_400)
    }
}

/// The outcome that the callback receives.
private final class Finding: Sendable {
    let outcome = Mutex<VerificationOutcome?>(nil)
}
