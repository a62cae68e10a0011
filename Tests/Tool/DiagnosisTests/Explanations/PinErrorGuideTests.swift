// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Testing

@Suite("Guides to pin errors") struct PinErrorGuideTests {
    @Test(
        "A short name in messages has the guides for all codes with that name",
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
