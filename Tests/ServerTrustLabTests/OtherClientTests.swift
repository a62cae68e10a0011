// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustLab
import Testing

@Suite("curl and openssl, against the same servers", .enabled(if: OtherClient.areAvailable))
struct OtherClientTests {
    /// Where they come to another verdict than we do, and why. Everything else has to agree, and so does everything that is
    /// listed: a difference that has gone is a failure too.
    static let differences: [OtherClient: [LabScenario: String]] = {
        let common: [LabScenario: String] = [
            .noAlternativeName: "OpenSSL falls back to the common name; RFC 9525 § 2 forbids it",
            .publicSuffixWildcard: "they have no list of public suffixes for certificates",
            .crossSigned: "OpenSSL takes the first issuer that fits and does not come back for the second",
            .hugeChain: "OpenSSL goes down to a depth of 100; our budget is 32 certificates",
            .pinnedKeyReplaced: "they were told of no pin",
            .authorityChanged: "they were told of no pin",
            .intercepted: "they were told of no pin",
            .revokedByCRL: "they were given no CRL; given one, openssl refuses",
            .revokedByOCSP: "they ask no OCSP responder of their own accord",
            .mustStaple: "neither looks at the TLS feature extension",
        ]
        var openssl = common
        openssl[.partialWildcard] = "OpenSSL allows a wildcard for a part of a label unless told otherwise"
        return [.curl: common, .openssl: openssl]
    }()

    @Test(
        "agree about every scenario, save where their rules are others", arguments: LabScenario.all,
        OtherClient.allCases)
    func agreement(scenario: LabScenario, client: OtherClient) async throws {
        let server = try await LabServer.start(scenario)
        let outcome = try await client.ask(server)
        await server.stop()
        let isAgreed = (outcome.status == 0) == scenario.expected.isTrusted
        let difference = Self.differences[client]?[scenario]
        #expect(isAgreed == (difference == nil), "\(difference ?? "no difference known"): \(outcome.output)")
        if outcome.status != 0 { #expect(server.counts.requestBytes == 0) }
    }

    @Test(
        "curl gets the same body over HTTP/1.1 and HTTP/2, with TLS 1.2 and 1.3",
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

    /// That no byte came is worth something only if bytes that come are counted.
    @Test("curl that was told not to look sends its request, and it is counted", arguments: ["--http1.1", "--http2"])
    func insecure(version: String) async throws {
        let server = try await LabServer.start(.expired)
        let outcome = try await OtherClient.curl.ask(server, [version, "--insecure"])
        await server.stop()
        #expect(outcome.status == 0)
        #expect(server.counts.handshakes == 1)
        #expect(server.counts.requests == 1)
        #expect(server.counts.requestBytes > 0)
    }

    @Test("openssl sees the version that was asked for", arguments: [("tls1_2", "TLSv1.2"), ("tls1_3", "TLSv1.3")])
    func versions(option: String, name: String) async throws {
        let server = try await LabServer.start(.good)
        let outcome = try await OtherClient.openssl.ask(server, ["-\(option)"])
        await server.stop()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Protocol version: \(name)"))
    }

    @Test("a server of one version refuses the other")
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
        "curl answers each challenge",
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

    @Test("curl says that an answer was cut off", arguments: ["--http1.1", "--http2"])
    func truncated(version: String) async throws {
        var options = LabServer.Options()
        options.response = .truncated("half of")
        let server = try await LabServer.start(.good, options: options)
        let outcome = try await OtherClient.curl.ask(server, [version])
        await server.stop()
        #expect(outcome.status != 0)
        // Over HTTP/2 curl drops what came before the end of the connection.
        if version == "--http1.1" { #expect(outcome.output.contains("half of")) }
    }
}
