// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOEmbedded
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP

@Suite("HTTP/2 connections to refused servers", .timeLimit(.minutes(10)))
struct HTTP2RefusalTests {
    @Test("200 concurrent requests to a refused server send no data")
    func refused() async throws {
        let scene = try HTTP2Scene()
        let foreign = try TestAuthority.root(.authority("Foreign Root").valid(around: .now()))
        let bad = HTTP2Server.Setup(try scene.presented(foreign))
        try await scene.run({ _ in bad }) { client, server in
            let url = scene.url(server)
            let codes = await client.outcomes(200) { _ in url }.map(\.refusal?.headline.code)
            #expect(codes == [TrustFailure.Code?](repeating: .unknownIssuer, count: 200))
            #expect(server.record.bytes.allSatisfy { $0.isEmpty })
            #expect(server.record.handshakes == 0)
        }
    }

    /// The chains that replace the good one on all later connections.
    enum Swap: String, CaseIterable {
        case foreignRoot, anotherName, expired, otherKey, revoked, withoutStaple
    }

    @Test("A server that changes its certificate after the first connection gets no request", arguments: Swap.allCases)
    func swapped(swap: Swap) async throws {
        var scene = try HTTP2Scene()
        let bad: HTTP2Server.Presented
        let code: TrustFailure.Code
        switch swap {
        case .foreignRoot:
            bad = try scene.presented(.root(.authority("Foreign Root").valid(around: .now())))
            code = .unknownIssuer
        case .anotherName:
            bad = try scene.presented(scene.intermediate, "attacker.lab.test")
            code = .hostMismatch
        case .expired:
            let template = CertificateTemplate.leaf(HTTP2Scene.name).with {
                $0.notBefore = Time.now().advanced(by: -20 * 86_400)
                $0.notAfter = Time.now().advanced(by: -10 * 86_400)
            }
            bad = try .init(scene.intermediate.issue(template), of: scene.intermediate)
            code = .certificateExpired
        case .revoked:
            // NIOSSL accepts this one too.
            bad = try scene.presented(scene.intermediate)
            code = .certificateRevoked
            let crl = try scene.intermediate.crl {
                $0.thisUpdate = Time.now().advanced(by: -3600)
                $0.nextUpdate = Time.now().advanced(by: 86_400)
                $0.revoke(bad.chain[0], at: Time.now().advanced(by: -7200), reason: .keyCompromise)
            }
            scene.trust.revocation = .bestEffort
            scene.trust.revocationData = RevocationData(crls: [crl.der])
        case .withoutStaple:
            // NIOSSL accepts this one too, and the remembered staple isn't for this leaf.
            let template = CertificateTemplate.leaf(HTTP2Scene.name).valid(around: .now()).with { $0.mustStaple = true }
            bad = try .init(scene.intermediate.issue(template), of: scene.intermediate)
            code = .stapleMissing
        case .otherKey:
            // NIOSSL accepts this one. Only the first check refuses it.
            bad = try scene.presented(scene.intermediate)
            code = .pinNotMatched
            scene.trust.manager = try ServerTrustManager(evaluators: [
                HTTP2Scene.name: SPKIPinsTrustEvaluator(
                    try SPKIPinSet(pinsRiskingLockout: [SPKIPin(scene.good.chain[0])]))
            ])
        }
        let (good, swapped) = (HTTP2Server.Setup(scene.good), HTTP2Server.Setup(bad))
        try await scene.run({ $0 == 0 ? good : swapped }) { [scene] client, server in
            let url = scene.url(server, "/secret")
            let refusals = await client.outcomes(200, at: { _ in url }).map(\.refusal)
            #expect(refusals.map(\.?.headline.code) == [TrustFailure.Code?](repeating: code, count: 200))
            // The chain that the server presented, without learned intermediates.
            #expect(refusals.allSatisfy { $0?.verdict.path.first == bad.chain[0] })
            let record = server.record
            #expect(record.requests.isEmpty)
            #expect(record.bytes.allSatisfy { HTTP2Frames.hasNoRequest($0) })
            #expect(client.openConnections == 0)
        }
    }

    @Test("The client soon uses only HTTP/1.1 with a server that alternates between a good and a bad chain")
    func alternating() async throws {
        let scene = try HTTP2Scene()
        let good = HTTP2Server.Setup(scene.good)
        let bad = HTTP2Server.Setup(try scene.presented(.root(.authority("Foreign Root").valid(around: .now()))))
        try await scene.run({ $0.isMultiple(of: 2) ? good : bad }) { client, server in
            // Good for the first connection, bad for HTTP/2. The client learns the same anchor again, so it stops
            // trying HTTP/2.
            var count = 0
            for _ in 0..<6 {
                do { count += try await client.text(scene.url(server)) == "200 hello" ? 1 : 0 } catch {
                    #expect(error is TrustRefusal)
                }
            }
            #expect(server.record.handshakes <= 8)
            #expect(server.record.requests.allSatisfy { !$0.isHTTP2 && $0.connection.isMultiple(of: 2) })
        }
    }

    @Test("The client uses HTTP/2 again with a server that moves to another trusted CA")
    func otherAuthority() async throws {
        let scene = try HTTP2Scene()
        let first = HTTP2Server.Setup(scene.good)
        let second = HTTP2Server.Setup(try scene.presented(scene.otherRoot))
        try await scene.run({ $0 == 0 ? first : second }) { client, server in
            for _ in 0..<3 { try await client.expect("200 hello", at: scene.url(server)) }
            #expect(server.record.requests.map(\.isHTTP2) == [true, true, true])
            // The four connections: learned, refused by NIOSSL, learned again, used.
            #expect(server.record.bytes.count == 4)
        }
    }

    @Test("The client relearns the path when another intermediate of the same root issues the leaf")
    func otherIntermediate() async throws {
        let scene = try HTTP2Scene()
        let second = try scene.root.intermediate(.authority("Second H2 CA").valid(around: .now()))
        let (first, later) = (HTTP2Server.Setup(scene.good), HTTP2Server.Setup(try scene.presented(second)))
        try await scene.run({ $0 == 0 ? first : later }) { client, server in
            for _ in 0..<3 { try await client.expect("200 hello", at: scene.url(server)) }
            #expect(server.record.requests.map(\.isHTTP2).last == true)
            #expect(server.record.bytes.count == 4)
        }
    }

    @Test("NIOSSL's verification refuses a server even without the first check")
    func wallAlone() async throws {
        let scene = try HTTP2Scene()
        let chain = PresentedChain(scene.good.chain)
        let host = try Hostname(HTTP2Scene.name)
        let server = EvaluatedServer(
            host: host, presentedChain: chain,
            verdict: scene.trust.evaluateWithoutFetching(chain, host: host))
        let wall = try #require(ChainWall(server, known: []))
        #expect(wall.anchor == scene.root.certificate)
        var configuration = try scene.configuration.http2(root: wall.root, isAnonymous: false)
        configuration.dnsOverride = [HTTP2Scene.name: "127.0.0.1"]
        let client = HTTPClient(configuration: configuration)
        let bad = [
            try scene.presented(scene.otherRoot), try scene.presented(scene.intermediate, "attacker.lab.test"),
        ].map { HTTP2Server.Setup($0) }
        let good = HTTP2Server.Setup(scene.good)
        let peer = try await HTTP2Server.start { $0 < 2 ? bad[$0] : good }
        for _ in 0..<2 {
            let error = await failure {
                try await client.execute(HTTPClientRequest(url: scene.url(peer)), timeout: .seconds(60))
            }
            #expect(error is NIOSSLError || error is NIOSSLExtraError)
        }
        let response = try await client.execute(HTTPClientRequest(url: scene.url(peer)), timeout: .seconds(60))
        #expect(response.status == .ok)
        #expect(peer.record.requests.count == 1)
        try await client.shutdown()
        await peer.stop()
    }

    @Test("A stream doesn't open on a connection that has no verdict")
    func noHook() throws {
        let stream = EmbeddedChannel()
        let key = ConnectionKey(try .init("https://h2.lab.test"))
        let prepared = Connections.prepareStream(stream, of: key)
        #expect(throws: ConnectionFailure(.connectionNotEvaluated, host: key.host)) { try prepared.wait() }
        _ = try stream.finish()
    }

    @Test("The client permanently uses HTTP/1.1 with a host that NIOSSL refuses but the verdict accepts")
    func wallRefusesTrusted() async throws {
        var scene = try HTTP2Scene()
        // The certificate contains an address, but the client connects to another one. NIOSSL compares the certificate
        // with the socket's address.
        let presented = try HTTP2Server.Presented(
            scene.intermediate.issue(.leaf("127.0.0.9").valid(around: .now())), of: scene.intermediate)
        scene.configuration.dnsOverride = ["127.0.0.9": "127.0.0.1"]
        scene.trust.manager = try ServerTrustManager(evaluators: ["127.0.0.9": DefaultTrustEvaluator()])
        let setup = HTTP2Server.Setup(presented)
        try await scene.run({ _ in setup }) { [scene] client, server in
            for _ in 0..<3 { try await client.expect("200 hello", at: scene.url(server, host: "127.0.0.9")) }
            #expect(server.record.requests.map(\.isHTTP2) == [false, false, false])
            #expect(server.record.bytes.count == 4)
            #expect(server.record.bytes.dropLast().allSatisfy { HTTP2Frames.hasNoRequest($0) })
        }
    }

    @Test("The client uses HTTP/1.1 without another attempt if NIOSSL can't follow the path")
    func unfollowed() async throws {
        var scene = try HTTP2Scene()
        // The client has the intermediate, and the server doesn't send it.
        var presented = scene.good
        presented.chain = [presented.chain[0]]
        scene.trust.settings.intermediates = [scene.intermediate.certificate]
        let short = HTTP2Server.Setup(presented)
        try await scene.run({ _ in short }) { [scene] client, server in
            for _ in 0..<2 { try await client.expect("200 hello", at: scene.url(server)) }
            #expect(server.record.requests.map(\.isHTTP2) == [false, false])
            #expect(server.record.bytes.count == 2)
        }
        // An anchor that isn't self-signed.
        scene.trust.anchors = .only([scene.intermediate.certificate])
        let good = HTTP2Server.Setup(scene.good)
        try await scene.run({ _ in good }) { [scene] client, server in
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.isHTTP2) == [false])
        }
    }
}

extension Result {
    /// The refusal that ended a request. `#expect(throws:)` describes every error it catches with all its certificates,
    /// which takes longer than 200 requests.
    fileprivate var refusal: TrustRefusal? {
        guard case .failure(let error) = self else { return nil }
        return error as? TrustRefusal
    }
}
