// SPDX-License-Identifier: Apache-2.0

import Explanations
import Testing

@Suite("Guides to errors of pins") struct PinErrorGuideTests {
    @Test(
        "The guides to a short name in messages are those of all codes that have it",
        arguments: [
            ("rollback", ["pinListRollback"]), ("listInvalid", ["pinListInvalid"]),
            ("notLiteral", ["pinFileNotLiteral"]),
            ("tooLarge", ["fetchTooLarge", "pinFileTooLarge", "pinListTooLarge"]),
            ("plainHTTP", ["connectionPlainHTTP"]),
            ("timedOut", ["fetchTimedOut", "connectionTimedOut", "connectionEvaluationTimedOut"]),
            ("pinListRollback", []), ("", []), ("pinList", []), ("Rollback ", []),
        ])
    func names(name: String, codes: [String]) {
        #expect(ErrorGuide.reported(as: name).map(\.code) == codes)
        #expect(ErrorGuide.of(name) == nil || name == "pinListRollback")
    }
}
