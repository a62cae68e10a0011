// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Diagnosis

@Suite("Guides to error codes") struct ErrorGuideTests {
    @Test("Each guide is complete and in plain language", arguments: ErrorGuide.all.map(\.code))
    func aGuideIsComplete(_ code: String) throws {
        let guide = try #require(ErrorGuide.of(code))
        #expect(!guide.remedies.isEmpty)
        let texts = [guide.meaning] + guide.remedies
        #expect(Set(texts).count == texts.count)
        for text in texts {
            #expect(text.count > 10 && text.last == ".", "\(text)")
            #expect(!text.contains("\n") && !text.contains("  "), "\(text)")
            #expect(text.filter { $0 == "`" }.count.isMultiple(of: 2), "\(text)")
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            #expect(words.isDisjoint(with: GuideTests.forbidden), "\(text)")
        }
    }

    @Test("No two codes have the same meaning") func meaningsDiffer() {
        #expect(Set(ErrorGuide.all.map(\.meaning)).count == ErrorGuide.all.count)
    }

    @Test("An unknown name has no guide") func unknown() {
        #expect(ErrorGuide.of("hostEmpty") != nil)
        #expect(ErrorGuide.of("HOSTEMPTY") == nil && ErrorGuide.of("") == nil && ErrorGuide.reported(as: "").isEmpty)
    }
}
