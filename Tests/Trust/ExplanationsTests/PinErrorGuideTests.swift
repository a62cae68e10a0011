// SPDX-License-Identifier: Apache-2.0

import Explanations
import Testing

@Suite("Guides to errors of pins") struct PinErrorGuideTests {
    @Test(
        "A guide is found by the code and by its short name in messages",
        arguments: [
            ("pinListRollback", "pinListRollback"), ("rollback", "pinListRollback"), ("listInvalid", "pinListInvalid"),
            ("notLiteral", "pinFileNotLiteral"), ("tooLarge", "pinListTooLarge"),
            ("pinFileTooLarge", "pinFileTooLarge"),
            ("hostPatternHasPort", "hostPatternHasPort"),
        ])
    func names(name: String, code: String) {
        #expect(ErrorGuide.of(name)?.code == code)
    }

    @Test("No guide is found by another name", arguments: ["", "pinList", "Rollback ", "pinFileRollback"])
    func others(name: String) {
        #expect(ErrorGuide.of(name) == nil)
    }
}
