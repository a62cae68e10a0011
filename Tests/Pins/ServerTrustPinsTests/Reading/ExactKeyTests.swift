// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustPins

/// Keys that are equal only under canonical equivalence.
@Suite("Keys in pin files") struct ExactKeyTests {
    static let kelvin = "\u{212a}"

    @Test("The reader compares strings byte by byte")
    func bytes() {
        for (left, right) in [("K", Self.kelvin), (";", "\u{37e}"), ("é", "e\u{301}"), ("`", "\u{1fef}")] {
            #expect(left == right)
            #expect(ExactText(left) != ExactText(right))
            #expect(Set([ExactText(left), ExactText(right)]).count == 2)
            #expect(!left.isExactly(right) && left.isExactly(left))
        }
        #expect(Set([ExactText("K"), ExactText("K")]).count == 1)
    }

    @Test("Keys in a pin file are compared byte by byte")
    func fileKeys() throws {
        let text = """
            {"\(Self.kelvin)TSKConfiguration": 1, "TSKPinnedDomains": {"example.com": {"TSKPublic\(Self.kelvin)eyHashes": []}}}
            """
        #expect(throws: PinFileError.self) {
            try PinConfiguration(reading: Array(text.utf8), as: .trustKit, file: "x")
        }
        do {
            _ = try PinConfiguration(reading: Array(text.utf8), as: .trustKit, file: "x")
        } catch {
            let unknown = error.problems.filter { $0.code == .pinFileUnknownKey }
            #expect(unknown.contains { $0.location.keyPath.contains("TSKPublic") })
        }
    }
}
