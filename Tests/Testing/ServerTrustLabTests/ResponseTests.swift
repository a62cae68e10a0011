// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

@Suite("A lab server's responses")
struct ResponseTests {
    /// Starts a server, sends it requests, and stops it.
    private func asking<Result>(
        _ scenario: LabScenario = .good, _ set: (inout LabServer.Options) -> Void = { _ in },
        _ ask: (LabServer) async throws -> Result
    ) async throws -> Result {
        var options = LabServer.Options()
        set(&options)
        let server = try await LabServer.start(scenario, options: options)
        do {
            let result = try await ask(server)
            await server.stop()
            #expect(server.counts.openConnections == 0)
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test("The default response is 200 with a body")
    func body() async throws { try await body(at: .v4) }

    @Test(
        "A server at ::1 sends the same response",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/net/if_inet6")))
    func bodyAtIPv6() async throws { try await body(at: .v6) }

    private func body(at address: LoopbackAddress) async throws {
        let report = try await asking {
            $0.address = address
        } _: {
            #expect($0.url == "https://api.lab.test:\($0.port)")
            return try await LabClient().get($0)
        }
        #expect(report.status == 200)
        #expect(report.text == "hello from the lab\n")
        #expect(report.isComplete)
        #expect(report.presentedChain.count == 2)
    }

    @Test("A redirect's target is evaluated separately")
    func redirect() async throws {
        try await asking(.redirectToAnotherAuthority) { server in
            let target = try #require(server.redirectTarget)
            let first = try await LabClient().get(server)
            #expect(first.outcome == .trusted)
            #expect(first.status == 302)
            #expect(first.values(of: "Location") == [target.url + "/"])
            let second = try await LabClient().get(target)
            #expect(second.outcome == .refused(.untrustedRoot))
            #expect(second.outcome == target.expected)
            #expect(target.counts.requestBytes == 0)
            #expect(target.counts.connections == 1)
        }
    }

    @Test(
        "A redirect has the configured status", arguments: [301, 303, 307, 308])
    func redirectStatus(status: Int) async throws {
        let report = try await asking {
            $0.response = .redirect(to: "/elsewhere", status: status)
        } _: {
            try await LabClient().get($0)
        }
        #expect(report.status == status)
        #expect(report.values(of: "location") == ["/elsewhere"])
        #expect(report.isComplete)
    }

    @Test("The server answers with 401 and every scheme, and with 200 for the right credentials")
    func challenge() async throws {
        try await asking {
            $0.response = .unauthorized(LabChallenge(.digest, .digestMD5, .basic))
        } _: { server in
            let refused = try await LabClient().get(server)
            #expect(refused.status == 401)
            #expect(
                refused.values(of: "WWW-Authenticate") == [
                    "Digest realm=\"lab\", qop=\"auth\", algorithm=SHA-256, nonce=\"bGFiLW5vbmNl\"",
                    "Digest realm=\"lab\", qop=\"auth\", algorithm=MD5, nonce=\"bGFiLW5vbmNl\"",
                    "Basic realm=\"lab\", charset=\"UTF-8\"",
                ])
            let right = "Basic " + Data("user:secret".utf8).base64EncodedString()
            let welcome = try await LabClient().get(server, authorization: right)
            #expect(welcome.status == 200)
            #expect(welcome.text == "welcome\n")
            let wrong = "Basic " + Data("user:wrong".utf8).base64EncodedString()
            #expect(try await LabClient().get(server, authorization: wrong).status == 401)
            #expect(try await LabClient().get(server, authorization: "Bearer x").status == 401)
            #expect(try await LabClient().get(server, authorization: "Digest username=\"user\"").status == 401)
        }
    }

    @Test("The server refuses credentials for a scheme that it didn't offer")
    func otherScheme() async throws {
        let report = try await asking {
            $0.response = .unauthorized(LabChallenge(.digest))
        } _: {
            try await LabClient().get(
                $0, authorization: "Basic " + Data("user:secret".utf8).base64EncodedString())
        }
        #expect(report.status == 401)
        #expect(report.values(of: "www-authenticate").count == 1)
    }

    @Test("A slow response arrives complete")
    func slow() async throws {
        let report = try await asking {
            $0.response = .slow(["one ", "two ", "three"], pause: .milliseconds(20))
        } _: {
            try await LabClient().get($0)
        }
        #expect(report.text == "one two three")
        #expect(report.isComplete)
    }

    @Test("A client closes the connection if a response exceeds its timeout")
    func tooSlow() async throws {
        let report = try await asking {
            $0.response = .slow(["one ", "two"], pause: .seconds(3600))
        } _: {
            try await LabClient(timeout: .milliseconds(500)).get($0)
        }
        #expect(report.outcome == .trusted)
        #expect(!report.isComplete)
        #expect(report.body.isEmpty)
    }

    @Test("A truncated response ends before its content-length")
    func truncated() async throws {
        let report = try await asking {
            $0.response = .truncated("half of")
        } _: {
            try await LabClient().get($0)
        }
        #expect(report.status == 200)
        #expect(report.text == "half of")
        #expect(report.values(of: "content-length") == ["107"])
        #expect(!report.isComplete)
    }

    @Test("A server with mutual TLS accepts only its clients' certificates", arguments: LabServer.TLSVersions.allCases)
    func clientCertificates(versions: LabServer.TLSVersions) async throws {
        try await asking {
            $0.clientCertificates = .required
        } _: { server in
            let without = try await LabClient(versions: versions).get(server)
            #expect(without.status == nil)
            #expect(server.counts.requests == 0)
            let unknown = try TestAuthority.selfSigned(.leaf("client.lab.test"))
            let wrong = try await LabClient(versions: versions, identity: unknown).get(server)
            #expect(wrong.status == nil)
            #expect(server.counts.requests == 0)
            let identity: TestIdentity = try #require(server.clientIdentity)
            let with = try await LabClient(versions: versions, identity: identity).get(server)
            #expect(with.status == 200)
            #expect(server.counts.clientCertificates == 1)
        }
        try await asking {
            $0.clientCertificates = .requested
        } _: { server in
            #expect(try await LabClient(versions: versions).get(server).status == 200)
            #expect(server.counts.clientCertificates == 0)
            let identity: TestIdentity = try #require(server.clientIdentity)
            let with = try await LabClient(versions: versions, identity: identity).get(server)
            #expect(with.status == 200)
            #expect(server.counts.clientCertificates == 1)
        }
    }

    /// Another test's server might use the port by now, so the test checks for closed descriptors.
    @Test("A stopped server keeps its counts and can be stopped twice")
    func stopped() async throws {
        let server = try await LabServer.start(.good)
        _ = try await LabClient().get(server)
        await server.stop()
        let counts = server.counts
        await server.stop()
        #expect(server.counts == counts)
        #expect(counts.requests == 1)
        #expect(counts.openConnections == 0)
    }
}
