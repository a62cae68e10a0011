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
    /// Answers once, when the client has sent all messages.
    static let gather = MethodDescriptor(fullyQualifiedService: "example.Echo", method: "Gather")
    /// Answers with messages until the call ends.
    static let tick = MethodDescriptor(fullyQualifiedService: "example.Echo", method: "Tick")

    /// What clients sent.
    final class Log: Sendable {
        private let state = Locked<(calls: Int, messages: [String])>((0, []))

        var calls: Int { state.withLock { $0.calls } }
        var messages: [String] { state.withLock { $0.messages } }

        fileprivate func noteCall() { state.withLock { $0.calls += 1 } }
        fileprivate func note(_ message: String) { state.withLock { $0.messages.append(message) } }
    }

    var log = Log()

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(forMethod: Self.say, deserializer: Text(), serializer: Text()) { [log] request, _ in
            log.noteCall()
            return StreamingServerResponse { writer in
                for try await message in request.messages {
                    log.note(message)
                    try await writer.write("you asked: \(message)")
                }
                return [:]
            }
        }
        router.registerHandler(forMethod: Self.gather, deserializer: Text(), serializer: Text()) { [log] request, _ in
            log.noteCall()
            for try await message in request.messages { log.note(message) }
            return StreamingServerResponse { writer in
                try await writer.write("done")
                return [:]
            }
        }
        router.registerHandler(forMethod: Self.tick, deserializer: Text(), serializer: Text()) { [log] request, _ in
            log.noteCall()
            return StreamingServerResponse { writer in
                for number in 0... {
                    try await writer.write("\(number)")
                    try await Task.sleep(for: .milliseconds(2))
                }
                return [:]
            }
        }
    }

    /// Runs a gRPC Swift server.
    static func withServer<Result: Sendable>(
        _ certificates: LabCertificates, at address: SocketAddress = .ipv4(host: "127.0.0.1", port: 0),
        log: Log = Log(), _ body: @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        let transport = HTTP2ServerTransport.Posix(
            address: address,
            transportSecurity: .tls(
                certificateChain: certificates.chain.map { .bytes($0.der, format: .der) },
                privateKey: .bytes(Array(try certificates.key.pemRepresentation().utf8), format: .pem)))
        return try await withGRPCServer(transport: transport, services: [Echo(log: log)]) { server in
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
