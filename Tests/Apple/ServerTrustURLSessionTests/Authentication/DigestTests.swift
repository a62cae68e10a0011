// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustURLSession

@Suite("Digest (RFC 7616)")
struct DigestTests {
    private func challenge(_ field: String) throws -> DigestChallenge {
        try #require(HTTPChallenge.challenges(in: [field]).first.flatMap { DigestChallenge($0) })
    }

    private func parameters(_ authorization: String?) throws -> [String: String] {
        let text = try #require(authorization)
        let challenge = try #require(HTTPChallenge.challenges(in: [text]).first)
        #expect(challenge.scheme == "digest")
        return challenge.parameters
    }

    @Test(
        "The example in RFC 7616 § 3.9.1 gets its documented answer",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func example(algorithm: String, response: String) throws {
        let challenge = try challenge(
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        )
        let fields = try parameters(
            challenge.authorization(
                user: "Mufasa", password: "Circle of Life",
                request: DigestRequest(method: "GET", target: "/dir/index.html", body: { [] }), count: 1,
                clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"))
        #expect(fields["response"] == response)
        #expect(fields["nc"] == "00000001")
        #expect(fields["qop"] == "auth")
        #expect(fields["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")
        #expect(fields["uri"] == "/dir/index.html")
        #expect(fields["username"] == "Mufasa")
    }

    @Test("An RFC 2069 server gets no qop, and the answer matches hand-computed hashes from RFC 2617's example")
    func old() throws {
        let challenge = try challenge(#"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#)
        let fields = try parameters(
            challenge.authorization(
                user: "Mufasa", password: "Circle Of Life",
                request: DigestRequest(method: "GET", target: "/dir/index.html", body: { nil }), count: 1,
                clientNonce: "x")
        )
        // MD5(939e7578ed9e3c518a452acee763bce9:dcd98b7102dd2f0e8b11d0f600bfb0c093:39aff3a2bab6126f332b942af96d3366)
        #expect(fields["response"] == "670fd8c2df070c60b045671b8b24ff02")
        #expect(fields["qop"] == nil && fields["nc"] == nil && fields["cnonce"] == nil)
    }

    @Test("A session algorithm derives the secret from nonce and cnonce", arguments: ["MD5-sess", "SHA-256-sess"])
    func session(name: String) throws {
        let challenge = try challenge(#"Digest realm="r", nonce="n", qop="auth", algorithm=\#(name)"#)
        let algorithm = try #require(DigestAlgorithm(name: name))
        let fields = try parameters(
            challenge.authorization(
                user: "u", password: "p", request: DigestRequest(method: "GET", target: "/", body: { nil }), count: 10,
                clientNonce: "c"))
        let secret = algorithm.hash(algorithm.hash("u:r:p") + ":n:c")
        #expect(fields["response"] == algorithm.hash("\(secret):n:0000000a:c:auth:" + algorithm.hash("GET:/")))
        #expect(fields["nc"] == "0000000a")
    }

    @Test("Digest protects the body only if the server offers nothing else, and fails for an unknown body")
    func body() throws {
        let challenge = try challenge(#"Digest realm="r", nonce="n", qop="auth-int", algorithm=SHA-256"#)
        let hash = DigestAlgorithm.sha256
        let request = DigestRequest(method: "POST", target: "/", body: { Array("hello".utf8) })
        let fields = try parameters(
            challenge.authorization(user: "u", password: "p", request: request, count: 1, clientNonce: "c"))
        let subject = hash.hash("POST:/:" + hash.hash("hello"))
        #expect(fields["response"] == hash.hash(hash.hash("u:r:p") + ":n:00000001:c:auth-int:" + subject))
        let stream = DigestRequest(method: "POST", target: "/", body: { nil })
        #expect(challenge.authorization(user: "u", password: "p", request: stream, count: 1, clientNonce: "c") == nil)
    }

    @Test("Quotes and control characters in a user name can't end the header")
    func quoting() throws {
        let challenge = try challenge(#"Digest realm="r\"x", nonce="n""#)
        let text = try #require(
            challenge.authorization(
                user: "a\"\r\nb", password: "p", request: DigestRequest(method: "GET", target: "/", body: { nil }),
                count: 1,
                clientNonce: "c"))
        #expect(!text.contains { $0.isNewline })
        #expect(try parameters(text)["username"] == "a\"b")
        #expect(try parameters(text)["realm"] == "r\"x")
    }
}

@Suite("Basic (RFC 7617)")
struct BasicTests {
    @Test("The examples in RFC 7617 § 2 and § 2.1 get their documented values")
    func examples() {
        #expect(
            BasicCredentials.authorization(user: "Aladdin", password: "open sesame")
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(BasicCredentials.authorization(user: "test", password: "123£") == "Basic dGVzdDoxMjPCow==")
    }

    @Test("A user name with a colon can't be sent")
    func colon() {
        #expect(BasicCredentials.authorization(user: "a:b", password: "c") == nil)
    }
}
