// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

@Suite("Probing a server")
struct TrustProbeTests {
    private func probe(_ server: LabServer) -> TrustProbe { TrustProbe(server.certificates.configuration) }

    private func look(
        at server: LabServer, _ path: String? = nil, timeout: Duration = .seconds(30)
    ) async throws(ConnectionFailure) -> TrustProbeReport {
        var probe = probe(server)
        probe.timeout = timeout
        return try await probe.probe(
            server.host, port: server.port, connectingTo: server.address.rawValue, requesting: path)
    }

    @Test("A probe that sends a request conforms in every scenario")
    func conformance() async throws {
        let violations = try await ClientConformance().run { server in
            do throws(ConnectionFailure) {
                let report = try await look(at: server, "/")
                #expect(report.isComplete == report.verdict.isTrusted)
                #expect((report.response != nil) == report.verdict.isTrusted)
                return LabOutcome(report.verdict)
            } catch {
                #expect(error.code == .connectionPlainHTTP || error.code == .connectionClosed)
                return .noHandshake
            }
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "A probe reports the presented chain and the TLS version, and leaves no connection open",
        arguments: [LabServer.TLSVersions.tls12, .tls13])
    func facts(_ versions: LabServer.TLSVersions) async throws {
        var options = LabServer.Options()
        options.versions = versions
        let server = try await LabServer.start(.strangers, options: options)
        let report = try await look(at: server)
        #expect(report.presentedChain.certificates == server.certificates.chain)
        #expect(report.tlsVersion == (versions == .tls12 ? "TLS 1.2" : "TLS 1.3"))
        #expect(report.applicationProtocol == "h2")
        #expect(report.address == "127.0.0.1")
        #expect(report.response == nil)
        #expect(report.failure == nil)
        #expect(server.counts.requests == 0)
        while server.counts.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop()
    }

    @Test(
        "A probe uses the second address if the first refuses the connection, also with a prologue",
        arguments: [nil, TLSPrologue.postgreSQL])
    func secondAddress(prologue: TLSPrologue?) async throws {
        let server = try await LabServer.start(.good)
        let peer = try await ScriptedPeer([.init(bytes: [UInt8(ascii: "S")], after: 8)], leadingTo: server.port)
        let addresses = try ["127.0.0.2", "127.0.0.1"].map { try SocketAddress(ipAddress: $0, port: 0) }
        var probe = probe(server)
        probe.timeout = .seconds(30)
        probe.nameLookup = NameLookup { _ in addresses }
        probe.prologue = prologue
        let report = try await probe.probe(server.host, port: prologue == nil ? server.port : peer.port)
        #expect(report.verdict.isTrusted && report.failure == nil && report.address == "127.0.0.1")
        await server.stop()
        await peer.stop()
    }

    @Test("A probe reports a redirect unchanged")
    func redirect() async throws {
        var options = LabServer.Options()
        options.response = .redirect(to: "/elsewhere", status: 307)
        let server = try await LabServer.start(.good, options: options)
        let report = try await look(at: server, "/here")
        #expect(report.response?.status == 307)
        #expect(report.response?.location == "/elsewhere")
        await server.stop()
    }

    @Test("A probe ends in time if the peer accepts the connection and stays silent")
    func silent() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        var probe = TrustProbe(
            ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)))
        probe.timeout = .milliseconds(200)
        let host = try Hostname("api.lab.test")
        do throws(ConnectionFailure) {
            _ = try await probe.probe(host, port: port, connectingTo: "127.0.0.1")
            Issue.record("a silent server got a report")
        } catch {
            #expect(error.code == .connectionTimedOut)
        }
        try await listener.close()
    }

    @Test("A probe ends in time if it never gets a verdict")
    func slowVerdict() async throws {
        let server = try await LabServer.start(.good)
        var probe = TrustProbe(
            .waiting { chain, host in
                try? await Task.sleep(for: .seconds(600))
                return Trust(presentedChain: chain, host: host).evaluate()
            })
        probe.timeout = .milliseconds(200)
        do throws(ConnectionFailure) {
            _ = try await probe.probe(server.host, port: server.port, connectingTo: "127.0.0.1")
            Issue.record("a server without a verdict got a report")
        } catch {
            // The time limits of the handshake and the evaluation end at the same time.
            #expect([.connectionTimedOut, .connectionEvaluationTimedOut].contains(error.code))
        }
        #expect(server.counts.requestBytes == 0)
        await server.stop()
    }
}
