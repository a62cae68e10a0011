// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinLint
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Files that their owners would read only in part, or not at all. The reader reports each problem with its code, line
/// and key.
@Suite struct StrictReadingTests {
    struct Problem: Hashable, CustomStringConvertible {
        let code: ErrorCode
        let line: Int?
        let keyPath: String
        var description: String { "\(line ?? 0) \(keyPath) \(code)" }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let format: PinFormat?
        let text: String
        /// The code, the line, and the end of the key path.
        let problems: [(code: ErrorCode, line: Int?, key: String)]

        init(
            _ sentence: String, _ format: PinFormat?, _ text: String,
            _ problems: (code: ErrorCode, line: Int?, key: String)...
        ) {
            self.testDescription = sentence
            self.format = format
            self.text = text
            self.problems = problems
        }
    }

    static func ats(_ lines: String) -> String {
        "<plist version=\"1.0\"><dict><key>NSPinnedDomains</key><dict>\n\(lines)\n</dict></dict></plist>"
    }
    static let pin =
        "<key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>{CA}</string></dict></array>"
    static func kit(_ lines: String) -> String { "{\"TSKPinnedDomains\": {\n\(lines)\n}}" }
    static let hashes = "\"TSKPublicKeyHashes\": [\"{CA}\", \"{OTHER}\"]"
    static func android(_ lines: String) -> String {
        "<network-security-config><domain-config>\n\(lines)\n</domain-config></network-security-config>"
    }
    static func own(_ rule: String) -> String {
        "{\"schemaVersion\": 1, \"selection\": \"mostSpecific\", \"unlistedHosts\": \"refused\", \"rules\": [\n\(rule)\n]}"
    }

    static let rows: [Row] = [
        // ATS
        Row(
            "ATS: an unknown key", .ats,
            ats("<key>a.test</key><dict>\n<key>NSIncludeSubdomains</key><true/>\(pin)</dict>"),
            (.pinFileUnknownKey, 3, "a.test.NSIncludeSubdomains")),
        Row(
            "ATS: a key twice", .ats, ats("<key>a.test</key><dict>\(pin)\n\(pin)</dict>"),
            (.pinFileDuplicateKey, 3, "a.test.NSPinnedCAIdentities")),
        Row(
            "ATS: no pins in an app's property list", .ats,
            "<plist><dict><key>CFBundleName</key><string>x</string></dict></plist>", (.pinFileMissingKey, 1, "")),
        // TrustKit
        Row(
            "TrustKit: one pin, enforced", .trustKit, kit("\"a.example.org\": {\"TSKPublicKeyHashes\": [\"{CA}\"]}"),
            (.pinFileTooFewPins, 2, "TSKPublicKeyHashes")),
        Row(
            "TrustKit: the same pin twice", .trustKit,
            kit("\"a.example.org\": {\"TSKPublicKeyHashes\": [\"{CA}\", \"{CA}\"]}"),
            (.pinFileDuplicatePin, 2, "TSKPublicKeyHashes[1]"), (.pinFileTooFewPins, 2, "TSKPublicKeyHashes")),
        Row(
            "TrustKit: no pin", .trustKit, kit("\"a.example.org\": {\"TSKPublicKeyHashes\": []}"),
            (.pinFileEmptyList, 2, "TSKPublicKeyHashes")),
        Row(
            "TrustKit: no such day", .trustKit,
            kit("\"a.example.org\": {\(hashes),\n\"TSKExpirationDate\": \"2027-02-30\"}"),
            (.pinFileBadDate, 3, "TSKExpirationDate")),
        Row(
            "TrustKit: a date with a time", .trustKit,
            kit("\"a.example.org\": {\(hashes),\n\"TSKExpirationDate\": \"2027-02-03T00:00:00Z\"}"),
            (.pinFileBadDate, 3, "TSKExpirationDate")),
        Row(
            "TrustKit: an exclusion with other keys", .trustKit,
            kit(
                "\"a.example.org\": {\(hashes), \"TSKIncludeSubdomains\": true},\n\"b.a.example.org\": {\(hashes), \"kSKExcludeSubdomainFromParentPolicy\": true}"
            ), (.pinFileContradiction, 3, "b.a.example.org")),
        Row(
            "TrustKit: an exclusion without a parent", .trustKit,
            kit(
                "\"a.example.org\": {\(hashes)},\n\"b.a.example.org\": {\"kSKExcludeSubdomainFromParentPolicy\": true}"),
            (.pinFileContradiction, 3, "b.a.example.org")),
        Row(
            "TrustKit: an exclusion spelled as in its documentation, which makes it end the app at launch", .trustKit,
            kit(
                "\"a.example.org\": {\(hashes), \"TSKIncludeSubdomains\": true},\n\"b.a.example.org\": {\"TSKExcludeSubdomainFromParentPolicy\": true}"
            ), (.pinFileUnknownKey, 3, "TSKExcludeSubdomainFromParentPolicy")),
        Row(
            "TrustKit: an exclusion with the name of its constant", .trustKit,
            kit(
                "\"a.example.org\": {\(hashes), \"TSKIncludeSubdomains\": true},\n\"b.a.example.org\": {\"kTSKExcludeSubdomainFromParentPolicy\": true}"
            ), (.pinFileUnknownKey, 3, "TSKExcludeSubdomainFromParentPolicy")),
        Row(
            "TrustKit: an exclusion in both spellings", .trustKit,
            kit(
                "\"a.example.org\": {\(hashes), \"TSKIncludeSubdomains\": true},\n\"b.a.example.org\": {\"TSKExcludeSubdomainFromParentPolicy\": true, \"kSKExcludeSubdomainFromParentPolicy\": true}"
            ), (.pinFileUnknownKey, 3, "TSKExcludeSubdomainFromParentPolicy")),
        Row(
            "TrustKit: the subdomains of a public suffix", .trustKit,
            kit("\"co.uk\": {\(hashes), \"TSKIncludeSubdomains\": true}"),
            (.pinFileContradiction, 2, "TSKIncludeSubdomains")),
        Row(
            "TrustKit: a top-level domain that isn't in its registry", .trustKit, kit("\"nas.local\": {\(hashes)}"),
            (.pinFileBadHost, 2, "nas.local")),
        Row(
            "TrustKit: an address", .trustKit, kit("\"192.0.2.1\": {\(hashes)}"),
            (.pinFileBadHost, 2, "192.0.2.1")),
        Row(
            "TrustKit: a domain twice", .trustKit,
            kit("\"a.example.org\": {\(hashes)},\n\"a.example.org\": {\(hashes)}"),
            (.pinFileDuplicateKey, 3, "TSKPinnedDomains.a.example.org")),
        Row(
            "TrustKit: an unknown key", .trustKit,
            kit("\"a.example.org\": {\(hashes), \"TSKIncludesSubdomains\": true}"),
            (.pinFileUnknownKey, 2, "TSKIncludesSubdomains")),
        // Android
        Row(
            "Android: no domain", .android, android("<pin-set><pin digest=\"SHA-256\">{CA}</pin></pin-set>"),
            (.pinFileMissingKey, 1, "domain-config[0]")),
        Row(
            "Android: another digest", .android,
            android("<domain>a.test</domain><pin-set><pin digest=\"SHA-1\">{CA}</pin></pin-set>"),
            (.pinFileBadDigest, 2, "pin[0]@digest")),
        Row(
            "Android: no such day", .android,
            android(
                "<domain>a.test</domain><pin-set expiration=\"2027-13-01\"><pin digest=\"SHA-256\">{CA}</pin></pin-set>"
            ), (.pinFileBadDate, 2, "pin-set@expiration")),
        Row(
            "Android: a domain twice in nested configs", .android,
            android(
                "<domain>a.test</domain><pin-set><pin digest=\"SHA-256\">{CA}</pin></pin-set>\n<domain-config><domain>A.TEST</domain></domain-config>"
            ), (.pinFileDuplicateHost, 3, "domain[0]")),
        Row(
            "Android: a misspelt element", .android, android("<domain>a.test</domain>\n<pinset/>"),
            (.pinFileUnknownKey, 3, "pinset")),
        Row(
            "Android: a misspelt attribute", .android, android("<domain includeSubdomain=\"true\">a.test</domain>"),
            (.pinFileUnknownKey, 2, "domain[0]@includeSubdomain")),
        Row(
            "Android: two pin sets", .android,
            android(
                "<domain>a.test</domain><pin-set><pin digest=\"SHA-256\">{CA}</pin></pin-set>\n<pin-set><pin digest=\"SHA-256\">{CA}</pin></pin-set>"
            ), (.pinFileDuplicateKey, 3, "pin-set")),
        Row(
            "Android: no boolean", .android, android("<domain includeSubdomains=\"yes\">a.test</domain>"),
            (.pinFileBadValue, 2, "@includeSubdomains")),
        Row("OkHttp: SHA-1", .okHttp, "a.test sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=", (.pinFileBadDigest, 1, "a.test[0]")),
        Row("OkHttp: a star within", .okHttp, "a.*.test sha256/{CA}", (.pinFileBadHost, 1, "a.*.test")),
        // ISP
        Row(
            "ISP: PEM instead of DER", .isp,
            "<plist><dict><key>a.test</key><array>\n<data>LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==</data></array></dict></plist>",
            (.pinFileBadCertificate, 2, "a.test[0]")),
        Row(
            "ISP: no certificate", .isp, "<plist><dict><key>a.test</key><array/></dict></plist>",
            (.pinFileEmptyList, 1, "a.test")),
        // Own
        Row(
            "own: no mode", .json,
            own("{\"hosts\": [\"a.test\"], \"pins\": [{\"key\": \"sha256/{CA}\", \"scope\": \"leaf\"}]}"),
            (.pinFileMissingKey, 2, "rules[0].mode")),
        Row(
            "own: an expiry that doesn't say what follows", .json,
            own(
                "{\"hosts\": [\"a.test\"], \"mode\": \"enforced\", \"pins\": [{\"key\": \"sha256/{CA}\", \"scope\": \"leaf\"}], \"expires\": {\"at\": \"2027-01-01\"}}"
            ), (.pinFileMissingKey, 2, "expires.afterwards")),
        Row(
            "own: the same hosts in two rules", .json,
            own(
                "{\"hosts\": [\"a.test\"], \"mode\": \"unpinned\"},\n{\"hosts\": [\"A.test.\"], \"mode\": \"unpinned\"}"
            ), (.pinFileDuplicateHost, 3, "rules[1]")),
        Row(
            "own: pins of hosts that aren't pinned", .json,
            own("{\"hosts\": [\"a.test\"], \"mode\": \"unpinned\", \"pins\": []}"),
            (.pinFileEmptyList, 2, "rules[0].pins"), (.pinFileContradiction, 2, "rules[0].pins")),
        Row(
            "own: report-only in a union", .json,
            own(
                "{\"hosts\": [\"a.test\"], \"mode\": \"reportOnly\", \"pins\": [{\"key\": \"sha256/{CA}\", \"scope\": \"leaf\"}]}"
            ).replacing("mostSpecific", with: "union"), (.pinFileContradiction, 2, "rules[0]")),
        Row("own: no rule", .json, own(""), (.pinFileEmptyList, 1, "rules")),
        Row(
            "own: another version", .json,
            own("{\"hosts\": [\"a.test\"], \"mode\": \"unpinned\"}").replacing("Version\": 1", with: "Version\": 2"),
            (.pinFileBadValue, 1, "schemaVersion")),
        // Values that other readers accept or skip.
        Row(
            "TrustKit: in two spellings", .trustKit,
            "{\"TSKConfiguration\": {\"TSKPinnedDomains\": {\"a.example.org\": {\(hashes)}}},\n\"kTSKConfiguration\": {}}",
            (.pinFileDuplicateKey, 2, "kTSKConfiguration")),
        Row(
            "a property list with an element inside a string", .ats,
            "<plist><dict><key>NSPinnedDomains</key>\n<string>a<b/>c</string></dict></plist>",
            (.pinFileUnreadable, 2, "")),
        Row(
            "a property list with a string in an array", .ats,
            "<plist><dict><key>NSPinnedDomains</key>\n<array>a</array></dict></plist>", (.pinFileUnreadable, 2, "")),
        // Unusual file encodings.
        Row("JSON with an extra comma", .trustKit, "{\"TSKPinnedDomains\": {\n},}", (.pinFileUnreadable, 2, "")),
        Row("truncated XML", .ats, "<plist><dict>\n<key>", (.pinFileUnreadable, 2, "")),
        Row(
            "a property list with another element", .ats, "<plist><dict>\n<key>a</key><tru/></dict></plist>",
            (.pinFileUnreadable, 2, "")),
        Row("nothing", .ats, "  \n", (.pinFileUnreadable, nil, "")),
        Row("no format", nil, "{\"a\": 1}", (.pinFileFormatUnclear, nil, "")),
        Row(
            "two formats", nil,
            "<plist><dict><key>NSPinnedDomains</key><dict/><key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict/></dict></dict></plist>",
            (.pinFileFormatUnclear, nil, "")),
    ]

    @Test("The reader reports every problem in a file with its location", arguments: rows)
    func everyProblemIsReportedWithItsLocation(_ row: Row) throws {
        let text = try PinFixture.shared().filled(row.text)
        do throws(PinFileError) {
            _ = try PinConfiguration(reading: Array(text.utf8), as: row.format, file: "file")
            Issue.record("read although it has a problem")
        } catch {
            #expect(error.problems.map(\.code) == row.problems.map(\.code), "\(error)")
            #expect(error.problems.map(\.location.line) == row.problems.map(\.line), "\(error)")
            #expect(error.code == row.problems.first?.code && error.location?.line == row.problems.first?.line)
            for (problem, expected) in zip(error.problems, row.problems) {
                #expect(problem.location.file == "file")
                #expect(problem.location.keyPath.hasSuffix(expected.key), "\(problem)")
            }
        }
    }

    // MARK: Hostile XML

    static let laughs =
        "<!DOCTYPE lolz [<!ENTITY a \"ha\">"
        + (0..<30).map { "<!ENTITY a\($0) \"&a\($0 == 0 ? "" : String($0 - 1));&a\($0 == 0 ? "" : String($0 - 1));\">" }
        .joined()
        + "]>"

    @Test(
        "A custom document type makes a file unreadable",
        arguments: [
            laughs
                + "<network-security-config><domain-config><domain>&a29;</domain></domain-config></network-security-config>",
            laughs + "<plist><dict><key>&a29;</key><true/></dict></plist>",
            "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><plist><dict><key>&e;</key><true/></dict></plist>",
            "<!DOCTYPE plist SYSTEM \"http://127.0.0.1:1/x.dtd\"><plist><dict/></plist>",
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\" [<!ENTITY e \"x\">]><plist><dict/></plist>",
            "<?xml version=\"1.0\"?><!-- <!DOCTYPE plist> --><!DOCTYPE network-security-config SYSTEM \"x\"><network-security-config/>",
        ])
    func documentTypesAreRefused(_ text: String) throws {
        do throws(PinFileError) {
            _ = try PinConfiguration(reading: Array(text.utf8), file: "file")
            Issue.record("read although it has a document type")
        } catch {
            #expect(error.problems.map(\.code) == [.pinFileEntity], "\(error)")
        }
    }

    @Test(
        "XML in another encoding, with an undeclared entity or nested too deeply is unreadable",
        arguments: [
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict/></plist>",
            "<?xml version=\"1.0\"?><plist><dict><key>&undeclared;</key><true/></dict></plist>",
            String(repeating: "<array>", count: 5000),
        ])
    func otherXMLIsUnreadable(_ text: String) throws {
        #expect(throws: PinFileError.self) { try PinConfiguration(reading: Array(text.utf8), as: .ats, file: "file") }
    }

    /// Processing instructions, with or without data, don't change the text around them.
    @Test(
        "The reader ignores processing instructions",
        arguments: [
            "<?a?><network-security-config/>", "<?a b?><network-security-config/>", "<network-security-config/>\n<?a?>",
            "<?xml version=\"1.0\"?><?a?><network-security-config><?a?></network-security-config>",
            "<network-security-config><!-- <?a?> --><!--<?--></network-security-config>",
            "<network-security-config><?a?><?b ?><?c\n?></network-security-config>",
        ])
    func processingInstructionsAreIgnored(_ text: String) throws {
        let tree = try XMLTree(Array(text.utf8), file: "file")
        #expect(tree.root.name == "network-security-config")
        #expect(tree.root.text.isEmpty && tree.root.children.isEmpty)
    }

    @Test("The text around processing instructions stays unchanged") func textAroundProcessingInstructionsStays() throws
    {
        let text = "<a>x<?a?>y<![CDATA[<?b?>]]><!-- <?c?> --><b c=\"?>\">?></b></a>\n"
        let tree = try XMLTree(Array(text.utf8), file: "file")
        #expect(tree.root.text == "xy<?b?>")
        #expect(tree.root.children.map(\.text) == ["?>"])
        #expect(tree.root.children.map(\.attributes) == [["c": "?>"]])
        #expect(tree.root.children.map(\.comment) == ["<?c?>"])
    }

    @Test(
        "Malformed markup on which parsers disagree causes an error",
        arguments: [
            "<?a", "<?a?", "<?>", "<??>", "<?xml?><a/>", "<a><?b</a>", "<a b=\"<?c?>\"/>", "<a <?c?>/>", "<a/><?xml?>",
            "<![CDATA[<?a?>]]><a/>", "<?UTF?>8\n-\"<%i**.\tS\n",
            // Markup that one parser reads as an instruction after an error, and another parser reads as a comment.
            "<a><!-- x ---><!--><?y?>--></a>", "<a><? <!-- ?><!--><?y?>--></a>",
            "<?xml version=\"1.0\" x><!-- ?><!--><?y?>--><a/>", "<a><!--\u{1}<?y?>--></a>", "<a>\u{1}<?y?></a>",
            "<!-- x ---><!--><!DOCTYPE a [<!ATTLIST a b CDATA #IMPLIED>]>--><a/>", "<a><b></a><?y?>", "<a>&b;<?y?></a>",
            "<a></b><?y?></a>", "<a b='1' b='2'/><?y?>", "<a/>x<?y?>", "<a/><b/><?y?>", "<a><!-- -- --><?y?></a>",
            "<a><![CDATA[ ]] ><?y?></a>", "<a \u{fffe}/><?y?>", "<a>\u{ffff}<?y?></a>", "<a:b:c d:e='1'/><?y?>x",
            "<a xmlns:b=''><?y?></a>x", "<!ELEMENT a ANY><?y?><a/>", "<!-- <?y?>", "<a><!--<?y?>", "x<?y?><a/>",
        ])
    func brokenProcessingInstructionsAreErrors(_ text: String) {
        #expect(throws: PinFileError.self) {
            try XMLTree(Array(text.utf8), file: "file")
        }
    }

    // MARK: Hostile binary property lists

    @Test("The expansion of nested references in a binary property list is limited")
    func referencesThatMultiplyAreBounded()
        throws
    {
        // Each array contains the next one twice: 60 levels would be 2^60 values.
        var objects: [[UInt8]] = (0..<50).map { [0xa2, UInt8($0 + 1), UInt8($0 + 1)] }
        objects.append([0x09])
        #expect(throws: PinFileError.self) { try PinNode(binaryPropertyList: Self.binary(objects), file: "file") }
        // An array that contains itself.
        #expect(throws: PinFileError.self) { try PinNode(binaryPropertyList: Self.binary([[0xa1, 0]]), file: "file") }
    }

    @Test("The size of strings with repeated references in a binary property list is limited")
    func textsThatAreReferredToOverAndOverAreBounded() {
        // 30,000 references to 30,000 bytes would be 900 MB.
        let data: [UInt8] = [0x4f, 0x11, 0x75, 0x30] + [UInt8](repeating: 7, count: 30_000)
        let array: [UInt8] = [0xaf, 0x11, 0x75, 0x30] + [UInt8](repeating: 1, count: 30_000)
        #expect(throws: PinFileError.self) {
            try PinNode(binaryPropertyList: Self.binary([array, data]), file: "file")
        }
    }

    static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [objects.count, 0, table] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        return bytes
    }

    @Test("A binary property list with any damaged byte doesn't crash the reader")
    func anyByteOfABinaryPropertyListMayBeWrong() throws {
        let scene = try PinFixture.shared()
        let configuration = try scene.configuration(Self.ats("<key>a.test</key><dict>\(Self.pin)</dict>"), .ats)
        var options = PinWritingOptions()
        options.isBinary = true
        let bytes = try configuration.written(as: .ats, options).bytes
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                _ = try? PinConfiguration(reading: changed, as: .ats, file: "file")
            }
            _ = try? PinConfiguration(reading: Array(bytes[..<index]), as: .ats, file: "file")
        }
    }

    @Test("Binary property lists from Foundation are read like XML property lists")
    func foundationWritesTheSameBinaryPropertyLists() throws {
        let scene = try PinFixture.shared()
        let text = scene.filled(
            Self.ats("<key>a.test</key><dict><key>NSIncludesSubdomains</key><true/>\(Self.pin)</dict>"))
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        let fromXML = try PinConfiguration(reading: Array(text.utf8), file: "file")
        let fromBinary = try PinConfiguration(reading: [UInt8](binary), file: "file")
        #expect(fromXML.losses(in: fromBinary) == [] && fromBinary.losses(in: fromXML) == [])
        // Foundation also reads the lists that this package writes.
        var options = PinWritingOptions()
        options.isBinary = true
        let ours = try fromXML.written(as: .ats, options)
        let again = try PropertyListSerialization.propertyList(from: Data(ours.bytes), format: nil)
        let keys =
            ((again as? [String: Any])?["NSAppTransportSecurity"] as? [String: Any])?["NSPinnedDomains"]
            as? [String: Any]
        #expect(keys.map { Array($0.keys) } == ["a.test"])
    }
}
