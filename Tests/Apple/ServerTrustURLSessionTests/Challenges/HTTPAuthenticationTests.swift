// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import Testing

@testable import ServerTrustLab
@testable import ServerTrustURLSession

@Suite("HTTP authentication")
struct HTTPAuthenticationTests {
    private static let right = URLCredential(user: "user", password: "secret", persistence: .none)
    private static let kept = URLCredential(user: "user", password: "secret", persistence: .forSession)
    private static let wrong = URLCredential(user: "user", password: "wrong", persistence: .forSession)

    private func delegate(
        _ answer: @escaping @Sendable (URLAuthenticationChallenge) -> ScriptedDelegate.Answer
    ) -> ScriptedDelegate {
        let delegate = ScriptedDelegate()
        delegate.onTask = { challenge in
            challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
                ? (.performDefaultHandling, nil) : answer(challenge)
        }
        return delegate
    }

    /// Returns a delegate's challenges about requests.
    private func asked(_ delegate: ScriptedDelegate) -> [ScriptedDelegate.Asked] {
        delegate.record.asked.filter { $0.method != NSURLAuthenticationMethodServerTrust }
    }

    private func lab<Result>(
        _ challenge: LabChallenge, _ body: (SessionLab) async throws -> Result
    ) async throws -> Result {
        try await SessionLab.with(.good, { $0.response = .unauthorized(challenge) }, body)
    }

    @Test(
        "The server accepts the right password for each scheme, after one challenge",
        arguments: [LabChallenge(.basic), LabChallenge(.digest), LabChallenge(.digestMD5)])
    func right(challenge: LabChallenge) async throws {
        try await lab(challenge) { lab in
            let delegate = delegate { _ in (.useCredential, Self.right) }
            let (status, text) = try await lab.text(delegate: delegate)
            #expect(status == 200)
            #expect(text == "welcome\n")
            let asked = asked(delegate)
            #expect(asked.map(\.level) == ["task"])
            #expect(
                asked.map(\.method) == [
                    challenge.schemes == [.basic]
                        ? NSURLAuthenticationMethodHTTPBasic : NSURLAuthenticationMethodHTTPDigest
                ])
            #expect(asked.map(\.realm) == ["lab"])
            #expect(asked.map(\.failures) == [0])
            #expect(lab.server.counts.requests == 2)
            #expect(lab.server.counts.connections == 1)
        }
    }

    @Test("The session offers the strongest of several schemes first and moves on when the delegate rejects it")
    func several() async throws {
        try await lab(LabChallenge(.basic, .digestMD5, .digest)) { lab in
            let delegate = delegate {
                $0.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPDigest
                    ? (.rejectProtectionSpace, nil) : (.useCredential, Self.right)
            }
            let (status, _) = try await lab.text(delegate: delegate)
            #expect(status == 200)
            #expect(
                asked(delegate).map(\.method) == [
                    NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTTPBasic,
                ])
        }
    }

    @Test("If the delegate rejects all schemes, the session returns the 401 without its challenges")
    func allRejected() async throws {
        try await lab(LabChallenge(.basic, .digest)) { lab in
            let delegate = delegate { _ in (.rejectProtectionSpace, nil) }
            let (data, response) = try await lab.session(delegate: delegate).data(from: lab.url)
            let http = try #require(response as? HTTPURLResponse)
            #expect(http.statusCode == 401)
            #expect(String(decoding: data, as: UTF8.self) == "who is there?\n")
            // Otherwise Foundation would answer the challenge itself, over libcurl.
            #expect(http.value(forHTTPHeaderField: "WWW-Authenticate") == nil)
            #expect(asked(delegate).count == 2)
            #expect(lab.server.counts.requests == 1)
            #expect(lab.server.counts.connections == 1)
        }
    }

    @Test(
        "The failure count increases until the delegate gives up",
        arguments: [LabChallenge(.basic), LabChallenge(.digest)])
    func failures(challenge: LabChallenge) async throws {
        try await lab(challenge) { lab in
            let delegate = delegate {
                $0.previousFailureCount < 2 ? (.useCredential, Self.wrong) : (.cancelAuthenticationChallenge, nil)
            }
            let error = try await lab.failure(delegate: delegate)
            #expect(error?.code == .cancelled)
            #expect(asked(delegate).map(\.failures) == [0, 1, 2])
            #expect(lab.server.counts.requests == 3)
        }
    }

    @Test("The session stops calling a delegate that never gives up")
    func loop() async throws {
        try await lab(LabChallenge(.basic)) { lab in
            let delegate = delegate { _ in (.useCredential, Self.wrong) }
            let (status, _) = try await lab.text(delegate: delegate)
            #expect(status == 401)
            #expect(lab.server.counts.requests == 9)
        }
    }

    @Test("The session stops when a server declares every nonce stale")
    func stale() async throws {
        try await SessionLab.with(
            .good,
            {
                $0.response = LabResponse(
                    status: 401,
                    headers: [("www-authenticate", #"Digest realm="r", nonce="n", stale=true, qop="auth""#)],
                    chunks: ["no"])
            }
        ) { lab in
            let delegate = delegate { _ in (.useCredential, Self.right) }
            let (status, _) = try await lab.text(delegate: delegate)
            #expect(status == 401)
            #expect(asked(delegate).count == 1)
            #expect(lab.server.counts.requests == 9)
        }
    }

    @Test(
        "The next request reuses a credential stored for the session, but any other credential needs a new challenge",
        arguments: [LabChallenge(.basic), LabChallenge(.digest)])
    func persistence(challenge: LabChallenge) async throws {
        for (credential, requests, challenges) in [(Self.kept, 4, 1), (Self.right, 6, 3)] {
            try await lab(challenge) { lab in
                let delegate = delegate { _ in (.useCredential, credential) }
                let session = try lab.session(delegate: delegate)
                for _ in 0..<3 { #expect(try await session.text(lab.url).status == 200) }
                #expect(asked(delegate).count == challenges)
                #expect(lab.server.counts.requests == requests)
            }
        }
    }

    @Test("A session doesn't use the credentials that another session remembers")
    func otherSession() async throws {
        try await lab(LabChallenge(.basic)) { lab in
            let first = try lab.session(delegate: delegate { _ in (.useCredential, Self.kept) })
            #expect(try await first.text(lab.url).status == 200)
            let (status, _) = try await lab.text()
            #expect(status == 401)
        }
    }

    @Test("Default handling uses the configuration's credential storage, and the delegate sees the credential")
    func storage() async throws {
        try await lab(LabChallenge(.digest)) { lab in
            let storage = URLCredentialStorage()
            let space = URLProtectionSpace(
                host: lab.server.host.description, port: lab.server.port, protocol: "https", realm: "lab",
                authenticationMethod: NSURLAuthenticationMethodHTTPDigest)
            storage.setDefaultCredential(Self.kept, for: space)
            let (status, _) = try await lab.text { $0.urlCredentialStorage = storage }
            #expect(status == 200)
            let delegate = delegate { _ in (.performDefaultHandling, nil) }
            let (second, _) = try await lab.text(delegate: delegate) { $0.urlCredentialStorage = storage }
            #expect(second == 200)
            #expect(asked(delegate).map(\.proposed) == ["user"])
        }
    }

    @Test("The session proposes the URL's user name and password to the delegate and doesn't send them in the URL")
    func address() async throws {
        try await lab(LabChallenge(.basic)) { lab in
            var components = try #require(URLComponents(url: lab.url, resolvingAgainstBaseURL: false))
            components.user = "user"
            components.password = "secret"
            let url = try #require(components.url)
            let (status, _) = try await lab.session().text(url)
            #expect(status == 200)
        }
    }

    @Test("Without a delegate and a credential, the session returns the 401 and sends nothing else")
    func nobody() async throws {
        try await lab(LabChallenge(.basic, .digest)) { lab in
            let (status, text) = try await lab.text()
            #expect(status == 401)
            #expect(text == "who is there?\n")
            #expect(lab.server.counts.requests == 1)
            #expect(lab.server.counts.connections == 1)
        }
    }

    @Test("A delegate without a credential gets the 401 response")
    func noCredential() async throws {
        try await lab(LabChallenge(.basic)) { lab in
            let (status, _) = try await lab.text(delegate: delegate { _ in (.useCredential, nil) })
            #expect(status == 401)
        }
    }

    @Test(
        "The session calls only the task-level method for NTLM and Negotiate, which fail with a clear error if chosen")
    func notSupported() async throws {
        for (scheme, method, unsupported) in [
            ("NTLM", NSURLAuthenticationMethodNTLM, ServerTrustUnsupported.ntlm),
            ("Negotiate", NSURLAuthenticationMethodNegotiate, .negotiate),
        ] {
            try await SessionLab.with(
                .good,
                {
                    $0.response = LabResponse(status: 401, headers: [("www-authenticate", scheme)], chunks: ["no"])
                }
            ) { lab in
                let choosing = delegate { _ in (.useCredential, Self.right) }
                let error = try await lab.failure(delegate: choosing)
                #expect(error?.serverTrustUnsupported == unsupported)
                #expect(error?.code == .userAuthenticationRequired)
                #expect(asked(choosing).map(\.level) == ["task"])
                #expect(asked(choosing).allSatisfy { $0.method == method })
                #expect(lab.server.counts.requests == 1)
            }
        }
    }

    @Test("The session doesn't send a client certificate or a server trust as a password")
    func notAPassword() async throws {
        try await lab(LabChallenge(.basic)) { lab in
            let identity = URLCredential(certificateChainPEM: "x", privateKeyPEM: "secret key", persistence: .none)
            let error = try await lab.failure(delegate: delegate { _ in (.useCredential, identity) })
            #expect(error?.serverTrustUnsupported == .credential)
            #expect(lab.server.counts.requests == 1)
        }
    }

    @Test("The second request sends the body again, from data or from the delegate's new stream")
    func bodies() async throws {
        try await lab(LabChallenge(.digest)) { lab in
            var request = URLRequest(url: lab.url)
            request.httpMethod = "POST"
            let delegate = delegate { _ in (.useCredential, Self.right) }
            let session = try lab.session(delegate: delegate)
            let (data, _) = try await session.upload(for: request, from: Data("hello".utf8))
            #expect(String(decoding: data, as: UTF8.self) == "welcome\n")
            let once = InputStream(data: Data("hello".utf8))
            request.httpBodyStream = once
            let error = await session.failure(request)
            #expect(error?.code == .requestBodyStreamExhausted)
            delegate.newBody = { InputStream(data: Data("hello".utf8)) }
            request.httpBodyStream = InputStream(data: Data("hello".utf8))
            #expect(try await session.text(request).status == 200)
        }
    }

    @Test("Digest counts requests from 1 for each nonce", .enabled(if: EchoServer.isAvailable))
    func nonces() async throws {
        let server = try EchoServer.shared.get()
        let session = try server.session(delegate: delegate { _ in (.useCredential, Self.kept) })
        func fields(_ path: String) async throws -> [String: String] {
            let echo = try EchoServer.echo(await session.data(from: server.url(path)).0)
            return HTTPChallenge.challenges(in: [echo.headers["authorization"] ?? ""]).first?.parameters ?? [:]
        }
        var nonces: [String] = []
        for path in ["/digest", "/digest?a", "/digest?next=m", "/digest", "/digest"] {
            let fields = try await fields(path)
            #expect(fields["uri"] == path)
            nonces.append("\(fields["nonce"] ?? "") \(fields["nc"] ?? "")")
        }
        #expect(nonces == ["n 00000001", "n 00000002", "n 00000003", "m 00000001", "m 00000002"])
    }

    @Test("Digest protects a body given as data, but can't protect a stream", .enabled(if: EchoServer.isAvailable))
    func integrity() async throws {
        let server = try EchoServer.shared.get()
        let session = try server.session(delegate: delegate { _ in (.useCredential, Self.right) })
        var request = URLRequest(url: server.url("/digest?qop=auth-int"))
        request.httpMethod = "POST"
        let (data, _) = try await session.upload(for: request, from: Data("hello".utf8))
        let authorization = try EchoServer.echo(data).headers["authorization"] ?? ""
        #expect(HTTPChallenge.challenges(in: [authorization]).first?.parameters["qop"] == "auth-int")
        request.httpBodyStream = InputStream(data: Data("hello".utf8))
        #expect(await session.failure(request)?.serverTrustUnsupported == .digestOverStream)
    }

    @Test("The request keeps its own cookie when it is sent again", .enabled(if: EchoServer.isAvailable))
    func cookies() async throws {
        let server = try EchoServer.shared.get()
        let session = try server.session(delegate: delegate { _ in (.useCredential, Self.right) })
        var request = URLRequest(url: server.url("/digest"))
        request.setValue("own=1", forHTTPHeaderField: "Cookie")
        let (data, _) = try await session.data(for: request)
        #expect(try EchoServer.echo(data).headers["cookie"] == "own=1")
    }
}
