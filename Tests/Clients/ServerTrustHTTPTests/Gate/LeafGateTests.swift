// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting
import Testing

@Suite("A gate for an HTTPClient")
struct LeafGateTests {
    /// The result of a request to a server through a gate with the pins.
    private func ask(
        _ server: LabServer, _ pins: LeafPins, version: HTTPClient.Configuration.HTTPVersion = .automatic,
        more: [Certificate] = [], port: Int? = nil
    ) async throws -> (status: UInt?, error: (any Error)?) {
        var configuration = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(
            try (server.certificates.anchors + more).map { try NIOSSLCertificate(bytes: $0.der, format: .der) })
        configuration.tlsConfiguration = tls
        configuration.httpVersion = version
        configuration.dnsOverride = [server.host.description: "127.0.0.1"]
        try configuration.gate(by: pins)
        let client = HTTPClient(configuration: configuration)
        let url = "https://\(server.host):\(port ?? server.port)/"
        var status: UInt?
        let error = await failure {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(20))
            status = response.status.code
            _ = try await response.body.collect(upTo: 1 << 16)
        }
        try await client.shutdown()
        return (status, error)
    }

    private func pins(_ certificate: Certificate, _ host: String = "api.lab.test") throws -> LeafPins {
        try LeafPins([
            host: SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(certificate)]), scope: .leaf)
        ])
    }

    @Test(
        "The gate lets the pinned leaf through",
        arguments: [HTTPClient.Configuration.HTTPVersion.automatic, .http1Only])
    func good(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let server = try await LabServer.start(.good)
        let (status, error) = try await ask(server, pins(server.certificates.chain[0]), version: version)
        await server.stop()
        #expect(status == 200, "\(String(describing: error))")
        #expect(server.counts.http2Requests == (version == .automatic ? 1 : 0))
    }

    @Test(
        "The gate refuses another leaf of a CA that NIOSSL trusts, once and without a request",
        arguments: [LabScenario.good, .intercepted, .pinnedKeyReplaced],
        [HTTPClient.Configuration.HTTPVersion.automatic, .http1Only])
    func anotherKey(scenario: LabScenario, version: HTTPClient.Configuration.HTTPVersion) async throws {
        let server = try await LabServer.start(scenario)
        let stranger = try LabScenario.good.certificates(at: .now()).chain[0]
        let (status, error) = try await ask(server, pins(stranger), version: version)
        await server.stop()
        #expect(status == nil)
        #expect((error as? LeafRefusal)?.failure.code == .pinNotMatched, "\(String(describing: error))")
        #expect((error as? LeafRefusal)?.leaf == server.certificates.chain[0])
        #expect(server.counts.connections == 1)
        #expect(server.counts.openConnections == 0)
        #expect(server.counts.requests == 0)
        // Over HTTP/2 the preface and SETTINGS, which say nothing of the request.
        #expect(server.counts.requestBytes <= (version == .automatic ? 128 : 0))
    }

    @Test(
        "The gate refuses the pinned key in a certificate for another host, even where NIOSSL lets it pass by the socket's address"
    )
    func socketAddress() async throws {
        let server = try await LabServer.start(.ipAddressOnly)
        let (status, error) = try await ask(server, pins(server.certificates.chain[0]), version: .http1Only)
        await server.stop()
        #expect(status == nil)
        #expect((error as? LeafRefusal)?.failure.code == .hostMismatch, "\(String(describing: error))")
        #expect(server.counts.requestBytes == 0)
    }

    @Test(
        "A server that NIOSSL refuses stays refused",
        arguments: [LabScenario.expired, .untrustedRoot, .selfSigned, .missingIntermediate])
    func verified(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let (status, _) = try await ask(server, pins(server.certificates.chain[0]))
        await server.stop()
        #expect(status == nil)
        #expect(server.counts.requestBytes == 0)
    }

    @Test(
        "The gate refuses mitmproxy with a CA that the machine trusts", .enabled(if: Peer.Program.mitmdump.isAvailable))
    func interceptor() async throws {
        let server = try await LabServer.start(.good)
        let (peer, authority) = try await Peer.interceptor(before: server.port)
        let (status, error) = try await ask(
            server, pins(server.certificates.chain[0]), version: .http1Only, more: [authority.certificate],
            port: peer.port)
        #expect(status == nil)
        #expect((error as? LeafRefusal)?.failure.code == .pinNotMatched, "\(String(describing: error))")
        #expect(server.counts.requests == 0)
        peer.stop()
        await server.stop()
    }

    @Test("The gate refuses connections in the clear")
    func plain() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200)] }
        var configuration = HTTPClient.Configuration()
        try configuration.gate(by: pins(LabScenario.good.certificates(at: .now()).chain[0], "127.0.0.1"))
        let client = HTTPClient(configuration: configuration)
        let error = await failure {
            try await client.execute(HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/"), timeout: .seconds(20))
        }
        try await client.shutdown()
        await server.stop()
        #expect((error as? LeafRefusal)?.failure.code == .presentedChainEmpty, "\(String(describing: error))")
        #expect(server.received.isEmpty)
    }

    @Test("The gate takes no rules that need the path")
    func needsPath() throws {
        let certificate = try LabScenario.good.certificates(at: TestAuthority.now).chain[0]
        let set = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(certificate)])
        let leaf = SPKIPinsTrustEvaluator(set, scope: .leaf)
        func problems(_ evaluators: [String: any TrustEvaluator]) -> [LeafPinsError.Problem] {
            do throws(LeafPinsError) {
                _ = try LeafPins(evaluators)
                return []
            } catch {
                return error.problems
            }
        }
        #expect(problems(["a.test": leaf]) == [])
        #expect(problems(["a.test": try CompositeTrustEvaluator(evaluators: [leaf, leaf])]) == [])
        for evaluator: any TrustEvaluator in [
            SPKIPinsTrustEvaluator(set), SPKIPinsTrustEvaluator(set, scope: .authority), DefaultTrustEvaluator(),
            try PinnedCertificatesTrustEvaluator(certificates: [certificate]),
            try PublicKeysTrustEvaluator(keys: [certificate.subjectPublicKeyInfo]),
            try CompositeTrustEvaluator(evaluators: [leaf, DefaultTrustEvaluator()]),
        ] {
            #expect(problems(["a.test": evaluator]) == [.needsPath("a.test")])
        }
        #expect(problems([:]) == [.empty])
        #expect(problems(["a.test": leaf, "A.TEST": leaf]).contains(.duplicate(try Hostname("a.test"))))
        #expect(problems(["*.a.test": leaf]).count == 1)
    }

    @Test(
        "The gate isn't put into a configuration without verification",
        arguments: [CertificateVerification.none, .noHostnameVerification])
    func verificationTurnedOff(verification: CertificateVerification) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = verification
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        let pins = try pins(LabScenario.good.certificates(at: TestAuthority.now).chain[0])
        #expect(throws: HTTPClientGateError.verificationTurnedOff) { try configuration.gate(by: pins) }
    }
}
