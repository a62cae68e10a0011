// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustPins

/// Collects a file's problems.
@Suite struct PinDiagnosticsTests {
    @Test("A long list of problems is truncated but keeps one problem of each code and grade") func cut() {
        var diagnostics = PinDiagnostics(file: "f")
        for line in 1...3_000 { diagnostics.add(.pinFileUnknownKey, as: .odd, line, "k", "odd") }
        #expect(diagnostics.problems.count == 1_000 && !diagnostics.isRefused)
        for line in 1...10 { diagnostics.add(.pinFileNotLiteral, as: .odd, line, "k", "odd") }
        #expect(diagnostics.problems.count { $0.code == .pinFileNotLiteral } == 1)
        for line in 1...10 { diagnostics.add(.pinFileUnknownKey, line, "k", "refused") }
        #expect(diagnostics.isRefused && diagnostics.problems.count == 1_002)
    }

    @Test("A file with very many problems is refused, and the rest of it isn't read") func tooMany() {
        var diagnostics = PinDiagnostics(file: "f")
        for line in 1...PinDiagnostics.maximumCount { diagnostics.add(.pinFileUnknownKey, as: .odd, line, "k", "odd") }
        #expect(!diagnostics.isRefused && !diagnostics.isExhausted)
        for line in 1...3 { diagnostics.add(.pinFileUnknownKey, as: .odd, line, "k", "odd") }
        #expect(diagnostics.isRefused && diagnostics.isExhausted)
        #expect(diagnostics.problems.count { $0.code == .pinFileTooLarge } == 1)
    }

    @Test("A rule's own problems are found among others and never confused with them") func problemsOfRules() {
        var diagnostics = PinDiagnostics(file: "f")
        for path in ["b.x", "a", "c[1].pins[0]", "é.y"] { diagnostics.add(.pinFileBadHost, 1, path, "refused") }
        for (path, isReported) in [
            ("b", true), ("b.x", true), ("b.xy", false), ("c[1]", true), ("c[10]", false), ("d", false), ("é", true),
            ("", true),
        ] {
            var copy = diagnostics
            let rule = copy.rule(PinFileLocation(file: "f", keyPath: path)) { () throws(PinRuleError) in
                try PinRule(hosts: [], pins: [])
            }
            #expect(rule == nil)
            #expect((copy.problems.count == diagnostics.problems.count) == isReported, "\(path)")
        }
    }

}
