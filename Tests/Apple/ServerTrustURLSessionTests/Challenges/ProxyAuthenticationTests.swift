// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab
@testable import ServerTrustURLSession

@Suite("Proxies that require authentication or use TLS", .timeLimit(.minutes(10)))
struct ProxyAuthenticationTests {
    private static let right = URLCredential(user: "user", password: "secret", persistence: .forSession)
    private static let once = URLCredential(user: "user", password: "secret", persistence: .none)
    private static let wrong = URLCredential(user: "user", password: "wrong", persistence: .forSession)

    /// The protection spaces of challenges about proxies.
    private struct Asked: Sendable, Equatable {
        var host: String
        var port: Int
        var type: String?
        var realm: String?
        var method: String
        var failures: Int
        var proposed: String?
        var status: Int?
    }

    private final class Log: Sendable {
        let asked = Locked<[Asked]>([])

        func note(_ challenge: URLAuthenticationChallenge) {
            let space = challenge.protectionSpace
            guard space.isProxy() else { return }
            let entry = Asked(
                host: space.host, port: space.port, type: space.proxyType, realm: space.realm,
                method: space.authenticationMethod, failures: challenge.previousFailureCount,
                proposed: challenge.proposedCredential?.user,
                status: (challenge.failureResponse as? HTTPURLResponse)?.statusCode)
            asked.withLock { $0.append(entry) }
        }
    }

    /// Returns a delegate that answers challenges about proxies, and leaves all others to default handling.
    private func delegate(
        _ log: Log, _ answer: @escaping @Sendable (URLAuthenticationChallenge) -> ScriptedDelegate.Answer
    ) -> ScriptedDelegate {
        let delegate = ScriptedDelegate()
        delegate.onTask = { challenge in
            log.note(challenge)
            return challenge.protectionSpace.isProxy() ? answer(challenge) : (.performDefaultHandling, nil)
        }
        return delegate
    }

    private func session(
        _ lab: SessionLab, _ environment: [String: String] = [:], _ entries: [AnyHashable: Any]? = nil,
        anchors: [Certificate] = [], delegate: (any URLSessionDelegate)? = nil,
        _ set: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = entries
        set(configuration)
        let trust = try lab.server.certificates.configuration(throughProxyWith: anchors)
        return URLSession(
            configuration: configuration.withServerTrust(trust, connectingTo: [:], environment: environment),
            delegate: delegate, delegateQueue: nil)
    }

    private func environment(_ proxy: LabProxy) -> [String: String] {
        ["https_proxy": "http://127.0.0.1:\(proxy.port)"]
    }

    @Test(
        "The delegate answers a proxy's challenge once, and later tasks use the credentials without one",
        arguments: [LabChallenge(.basic), LabChallenge(.digest), LabChallenge(.digestMD5)])
    func right(challenge: LabChallenge) async throws {
        let proxy = try await LabProxy.start(challenge: challenge)
        let log = Log()
        try await SessionLab.with { lab in
            let session = try session(
                lab, environment(proxy), delegate: delegate(log) { _ in (.useCredential, Self.right) })
            for _ in 0..<3 {
                let (status, _) = try await session.text(lab.url)
                #expect(status == 200)
            }
            #expect(lab.server.counts.requests == 3)
            #expect(lab.server.counts.connections == 1)
        }
        let method =
            challenge.schemes == [.basic] ? NSURLAuthenticationMethodHTTPBasic : NSURLAuthenticationMethodHTTPDigest
        #expect(
            log.asked.withLock { $0 } == [
                Asked(
                    host: "127.0.0.1", port: proxy.port, type: NSURLProtectionSpaceHTTPSProxy, realm: "lab",
                    method: method, failures: 0, proposed: nil, status: 407)
            ])
        #expect(proxy.tunnels.count == 2)
        #expect(proxy.tunnels.first?.authorization == nil)
        await proxy.stop()
    }

    @Test("The session stops calling a delegate that never gives up, and the server isn't contacted")
    func loop() async throws {
        let proxy = try await LabProxy.start(challenge: LabChallenge(.basic))
        let log = Log()
        try await SessionLab.with { lab in
            let session = try session(
                lab, environment(proxy), delegate: delegate(log) { _ in (.useCredential, Self.wrong) })
            let error = await session.failure(lab.url)
            #expect(error?.code == .userAuthenticationRequired)
            #expect(error?.localizedDescription.contains("127.0.0.1:\(proxy.port)") == true)
            #expect(error?.localizedDescription.contains("wrong") == false)
            #expect(lab.server.counts.connections == 0)
        }
        #expect(log.asked.withLock { $0.map(\.failures) } == Array(0..<8))
        #expect(proxy.tunnels.count == 9)
        await proxy.stop()
    }

    @Test("The failure count increases until the delegate cancels")
    func cancel() async throws {
        let proxy = try await LabProxy.start(challenge: LabChallenge(.digest))
        let log = Log()
        try await SessionLab.with { lab in
            let delegate = delegate(log) {
                $0.previousFailureCount < 2 ? (.useCredential, Self.wrong) : (.cancelAuthenticationChallenge, nil)
            }
            let error = try await session(lab, environment(proxy), delegate: delegate).failure(lab.url)
            #expect(error?.code == .cancelled)
        }
        #expect(log.asked.withLock { $0.map(\.failures) } == [0, 1, 2])
        await proxy.stop()
    }

    @Test("Without an answer, the task fails with an error that names the proxy", arguments: [true, false])
    func unanswered(hasDelegate: Bool) async throws {
        let proxy = try await LabProxy.start(challenge: LabChallenge(.basic, .digest))
        let log = Log()
        try await SessionLab.with { lab in
            let delegate = delegate(log) { _ in (.rejectProtectionSpace, nil) }
            let error = try await session(lab, environment(proxy), delegate: hasDelegate ? delegate : nil)
                .failure(lab.url)
            #expect(error?.code == .userAuthenticationRequired)
            #expect(lab.server.counts.connections == 0)
        }
        #expect(log.asked.withLock { $0.count } == (hasDelegate ? 2 : 0))
        #expect(proxy.tunnels.count == 1)
        await proxy.stop()
    }

    @Test("A credential without persistence is used once, and the next connection asks again")
    func persistence() async throws {
        let proxy = try await LabProxy.start(challenge: LabChallenge(.basic))
        let log = Log()
        try await SessionLab.with { lab in
            let session = try session(
                lab, environment(proxy), delegate: delegate(log) { _ in (.useCredential, Self.once) })
            for _ in 0..<2 { #expect(try await session.text(lab.url).status == 200) }
        }
        #expect(log.asked.withLock { $0.count } == 2)
        await proxy.stop()
    }

    @Test("Default handling uses the storage's credential for the proxy, and no other one")
    func storage() async throws {
        let proxy = try await LabProxy.start(challenge: LabChallenge(.basic))
        let proxySpace = URLProtectionSpace(
            proxyHost: "127.0.0.1", port: proxy.port, type: NSURLProtectionSpaceHTTPSProxy, realm: "lab",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let serverSpace = URLProtectionSpace(
            host: "127.0.0.1", port: proxy.port, protocol: "https", realm: "lab",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        for (space, isRight) in [(proxySpace, true), (serverSpace, false)] {
            try await SessionLab.with { lab in
                let log = Log()
                let storage = URLCredentialStorage()
                storage.setDefaultCredential(Self.right, for: space)
                let session = try session(
                    lab, environment(proxy), delegate: delegate(log) { _ in (.performDefaultHandling, nil) }
                ) { $0.urlCredentialStorage = storage }
                let error = await session.failure(lab.url)
                #expect((error == nil) == isRight)
                #expect(log.asked.withLock { $0.map(\.proposed) } == [isRight ? "user" : nil])
            }
        }
        await proxy.stop()
    }

    @Test("A proxy doesn't get the user and password of a URL, and a server doesn't get the proxy's")
    func separation() async throws {
        let proxy = try await LabProxy.start(challenge: LabChallenge(.basic))
        let log = Log()
        try await SessionLab.with(.good, { $0.response = .unauthorized(LabChallenge(.basic)) }) { lab in
            let url = try #require(URL(string: "https://user:secret@\(lab.server.host):\(lab.server.port)/"))
            let delegate = delegate(log) { _ in (.performDefaultHandling, nil) }
            let error = try await session(lab, environment(proxy), delegate: delegate).failure(url)
            #expect(error?.code == .userAuthenticationRequired)
            #expect(proxy.tunnels.map(\.authorization) == [nil])
            #expect(log.asked.withLock { $0.map(\.proposed) } == [nil])

            // The server asks with the same realm, and gets no answer.
            let other = self.delegate(Log()) { _ in (.useCredential, Self.right) }
            let (status, _) = try await session(lab, environment(proxy), delegate: other).text(lab.url)
            #expect(status == 401)
            #expect(lab.server.counts.requests == 1)
        }
        await proxy.stop()
    }

    @Test("A 407 from a server behind the tunnel is a response, and no challenge")
    func serverWith407() async throws {
        let proxy = try await LabProxy.start()
        let log = Log()
        let response = LabResponse(status: 407, headers: [("proxy-authenticate", "Basic realm=\"x\"")], chunks: [])
        try await SessionLab.with(.good, { $0.response = response }) { lab in
            let session = try session(
                lab, environment(proxy), delegate: delegate(log) { _ in (.useCredential, Self.right) })
            #expect(try await session.text(lab.url).status == 407)
            #expect(lab.server.counts.requests == 1)
        }
        #expect(log.asked.withLock { $0.isEmpty })
        await proxy.stop()
    }

    @Test("A body's stream is read once, although the proxy asks first")
    func stream() async throws {
        let proxy = try await LabProxy.start(challenge: LabChallenge(.digest))
        try await SessionLab.with { lab in
            let delegate = delegate(Log()) { _ in (.useCredential, Self.right) }
            var request = URLRequest(url: lab.url)
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("body".utf8))
            let (status, _) = try await session(lab, environment(proxy), delegate: delegate).text(request)
            #expect(status == 200)
            #expect(delegate.record.bodies == 0)
        }
        await proxy.stop()
    }

    @Test("Tasks at the same time share one Digest nonce", arguments: [LabChallenge(.basic), LabChallenge(.digest)])
    func parallel(challenge: LabChallenge) async throws {
        let proxy = try await LabProxy.start(challenge: challenge)
        try await SessionLab.with { lab in
            let session = try session(
                lab, environment(proxy), delegate: delegate(Log()) { _ in (.useCredential, Self.right) })
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 { group.addTask { try await session.text(lab.url).status } }
                for try await status in group { #expect(status == 200) }
            }
        }
        await proxy.stop()
    }

    @Test("A proxy over TLS opens tunnels after the session trusts it, and its delegate only evaluates the server")
    func overTLS() async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(challenge: LabChallenge(.basic), certificates: certificates)
        let log = Log()
        try await SessionLab.with { lab in
            let delegate = delegate(log) { _ in (.useCredential, Self.right) }
            for (environment, entries) in [
                (["https_proxy": "https://localhost:\(proxy.port)"], nil),
                ([:], ["HTTPSEnable": 1, "HTTPSProxy": "HTTPS://localhost", "HTTPSPort": proxy.port]),
            ] as [([String: String], [AnyHashable: Any]?)] {
                let session = try session(
                    lab, environment, entries, anchors: certificates.anchors, delegate: delegate)
                #expect(try await session.text(lab.url).status == 200)
            }
            let servers = delegate.record.asked.filter { $0.method == NSURLAuthenticationMethodServerTrust }
            #expect(Set(servers.map(\.host)) == [lab.server.host.description])
        }
        #expect(log.asked.withLock { $0.map(\.host) } == ["localhost", "localhost"])
        await proxy.stop()
    }

    @Test("A proxy that isn't trusted gets no byte of CONNECT, with and without a delegate", arguments: [true, false])
    func untrusted(hasDelegate: Bool) async throws {
        let certificates = try LabCertificates.localhost()
        let proxy = try await LabProxy.start(challenge: LabChallenge(.basic), certificates: certificates)
        try await SessionLab.with { lab in
            // The delegate would accept every server.
            let delegate = ScriptedDelegate()
            delegate.onSession = { challenge in
                (.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
            }
            let session = try session(
                lab, ["https_proxy": "https://user:secret@localhost:\(proxy.port)"],
                delegate: hasDelegate ? delegate : nil)
            let verdict = await session.failure(lab.url)?.serverTrustVerdict
            #expect(verdict?.host?.description == "localhost")
            #expect(verdict?.isTrusted == false)
            #expect(lab.server.counts.connections == 0)
        }
        #expect(proxy.requestBytes.isEmpty && proxy.tunnels.isEmpty)
        await proxy.stop()
    }

    @Test("connectionProxyDictionary and the environment set a SOCKS login")
    func socksLogin() async throws {
        let proxy = try await LabProxy.start(login: "user:secret")
        let server: [AnyHashable: Any] = ["SOCKSEnable": 1, "SOCKSProxy": "127.0.0.1", "SOCKSPort": proxy.port]
        try await SessionLab.with { lab in
            for (user, password) in [
                ("kCFProxyUsernameKey", "kCFProxyPasswordKey"),
                ("kCFStreamPropertySOCKSUser", "kCFStreamPropertySOCKSPassword"),
            ] {
                let entries = server.merging([user: "user", password: "secret"]) { $1 }
                #expect(try await session(lab, [:], entries).text(lab.url).status == 200)
            }
            let address = "socks5://user:secret@127.0.0.1:\(proxy.port)"
            #expect(try await session(lab, ["all_proxy": address]).text(lab.url).status == 200)
            let error = try await session(lab, [:], server).failure(lab.url)
            #expect(error?.code == .userAuthenticationRequired)
        }
        #expect(proxy.tunnels.map(\.authorization) == Array(repeating: "user:secret", count: 3))
        await proxy.stop()
    }
}
