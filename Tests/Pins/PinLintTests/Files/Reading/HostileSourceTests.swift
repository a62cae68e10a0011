// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// Sources and tool files that would take more than linear time to compare, or to build key paths for.
@Suite("Hostile pin sources")
struct HostileSourceTests {
    /// A file with a run of combining characters. The files differ in how they write the run.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let format: PinFormat
        let text: String

        init(_ sentence: String, _ format: PinFormat, _ text: String) {
            testDescription = sentence
            self.format = format
            self.text = text
        }
    }

    private static let run = "a" + String(repeating: "\u{301}\u{316}", count: 40)

    static let rows: [Row] = [
        Row("a literal", .okHttp, "CertificatePinner.Builder().add(\"\(run)\", \"sha256/x\")"),
        Row("an option of curl", .curl, "curl --pinnedpubkey \"\(run)\" https://a.test"),
        Row("a section of git's file", .git, "[http \"https://\(run)\"]\n\tpinnedpubkey = sha256//x\n"),
        Row("an owner of a record", .tlsa, "_443._tcp.\(run). IN TLSA 3 1 1 00\n"),
    ]

    /// Returns the problems in a string, including odd values.
    private static func problems(_ text: String, _ format: PinFormat) -> [PinFileProblem] {
        do throws(PinFileError) {
            return try PinConfiguration(importing: Array(text.utf8), as: format, file: "file").oddities
        } catch {
            return error.problems
        }
    }

    @Test("The reader refuses a run of combining characters in a source before it compares strings", arguments: rows)
    func refused(_ row: Row) {
        let problems = Self.problems(row.text, row.format)
        #expect(problems.count == 1)
        #expect(
            problems.allSatisfy { $0.grade == .refused && [.pinFileUnreadable, .pinFileTooLarge].contains($0.code) })
    }

    @Test("A project search reports a source with a run of combining characters if it contains pins") func search() {
        let source = Array("CertificatePinner.Builder().add(\"a.test\", \"sha256/x\") // \(Self.run)\n".utf8)
        let found = PinFormat.search(source)
        #expect(!found.formats.isEmpty && found.obstacle != nil)
        #expect(PinFormat.search(Array("a text \(Self.run)\n".utf8)).formats.isEmpty)
    }

    @Test("Repeated names in Envoy's configuration become one host each") func envoy() throws {
        let pin = Base64.encode([UInt8](repeating: 7, count: 32))
        let names = (0..<5_000).map { "{\"matcher\": {\"exact\": \"h\($0 % 2_500).test\"}}" }.joined(separator: ",")
        let text = "{\"verify_certificate_spki\": [\"\(pin)\"], \"match_typed_subject_alt_names\": [\(names)]}"
        let configuration = try PinConfiguration(importing: Array(text.utf8), as: .envoy, file: "file")
        #expect(configuration.rules.count == 1)
        #expect(configuration.rules.first?.hosts.count == 2_500)
        #expect(configuration.rules.first?.hosts.last?.name.description == "h2499.test")
    }

    @Test("The options of a host with a long name are read with short key paths") func longHost() {
        let host = String(repeating: "a", count: 100_000)
        let pins = (0..<500).map { "\"\(Base64.encode([UInt8](repeating: UInt8($0 % 256), count: 31)))\"" }
        let problems = Self.problems(
            "{\"\(host)\": {\"includeSubdomains\": true, \"publicKeyHashes\": [\(pins.joined(separator: ","))]}}",
            .reactNative)
        #expect(!problems.isEmpty)
        #expect(problems.allSatisfy { $0.location.keyPath.utf8.count < 500 })
    }

    @Test("Each record with a name that is too long is refused") func longOwners() {
        let records = String(repeating: "\n TLSA 3 1 1 00", count: 3)
        let text = "_443._tcp." + String(repeating: "a", count: 2_000) + records
        let error = #expect(throws: PinFileError.self) {
            _ = try PinConfiguration(importing: Array(text.utf8), as: .tlsa, file: "zone")
        }
        #expect(error?.problems.map(\.code) == [.pinFileBadHost, .pinFileBadHost, .pinFileBadHost])
    }
}
