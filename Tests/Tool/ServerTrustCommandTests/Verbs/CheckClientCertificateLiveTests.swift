// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@Suite("servertrust check with client certificates", .serialized, .timeLimit(.minutes(10)))
struct CheckClientCertificateLiveTests {
    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Request: Decodable { let authorities: [String]? }
            struct Failure: Decodable { let reason: String }
            let clientCertificateRequest: Request?
            let error: Failure?
        }
        let steps: [Step]
    }

    @Test(
        "The report names the CAs in openssl's request, and check sends the client's certificate",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")),
        arguments: ["-tls1_2", "-tls1_3"])
    func request(version: String) throws {
        let root = try TestAuthority.root(.authority("Server Root"))
        let clients = try TestAuthority.root(.authority("Client Root"))
        let leaf = try root.issue(.leaf("api.lab.test"))
        let client = try clients.issue(.leaf("client.lab.test").with { $0.extendedKeyUsage = [.clientAuth] })
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("root.pem", pem(root.certificate))
            let certificate = try folder.write("client.pem", pem(client.certificate)).path
            let key = try folder.write("client.key", Data(client.key.pemRepresentation().utf8)).path
            let arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-www", version, "-Verify", "2", "-verify_return_error",
                "-CAfile",
                try folder.write("clients.pem", pem(clients.certificate)).path, "-cert",
                try folder.write("leaf.pem", pem(leaf.certificate)).path, "-key",
                try folder.write("key.pem", Data(leaf.key.pemRepresentation().utf8)).path, "-attime",
                "\(TestAuthority.now.secondsSinceEpoch)",
            ]
            let server = try RunningTool(
                arguments, in: folder, program: URL(fileURLWithPath: "/usr/bin/openssl"),
                until: { Openssl.acceptedPort(in: $0) != nil })
            defer { _ = server.stop(SIGKILL) }
            let port = try #require(Openssl.acceptedPort(in: server.text), "\(server.errors)")
            let check = [
                "check", "https://api.lab.test:\(port)/", "--connect", "127.0.0.1", "--anchors", anchors.path, "--time",
                TestAuthority.now.description,
            ]
            let without = try Tool.run(check + ["--format", "json"])
            #expect(without.status == 2, "\(without.errors)")
            let refused = try #require(try without.json([Answer].self).first?.steps.first)
            #expect(refused.clientCertificateRequest?.authorities == [clients.certificate.subject.description])
            #expect(refused.error?.reason == "clientCertificateRequired")
            let identity = ["--client-cert", certificate, "--client-key", key]
            let sent = try Tool.run(check + identity + ["--format", "json"])
            #expect(sent.status == 0, "\(sent.errors) \(server.errors)")
            let accepted = try #require(try sent.json([Answer].self).first?.steps.first)
            #expect(accepted.clientCertificateRequest != nil && accepted.error == nil)
            let text = try Tool.run(check).text
            #expect(text.contains(clients.certificate.subject.description))
        }
    }

    @Test("A key for another certificate causes an error, and check contacts no server")
    func otherKey() throws {
        let root = try TestAuthority.root()
        let client = try root.issue(.leaf("client.lab.test"))
        try TemporaryFolder.with { folder in
            let certificate = try folder.write("client.pem", pem(client.certificate)).path
            let key = try folder.write("other.key", Data(root.key.pemRepresentation().utf8)).path
            let outcome = try Tool.run(["check", "192.0.2.1", "--client-cert", certificate, "--client-key", key])
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(try Tool.run(["check", "192.0.2.1", "--client-cert", certificate]).status == 2)
            #expect(try Tool.run(["check", "192.0.2.1", "--client-key", key]).status == 64)
        }
    }
}
