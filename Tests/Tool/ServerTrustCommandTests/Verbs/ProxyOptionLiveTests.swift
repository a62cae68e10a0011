// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

/// The `--proxy` option of check, lint, pins make and verify.
@Suite("The --proxy option", .serialized)
struct ProxyOptionLiveTests {
    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Failure: Decodable { let reason: String }
            let error: Failure?
        }
        let outcome: String
        let steps: [Step]
    }

    /// Runs a verb with the scenario's anchors and without `--connect`, so that only the proxy finds the host.
    private func run(
        _ verb: [String], _ server: LabServer, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Tool.Outcome {
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("anchors.pem", Data(server.certificates.anchorsPEM.utf8))
            let target = "\(server.host):\(server.port)"
            return try Tool.run(
                verb + [target, "--anchors", anchors.path] + arguments, environment: environment)
        }
    }

    @Test(
        "check reaches a server through either type of proxy, or through the environment's proxy",
        arguments: ["http", "socks5", "environment"])
    func check(kind: String) async throws {
        let server = try await LabServer.start(.good)
        let proxy = try await LabProxy.start(authorization: kind == "socks5" ? nil : "Basic dXNlcjpwOnc=")
        let address =
            kind == "socks5" ? "socks5://127.0.0.1:\(proxy.port)" : "http://user:p%3Aw@127.0.0.1:\(proxy.port)"
        let isNamed = kind != "environment"
        let outcome = try run(
            ["check"], server, ["--proxy", isNamed ? address : kind, "--follow", "--format", "json"],
            environment: isNamed ? [:] : ["https_proxy": address])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(proxy.tunnels.map(\.target) == ["\(server.host):\(server.port)"])
        #expect(server.counts.requests == 1)
        await server.stop()
        await proxy.stop()
    }

    @Test("check reaches a server through a proxy that uses TLS, and evaluates the proxy", arguments: [true, false])
    func checkOverTLS(isTrusted: Bool) async throws {
        let server = try await LabServer.start(.good)
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(authorization: "Basic dXNlcjpwOnc=", certificates: certificates)
        try TemporaryFolder.with { folder in
            let anchors = server.certificates.anchorsPEM + (isTrusted ? certificates.anchorsPEM : "")
            let file = try folder.write("anchors.pem", Data(anchors.utf8)).path
            let outcome = try Tool.run([
                "check", "\(server.host):\(server.port)", "--anchors", file, "--proxy",
                "https://user:p%3Aw@localhost:\(proxy.port)", "--format", "json",
            ])
            #expect(outcome.status == (isTrusted ? 0 : 2), "\(outcome.text) \(outcome.errors)")
            if !isTrusted {
                let answer = try #require(try outcome.json([Answer].self).first)
                #expect(answer.steps.first?.error?.reason == "proxyFailed")
            }
        }
        #expect(proxy.tunnels.isEmpty == !isTrusted)
        #expect(proxy.requestBytes.isEmpty == !isTrusted)
        await server.stop()
        await proxy.stop()
    }

    @Test("check reports the proxy's failure and doesn't repeat its password")
    func failures() async throws {
        let server = try await LabServer.start(.good)
        let proxy = try await LabProxy.start(authorization: "Basic dXNlcjpwOnc=")
        let outcome = try run(
            ["check"], server, ["--proxy", "http://user:secret@127.0.0.1:\(proxy.port)", "--format", "json"])
        #expect(outcome.status == 2)
        let answer = try #require(try outcome.json([Answer].self).first)
        #expect(answer.outcome == "undecided")
        #expect(answer.steps.first?.error?.reason == "proxyFailed")
        #expect(!outcome.text.contains("secret") && !outcome.errors.contains("secret"))
        #expect(server.counts.connections == 0)
        let misread = try run(["check"], server, ["--proxy", "socks4://user:secret@proxy.example.com"])
        #expect(misread.status == 64)
        #expect(!misread.errors.contains("user:"))
        await server.stop()
        await proxy.stop()
    }

    @Test("pins make and lint --live reach a server behind a proxy")
    func pinAndLint() async throws {
        let server = try await LabServer.start(.good)
        let proxy = try await LabProxy.start()
        let option = ["--proxy", "socks5://127.0.0.1:\(proxy.port)"]
        let pins = try run(["pins", "make"], server, option + ["--format", "json"])
        #expect(pins.status == 0, "\(pins.errors)")
        #expect(proxy.tunnels.count == 1)
        try TemporaryFolder.with { folder in
            let file = try folder.write("pins.json", Data(pins.text.utf8)).path
            let anchors = try folder.write("anchors.pem", Data(server.certificates.anchorsPEM.utf8)).path
            _ = try Tool.run(
                ["pins", "lint", file, "--live", "--anchors", anchors, "--connect", "127.0.0.1:\(server.port)"] + option
            )
            #expect(proxy.tunnels.last?.target == "127.0.0.1:\(server.port)")
            #expect(try Tool.run(["pins", "lint", file] + option).status == 64)
        }
        await server.stop()
        await proxy.stop()
    }

    @Test("verify --fetch gets a missing intermediate through the proxy, but not from an address that isn't allowed")
    func fetch() async throws {
        let repository = try await LabRepository.start()
        let proxy = try await LabProxy.start()
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate()
        let leaf = try intermediate.issue(.leaf(Lab.host).with { $0.caIssuers = ["\(repository.url)/ca.cer"] })
            .certificate
        repository.publish(.issuer(intermediate.certificate), at: "/ca.cer")
        let arguments = [
            "verify", try folder.write("leaf.pem", pem(leaf)).path, "--host", Lab.host, "--anchors",
            try folder.write("root.pem", pem(root.certificate)).path, "--time", Lab.time, "--fetch", "--no-cache",
            "--proxy", "http://127.0.0.1:\(proxy.port)",
        ]
        #expect(try Tool.run(arguments).status == 1)
        #expect(proxy.tunnels.isEmpty)
        #expect(try Tool.run(arguments + ["--fetch-from", "127.0.0.1"]).status == 0)
        #expect(proxy.tunnels.count == 1)
        #expect(repository.requests == 1)
        await repository.stop()
        await proxy.stop()
    }
}
