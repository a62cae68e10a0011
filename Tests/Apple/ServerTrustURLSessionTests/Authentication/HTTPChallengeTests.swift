// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustURLSession

@Suite("Challenges in WWW-Authenticate")
struct HTTPChallengeTests {
    private func read(_ fields: String...) -> [HTTPChallenge] { HTTPChallenge.challenges(in: fields) }

    @Test("A challenge has one scheme with parameters, quoted or not, in upper or lower case")
    func one() {
        let challenges = read(#"dIgEsT Realm="a \"b\", c" , nonce=abc,qop="auth,auth-int",  STALE=TRUE"#)
        #expect(challenges.map(\.scheme) == ["digest"])
        #expect(
            challenges.first?.parameters
                == ["realm": #"a "b", c"#, "nonce": "abc", "qop": "auth,auth-int", "stale": "TRUE"])
    }

    @Test("A field can contain several challenges, separated by commas like parameters")
    func several() {
        // RFC 9110 § 11.6.1
        let challenges = read(#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#)
        #expect(challenges.map(\.scheme) == ["basic", "newauth"])
        #expect(challenges.last?.parameters == ["realm": "apps", "type": "1", "title": #"Login to "apps""#])
        #expect(read("Negotiate, NTLM, Basic realm=x").map(\.scheme) == ["negotiate", "ntlm", "basic"])
        #expect(read("Negotiate", "NTLM").map(\.scheme) == ["negotiate", "ntlm"])
        #expect(read(",, Basic realm=x ,, NTLM,").map(\.scheme) == ["basic", "ntlm"])
    }

    @Test("A challenge can have a token instead of parameters")
    func token() {
        #expect(read("Negotiate oYG2MIGz+/==").first?.token == "oYG2MIGz+/==")
        #expect(read("Negotiate abc=, Basic realm=x").map(\.scheme) == ["negotiate", "basic"])
    }

    @Test(
        "The parser stops at a malformed part",
        arguments: [
            ("", []), (" , ", []), ("\"", []), ("Basic realm=\"open", ["basic"]), ("=x", []),
            ("Basic realm=x @ NTLM", ["basic"]),
            ("Basic ;", ["basic"]),
        ])
    func malformed(field: String, schemes: [String]) {
        #expect(read(field).map(\.scheme) == schemes)
    }

    @Test("The first of two parameters with the same name counts, and fields above 64 KiB are ignored")
    func limits() {
        #expect(read("Basic realm=a, realm=b").first?.realm == "a")
        #expect(read("Basic realm=\"" + String(repeating: "x", count: 1 << 16) + "\"").isEmpty)
    }

    @Test("The parser accepts any bytes without trapping", arguments: 0..<64)
    func random(seed: Int) {
        var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1
        let alphabet = Array("aB=\", \\;\t/+~basic digest realm=")
        for _ in 0..<50 {
            let text = String(
                (0..<40).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return alphabet[Int(state >> 33) % alphabet.count]
                })
            for challenge in read(text) { #expect(!challenge.scheme.isEmpty) }
        }
    }
}

@Suite("The order of offered schemes")
struct AuthenticationOfferTests {
    private func schemes(_ fields: String...) -> [String] {
        AuthenticationOffer.offers(in: HTTPChallenge.challenges(in: fields)).map(\.scheme)
    }

    @Test("Supported schemes come first, starting with the strongest")
    func order() {
        #expect(
            schemes(#"Negotiate, NTLM, Basic realm="a""#, #"Digest realm="a", nonce="n""#)
                == ["Digest", "Basic", "NTLM", "Negotiate"])
    }

    @Test("Digest occurs once per realm, with the strongest known hash")
    func digest() {
        let offers = AuthenticationOffer.offers(
            in: HTTPChallenge.challenges(in: [
                #"Digest realm="a", nonce="1", algorithm=MD5"#, #"Digest realm="a", nonce="2", algorithm=SHA-256"#,
                #"Digest realm="a", nonce="3", algorithm=SHA-512-256"#, #"Digest realm="b", nonce="4""#,
            ]))
        #expect(
            offers.compactMap { offer -> String? in
                guard case .digest(let challenge) = offer else { return nil }
                return challenge.nonce
            } == ["2", "4"])
    }

    @Test("Unknown schemes, Digest without a nonce and Digest with unknown protection are left out")
    func unknown() {
        #expect(schemes("Bearer realm=x, Digest realm=x", "Digest realm=x, nonce=y, qop=\"other\"").isEmpty)
    }
}
