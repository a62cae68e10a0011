// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab
@testable import ServerTrustNIO

@Suite("Proxies that use TLS", .timeLimit(.minutes(10)))
struct SecureProxyTests {
    /// The rules of a server's client, which also trusts a proxy's root.
    private static func trust(_ server: LabServer, _ proxy: LabCertificates) throws -> ServerTrustConfiguration {
        try server.certificates.configuration(throughProxyWith: proxy.anchors)
    }

    private func probe(
        _ server: LabServer, _ trust: ServerTrustConfiguration, _ proxy: ConnectionProxy
    ) async -> Result<TrustProbeReport, ConnectionFailure> {
        var probe = TrustProbe(trust)
        probe.timeout = .seconds(30)
        probe.proxy = proxy
        do throws(ConnectionFailure) {
            return .success(try await probe.probe(server.host, port: server.port, requesting: "/secret"))
        } catch {
            return .failure(error)
        }
    }

    @Test("The probe reaches a server through the proxy, and reports the server's TLS version")
    func tunnel() async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(authorization: "Basic dXNlcjpwOnc=", certificates: certificates)
        var options = LabServer.Options()
        options.versions = .tls12
        let server = try await LabServer.start(.good, options: options)
        let report = try await probe(
            server, try Self.trust(server, certificates),
            .https(host: "localhost", port: proxy.port, authorization: .basic(user: "user", password: "p:w"))
        ).get()
        #expect(report.response?.status == 200)
        #expect(report.tlsVersion == "TLS 1.2")
        #expect(report.host == server.host)
        #expect(proxy.tunnels.map(\.target) == ["\(server.host):\(server.port)"])
        #expect(proxy.clientBytes.starts(with: [22, 3]))
        await server.stop()
        await proxy.stop()
    }

    @Test(
        "The probe doesn't trust the proxy for the server, or the server for the proxy",
        arguments: LabScenario.all.filter { !$0.expected.isTrusted && $0.expected != .noHandshake }.prefix(12).map {
            $0
        })
    func scenarios(scenario: LabScenario) async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(certificates: certificates)
        let server = try await LabServer.start(scenario)
        let report = try? await probe(
            server, try Self.trust(server, certificates), .https(host: "localhost", port: proxy.port)
        ).get()
        #expect(report?.verdict.isTrusted != true)
        #expect(server.counts.requestBytes == 0)
        await server.stop()
        await proxy.stop()
    }

    enum Fault: CaseIterable { case unknownRoot, expired, otherName, noTLS, denied }

    /// Returns a proxy that isn't trusted, and the rules of the client.
    private static func start(
        _ fault: Fault, _ server: LabServer
    ) async throws -> (proxy: LabProxy, trust: ServerTrustConfiguration) {
        let certificates = try LabCertificates.localhost { template in
            if fault == .expired {
                template.notBefore = Time.now().advanced(by: .days(-30))
                template.notAfter = Time.now().advanced(by: .days(-1))
            }
            if fault == .otherName { template.dnsNames = [server.host.description] }
        }
        let proxy = try await LabProxy.start(certificates: fault == .noTLS ? nil : certificates)
        var trust =
            try fault == .unknownRoot
            ? server.certificates.configuration(throughProxyWith: []) : trust(server, certificates)
        if fault == .denied {
            trust.manager = try ServerTrustManager(
                rules: [server.host.description: .enforced(DefaultTrustEvaluator()), "localhost": .denied], memory: nil
            )
        }
        return (proxy, trust)
    }

    @Test("A proxy that isn't trusted gets no byte of CONNECT, and no credentials", arguments: Fault.allCases)
    func untrusted(fault: Fault) async throws {
        let server = try await LabServer.start(.good)
        let (proxy, trust) = try await Self.start(fault, server)
        let address = ConnectionProxy.https(
            host: "localhost", port: proxy.port, authorization: .basic(user: "user", password: "secret"))
        let result = await probe(server, trust, address)
        guard case .failure(let failure) = result else {
            Issue.record("the proxy was used")
            return
        }
        #expect(failure.code == .connectionProxyFailed, "\(failure)")

        let tls = try ServerTrustTLS(trust)
        let error = await #expect(throws: (any Error).self) {
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
                to: server.host, port: server.port, through: address, serverTrust: tls
            ) { channel, server in server.map { _ in channel }
            }.close()
        }
        if fault == .noTLS {
            #expect((error as? ConnectionFailure)?.code == .connectionProxyFailed)
        } else {
            let verdict = (error as? TrustRefusal)?.verdict
            #expect(
                verdict?.isTrusted == false && verdict?.host?.description == "localhost", "\(String(describing: error))"
            )
        }
        #expect(proxy.tunnels.isEmpty)
        // Without TLS, the proxy gets a ClientHello.
        #expect(fault == .noTLS ? proxy.requestBytes.starts(with: [22, 3]) : proxy.requestBytes.isEmpty)
        #expect(server.counts.connections == 0)
        await server.stop()
        await proxy.stop()
    }

    @Test("Pins of the server don't apply to the proxy, and the proxy's pins do")
    func pins() async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(certificates: certificates)
        let server = try await LabServer.start(.good)
        let address = ConnectionProxy.https(host: "localhost", port: proxy.port)
        func pinned(_ certificates: [Certificate]) throws -> any TrustEvaluator {
            SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: certificates.map { SPKIPin($0) }))
        }
        var trust = try Self.trust(server, certificates)
        let right = try pinned(server.certificates.anchors)
        trust.manager = try ServerTrustManager(
            evaluators: [server.host.description: right, "localhost": DefaultTrustEvaluator()], memory: nil)
        #expect(try await probe(server, trust, address).get().verdict.isTrusted)
        trust.manager = try ServerTrustManager(
            evaluators: [server.host.description: right, "localhost": right], memory: nil)
        guard case .failure = await probe(server, trust, address) else {
            Issue.record("the proxy was used")
            return
        }
        #expect(proxy.tunnels.count == 1)
        await server.stop()
        await proxy.stop()
    }

    @Test("Events above the proxy's TLS are about the server")
    func events() async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(certificates: certificates)
        let server = try await LabServer.start(.good)
        let tls = try ServerTrustTLS(try Self.trust(server, certificates))
        let evaluated = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            to: server.host, port: server.port, through: .https(host: "localhost", port: proxy.port), serverTrust: tls
        ) { channel, server in
            server.flatMap { server in channel.close().map { server } }
        }
        #expect(evaluated.host == server.host)
        #expect(evaluated.presentedChain.leaf == server.certificates.chain.first)
        await server.stop()
        await proxy.stop()
    }

    @Test("TLS to a proxy doesn't have the client's certificate, its callback or HTTP/2")
    func settings() throws {
        let identity = try TestAuthority.root().issue(.client("client"))
        var settings = TLSConfiguration.clientForServerTrust(applicationProtocols: ["h2"])
        settings.certificateChain = [
            .certificate(try NIOSSLCertificate(bytes: identity.certificate.der, format: .der))
        ]
        settings.privateKey = .privateKey(
            try NIOSSLPrivateKey(bytes: Array(identity.key.pemRepresentation().utf8), format: .pem))
        settings.sslContextCallback = { _, promise in promise.succeed(.noChanges) }
        settings.minimumTLSVersion = .tlsv13
        let trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        let tls = try ServerTrustTLS(VerdictSource(trust), context: NIOSSLContext(configuration: settings)).forProxy()
        let found = tls.context.configuration
        #expect(found.certificateChain.isEmpty && found.privateKey == nil && found.sslContextCallback == nil)
        #expect(found.applicationProtocols == ["http/1.1"])
        #expect(found.minimumTLSVersion == .tlsv13)
    }

    static let logins: [(String, String, isValid: Bool)] = [
        ("u", "p", true), (String(repeating: "u", count: 255), String(repeating: "p", count: 255), true),
        ("", "p", false), ("u", "", false), (String(repeating: "u", count: 256), "p", false),
        ("u", String(repeating: "é", count: 128), false), ("u", String(repeating: "é", count: 127), true),
    ]

    @Test("A SOCKS login has 1 to 255 bytes each, and nothing is sent otherwise", arguments: logins)
    func limits(_ row: (user: String, password: String, isValid: Bool)) async throws {
        let proxy = try await LabProxy.start(login: "\(row.user):\(row.password)")
        let server = try await LabServer.start(.good)
        let result = await probe(
            server, server.certificates.configuration,
            .socks5(host: "127.0.0.1", port: proxy.port, user: row.user, password: row.password))
        switch result {
        case .success(let report): #expect(row.isValid && report.verdict.isTrusted)
        case .failure(let error): #expect(!row.isValid && error.code == .connectionProxyFailed, "\(error)")
        }
        #expect(proxy.tunnels.count == (row.isValid ? 1 : 0))
        #expect(proxy.requestBytes.isEmpty == !row.isValid)
        await server.stop()
        await proxy.stop()
    }

    @Test("A SOCKS proxy refuses another login, and a client without one")
    func refusedLogin() async throws {
        let proxy = try await LabProxy.start(login: "user:secret")
        let server = try await LabServer.start(.good)
        for address in [
            ConnectionProxy.socks5(host: "127.0.0.1", port: proxy.port, user: "user", password: "wrong-word"),
            .socks5(host: "127.0.0.1", port: proxy.port),
        ] {
            guard case .failure(let error) = await probe(server, server.certificates.configuration, address) else {
                Issue.record("the proxy was used")
                continue
            }
            #expect(error.code == .connectionProxyAuthorizationRequired, "\(error)")
            #expect(!"\(error)".contains("wrong-word"))
        }
        #expect(proxy.tunnels.isEmpty && server.counts.connections == 0)
        await server.stop()
        await proxy.stop()
    }
}
