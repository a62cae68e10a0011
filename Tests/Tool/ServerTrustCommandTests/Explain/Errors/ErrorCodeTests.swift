// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustPins
import Testing

@testable import Diagnosis
@testable import PKIX
@testable import ServerTrustCommand

@Suite("Error codes") struct ErrorCodeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the names that a pattern finds in Sources.
    private static func names(_ pattern: Regex<(Substring, Substring, Substring)>) throws -> [(String, String)] {
        let sources = root.appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var names: [(String, String)] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            names += text.matches(of: pattern).map { (String($0.1), String($0.2)) }
        }
        return names
    }

    @Test("Every code in the sources is made once and has exactly one guide, and every guide has a code")
    func guides() throws {
        let codes = try Self.names(/\b(ErrorCode)\("(\w+)"\)/).map(\.1)
        let guides = Guides.errors.entries.map(\.name)
        #expect(codes.count > 40)
        #expect(Set(codes).count == codes.count)
        #expect(Set(guides).count == guides.count)
        let aliases = Guides.errors.entries.flatMap { $0.all("alias") }
        let failures = FailureCodes.all.map(\.name) + FailureCodes.aliases.keys
        #expect(Set(codes).intersection(failures).sorted() == [])
        #expect(Set(aliases).intersection(codes + failures).sorted() == [])
        #expect(Set(codes).symmetricDifference(guides).sorted() == [])
    }

    @Test("A constant for a code has the code's name")
    func constants() throws {
        let constants = try Self.names(/static let (\w+)(?:: ErrorCode)? =\s*ErrorCode\("(\w+)"\)/)
        #expect(constants.count > 40)
        for (name, code) in constants { #expect(name == code) }
    }

    @Test("Every code occurs in a row")
    func rows() {
        #expect(Set(ErrorRow.all.map(\.code)).symmetricDifference(Guides.errors.entries.map(\.name)).sorted() == [])
    }

    @Test("An error has values and a one-line message, and its code has a help page", arguments: ErrorRow.all)
    func page(row: ErrorRow) throws {
        #expect(!row.code.isEmpty, "\(row.message)")
        #expect(!row.message.isEmpty && !row.message.contains("\n"))
        let code = try #require(ExplainedCode.named(row.code))
        #expect(code.failure == nil)
        let lines = ExplainPage(code: code, palette: .plain).lines
        #expect(lines[0] == "\(row.code) (error)")
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("A path rejection and a failure have a failure code, which has a help page")
    func failures() throws {
        let failure = TrustFailure(.hostMismatch, certificate: 0, role: .leaf)
        let path = RejectedPath(certificates: [], reachesAnchor: false, failures: [failure])
        let rejection = PathRejection(paths: [path])
        #expect(rejection.code == .hostMismatch && rejection.message == failure.message)
        #expect(Guides.of(rejection.code) != nil)
    }

    @Test("A code is encoded as its name, and decoding keeps a code from a later version")
    func coding() throws {
        let codes = try JSONDecoder().decode([ErrorCode].self, from: Data(#"["hostEmpty", "hostOfTomorrow"]"#.utf8))
        #expect(codes.first == .hostEmpty && codes.last?.name == "hostOfTomorrow")
        #expect(String(decoding: try JSONEncoder().encode(codes), as: UTF8.self) == #"["hostEmpty","hostOfTomorrow"]"#)
        let location = PinFileLocation(file: "pins", line: 2, keyPath: "a")
        let problem = PinFileProblem(.pinFileBadBase64, .odd, at: location, "no base64")
        #expect(try JSONDecoder().decode(PinFileProblem.self, from: JSONEncoder().encode(problem)) == problem)
    }

    @Test("The table in Documentation/Generated/ErrorCodes.md contains these errors")
    func documentation() throws {
        let file = Self.root.appendingPathComponent("Documentation/Generated/ErrorCodes.md")
        let text = ErrorTable.text
        if ProcessInfo.processInfo.environment["SERVERTRUST_WRITE_DOCUMENTATION"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}

/// The error table in the documentation.
private enum ErrorTable {
    static var text: String {
        var text = """
            # Errors and their codes

            Every error that the library throws conforms to `TrustError`: it has a `code` and a `message`. Codes are stable, but messages aren't. The values are
            properties of the error, for your program. A property is optional if some errors lack it. `servertrust explain CODE` shows the same remedies. For the
            codes of `TrustFailure`, the reasons to refuse a path, see [Failure codes](../../Sources/Trust/ServerTrust/ServerTrust.docc/FailureCodes.md).
            `PathRejection` has the code of its first failure.

            | code | error | values | meaning | remedy |
            |---|---|---|---|---|

            """
        for guide in Guides.errors.entries {
            let rows = ErrorRow.all.filter { $0.code == guide.name }
            let cells = [
                "`\(guide.name)`", list(rows.map(\.type)), list(rows.flatMap(\.values)), guide.meaning,
                guide.remedies.joined(separator: " "),
            ]
            text += "| " + cells.map { $0.replacingOccurrences(of: "|", with: "\\|") }.joined(separator: " | ") + " |\n"
        }
        return text
    }

    /// Returns names in code font, each once, in the order of their first occurrence.
    private static func list(_ names: [String]) -> String {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.map { "`\($0)`" }.joined(separator: ", ")
    }
}
