// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO
import ServerTrustTesting
import Testing

@Suite("OCSP staples and timestamps in the handshake", .timeLimit(.minutes(10)))
struct StapleTests {
    private static let versions: [TLSVersion] = [.tlsv12, .tlsv13]

    @Test(
        "A staple from openssl determines the engine's decision under each revocation setting",
        .enabled(if: Peer.Program.openssl.isAvailable), arguments: StapledServer.Staple.allCases)
    func openssl(staple: StapledServer.Staple) async throws {
        let server = try StapledServer()
        let peer = try await server.openssl(staple)
        defer { peer.stop() }
        let expected: StapleState = server.staples[staple].map { .given($0) } ?? .none
        for version in Self.versions {
            for check in RevocationPolicy.Mode.allCases {
                let found = try await server.evaluate(peer.port, server.trust(check), version)
                #expect(found.presentedChain.staple == expected, "\(version) \(check)")
                let verdict = found.verdict
                switch (staple, check) {
                case (.good, .bestEffort), (.good, .required):
                    #expect(verdict.isTrusted && verdict.revocation.first?.source == .staple, "\(verdict)")
                case (.revoked, _): #expect(verdict.headline?.code == .certificateRevoked, "\(verdict)")
                case (_, .off): #expect(verdict.isTrusted, "\(verdict)")
                case (_, .bestEffort): #expect(verdict.isTrusted && !verdict.revocationGaps.isEmpty, "\(verdict)")
                case (_, .required): #expect(verdict.headline?.code == .revocationUnavailable, "\(verdict)")
                }
            }
        }
    }

    @Test(
        "Even without a revocation setting, a must-staple leaf is trusted only with a good staple",
        .enabled(if: Peer.Program.openssl.isAvailable), arguments: StapledServer.Staple.allCases)
    func mustStaple(staple: StapledServer.Staple) async throws {
        let server = try StapledServer(mustStaple: true)
        let peer = try await server.openssl(staple)
        defer { peer.stop() }
        for version in Self.versions {
            let verdict = try await server.evaluate(peer.port, server.trust(.off), version).verdict
            #expect(!verdict.notChecked.contains(.staple))
            if staple == .good {
                #expect(verdict.isTrusted && verdict.checked.contains(.staple), "\(version): \(verdict)")
            } else {
                let codes: [TrustFailure.Code] =
                    staple == .revoked ? [.certificateRevoked, .stapleMissing] : [.stapleMissing]
                #expect(verdict.failures.map(\.code) == codes, "\(version): \(verdict)")
            }
        }
    }

    @Test(
        "With readsStaples off, no staple is requested, a required revocation check refuses the server, and must-staple is listed as unchecked",
        .enabled(if: Peer.Program.openssl.isAvailable), arguments: [false, true])
    func readsNoStaples(mustStaple: Bool) async throws {
        let server = try StapledServer(mustStaple: mustStaple)
        let peer = try await server.openssl(.good)
        defer { peer.stop() }
        for version in Self.versions {
            for check in RevocationPolicy.Mode.allCases {
                var trust = try server.trust(check)
                trust.readsStaples = false
                let found = try await server.evaluate(peer.port, trust, version)
                #expect(found.presentedChain.staple == .unknown && found.presentedChain.evidenceGap == nil)
                let verdict = found.verdict
                let expected: TrustFailure.Code? = check == .required ? .revocationUnavailable : nil
                #expect(verdict.headline?.code == expected, "\(version) \(check): \(verdict)")
                if verdict.isTrusted { #expect(verdict.notChecked.contains(.staple) == mustStaple) }
                #expect(!verdict.checked.contains(.staple))
            }
        }
    }

    @Test("TrustedHTTPClient follows readsStaples", .enabled(if: Peer.Program.openssl.isAvailable))
    func clientReadsNoStaples() async throws {
        let server = try StapledServer()
        let peer = try await server.openssl(.good)
        defer { peer.stop() }
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [server.certificates.host.description: "127.0.0.1"]
        var trust = try server.trust(.required)
        trust.readsStaples = false
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        let error = await failure {
            try await client.expectOK(at: "https://\(server.certificates.host):\(peer.port)/")
        }
        #expect((error as? TrustRefusal)?.headline.code == .revocationUnavailable, "\(String(describing: error))")
        await client.shutdown()
    }

    @Test(
        "A staple from nginx satisfies a required revocation check, and without the staple there is no answer",
        .enabled(if: Peer.Program.nginx.isAvailable), arguments: [true, false])
    func nginx(hasStaple: Bool) async throws {
        let server = try StapledServer()
        let staple = hasStaple ? server.staples[.good] : nil
        let peer = try await Peer.nginx(server.certificates, staple: staple)
        defer { peer.stop() }
        for version in Self.versions {
            let found = try await server.evaluate(peer.port, server.trust(.required), version)
            #expect(found.presentedChain.staple == staple.map { .given($0) } ?? .none)
            #expect(found.verdict.headline?.code == (hasStaple ? nil : .revocationUnavailable), "\(found.verdict)")
        }
    }

    @Test(
        "The handshake returns as many timestamps as openssl sends", .enabled(if: Peer.Program.openssl.isAvailable))
    func timestamps() async throws {
        let list: [UInt8] = [0, 9, 0, 3, 1, 2, 3, 0, 2, 4, 5]
        // The extension's number, then the messages it can occur in: ClientHello, ServerHello of TLS 1.2, Certificate
        // of TLS 1.3.
        let info: [UInt8] = [0, 0, 0x11, 0x80, 0, 18, 0, UInt8(list.count)] + list
        let server = try StapledServer()
        let peer = try await server.openssl(
            .good, ["-serverinfo", "info.pem"],
            files: ["info.pem": Array(PEM.encode(info, label: "SERVERINFOV2 FOR CT").utf8)])
        defer { peer.stop() }
        for version in Self.versions {
            let found = try await server.evaluate(peer.port, server.trust(.required), version)
            #expect(found.verdict.isTrusted, "\(found.verdict)")
            #expect(found.presentedChain.signedCertificateTimestampList == list, "\(version)")
            #expect(found.presentedChain.signedCertificateTimestamps == [[1, 2, 3], [4, 5]])
        }
    }

    @Test(
        "TrustedHTTPClient accepts a server with a good staple, refuses it without one, and uses the staple again to reevaluate it",
        .enabled(if: Peer.Program.openssl.isAvailable), arguments: [StapledServer.Staple.good, .none, .revoked])
    func client(staple: StapledServer.Staple) async throws {
        let server = try StapledServer(mustStaple: staple == .none)
        let peer = try await server.openssl(staple)
        defer { peer.stop() }
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [server.certificates.host.description: "127.0.0.1"]
        let client = try TrustedHTTPClient(
            trust: server.trust(staple == .none ? .off : .required), configuration: configuration)
        let error = await failure {
            try await client.expectOK(at: "https://\(server.certificates.host):\(peer.port)/")
        }
        let code = (error as? TrustRefusal)?.headline.code
        switch staple {
        case .good: #expect(error == nil)
        case .none: #expect(code == .stapleMissing, "\(String(describing: error))")
        default: #expect(code == .certificateRevoked, "\(String(describing: error))")
        }
        #expect(await client.reevaluateConnections().isEmpty)
        await client.shutdown()
    }

    @Test("Inspecting a server reports its staple", .enabled(if: Peer.Program.openssl.isAvailable))
    func probe() async throws {
        let server = try StapledServer()
        let peer = try await server.openssl(.good)
        defer { peer.stop() }
        var probe = TrustProbe(try server.trust(.required))
        probe.timeout = .seconds(60)
        let report = try await probe.probe(server.certificates.host, port: peer.port, connectingTo: "127.0.0.1")
        #expect(report.verdict.isTrusted)
        #expect(report.presentedChain.staple == .given(try #require(server.staples[.good])))
    }

    @Test("A handler requests the staple without further setup", .enabled(if: Peer.Program.openssl.isAvailable))
    func handlerAlone() async throws {
        let server = try StapledServer()
        let peer = try await server.openssl(.good)
        defer { peer.stop() }
        let outcome = Locked<EvaluatedServer?>(nil)
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        let trust = try server.trust(.required)
        let host = server.certificates.host
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: context, host: host, trust: trust) { found in
                        outcome.withLock { $0 = found }
                        channel.close(promise: nil)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }.connect(host: "127.0.0.1", port: peer.port).get()
        try await channel.closeFuture.get()
        #expect(outcome.withLock { $0?.verdict.isTrusted } == true)
    }
}
