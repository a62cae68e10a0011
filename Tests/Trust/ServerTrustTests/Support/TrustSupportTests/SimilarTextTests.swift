// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite struct SimilarTextTests {
    static let names = ["check", "verify", "inspect", "lint", "certificateExpired"]

    @Test(
        "A misspelled name yields similar names",
        arguments: [
            ("chekc", ["check"]), ("VERIFY", ["verify"]), ("expired", ["certificateExpired"]), ("zebra", []), ("", []),
        ])
    func aMisspeltNameHasSimilarOnes(_ text: String, _ expected: [String]) {
        #expect(similar(to: text, among: Self.names) == expected)
    }

    @Test("A long string costs no more than its first 64 characters")
    func aLongTextIsCut() {
        #expect(similar(to: String(repeating: "x", count: 1 << 20), among: Self.names).isEmpty)
    }
}
