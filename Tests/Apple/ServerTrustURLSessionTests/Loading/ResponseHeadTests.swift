// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import NIOHTTP1
import Testing

@testable import ServerTrustURLSession

@Suite("Response headers")
struct ResponseHeadTests {
    @Test(
        "Headers have the names that Foundation expects",
        arguments: [
            ("set-cookie", "Set-Cookie"), ("SET-COOKIE", "Set-Cookie"), ("content-length", "Content-Length"),
            ("www-authenticate", "WWW-Authenticate"), ("etag", "ETag"), ("x", "X"), ("a--b", "A--B"), ("-", "-"),
        ])
    func names(name: String, canonical: String) {
        #expect(ResponseHead.canonical(name) == canonical)
    }

    @Test("Headers with the same name are joined in order")
    func several() {
        let fields = ResponseHead.fields(["vary": "a", "Content-Type": "text/plain", "VARY": "b"])
        #expect(fields == ["Vary": "a, b", "Content-Type": "text/plain"])
    }

    @Test("A 401 response loses its challenges, however they are spelled, and other responses keep them")
    func challenges() throws {
        let url = try #require(URL(string: "https://a/"))
        let headers: HTTPHeaders = ["wWw-AuThEnTiCaTe": "Basic realm=x", "WWW-Authenticate": "NTLM"]
        let final = try #require(ResponseHead.final(401, headers, at: url))
        #expect(final.value(forHTTPHeaderField: "WWW-Authenticate") == nil)
        #expect(final.allHeaderFields.isEmpty)
        let other = try #require(ResponseHead.final(403, headers, at: url))
        #expect(other.value(forHTTPHeaderField: "WWW-Authenticate") == "Basic realm=x, NTLM")
    }
}
