// SPDX-License-Identifier: Apache-2.0

import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

@Suite("Probes through proxies", .timeLimit(.minutes(10)))
struct ProbeProxyTests {
    private func probe(
        _ server: LabServer, through proxy: ConnectionProxy, _ path: String? = nil, timeout: Duration = .seconds(30)
    ) async -> Result<TrustProbeReport, ConnectionFailure> {
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = timeout
        probe.proxy = proxy
        do throws(ConnectionFailure) {
            return .success(try await probe.probe(server.host, port: server.port, requesting: path))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "Every scenario has the same outcome through a proxy, and refused servers receive no part of a request",
        arguments: ProxyKind.allCases)
    func conformance(kind: ProxyKind) async throws {
        let proxy = try await LabProxy.start()
        let violations = try await ClientConformance().run { server in
            switch await probe(server, through: kind.proxy(proxy.port), "/") {
            case .success(let report): return LabOutcome(report.verdict)
            case .failure(let error):
                #expect(error.code == .connectionPlainHTTP || error.code == .connectionClosed)
                return .noHandshake
            }
        }
        #expect(violations.isEmpty, "\(violations)")
        #expect(proxy.tunnels.count >= LabScenario.all.count)
        await proxy.stop()
    }

    @Test("The proxy gets the unresolved name and sees only TLS", arguments: ProxyKind.allCases)
    func tunnel(kind: ProxyKind) async throws {
        let proxy = try await LabProxy.start()
        let server = try await LabServer.start(.good)
        let report = try await probe(server, through: kind.proxy(proxy.port), "/secret").get()
        #expect(report.response?.status == 200)
        #expect(report.address == nil)
        let target = "\(server.host):\(server.port)"
        #expect(proxy.tunnels == [.init(kind: kind.tunnel, target: target, authorization: nil)])
        #expect(proxy.clientBytes.starts(with: [22, 3]))
        #expect(!String(decoding: proxy.clientBytes, as: UTF8.self).contains("secret"))
        await server.stop()
        await proxy.stop()
    }

    @Test(
        "The probe refuses an interceptor behind the proxy without sending a byte of a request",
        arguments: ProxyKind.allCases)
    func interceptor(kind: ProxyKind) async throws {
        let interceptor = try await LabServer.start(.untrustedRoot)
        let proxy = try await LabProxy.start(replacement: interceptor.port)
        let server = try await LabServer.start(.good)
        let report = try await probe(server, through: kind.proxy(proxy.port), "/").get()
        #expect(!report.verdict.isTrusted)
        #expect(interceptor.counts.requestBytes == 0)
        #expect(server.counts.connections == 0)
        await server.stop()
        await interceptor.stop()
        await proxy.stop()
    }

    static let authorizations: [(ConnectionProxy.Authorization?, String, Bool)] = [
        (.basic(user: "user", password: "p:w"), "Basic dXNlcjpwOnc=", true),
        (.basic(user: "user", password: "other"), "Basic dXNlcjpwOnc=", false),
        (.bearer("token"), "Bearer token", true), (nil, "Bearer token", false),
        (.bearer("to\r\nken: x"), "Bearer token", false), (.bearer("tökén"), "Bearer token", false),
    ]

    @Test(
        "The probe sends the proxy its credentials and reports a rejection as the proxy's failure",
        arguments: authorizations)
    func authorization(_ row: (given: ConnectionProxy.Authorization?, expected: String, isAccepted: Bool)) async throws
    {
        let proxy = try await LabProxy.start(authorization: row.expected)
        let server = try await LabServer.start(.good)
        let result = await probe(
            server, through: .http(host: "127.0.0.1", port: proxy.port, authorization: row.given))
        switch result {
        case .success(let report): #expect(row.isAccepted && report.verdict.isTrusted)
        case .failure(let error): #expect(!row.isAccepted && error.isOfProxy, "\(error)")
        }
        #expect(server.counts.connections == (row.isAccepted ? 1 : 0))
        await server.stop()
        await proxy.stop()
    }

    @Test("The probe refuses a denied host before it contacts the proxy")
    func denied() async throws {
        let peer = try await ScriptedPeer([])
        let host = try Hostname("api.lab.test")
        var probe = TrustProbe(ServerTrustConfiguration(try ServerTrustManager(rules: ["api.lab.test": .denied])))
        probe.proxy = .http(host: "127.0.0.1", port: peer.port)
        let report = try await probe.probe(host)
        #expect(report.verdict.headline?.code == .hostDenied)
        #expect(peer.received.isEmpty)
        await peer.stop()
    }

    @Test("The probe reports a missing proxy as the proxy's failure", arguments: ProxyKind.allCases)
    func unreachable(kind: ProxyKind) async throws {
        let peer = try await ScriptedPeer([])
        let port = peer.port
        await peer.stop()
        let server = try await LabServer.start(.good)
        guard case .failure(let error) = await probe(server, through: kind.proxy(port)) else {
            Issue.record("a missing proxy was reached")
            return
        }
        #expect(error.code == .connectionProxyFailed)
        await server.stop()
    }
}
