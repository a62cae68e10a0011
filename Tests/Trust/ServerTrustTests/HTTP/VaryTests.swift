// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("Stored responses and other requests (RFC 9111)")
struct VaryTests {
    @Test(
        "Vary is a list of names in any case, and a star anywhere in it rules out every other request",
        arguments: [
            ([], .fields([])), ([""], .fields([])), ([" , "], .fields([])),
            (["Accept-Encoding"], .fields(["accept-encoding"])),
            (["Cookie, ACCEPT , cookie"], .fields(["accept", "cookie"])), (["b", "a"], .fields(["a", "b"])),
            (["*"], .everything), (["accept, *"], .everything), (["accept", " * "], .everything),
        ] as [([String], Vary)])
    func fields(values: [String], expected: Vary) {
        #expect(Vary(values) == expected)
    }

    @Test(
        "A response answers requests with Authorization only if it explicitly allows this",
        arguments: [
            ("", false), ("max-age=60", false), ("private", false), ("no-cache", false), ("public", true),
            ("PUBLIC, max-age=60", true), ("must-revalidate", true), ("proxy-revalidate", false), ("s-maxage=60", true),
            ("s-maxage=\"60\"", true), ("s-maxage", false), ("s-maxage=soon", false), ("x-public", false),
            ("x=\"public\"", false), ("public, x=\"", false),
        ])
    func authorization(field: String, isAllowed: Bool) {
        #expect(CacheControl([field]).allowsAuthorization == isAllowed)
    }
}
