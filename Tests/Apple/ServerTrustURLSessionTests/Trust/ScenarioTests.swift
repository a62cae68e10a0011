// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab
@testable import ServerTrustURLSession

@Suite("Every scenario through URLSession")
struct ScenarioTests {
    @Test("The session uses an address's zone to connect, but not in rules", arguments: [false, true])
    func zone(usesHTTP2: Bool) async throws {
        try await SessionLab.with(.ipAddressOnly, { $0.address = .v6 }) { lab in
            // The zone is a number, because ::1 has no named zone.
            for (host, rule, isTrusted) in [
                ("[::1%251]", "::1", true), ("[::1]", "::1", true), ("[::1%251]", "::2", false),
            ] {
                let manager = try ServerTrustManager(evaluators: [rule: DefaultTrustEvaluator()])
                let trust = SessionLab.configuration(manager, lab.server.certificates)
                let session = URLSession(
                    configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                        trust, connectingTo: [:], environment: [:], usesHTTP2: usesHTTP2), delegate: nil,
                    delegateQueue: nil)
                let url = try #require(URL(string: "https://\(host):\(lab.server.port)/"))
                if isTrusted {
                    #expect(try await session.text(url).status == 200)
                } else {
                    #expect(await session.failure(url)?.serverTrustVerdict?.isTrusted == false)
                }
            }
        }
    }

    @Test(
        "URLSession conforms in every scenario, over HTTP/1.1 and HTTP/2, with and without a delegate, and follows a redirect only to a trusted server",
        arguments: [false, true], [false, true])
    func conformance(usesHTTP2: Bool, hasDelegate: Bool) async throws {
        var conformance = ClientConformance()
        conformance.followsRedirects = true
        let violations = try await conformance.run { server in
            let lab = SessionLab(server: server)
            let session = try lab.session(usesHTTP2: usesHTTP2, delegate: hasDelegate ? ScriptedDelegate() : nil)
            guard let error = await session.failure(lab.url) else { return .trusted }
            let refused = server.redirectTarget ?? server
            #expect(error.failingURL?.absoluteString == refused.url + "/")
            guard let verdict = error.serverTrustVerdict else {
                #expect(error.code == .secureConnectionFailed)
                return .noHandshake
            }
            let outcome = LabOutcome(verdict)
            if case .refused(let code) = outcome {
                #expect(error.code.rawValue == code.appleErrorNumbers.urlErrorCode)
                #expect((-1204 ... -1200).contains(error.code.rawValue))
            }
            let chain = try #require(error.userInfo[ServerTrustErrorKey.peerChain] as? [Data])
            // The session doesn't contact a denied host.
            guard !server.certificates.manager.denies(server.host) else {
                #expect(chain.isEmpty && server.counts.connections == 0)
                return outcome
            }
            #expect(chain.first.map { Array($0) } == refused.certificates.chain.first?.der)
            return outcome
        }
        // HTTP/2 makes one more connection to a trusted server.
        let found = violations.filter { !(usesHTTP2 && $0.rule == .reconnects && $0.scenario.expected.isTrusted) }
        #expect(found.isEmpty, "\(found)")
    }

    @Test(
        "Many requests share one HTTP/2 connection, with and without a delegate", arguments: [false, true])
    func http2(hasDelegate: Bool) async throws {
        try await SessionLab.with { lab in
            let session = try lab.session(usesHTTP2: true, delegate: hasDelegate ? ScriptedDelegate() : nil)
            #expect(try await session.text(lab.url).status == 200)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { try await session.text(lab.url).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(lab.server.counts.http2Requests == 201)
            // One of the connections explores.
            #expect(lab.server.counts.connections == 2)
            let (file, _) = try await session.download(from: lab.url)
            try FileManager.default.removeItem(at: file)
            #expect(lab.server.counts.http2Requests == 202)
        }
    }

    @Test("A trusted server's response arrives complete")
    func response() async throws {
        try await SessionLab.with { lab in
            let (status, text) = try await lab.session().text(lab.url)
            #expect(status == 200)
            #expect(text == "hello from the lab\n")
        }
    }

    @Test("The convenience initializer's manager also evaluates each scenario")
    func convenience() async throws {
        try await SessionLab.with { lab in
            let manager = try ServerTrustManager(evaluators: ["localhost": DefaultTrustEvaluator()])
            let session = URLSession(
                configuration: .ephemeral, serverTrustManager: manager, delegate: nil)
            let url = try #require(URL(string: "https://localhost:\(lab.server.port)/"))
            let error = try #require(await session.failure(url))
            // The system's anchors don't include the lab's, and the name is different.
            #expect(error.serverTrustVerdict?.isTrusted == false)
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test("Two sessions with different policies evaluate one server, each with its own policy")
    func twoPolicies() async throws {
        try await SessionLab.with { lab in
            let strict = try ServerTrustManager(
                evaluators: [
                    lab.server.host.description: SPKIPinsTrustEvaluator(
                        try SPKIPinSet(pinsRiskingLockout: [SPKIPin(TestAuthority.root().certificate)]))
                ], memory: nil)
            let pinned = URLSession(
                configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                    SessionLab.configuration(strict, lab.server.certificates), connectingTo: lab.addresses))
            let plain = try lab.session()
            for _ in 0..<3 {
                #expect(try await plain.text(lab.url).status == 200)
                #expect(await pinned.failure(lab.url)?.serverTrustVerdict?.headline?.code == .pinNotMatched)
            }
            #expect(lab.server.counts.requests == 3)
        }
    }

    @Test("A copy of a session's configuration has the same policy but separate connections")
    func copied() async throws {
        try await SessionLab.with { lab in
            let first = try lab.session()
            #expect(try await first.text(lab.url).status == 200)
            let second = URLSession(configuration: first.configuration)
            #expect(try await second.text(lab.url).status == 200)
            #expect(lab.server.counts.connections == 2)
        }
        try await SessionLab.with(.expired) { lab in
            let second = URLSession(configuration: try lab.session().configuration)
            #expect(await second.failure(lab.url)?.code == .serverCertificateHasBadDate)
        }
    }
}
