// SPDX-License-Identifier: Apache-2.0

import PinModel
import Testing

/// The collection of a file's problems.
@Suite struct PinDiagnosticsTests {
    @Test("Many problems are cut, and none hides one of another code or grade") func cut() {
        var diagnostics = PinDiagnostics(file: "f")
        for line in 1...3_000 { diagnostics.add(.unknownKey, as: .odd, line, "k", "odd") }
        #expect(diagnostics.problems.count == 1_000 && !diagnostics.isRefused)
        for line in 1...10 { diagnostics.add(.notLiteral, as: .odd, line, "k", "odd") }
        #expect(diagnostics.problems.count { $0.code == .notLiteral } == 1)
        for line in 1...10 { diagnostics.add(.unknownKey, line, "k", "refused") }
        #expect(diagnostics.isRefused && diagnostics.problems.count == 1_002)
    }
}
