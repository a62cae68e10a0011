// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Strings that would take more than linear time to compare, or to build key paths for.
@Suite("Hostile text in pin files")
struct HostileTextTests {
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
    private static let references = "a" + String(repeating: "&#x301;&#790;", count: 40)
    private static let sections = "a" + String(repeating: "<![CDATA[\u{301}\u{316}]]>", count: 40)
    private static let escapes = "a" + String(repeating: "\\u0301\\u0316", count: 40)

    private static func plist(_ key: String) -> String {
        "<plist><dict><key>TSKPinnedDomains</key><dict><key>\(key)</key><dict/></dict></dict></plist>"
    }

    static let rows: [Row] = [
        Row("a JSON key", .json, "{\"schemaVersion\": 1, \"rules\": [], \"\(run)\": 1}"),
        Row("a JSON key with escapes", .json, "{\"schemaVersion\": 1, \"rules\": [], \"\(escapes)\": 1}"),
        Row("a string in a property list", .trustKit, plist(run)),
        Row("a string in a property list, with references", .trustKit, plist(references)),
        Row("a string in a property list, in sections", .trustKit, plist(sections)),
        Row(
            "an XML attribute with references", .android,
            "<network-security-config><domain-config><domain includeSubdomains=\"\(references)\">a.test</domain></domain-config></network-security-config>"
        ),
    ]

    /// Returns the problems in a string, including odd values.
    private static func problems(_ text: String, _ format: PinFormat) -> [PinFileProblem] {
        do throws(PinFileError) {
            return try PinConfiguration(reading: Array(text.utf8), as: format, file: "file").oddities
        } catch {
            return error.problems
        }
    }

    @Test("The reader refuses a run of combining characters before it compares strings", arguments: rows)
    func refused(_ row: Row) {
        do throws(PinFileError) {
            _ = try PinConfiguration(reading: Array(row.text.utf8), as: row.format, file: "file")
            Issue.record("accepted")
        } catch {
            #expect(error.problems.count == 1)
            #expect(error.problems.allSatisfy { [.pinFileUnreadable, .pinFileTooLarge].contains($0.code) })
        }
    }

    @Test("The reader refuses a run in a namespace's name before it compares the name") func namespaceName() {
        do throws(XMLFault) {
            var reader = try XMLReader(Array("<a xmlns:xml='\(Self.references)'/>".utf8), allowsPropertyListType: false)
            while try reader.next() != nil {}
            Issue.record("accepted")
        } catch {
            #expect(error.kind == .limit)
        }
    }

    @Test("The reader refuses a run in a binary property list, in each encoding") func binary() throws {
        let short = Array(String(repeating: "\u{301}", count: 30).utf16)
        let long = Array(String(repeating: "\u{301}", count: 31).utf16)
        func object(_ units: [UInt16]) -> [UInt8] {
            [0x6f, 0x10, UInt8(units.count)] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        }
        let node = try PinNode(binaryPropertyList: StrictReadingTests.binary([object(short)]), file: "file")
        guard case .string = node.value else {
            Issue.record("no text")
            return
        }
        #expect(throws: PinFileError.self) {
            try PinNode(binaryPropertyList: StrictReadingTests.binary([object(long)]), file: "file")
        }
        let bytes = Array(String(repeating: "\u{301}", count: 31).utf8)
        #expect(throws: PinFileError.self) {
            try PinNode(
                binaryPropertyList: StrictReadingTests.binary([[0x5f, 0x10, UInt8(bytes.count)] + bytes]), file: "file")
        }
    }

    @Test("A key path truncates a long key and keeps a short one") func paths() {
        let long = String(repeating: "a", count: 100_000)
        #expect(PinValueReader.join("", "example.com") == "example.com")
        #expect(PinValueReader.join("a", "example.com") == "a.example.com")
        for path in ["", "TSKPinnedDomains"] {
            let joined = PinValueReader.join(path, long)
            #expect(joined.utf8.count < 300 && joined.hasPrefix(path) && joined.hasSuffix("aaa…"))
        }
    }

    @Test(
        "The pins of a host with a long name are read with short key paths",
        arguments: [PinFormat.trustKit, .ats, .isp])
    func longHost(_ format: PinFormat) {
        let host = String(repeating: "a", count: 100_000)
        let values = (0..<500).map { "\"\(Base64.encode([UInt8](repeating: UInt8($0 % 256), count: 31)))\"" }
        let list = values.joined(separator: ",")
        let text =
            switch format {
            case .trustKit: "{\"TSKPinnedDomains\": {\"\(host)\": {\"TSKPublicKeyHashes\": [\(list)]}}}"
            case .ats: "{\"NSPinnedDomains\": {\"\(host)\": {\"NSPinnedLeafIdentities\": [\(list)]}}}"
            default:
                "<plist><dict><key>\(host)</key><array>\(values.map { _ in "<data>AA==</data>" }.joined())</array></dict></plist>"
            }
        let problems = Self.problems(text, format)
        #expect(!problems.isEmpty)
        #expect(problems.allSatisfy { $0.location.keyPath.utf8.count < 500 })
    }

    @Test("Attributes in a namespace with a long name are compared by the namespace's number") func namespaces() throws
    {
        func tree(_ attributes: String) throws -> XMLTree {
            let namespace = String(repeating: "u", count: 100_000)
            let text = "<a xmlns:b='\(namespace)' xmlns:c='\(namespace)' xmlns:d='v' \(attributes)/>"
            return try XMLTree(Array(text.utf8), file: "file")
        }
        let many = (0..<5_000).map { "b:e\($0)='' d:e\($0)=''" }.joined(separator: " ")
        #expect(try tree(many).root.attributes.count >= 5_000)
        #expect(throws: PinFileError.self) { try tree(many + " c:e4999=''") }
        #expect(throws: Never.self) { try tree("xml:lang='' b:lang='' lang=''") }
    }

    @Test("A file with too many values is refused before the values fill the memory") func values() {
        let text = "{\"rules\": [" + String(repeating: "1,", count: PinNode.maximumCount) + "1]}"
        #expect(Self.problems(text, .json).map(\.code) == [.pinFileTooLarge])
    }
}
