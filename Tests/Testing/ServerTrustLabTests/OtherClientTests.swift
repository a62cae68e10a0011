// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import ServerTrustLab

@Suite("Scenarios with curl and openssl", .enabled(if: OtherClient.areAvailable))
struct OtherClientTests {
    /// The scenarios where curl and openssl decide differently, with the reason.
    static let differences: [OtherClient: [LabScenario: String]] = {
        let common: [LabScenario: String] = [
            .noAlternativeName: "OpenSSL falls back to the common name; RFC 9525 § 2 forbids it",
            .publicSuffixWildcard: "they have no public suffix list for certificates",
            .crossSigned: "OpenSSL uses the first matching issuer and doesn't try the second",
            .hugeChain: "OpenSSL searches to a depth of 100, but our budget is 32 certificates",
            .pinnedKeyReplaced: "they have no pins",
            .authorityChanged: "they have no pins",
            .intercepted: "they have no pins",
            .revokedByCRL: "they have no CRL, but openssl refuses with one",
            .revokedByOCSP: "they ask no OCSP responder by default",
            .mustStaple: "neither reads the TLS feature extension",
            .tlsFeatureMissing: "neither reads the TLS feature extension",
            .revocationUnknown: "they check no revocation by default",
            .signatureParameters: "OpenSSL accepts NULL as the parameters of ECDSA",
            .noPolicy: "OpenSSL checks policies only on request",
            .mapsAnyPolicy: "OpenSSL checks policies only on request",
            .costlySignatures: "OpenSSL has no budget for signature checks",
            .costlyConstraints: "OpenSSL's limit is a million comparisons, but our budget is 250,000",
            .endlessMaze: "OpenSSL searches to a depth of 100, but our budget is 32 certificates",
        ]
        var openssl = common
        openssl[.noIssuerName] = "OpenSSL accepts an empty issuer; curl doesn't"
        openssl[.partialWildcard] = "OpenSSL allows a wildcard for part of a label by default"
        return [.curl: common, .openssl: openssl]
    }()

    /// The scenarios whose outcome depends on the server, and a few where client settings make the difference.
    private static let scenarios = LabScenario.all.filter { scenario in
        let isShown = [
            .pinnedKeyReplaced, .authorityChanged, .intercepted, .revokedByCRL, .revokedByOCSP, .mustStaple,
            .revocationUnknown,
        ].contains(scenario)
        return isShown || !scenario.dependsOnClient
    }

    @Test("Other clients reach the same decisions, except for known differences", arguments: OtherClient.allCases)
    func agreement(client: OtherClient) async throws {
        var conformance = ClientConformance(
            Self.scenarios, comparing: .decisions, exempting: Self.differences[client] ?? [:])
        conformance.versions = [.both]
        conformance.sendsRequest = client == .curl
        // curl compares the host with the certificate after the handshake.
        conformance.refusesDuringHandshake = client == .openssl
        let violations = try await conformance.run { server in
            try await client.ask(server).status == 0 ? .trusted : .refused(.evaluatorRefused)
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "curl receives the same body over HTTP/1.1 and HTTP/2, with TLS 1.2 and 1.3",
        arguments: [(["--http1.1"], "200 HTTP/1.1"), (["--http2"], "200 HTTP/2")], ["1.2", "1.3"])
    func protocols(protocols: ([String], String), version: String) async throws {
        let server = try await LabServer.start(.good)
        let outcome = try await OtherClient.curl.ask(
            server, protocols.0 + ["--tlsv\(version)", "--tls-max", version])
        await server.stop()
        #expect(outcome.status == 0)
        #expect(outcome.output == "hello from the lab\n\n\(protocols.1)")
        #expect(server.counts.requests == 1)
        #expect(server.counts.http2Requests == (protocols.1.hasSuffix("2") ? 1 : 0))
    }

    /// Shows that the server counts bytes. Otherwise, a count of zero would prove nothing.
    @Test(
        "The server receives and counts a request that curl sends without verification",
        arguments: ["--http1.1", "--http2"])
    func insecure(version: String) async throws {
        let server = try await LabServer.start(.expired)
        let outcome = try await OtherClient.curl.ask(server, [version, "--insecure"])
        await server.stop()
        #expect(outcome.status == 0)
        #expect(server.counts.handshakes == 1)
        #expect(server.counts.requests == 1)
        #expect(server.counts.requestBytes > 0)
    }

    @Test("openssl negotiates the version that it requests", arguments: [("tls1_2", "TLSv1.2"), ("tls1_3", "TLSv1.3")])
    func versions(option: String, name: String) async throws {
        let server = try await LabServer.start(.good)
        let outcome = try await OtherClient.openssl.ask(server, ["-\(option)"])
        await server.stop()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Protocol version: \(name)"))
    }

    @Test("A server with one TLS version refuses clients that support only the other")
    func oneVersion() async throws {
        var options = LabServer.Options()
        options.versions = .tls12
        let server = try await LabServer.start(.good, options: options)
        #expect(try await OtherClient.openssl.ask(server, ["-tls1_3"]).status != 0)
        #expect(try await OtherClient.openssl.ask(server, ["-tls1_2"]).status == 0)
        #expect(try await LabClient(versions: .tls13).get(server).outcome == .noHandshake)
        await server.stop()
    }

    @Test(
        "curl authenticates with each scheme, and the server refuses a wrong password",
        arguments: [
            (LabChallenge(.basic), "--basic"), (LabChallenge(.digest), "--digest"),
            (LabChallenge(.digestMD5), "--digest"), (LabChallenge(.basic, .digest), "--anyauth"),
        ], ["--http1.1", "--http2"])
    func challenges(challenge: (LabChallenge, String), version: String) async throws {
        var options = LabServer.Options()
        options.response = .unauthorized(challenge.0)
        let server = try await LabServer.start(.good, options: options)
        let right = try await OtherClient.curl.ask(server, [version, challenge.1, "--user", "user:secret"])
        #expect(right.output.contains("welcome\n\n200 "))
        let wrong = try await OtherClient.curl.ask(server, [version, challenge.1, "--user", "user:wrong"])
        #expect(wrong.output.contains("who is there?\n\n401 "))
        await server.stop()
    }

    @Test("curl reports a truncated response as an error", arguments: ["--http1.1", "--http2"])
    func truncated(version: String) async throws {
        var options = LabServer.Options()
        options.response = .truncated("half of")
        let server = try await LabServer.start(.good, options: options)
        let outcome = try await OtherClient.curl.ask(server, [version])
        await server.stop()
        #expect(outcome.status != 0)
        // Over HTTP/2, curl drops the bytes that it received before the connection ended.
        if version == "--http1.1" { #expect(outcome.output.contains("half of")) }
    }
}
