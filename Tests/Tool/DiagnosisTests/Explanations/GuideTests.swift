// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import Diagnosis

@Suite("Guides to failure codes") struct GuideTests {
    static let names = TrustFailure.Code.all.map(\.name)

    @Test("Every code in the library has one guide") func everyCodeHasOneGuide() {
        let names = FailureGuides.groups.joined().map(\.code.name)
        #expect(Set(names).count == names.count)
        #expect(Set(names) == Set(Self.names))
        #expect(FailureGuides.all.map(\.code.name) == Self.names)
    }

    @Test("Other evaluators' codes have no guide") func otherCodesHaveNone() {
        let code = TrustFailure.Code(
            "ours", rank: 1, severity: .fatal, message: "", explanation: "", source: "")
        #expect(FailureGuide.of(code) == nil)
    }

    @Test("A guide is complete, without empty or repeated strings", arguments: names)
    func aGuideIsComplete(_ name: String) throws {
        let guide = try #require(TrustFailure.Code.named(name).flatMap(FailureGuide.of))
        #expect(!guide.causes.isEmpty && !guide.serverRemedies.isEmpty && !guide.never.isEmpty)
        let texts = guide.texts
        #expect(Set(texts).count == texts.count)
        for text in texts {
            #expect(text.count > 20, "\(text)")
            #expect([".", "?"].contains(text.last), "ends without a full stop: \(text)")
            #expect(!text.contains("\n") && !text.contains("  "), "\(text)")
            #expect(text.filter { $0 == "`" }.count.isMultiple(of: 2), "\(text)")
        }
    }

    @Test("No two codes have the same meaning or the same sign") func meaningsDiffer() {
        let guides = FailureGuides.all
        #expect(Set(guides.map(\.meaning)).count == guides.count)
        #expect(Set(guides.map(\.sign)).count == guides.count)
    }

    // Words for people that don't fit machinery, and openings that aren't sentences.
    static let forbidden = ["somebody", "nobody", "whoever", "everybody", "anybody", "someone", "stranger", "asker"]

    @Test("The guides are in plain language", arguments: names) func textsArePlain(_ name: String) throws {
        let guide = try #require(TrustFailure.Code.named(name).flatMap(FailureGuide.of))
        for text in guide.texts {
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            #expect(words.isDisjoint(with: Self.forbidden), "\(text)")
            #expect(!["What ", "Who ", "Whether "].contains(where: text.hasPrefix), "\(text)")
        }
    }

    @Test(
        "For a fatal or undecided failure, a guide suggests no change to trust except other anchors, pins and rules")
    func fatalCodesHaveNoException() {
        for guide in FailureGuides.all where guide.code.severity != .recoverable {
            guard case .change(_, let snippet) = guide.customization else { continue }
            #expect(
                !["exception", "pinned-leaf", "pinned-leaf-under-any-name"].contains(snippet.name), "\(guide.code)")
        }
    }
}

extension FailureGuide {
    /// Every human-readable string, without code.
    var texts: [String] {
        let change =
            switch customization {
            case .change(let text, _): text
            case .none(let reason): reason
            }
        return [meaning, sign] + causes + serverRemedies + [change] + never
    }
}
