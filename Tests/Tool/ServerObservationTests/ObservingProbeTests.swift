// SPDX-License-Identifier: Apache-2.0

import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerObservation
@testable import ServerTrustLab

@Suite("Probes that observe the handshake first", .timeLimit(.minutes(10)))
struct ObservingProbeTests {
    private func probe(
        _ trust: ServerTrustConfiguration, timeout: Duration = .seconds(30),
        _ change: (inout TrustProbe) -> Void = { _ in }
    ) -> ObservingProbe {
        var probe = TrustProbe(trust)
        probe.timeout = timeout
        change(&probe)
        return ObservingProbe(probe)
    }

    @Test("An observing probe conforms in every scenario")
    func conformance() async throws {
        let violations = try await ClientConformance().run { server in
            let probe = probe(server.certificates.configuration)
            do throws(ConnectionFailure) {
                let observed = try await probe.probe(
                    server.host, port: server.port, connectingTo: server.address.rawValue)
                #expect(observed.report.response == nil && observed.report.failure == nil)
                return LabOutcome(observed.report.verdict)
            } catch {
                #expect(error.code == .connectionPlainHTTP || error.code == .connectionClosed)
                return .noHandshake
            }
        }
        // The probe sends no request, and connects again if the observation proves nothing. Both rules apply only to
        // clients.
        let others = violations.filter { $0.rule != .wrongRequestCount && $0.rule != .reconnects }
        #expect(others.isEmpty, "\(others)")
    }

    @Test("A probe that sends a request uses only TLS, without an observation")
    func request() async throws {
        let server = try await LabServer.start(.good)
        let observed = try await probe(server.certificates.configuration).probe(
            server.host, port: server.port, connectingTo: "127.0.0.1", requesting: "/")
        #expect(observed.report.response != nil && observed.handshake == nil && server.counts.connections == 1)
        await server.stop()
    }

    @Test("The probe observes a trusted or refused server with one connection", arguments: [true, false])
    func facts(isTrusted: Bool) async throws {
        let server = try await LabServer.start(isTrusted ? .good : .expired)
        let observed = try await probe(server.certificates.configuration).probe(
            server.host, port: server.port, connectingTo: "127.0.0.1")
        #expect(observed.report.verdict.isTrusted == isTrusted && server.counts.connections == 1)
        #expect(observed.report.tlsVersion == "TLS 1.3" && observed.handshake?.cipherSuite != nil)
        #expect(observed.handshake?.signature == .valid && observed.handshake?.group == .x25519)
        #expect(server.counts.requestBytes == 0)
        while server.counts.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop()
    }

    @Test("The probe doesn't contact a denied host, and its report has no observation")
    func denied() async throws {
        let peer = try await ScriptedPeer([])
        let trust = ServerTrustConfiguration(try ServerTrustManager(rules: ["api.lab.test": .denied]))
        let observed = try await probe(trust).probe(
            Hostname("api.lab.test"), port: peer.port, connectingTo: "127.0.0.1")
        #expect(observed.report.verdict.headline?.code == .hostDenied && observed.handshake == nil)
        #expect(peer.received.isEmpty)
        await peer.stop()
    }

    @Test(
        "The probe observes and refuses an old server if the probe offers the server's version, and otherwise throws an error"
    )
    func oldServer() async throws {
        let server = try await LabServer.start(.oldTLS)
        let tls = TrustProbe(server.certificates.configuration)
        let observed = try await ObservingProbe(tls, minimumVersion: .tls10).probe(
            server.host, port: server.port, connectingTo: server.address.rawValue)
        #expect(observed.report.verdict.headline?.code == .tlsVersionOutdated)
        #expect(observed.handshake?.version == .tls10)
        await #expect(throws: ConnectionFailure.self) {
            try await ObservingProbe(tls).probe(
                server.host, port: server.port, connectingTo: server.address.rawValue)
        }
        await server.stop()
    }

    @Test("The probe observes a server through a proxy and after a prologue", arguments: ProxyKind.allCases)
    func approach(kind: ProxyKind) async throws {
        let server = try await LabServer.start(.good)
        let peer = try await ScriptedPeer([.init(bytes: [UInt8(ascii: "S")], after: 8)], leadingTo: server.port)
        let proxy = try await LabProxy.start()
        let probe = probe(server.certificates.configuration) {
            $0.proxy = kind.proxy(proxy.port)
            $0.prologue = .postgreSQL
        }
        let observed = try await probe.probe(server.host, port: peer.port)
        #expect(observed.report.verdict.isTrusted && observed.handshake?.signature == .valid)
        #expect(proxy.tunnels.count == 1)
        await server.stop()
        await peer.stop()
        await proxy.stop()
    }

    @Test(
        "The probe makes a TLS connection to a trusted server that requests a client certificate, but not to a refused one"
    )
    func clientCertificate() async throws {
        var options = LabServer.Options()
        options.clientCertificates = .required
        for scenario in [LabScenario.good, .expired] {
            let server = try await LabServer.start(scenario, options: options)
            let observed = try await probe(server.certificates.configuration).probe(
                server.host, port: server.port, connectingTo: "127.0.0.1")
            #expect(observed.handshake?.clientCertificateRequest != nil && observed.handshake?.signature == .valid)
            #expect(server.counts.connections == (observed.report.verdict.isTrusted ? 2 : 1))
            await server.stop()
        }
    }

    @Test("The probe refuses a server whose key usage doesn't permit the chosen handshake", arguments: [true, false])
    func keyUsage(isTLS13: Bool) async throws {
        var options = LabServer.Options()
        options.versions = isTLS13 ? .tls13 : .tls12
        let root = try TestAuthority.root()
        for usage in [KeyUsage.keyEncipherment, [.digitalSignature, .keyEncipherment]] {
            let leaf = try root.issue(.leaf("api.lab.test").with { $0.keyUsage = usage }, key: .rsa())
            let server = try await LabServer.start(
                .custom(host: "api.lab.test", leaf: leaf, anchors: [root.certificate]), options: options,
                now: TestAuthority.now)
            let observed = try await probe(server.certificates.configuration).probe(
                server.host, port: server.port, connectingTo: "127.0.0.1")
            let isGood = usage.contains(.digitalSignature)
            #expect(observed.report.verdict.failures.map(\.code) == (isGood ? [] : [.keyUsageNotForTLS]))
            #expect(isGood || observed.report.verdict.headline?.expected == .list(["digitalSignature"]))
            #expect(observed.report.verdict.isTrusted == isGood && observed.report.failure == nil)
            #expect(server.counts.requestBytes == 0)
            await server.stop()
        }
    }

    @Test("The probe uses an address's zone to connect and ignores it in the evaluation", arguments: [true, false])
    func zone(observesFirst: Bool) async throws {
        var options = LabServer.Options()
        options.address = .v6
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("::1"))
        let server = try await LabServer.start(
            .custom(host: "::1", leaf: leaf, anchors: [root.certificate]), options: options, now: TestAuthority.now)
        // The zone is a number, because ::1 has no named zone.
        let host = try Hostname("::1%1")
        var tls = TrustProbe(server.certificates.configuration)
        tls.timeout = .seconds(30)
        let report =
            observesFirst
            ? try await ObservingProbe(tls).probe(host, port: server.port).report
            : try await tls.probe(host, port: server.port)
        #expect(report.verdict.isTrusted && report.failure == nil)
        #expect(report.verdict.host?.zone == "1" && report.verdict.warnings.count == 1)
        #expect(host.serverName == nil)
        await server.stop()
    }

    @Test("The probe times out if the evaluation never ends")
    func slowVerdict() async throws {
        let server = try await LabServer.start(.good)
        var probe = TrustProbe(
            .waiting { chain, host in
                try? await Task.sleep(for: .seconds(600))
                return Trust(presentedChain: chain, host: host).evaluate()
            })
        probe.timeout = .milliseconds(200)
        do throws(ConnectionFailure) {
            _ = try await ObservingProbe(probe).probe(server.host, port: server.port, connectingTo: "127.0.0.1")
            Issue.record("the probe reported on a server without a verdict")
        } catch {
            // On a busy machine, connecting can use up the whole timeout.
            #expect([.connectionTimedOut, .connectionEvaluationTimedOut].contains(error.code))
        }
        await server.stop()
    }

    // MARK: - Handshakes that end early

    private func report(
        on scenario: LabScenario, requesting path: String? = nil, timeout: Duration = .seconds(30)
    ) async throws -> ObservedServer {
        let server = try await LabServer.start(scenario)
        let observed = try await probe(server.certificates.configuration, timeout: timeout).probe(
            server.host, port: server.port, connectingTo: server.address.rawValue, requesting: path)
        await server.stop()
        return observed
    }

    @Test(
        "The probe never trusts a server that doesn't prove its key, even if its chain is valid",
        arguments: HandshakeFlight.End.allCases, [nil, "/"])
    func unfinished(_ end: HandshakeFlight.End, path: String?) async throws {
        let observed = try await report(
            on: .unfinishedHandshake(end), requesting: path, timeout: .seconds(end == .staysSilent ? 2 : 30))
        #expect(!observed.report.verdict.isTrusted && observed.report.verdict.headline?.code == .handshakeUnproven)
        #expect(observed.report.verdict.failures.count == 1 && observed.report.verdict.result == .fatalFailure)
        #expect(observed.report.verdict.unchangedUntil == nil && observed.report.verdict.rejectedPaths.count == 1)
        // The report keeps the error next to the verdict, because nothing shows that this is another server.
        #expect(observed.report.failure != nil && observed.report.response == nil)
    }

    @Test(
        "If a trusted server proves its key but refuses the client, the probe trusts the server and reports the error",
        arguments: [nil, "/"])
    func proven(path: String?) async throws {
        var options = LabServer.Options()
        options.versions = .tls12
        options.clientCertificates = .required
        let server = try await LabServer.start(.good, options: options)
        let observed = try await probe(server.certificates.configuration).probe(
            server.host, port: server.port, connectingTo: "127.0.0.1", requesting: path)
        #expect(
            observed.report.verdict.isTrusted && observed.report.failure?.code == .connectionClientCertificateRequired)
        #expect(observed.handshake?.signature == .valid)
        await server.stop()
    }

    // MARK: - Hostile servers

    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether only the timeout ends the handshake.
        let isEndless: Bool
        let answer: ScriptedPeer.Answer

        init(
            _ testDescription: String, _ bytes: [UInt8], isEndless: Bool = false, dribbles: Bool = false,
            closes: Bool = false
        ) {
            self.testDescription = testDescription
            self.isEndless = isEndless
            answer = ScriptedPeer.Answer(bytes: bytes, dribbles: dribbles, closes: closes)
        }
    }

    private static let retry: [UInt8] = {
        let random: [UInt8] = [
            0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
            0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
        ]
        let body = [3, 3] + random + [0, 0x13, 1, 0, 0, 12, 0, 51, 0, 2, 0, 24, 0, 43, 0, 2, 3, 4]
        return record([2, 0, 0, UInt8(body.count)] + body)
    }()

    private static func record(_ fragment: [UInt8], kind: UInt8 = 22) -> [UInt8] {
        [kind, 3, 3, UInt8(fragment.count >> 8), UInt8(fragment.count & 0xff)] + fragment
    }

    private static func endless(_ record: [UInt8]) -> [UInt8] { Array(repeatElement(record, count: 200_000).joined()) }

    static let hostile: [Hostile] = [
        Hostile("garbage", Array("garbage garbage garbage".utf8)),
        Hostile("silence", [], isEndless: true),
        Hostile("one byte at a time", record([UInt8](repeating: 0, count: 16_000)), isEndless: true, dribbles: true),
        Hostile(
            "a record of 65,535 bytes", [22, 3, 3, 255, 255] + [UInt8](repeating: 1, count: 65_535)),
        Hostile("a message of 16 MiB", record([2, 255, 255, 255])),
        Hostile("endless empty records", endless(record([]))),
        Hostile("endless ChangeCipherSpec records", endless(record([1], kind: 20))),
        Hostile("endless HelloRetryRequests", retry + retry + retry),
        Hostile("a truncated hello", [22, 3, 3, 0, 90, 2, 0, 0, 86, 3, 3], closes: true),
        Hostile("endless warnings", endless(record([1, 112], kind: 21))),
        Hostile("an immediate close", [21, 3, 3, 0, 2, 1, 0], closes: true),
        Hostile("a fatal alert", record([2, 40], kind: 21)),
    ]

    @Test("A hostile server causes an error before the timeout", arguments: hostile)
    func endsInError(row: Hostile) async throws {
        // The probe connects to some servers a second time.
        let peer = try await ScriptedPeer([row.answer])
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        let host = try Hostname("api.lab.test")
        do throws(ConnectionFailure) {
            _ = try await probe(trust, timeout: .seconds(row.isEndless ? 1 : 60)).probe(
                host, port: peer.port, connectingTo: "127.0.0.1")
            Issue.record("the probe reported on a hostile server")
        } catch {
            #expect((error.code == .connectionTimedOut) == row.isEndless, "\(error)")
        }
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await peer.stop()
    }

    @Test("An unreadable leaf is its server's only failure")
    func unreadableLeaf() async throws {
        func vector(_ width: Int, _ content: [UInt8]) -> [UInt8] {
            (0..<width).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
        }
        let hello = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0xc0, 0x2b, 0]
        let exchange =
            [3, 0, 29] + vector(1, [UInt8](repeating: 9, count: 32)) + [4, 3] + vector(2, [0x30, 6, 2, 1, 1, 2, 1, 1])
        let flight =
            [2] + vector(3, hello) + [11] + vector(3, vector(3, vector(3, [0x30, 0]))) + [12] + vector(3, exchange)
            + [14, 0, 0, 0]
        let peer = try await ScriptedPeer([ScriptedPeer.Answer(bytes: Self.record(flight))])
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        let observed = try await probe(trust).probe(
            Hostname("api.lab.test"), port: peer.port, connectingTo: "127.0.0.1")
        #expect(observed.report.verdict.failures.map(\.code) == [.certificateMalformed])
        #expect(!observed.report.verdict.isTrusted && observed.report.presentedChain.leaf == nil)
        await peer.stop()
    }

    @Test("The probe refuses a server that lacks its certificate's key, whatever the chain", arguments: [true, false])
    func wrongSignature(isECDSA: Bool) async throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("api.lab.test"), key: isECDSA ? .p256() : .rsa())
        let certificate = leaf.certificate.der
        func vector(_ width: Int, _ content: [UInt8]) -> [UInt8] {
            (0..<width).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
        }
        let hello = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0xc0, isECDSA ? 0x2b : 0x2f, 0]
        let signature: [UInt8] =
            isECDSA ? [0x30, 6, 2, 1, 1, 2, 1, 1] : [UInt8](repeating: 1, count: 256)
        let exchange =
            [3, 0, 29] + vector(1, [UInt8](repeating: 9, count: 32)) + (isECDSA ? [4, 3] : [8, 4])
            + vector(2, signature)
        let flight =
            [2] + vector(3, hello) + [11] + vector(3, vector(3, vector(3, certificate))) + [12] + vector(3, exchange)
            + [14, 0, 0, 0]
        let peer = try await ScriptedPeer([ScriptedPeer.Answer(bytes: Self.record(flight))])
        var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        let observed = try await probe(trust).probe(
            Hostname("api.lab.test"), port: peer.port, connectingTo: "127.0.0.1")
        let verdict = observed.report.verdict
        #expect(!verdict.isTrusted && verdict.headline?.code == .handshakeSignatureInvalid)
        #expect(verdict.failures.count == 1 && observed.handshake?.signature == .invalid)
        #expect(verdict.unchangedUntil == nil && verdict.result == .fatalFailure)
        await peer.stop()
    }
}
