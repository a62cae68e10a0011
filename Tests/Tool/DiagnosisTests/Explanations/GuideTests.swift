// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import Diagnosis

@Suite("Guides to codes") struct GuideTests {
    static let names = TrustFailure.Code.all.map(\.name)
    static let failures = Guides.failures.entries.map(\.name)
    static let errors = Guides.errors.entries.map(\.name)

    @Test("Every code in the library has a guide, and other guides are about the command's codes")
    func everyCodeHasOneGuide() {
        #expect(Set(Self.names).subtracting(Self.failures) == [])
        #expect(
            Set(Self.failures).subtracting(Self.names) == [
                "requestNotJSON", "requestTooLong", "requestKeyMissing", "requestKeyWrongType", "requestValueInvalid",
                "base64Malformed", "certificateExpiresSoon",
            ])
    }

    @Test("Other evaluators' codes have no guide and no explanation") func otherCodesHaveNone() {
        let code = TrustFailure.Code("ours", rank: 1, severity: .fatal, message: "")
        #expect(Guides.of(code) == nil && code.explanation == nil)
    }

    @Test("A guide to a failure is complete", arguments: failures)
    func aGuideIsComplete(_ name: String) throws {
        let guide = try #require(Guides.failures[name])
        #expect(!guide.causes.isEmpty && !guide.remedies.isEmpty && !guide.never.isEmpty)
        let change =
            switch guide.customization {
            case .change(let text, _): text
            case .none(let reason): reason
            }
        let texts = [guide.meaning, guide.sign] + guide.causes + guide.remedies + [change] + guide.never
        checkTexts(texts, minimum: 20)
        let documents = [
            "RFC ", "X.690 ", "CA/Browser ", "Apple's requirements ", "SecTrustEvaluateWithError", "policy of ",
            "configuration of ", "budget of ", "format of ", "the --expires-within ",
        ]
        #expect(documents.contains { guide.source.hasPrefix($0) } && guide.source.last != ".")
    }

    @Test("A guide to an error is complete", arguments: errors)
    func anErrorGuideIsComplete(_ name: String) throws {
        let guide = try #require(Guides.errors[name])
        #expect(!guide.remedies.isEmpty)
        checkTexts([guide.meaning] + guide.remedies, minimum: 10)
    }

    /// Checks that texts are different sentences in plain language.
    private func checkTexts(_ texts: [String], minimum: Int) {
        #expect(Set(texts).count == texts.count)
        for text in texts {
            #expect(text.count > minimum, "\(text)")
            #expect([".", "?"].contains(text.last), "ends without a full stop: \(text)")
            #expect(text.filter { $0 == "`" }.count.isMultiple(of: 2), "\(text)")
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            #expect(words.isDisjoint(with: Self.forbidden), "\(text)")
            #expect(!["What ", "Who ", "Whether "].contains(where: text.hasPrefix), "\(text)")
        }
    }

    // Words for people that don't fit machinery.
    private static let forbidden = [
        "somebody", "nobody", "whoever", "everybody", "anybody", "someone", "stranger", "asker",
    ]

    @Test("No two codes have the same meaning or the same sign") func meaningsDiffer() {
        let failures = Guides.failures.entries
        #expect(Set(failures.map(\.meaning)).count == failures.count)
        #expect(Set(failures.map(\.sign)).count == failures.count)
        #expect(Set(Guides.errors.entries.map(\.meaning)).count == Self.errors.count)
    }

    @Test(
        "For a fatal or undecided failure, a guide suggests no change to trust except other anchors, pins and rules")
    func fatalCodesHaveNoException() {
        for code in TrustFailure.Code.all where code.severity != .recoverable {
            guard case .change(_, let snippet) = Guides.of(code)?.customization else { continue }
            #expect(!["exception", "pinned-leaf", "pinned-leaf-under-any-name"].contains(snippet.name), "\(code)")
        }
    }

    @Test("A change has a snippet whose lines fit an indented page in an 80-column terminal") func snippetsFit() {
        for guide in Guides.failures.entries where guide.all("snippet") != [] {
            let lines = Guides.snippets[guide["snippet"]]?.all("line") ?? []
            #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 66 }, "\(guide.name)")
        }
    }

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
    func shortNames(name: String, codes: [String]) {
        #expect(Guides.errors(reportedAs: name).map(\.name) == codes)
        #expect(Guides.errors[name] == nil || name == "pinListRollback")
    }
}
