// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustTesting
import Testing

@Suite("Retries that reach refused servers", .timeLimit(.minutes(10)))
struct RepeatRefusalTests {
    static let ends: [HTTP2Server.Answer] = [.tooLate, .refuse, .cut]

    @Test("A refused server that takes over an address receives no part of a retried request", arguments: ends)
    func swapped(end: HTTP2Server.Answer) async throws {
        let scene = try HTTP2Scene()
        let foreign = HTTP2Server.Setup(
            try scene.presented(.root(.authority("Foreign Root").valid(around: .now()))))
        let observer = RepeatObserver(scene.trust)
        try await scene.run({ number in
            guard number < 2 else { return foreign }
            var setup = HTTP2Server.Setup(scene.good)
            setup.answer = { $0 == "/secret" ? end : .text("hello") }
            return setup
        }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            let error = await failure { try await client.text(scene.url(server, "/secret")) }
            #expect((error as? TrustRefusal)?.headline.code == .unknownIssuer)
            // The request went out once, and the verdict ended its retry.
            #expect(observer.reasons.count == 1)
            #expect(server.record.requests.filter { $0.path == "/secret" }.map(\.connection) == [1])
            #expect(server.record.bytes.count > 2)
            #expect(server.record.bytes.dropFirst(2).allSatisfy { HTTP2Frames.hasNoRequest($0) })
        }
    }

    @Test("A refused server that takes over an address also receives no data over HTTP/1.1")
    func swappedHTTP1() async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.protocols = ["http/1.1"]
        setup.answer = { $0 == "/secret" ? .cut : .text("hello") }
        let good = setup
        let foreign = HTTP2Server.Setup(
            try scene.presented(.root(.authority("Foreign Root").valid(around: .now()))))
        let observer = RepeatObserver(scene.trust)
        try await scene.run({ $0 == 0 ? good : foreign }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            let error = await failure { try await client.text(scene.url(server, "/secret")) }
            #expect((error as? TrustRefusal)?.headline.code == .unknownIssuer)
            #expect(observer.reasons == [.connectionLost])
            #expect(server.record.requests.filter { $0.path == "/secret" }.map(\.connection) == [0])
            #expect(server.record.bytes.dropFirst().allSatisfy { $0.isEmpty })
        }
    }

    /// Rules that replace the rules that trusted the first connection.
    enum Replacement: CaseIterable { case denied, otherPins }

    @Test(
        "Rules that were set while the client waited apply to the retry",
        arguments: Replacement.allCases, ends)
    func replacedRules(replacement: Replacement, end: HTTP2Server.Answer) async throws {
        let scene = try HTTP2Scene()
        let rules: ServerTrustManager
        switch replacement {
        case .denied: rules = try ServerTrustManager(rules: [HTTP2Scene.name: .denied])
        case .otherPins:
            let pins = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(scene.otherRoot.certificate)])
            rules = try ServerTrustManager(evaluators: [HTTP2Scene.name: SPKIPinsTrustEvaluator(pins)])
        }
        let manager = scene.trust.manager
        let observer = RepeatObserver(scene.trust)
        try await scene.run({ _ in
            var setup = HTTP2Server.Setup(scene.good)
            setup.answer = { path in
                guard path == "/secret" else { return .text("hello") }
                manager.replaceRules(by: rules, denied: nil)
                return end
            }
            return setup
        }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            let connections = server.record.bytes.count
            let error = await failure { try await client.text(scene.url(server, "/secret")) }
            let isDenied = replacement == .denied
            #expect(
                (error as? TrustRefusal)?.headline.code
                    == (isDenied ? .hostDenied : TrustFailure.Code.pinNotMatched))
            // A denied host isn't contacted, and nothing is retried. With other pins, there is a retry unless the client
            // closes the connection before the server does.
            #expect(observer.reasons.count <= (isDenied ? 0 : 1))
            #expect(!isDenied || server.record.bytes.count == connections)
            #expect(server.record.requests.count { $0.path == "/secret" } == 1)
            #expect(server.record.bytes.dropFirst(connections).allSatisfy { HTTP2Frames.hasNoRequest($0) })
        }
    }
}
