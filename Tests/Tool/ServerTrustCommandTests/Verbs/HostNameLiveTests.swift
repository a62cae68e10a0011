// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@Suite("Host names on the command line", .timeLimit(.minutes(10)))
struct HostNameLiveTests {
    private func verify(_ host: String, leaf name: String) throws -> Tool.Outcome {
        let root = try TestAuthority.root(.authority("Lab Root"))
        let leaf = try root.issue(.leaf(name)).certificate
        return try TemporaryFolder.with { folder in
            let anchors = try folder.write("root.pem", Data(root.certificate.pem.utf8))
            let chain = try folder.write("leaf.pem", Data(leaf.pem.utf8))
            return try Tool.run([
                "verify", chain.path, "--anchors", anchors.path, "--time", TestAuthority.now.description, "--host",
                host,
            ])
        }
    }

    @Test(
        "verify accepts the host from a URL or host:port, and a non-ASCII name in any case and form",
        arguments: [
            ("https://api.example.com/login?a=b", "api.example.com"), ("api.example.com:8443", "api.example.com"),
            ("https://[2001:db8::1]:8443/", "2001:db8::1"), ("192.0.2.1:443", "192.0.2.1"),
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
            ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("bücher。example", "xn--bcher-kva.example"),
            ("https://bücher.example:8443/x", "xn--bcher-kva.example"), ("faß.example", "xn--fa-hia.example"),
            ("日本語.example", "xn--wgv71a119e.example"), ("שלום.example", "xn--9dbne9b.example"),
        ])
    func accepted(_ host: String, _ name: String) throws {
        let outcome = try verify(host, leaf: name)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("The report shows a non-ASCII name in both forms")
    func bothForms() throws {
        for host in ["bücher.example", "xn--bcher-kva.example"] {
            let lines = try verify(host, leaf: "xn--bcher-kva.example").lines
            #expect(lines.contains { $0.contains("xn--bcher-kva.example") && $0.contains("bücher.example") })
        }
    }

    @Test(
        "Text that isn't clearly a host name causes a usage error, and verify evaluates nothing",
        arguments: [
            "☃.example", "💩.example", "a\u{200d}b.example", "a\u{200b}ü.example", "ü%2ecom", "ü\u{202e}.example",
            "xn--a.ü", "1.2.3.٤", "-ü.example", "ü..example", "ü example", "1ש.example", "ü@example.com", "ü／x.example",
            "½.example", "ｅｘａｍｐｌｅ.com", "１.2.3.4", "①ü.example", "http://api.example.com",
            "https://user@api.example.com", "api.example.com:0",
            "api.example.com:https", "https://", "::1:8443x",
        ])
    func refused(_ host: String) throws {
        let outcome = try verify(host, leaf: "api.example.com")
        #expect(outcome.status == 64, "\(outcome.text)")
        #expect(outcome.text.isEmpty)
    }

    @Test("A report shows a server without TLS once, with the error code and a remedy")
    func plainHTTP() async throws {
        struct Answer: Decodable {
            struct Step: Decodable { let error: Failure? }
            struct Failure: Decodable {
                let reason: String
                let detail: String
                let remedy: String?
            }
            let outcome: String
            let steps: [Step]
        }
        let server = try await LabServer.start(.noTLS)
        let arguments = ["check", "\(server.host):\(server.port)", "--connect", server.address.rawValue]
        let text = try Tool.run(arguments)
        #expect(text.status == 2)
        #expect(text.text.contains("[plainHTTP]") && text.text.contains("fix:"))
        #expect(text.errors.isEmpty)
        let answer = try #require(try Tool.run(arguments + ["--format", "json"]).json([Answer].self).first)
        let error = try #require(answer.steps.first?.error)
        #expect(answer.outcome == "undecided")
        #expect(error.reason == "plainHTTP")
        #expect(error.remedy?.isEmpty == false)
        for mark in [".cc", "OPENSSL", "NIOSSL", "BoringSSL"] {
            #expect(!(text.text + text.errors + error.detail).contains(mark))
        }
        await server.stop()
    }

    @Test(
        "check handles each address in a separate step, and the server name in the handshake can differ from the host")
    func nodes() async throws {
        struct Answer: Decodable {
            struct Step: Decodable {
                let host: String
                let address: String?
            }
            let outcome: String
            let steps: [Step]
        }
        let server = try await LabServer.start(.good)
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("anchors.pem", Data(server.certificates.anchorsPEM.utf8))
            let outcome = try Tool.run([
                "check", "127.0.0.1:\(server.port)", "--all-addresses", "--servername", "other.lab.test", "--anchors",
                anchors.path, "--format", "json",
            ])
            let answer = try #require(try outcome.json([Answer].self).first)
            // The server's certificate contains no address.
            #expect(answer.outcome == "rejected")
            #expect(answer.steps.map(\.address) == ["127.0.0.1"])
        }
        await server.stop()
    }

    @Test(
        "Contradictory options cause usage errors",
        arguments: [
            ["--all-addresses", "--connect", "192.0.2.1"], ["--all-addresses", "--follow"],
            ["--all-addresses", "--proxy", "socks5://localhost"], ["--servername", "192.0.2.1"],
        ])
    func contradictions(_ options: [String]) throws {
        #expect(try Tool.run(["check", "api.example.com"] + options).status == 64)
    }
}
