// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import ServerTrustLab
import ServerTrustTesting
import Testing

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

    /// Runs a gRPC Swift server.
    static func withServer<Result: Sendable>(
        _ certificates: LabCertificates, at address: SocketAddress = .ipv4(host: "127.0.0.1", port: 0),
        _ body: @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        let transport = HTTP2ServerTransport.Posix(
            address: address,
            transportSecurity: .tls(
                certificateChain: certificates.chain.map { .bytes($0.der, format: .der) },
                privateKey: .bytes(Array(try certificates.key.pemRepresentation().utf8), format: .pem)))
        return try await withGRPCServer(transport: transport, services: [Echo()]) { server in
            let listening = try await server.listeningAddress
            let port = try #require(listening?.ipv4?.port ?? listening?.ipv6?.port)
            return try await body(port)
        }
    }
}

/// Text messages.
struct Text: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: String) throws -> Bytes { Bytes(message.utf8) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> String {
        serializedMessageBytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
