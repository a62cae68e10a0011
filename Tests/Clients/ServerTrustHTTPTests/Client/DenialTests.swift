// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustLab
import Testing

@testable import ServerTrustHTTP

@Suite("The client consults its rules before it contacts a host")
struct DenialTests {
    private func code(_ error: (any Error)?) -> TrustFailure.Code? { (error as? TrustRefusal)?.headline.code }

    private func trust(_ server: LabServer, _ rules: [String: HostRule]) throws -> ServerTrustConfiguration {
        var trust = ServerTrustConfiguration(server)
        trust.manager = try ServerTrustManager(rules: rules, memory: nil)
        return trust
    }

    private static let evaluated = HostRule.enforced(DefaultTrustEvaluator())

    @Test("The client makes no connection and no name lookup for a denied host or one without a rule")
    func direct() async throws {
        let server = try await LabServer.start(.good)
        let trust = try trust(server, ["api.lab.test": .denied, "denied.invalid": .denied])
        try await withClient(of: server, trust: trust) { client in
            let events = trust.manager.events.stream()
            #expect(code(await failure { try await client.text(server.url + "/") }) == .hostDenied)
            // These names aren't in DNS, so a lookup would end with a different error.
            #expect(code(await failure { try await client.text("https://denied.invalid/") }) == .hostDenied)
            #expect(code(await failure { try await client.text("https://other.invalid/") }) == .hostNotListed)
            #expect(client.pools.count == 0)
            var told = events.makeAsyncIterator()
            #expect(await told.next()?.verdict?.headline?.code == .hostDenied)
            #expect(server.counts.connections == 0)
        }
    }

    @Test(
        "The client doesn't follow a redirect to a denied host or one without a rule",
        arguments: ["api.lab.test", "unlisted.lab.test"])
    func redirect(target: String) async throws {
        let listener = try await LabServer.start(.good)
        var options = LabServer.Options()
        options.response = .redirect(to: "https://\(target):\(listener.port)/")
        let server = try await LabServer.start(.good, options: options)
        let name = "first.lab.test"
        var configuration = TrustedHTTPConfiguration(server)
        for host in [name, target] { configuration.dnsOverride[host] = "127.0.0.1" }
        // The lab's certificate is for another name. Another test covers that.
        let trust = try trust(
            server, [name: .enforced(DefaultTrustEvaluator(validateHost: false)), "api.lab.test": .denied])
        try await withClient(of: server, trust: trust, configuration) { client in
            let error = await failure { try await client.text("https://\(name):\(server.port)/") }
            #expect(code(error) == (target == "api.lab.test" ? .hostDenied : .hostNotListed))
            #expect(server.counts.requests == 1)
            #expect(listener.counts.connections == 0)
        }
        await listener.stop()
    }

    @Test("New rules that deny a host refuse a request even if its connection is still open")
    func openConnection() async throws {
        let server = try await LabServer.start(.good)
        let trust = try trust(server, ["api.lab.test": Self.evaluated])
        try await withClient(of: server, trust: trust) { client in
            try await client.expectOK(at: server.url + "/")
            trust.manager.replaceRules(by: try ServerTrustManager(rules: ["api.lab.test": .denied]), denied: nil)
            #expect(code(await failure { try await client.text(server.url + "/") }) == .hostDenied)
            trust.manager.replaceRules(by: try ServerTrustManager(evaluators: [:]), denied: nil)
            #expect(code(await failure { try await client.text(server.url + "/") }) == .hostNotListed)
            #expect(server.counts.requests == 1)
            // A replaced source's rules apply too.
            try await client.replaceTrust(try self.trust(server, ["api.lab.test": Self.evaluated]))
            try await client.expectOK(at: server.url + "/")
            #expect(server.counts.requests == 2)
        }
    }

    @Test("For plain HTTP, a rule that denies the host applies, but no rule is required")
    func cleartext() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "plain")] }
        for (rules, expected) in [
            (["api.lab.test": HostRule.denied], TrustFailure.Code.hostDenied), ([:], nil),
        ] {
            var configuration = TrustedHTTPConfiguration()
            configuration.dnsOverride = ["api.lab.test": "127.0.0.1"]
            configuration.insecurelyPlainHosts = [try Hostname("api.lab.test")]
            let trust = ServerTrustConfiguration(try ServerTrustManager(rules: rules))
            let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
            let error = await failure { try await client.text("http://api.lab.test:\(server.port)/") }
            #expect(code(error) == expected)
            #expect((error == nil) == (expected == nil))
            await client.shutdown()
        }
        await server.stop()
    }
}
