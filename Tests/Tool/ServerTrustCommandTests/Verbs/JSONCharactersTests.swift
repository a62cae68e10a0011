// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

/// Every verb's JSON is safe to print on a terminal, whatever certificates and files contain.
@Suite("Hostile characters in JSON", .timeLimit(.minutes(5)))
struct JSONCharactersTests {
    private static let text = "Zürich \u{202e}\u{2066}\u{9b}31m\u{200b}\u{2028}\u{7f}"

    /// Files with the text in a certificate's names, in an identifier, and in their own names.
    private struct Scene {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder.make()
            let root = try TestAuthority.root(.authority("Root").with { $0.organization = text })
            let leaf = try root.issue(.leaf(Lab.host).with { $0.organization = text })
            try folder.write("root.pem", pem(root.certificate))
            try folder.write("chain.pem", pem(leaf.certificate, root.certificate))
            let row =
                [
                    "id": text, "host": Lab.host, "chain": [leaf.certificate.base64],
                    "anchors": [root.certificate.base64],
                    "time": Lab.time,
                ] as [String: Any]
            try folder.write("rows.jsonl", try JSONSerialization.data(withJSONObject: row) + Data("\n".utf8))
            try folder.write("pins \(text).json", Data("{\"pins\": [\"\(text)\"]}".utf8))
        }
    }

    private static let commands: [[String]] = [
        ["verify", "chain.pem", "--host", Lab.host, "--time", Lab.time, "--anchors", "root.pem", "--format", "json"],
        ["inspect", "chain.pem", "--format", "json", "--long"],
        ["inspect", "chain.pem", "root.pem", "--format", "json"],
        ["pins", "lint", "pins \(text).json", "--format", "json"],
        ["pins", "lint", "pins \(text).json", "--format", "sarif"],
        ["verify", "--batch", "rows.jsonl"],
    ]

    @Test(
        "Every answer is JSON without characters that could control a terminal or reorder text",
        arguments: commands)
    func answers(_ command: [String]) throws {
        let scene = try Scene()
        defer { scene.folder.remove() }
        let outcome = try Tool.run(command, in: scene.folder.url)
        #expect(!outcome.output.isEmpty, "\(outcome.errors)")
        #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: outcome.output, options: .fragmentsAllowed)
        }
        Self.expectPrintable(outcome.text)
    }

    @Test("Decoding a batch's answers and summary returns the original names")
    func batch() throws {
        let scene = try Scene()
        defer { scene.folder.remove() }
        let outcome = try Tool.run(
            ["verify", "--batch", "rows.jsonl", "--summary", "counts.json"], in: scene.folder.url)
        #expect(outcome.status == 0 && outcome.text.contains("\\u202e"))
        let answer = try JSONDecoder().decode(BatchAnswer.self, from: outcome.output)
        #expect(answer.id == Self.text)
        let summary = try Data(contentsOf: scene.folder.url.appendingPathComponent("counts.json"))
        Self.expectPrintable(String(decoding: summary, as: UTF8.self))
    }

    /// Expects text without control characters, format characters or line separators except line feeds.
    private static func expectPrintable(_ text: String) {
        let categories: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        let found = text.unicodeScalars.filter { $0 != "\n" && categories.contains($0.properties.generalCategory) }
        #expect(found.isEmpty)
    }
}
