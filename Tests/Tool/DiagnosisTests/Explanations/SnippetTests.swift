// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Diagnosis

/// The guides' snippets are the marked regions of an example that CI compiles and runs.
@Suite("Snippets in guides") struct SnippetTests {
    private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("../../../Examples/Sources/explain-snippets/ExplainSnippets.swift")

    /// Returns the regions of the example by name, without the indentation of their first line.
    private static func regions() throws -> [(name: String, code: String)] {
        var regions: [(name: String, code: String)] = []
        var region: (name: String, lines: [String])?
        for line in try String(contentsOf: example, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("// snippet: ") {
                region = (String(trimmed.dropFirst("// snippet: ".count)), [])
            } else if trimmed == "// end of snippet", let ended = region {
                let indentation = ended.lines.first?.prefix { $0 == " " }.count ?? 0
                regions.append(
                    (ended.name, ended.lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")))
                region = nil
            } else {
                region?.lines.append(String(line))
            }
        }
        return regions
    }

    @Test("The code of each snippet equals its region, in the same order") func codeIsThatOfTheExample() throws {
        let regions = try Self.regions()
        #expect(regions.map(\.name) == GuideSnippet.all.map(\.name))
        for (region, snippet) in zip(regions, GuideSnippet.all) {
            #expect(region.code == snippet.code, "\(region.name)")
        }
    }

    @Test("A guide uses each snippet") func eachIsUsed() {
        let used = Set(
            FailureGuides.all.compactMap { guide in
                if case .change(_, let snippet) = guide.customization { snippet.name } else { nil }
            })
        #expect(used == Set(GuideSnippet.all.map(\.name)))
    }

    @Test("Lines fit an 80-column terminal") func linesFit() {
        for snippet in GuideSnippet.all {
            #expect(snippet.code.split(separator: "\n").allSatisfy { $0.count <= 66 }, "\(snippet.name)")
        }
    }
}
