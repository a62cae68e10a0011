// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@testable import ServerTrustGRPC

@Suite("gRPC servers with several addresses", .timeLimit(.minutes(5)))
struct SideBySideTests {
    private func call(
        _ certificates: LabCertificates, port: Int, at addresses: [String]
    ) async throws -> String {
        let found = try addresses.map { try NIOCore.SocketAddress(ipAddress: $0, port: 0) }
        var security = try TrustedGRPCSecurity.serverTrust(certificates.configuration)
        security.lookup = NameLookup { _ in found }
        let transport = try TrustedGRPCTransport(
            target: .dns(host: certificates.host.description, port: port), transportSecurity: security)
        return try await withGRPCClient(transport: transport) { client in
            try await client.unary(
                request: ClientRequest(message: "hello"), descriptor: Echo.say, serializer: Text(),
                deserializer: Text(), options: .defaults
            ) { try $0.message }
        }
    }

    @Test("A call reaches a server whose first address doesn't answer")
    func silentAddress() async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        let answer = try await Echo.withServer(certificates) { port in
            let hole = try BlackHole("127.0.0.2", port: port)
            return try await call(certificates, port: hole.port, at: ["127.0.0.2", "127.0.0.3", "127.0.0.1"])
        }
        #expect(answer == "you asked: hello")
    }

    @Test("A call to a server with one address needs no other connection")
    func oneAddress() async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        let answer = try await Echo.withServer(certificates) { port in
            try await call(certificates, port: port, at: ["127.0.0.1"])
        }
        #expect(answer == "you asked: hello")
    }

    @Test("If no address accepts a connection, the call's error says what happened at each")
    func failure() async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        do {
            // Nothing listens on port 1.
            _ = try await call(certificates, port: 1, at: ["127.0.0.2", "127.0.0.1"])
            Issue.record("called")
        } catch let error as RPCError {
            let failure = try #require(error.cause as? ConnectionFailure)
            #expect(error.code == .unavailable && failure.code == .connectionUnreachable)
            #expect(failure.host == certificates.host)
            #expect(failure.attempts.map(\.address) == ["127.0.0.2:1", "127.0.0.1:1"])
        }
    }
}
