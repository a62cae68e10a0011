// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustPins

/// Collects a file's problems.
@Suite struct PinProblemTests {
    @Test("A long list of problems is truncated but keeps one problem of each code and grade") func cut() {
        var values = PinValueReader(file: "f")
        for line in 1...3_000 { values.add(.pinFileUnknownKey, as: .odd, line, "k", "odd") }
        #expect(values.problems.count == 1_000 && !values.isRefused)
        for line in 1...10 { values.add(.pinFileNotLiteral, as: .odd, line, "k", "odd") }
        #expect(values.problems.count { $0.code == .pinFileNotLiteral } == 1)
        for line in 1...10 { values.add(.pinFileUnknownKey, line, "k", "refused") }
        #expect(values.isRefused && values.problems.count == 1_002)
    }

    @Test("A file with very many problems is refused, and the rest of it isn't read") func tooMany() {
        var values = PinValueReader(file: "f")
        for line in 1...PinValueReader.maximumCount { values.add(.pinFileUnknownKey, as: .odd, line, "k", "odd") }
        #expect(!values.isRefused && !values.isExhausted)
        for line in 1...3 { values.add(.pinFileUnknownKey, as: .odd, line, "k", "odd") }
        #expect(values.isRefused && values.isExhausted)
        #expect(values.problems.count { $0.code == .pinFileTooLarge } == 1)
    }

    @Test("A rule's own problems are found among others and never confused with them") func problemsOfRules() {
        var values = PinValueReader(file: "f")
        for path in ["b.x", "a", "c[1].pins[0]", "é.y"] { values.add(.pinFileBadHost, 1, path, "refused") }
        for (path, isReported) in [
            ("b", true), ("b.x", true), ("b.xy", false), ("c[1]", true), ("c[10]", false), ("d", false), ("é", true),
            ("", true),
        ] {
            var copy = values
            #expect(copy.rule([], [], nil, path) == nil)
            #expect((copy.problems.count == values.problems.count) == isReported, "\(path)")
        }
    }

}
