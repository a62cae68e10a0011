// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("String comparison with NSString's rules")
struct StringEqualityTests {
    @Test(
        "Two strings are equal only if they have the same code units",
        arguments: [
            ("server", "server", true), ("server", "Server", false), ("server", "", false),
            ("\u{e9}", "e\u{301}", false), ("", "", true),
        ])
    func equality(left: String, right: String, isEqual: Bool) {
        #expect(left.isEqual(right) == isEqual)
        #expect(left.isEqual(to: right) == isEqual)
        #expect(left.isEqual(nil) == false && left.isEqual(7) == false)
    }
}
