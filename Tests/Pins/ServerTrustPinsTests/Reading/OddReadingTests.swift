// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinLint
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Reads files that their owners accept but whose values are rarely intended, and reports each such value with code,
/// line and key.
@Suite struct OddReadingTests {
    typealias Row = StrictReadingTests.Row
    static let pin = StrictReadingTests.pin
    static let hashes = StrictReadingTests.hashes
    static func ats(_ lines: String) -> String { StrictReadingTests.ats(lines) }
    static func kit(_ lines: String) -> String { StrictReadingTests.kit(lines) }
    static func android(_ lines: String) -> String { StrictReadingTests.android(lines) }
    static let set = "<pin-set><pin digest=\"SHA-256\">{CA}</pin></pin-set>"
    static let unpadded = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"

    // AOSP: XmlConfigSource.java, Pin.java, android.util.Base64. TrustKit: parse_configuration.m. Okio: Base64.kt.
    static let rows: [Row] = [
        Row(
            "ATS: not base64", .ats, ats("<key>a.test</key><dict>\n" + pin.replacing("{CA}", with: "?") + "</dict>"),
            (.pinFileUnmatchablePin, 3, "NSPinnedCAIdentities[0].SPKI-SHA256-BASE64")),
        Row(
            "ATS: 31 bytes", .ats,
            ats(
                "<key>a.test</key><dict>\n"
                    + pin.replacing("{CA}", with: Base64.encode([UInt8](repeating: 7, count: 31))) + "</dict>"),
            (.pinFileUnmatchablePin, 3, "SPKI-SHA256-BASE64")),
        Row(
            "ATS: a pin twice", .ats,
            ats(
                "<key>a.test</key><dict><key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>{CA}</string></dict>\n<dict><key>SPKI-SHA256-BASE64</key><string>{CA}</string></dict></array></dict>"
            ), (.pinFileDuplicatePin, 3, "[1].SPKI-SHA256-BASE64")),
        Row(
            "Android: no pin", .android, android("<domain>a.test</domain>\n<pin-set/>"),
            (.pinFileEmptyList, 3, "pin-set")),
        Row(
            "OkHttp: a pin twice", .okHttp, "a.test sha256/{CA}\nA.test sha256/{CA}",
            (.pinFileDuplicatePin, 2, "a.test[1]")),
        Row(
            "ATS: trailing bits that don't form a byte", .ats,
            ats("<key>a.test</key><dict>\n" + pin.replacing("{CA}", with: unpadded.dropLast() + "V=") + "</dict>"),
            (.pinFileBadBase64, 3, "SPKI-SHA256-BASE64")),
        Row(
            "a property list after white space", .ats,
            "\n  <?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + ats("<key>a.test</key><dict>\(pin)</dict>"),
            (.pinFileUnreadable, 1, "")),
        Row(
            "TrustKit: numbers as booleans", .trustKit,
            kit("\"a.example.org\": {\(hashes), \"TSKIncludeSubdomains\": 1}"),
            (.pinFileWrongType, 2, "TSKIncludeSubdomains")),
        Row(
            "TrustKit: an empty list of reports", .trustKit,
            kit("\"a.example.org\": {\(hashes), \"TSKReportUris\": []}"), (.pinFileEmptyList, 2, "TSKReportUris")),
        Row(
            "TrustKit: the same pin twice, next to another", .trustKit,
            kit("\"a.example.org\": {\"TSKPublicKeyHashes\": [\"{CA}\", \"{OTHER}\", \"{CA}\"]}"),
            (.pinFileDuplicatePin, 2, "TSKPublicKeyHashes[2]")),
        Row(
            "TrustKit: a name in upper case", .trustKit, kit("\"A.example.org\": {\(hashes)}"),
            (.pinFileUnmatchableHost, 2, "A.example.org")),
        Row(
            "Android: subdomains of an address", .android,
            android("<domain includeSubdomains=\"true\">10.0.2.2</domain>\(set)"),
            (.pinFileContradiction, 2, "domain[0]")),
        Row(
            "Android: a digest in lower case", .android,
            android("<domain>a.test</domain>\n" + set.replacing("SHA", with: "sha")),
            (.pinFileBadDigest, 3, "pin[0]@digest")),
        Row(
            "Android: base64 without its padding", .android,
            android("<domain>a.test</domain>\n" + set.replacing("{CA}", with: unpadded)),
            (.pinFileBadBase64, 3, "pin[0]")),
        Row(
            "Android: the same pin twice", .android,
            android(
                "<domain>a.test</domain><pin-set><pin digest=\"SHA-256\">{CA}</pin>\n<pin digest=\"SHA-256\">{CA}</pin></pin-set>"
            ), (.pinFileDuplicatePin, 3, "pin[1]")),
        Row(
            "Android: a number as a boolean", .android,
            android("<domain includeSubdomains=\"1\">a.test</domain>\(set)"),
            (.pinFileBadValue, 2, "@includeSubdomains")),
        Row(
            "Android: no anchor", .android, android("<domain>a.test</domain>\n<trust-anchors/>"),
            (.pinFileEmptyList, 3, "trust-anchors")),
        Row(
            "Android: an element of a later release", .android,
            android("<domain>a.test</domain>\n<domainEncryption mode=\"enabled\"/>\(set)"),
            (.pinFileUnknownKey, 3, "domainEncryption")),
        Row(
            "OkHttp: base64 without its padding", .okHttp, "a.test sha256/\(unpadded)",
            (.pinFileBadBase64, 1, "a.test[0]")),
        Row("ATS: no list", .ats, ats("<key>a.test</key><dict/>"), (.pinFileNothingPinned, 2, "a.test")),
        Row(
            "ATS: an empty list", .ats, ats("<key>a.test</key><dict><key>NSPinnedLeafIdentities</key><array/></dict>"),
            (.pinFileEmptyList, 2, "NSPinnedLeafIdentities"), (.pinFileNothingPinned, 2, "a.test")),
        Row(
            "ATS: at the root, next to the transport settings", .ats,
            "<plist><dict><key>NSAppTransportSecurity</key><dict/>\n<key>NSPinnedDomains</key><dict><key>a.test</key><dict>\(pin)</dict></dict></dict></plist>",
            (.pinFileMisplacedKey, 2, "NSPinnedDomains")),
        Row(
            "ATS: at the root, next to pins that count", .ats,
            "<plist><dict><key>CFBundleName</key><string/>\n<key>NSPinnedDomains</key><dict/><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>a.test</key><dict>\(pin)</dict></dict></dict></dict></plist>",
            (.pinFileMisplacedKey, 2, "NSPinnedDomains")),
        Row("ATS: no domain", .ats, ats(""), (.pinFileEmptyList, 1, "NSPinnedDomains")),
        Row(
            "ATS: a domain twice in different case", .ats,
            ats("<key>a.test</key><dict>\(pin)</dict>\n<key>A.test</key><dict>\(pin)</dict>"),
            (.pinFileDuplicateHost, 3, "A.test")),
        Row(
            "ATS: an international name", .ats, ats("<key>bücher.test</key><dict>\(pin)</dict>"),
            (.pinFileNothingPinned, 2, "bücher.test")),
        Row(
            "ATS: a wildcard", .ats, ats("<key>*.a.test</key><dict>\(pin)</dict>"),
            (.pinFileNothingPinned, 2, "*.a.test")),
        Row(
            "ATS: a boolean as text", .ats,
            ats("<key>a.test</key><dict><key>NSIncludesSubdomains</key><string>YES</string>\(pin)</dict>"),
            (.pinFileWrongType, 2, "NSIncludesSubdomains")),
        Row(
            "ATS: everything that the system skips, in order", .ats,
            ats(
                "<key>a.test</key><dict><key>X</key><true/>\(pin)</dict>\n<key>b..test</key><dict>\(pin)</dict>\n<key>c.test</key><string/>"
            ), (.pinFileUnknownKey, 2, "a.test.X"), (.pinFileNothingPinned, 3, "b..test"),
            (.pinFileNothingPinned, 4, "c.test")),
        Row(
            "TrustKit: a report URI without a host", .trustKit,
            kit("\"a.example.org\": {\(hashes), \"TSKReportUris\": [\"reports\"]}"),
            (.pinFileBadURI, 2, "TSKReportUris[0]")),
        Row(
            "TrustKit: an unknown key", .trustKit, kit("\"a.example.org\": {\(hashes), \"Owner\": \"mobile\"}"),
            (.pinFileUnknownKey, 2, "Owner")),
        Row(
            "TrustKit: a string as a boolean", .trustKit,
            kit("\"a.example.org\": {\(hashes), \"TSKEnforcePinning\": \"NO\"}"),
            (.pinFileWrongType, 2, "TSKEnforcePinning")),
        Row(
            "TrustKit: a wildcard", .trustKit, kit("\"*.example.org\": {\(hashes)}"),
            (.pinFileNothingPinned, 2, "*.example.org")),
        Row(
            "Android: an international name", .android, android("<domain>bücher.test</domain>\(set)"),
            (.pinFileNothingPinned, 2, "domain[0]")),
        Row(
            "Android: a day with a time", .android,
            android(
                "<domain>a.test</domain>\n"
                    + set.replacing("pin-set>", with: "pin-set expiration=\"2027-3-1T00:00\">", maxReplacements: 1)),
            (.pinFileBadDate, 3, "pin-set@expiration")),
        Row(
            "Android: a pin over two lines", .android,
            android(
                "<domain>a.test</domain>\n"
                    + set.replacing("{CA}", with: "47DEQpj8HBSa+/TImW+5\nJCeuQeRkm5NMpJWZG3hSuFU=")),
            (.pinFileBadBase64, 3, "pin[0]")),
        Row("OkHttp: no pin", .okHttp, "b.test sha256/{CA}\na.test", (.pinFileNothingPinned, 2, "a.test")),
        Row(
            "OkHttp: a digest of another length", .okHttp, "a.test sha256/AAAA sha256/{CA}",
            (.pinFileUnmatchablePin, 1, "a.test[0]")),
    ]

    @Test("A file that its owner accepts is read, and every odd value is reported", arguments: rows)
    func everyOddValueIsReported(_ row: Row) throws {
        let text = try PinFixture.shared().filled(row.text)
        let configuration = try PinConfiguration(reading: Array(text.utf8), as: row.format, file: "file")
        let oddities = configuration.oddities
        #expect(oddities.map(\.code) == row.problems.map(\.code), "\(oddities)")
        #expect(oddities.map(\.location.line) == row.problems.map(\.line), "\(oddities)")
        for (problem, expected) in zip(oddities, row.problems) {
            #expect(problem.grade == .odd && problem.location.file == "file")
            #expect(problem.location.keyPath.hasSuffix(expected.key), "\(problem)")
        }
        var strict = PinEnforcement()
        strict.refusesOddities = true
        let host = try Hostname("a.test")
        #expect(throws: PinEnforcementError.self) { try configuration.bound(to: host).serverTrustConfiguration(strict) }
        // An entry whose pins pin nothing must not be dropped silently.
        if oddities.contains(where: { [.pinFileNothingPinned, .pinFileMisplacedKey].contains($0.code) }) {
            #expect(throws: PinEnforcementError.self) {
                try configuration.bound(to: host).serverTrustConfiguration()
            }
        } else {
            _ = try configuration.bound(to: host).serverTrustConfiguration()
        }
    }

    static let hex = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"

    /// Digests in other forms, each with the pin that the message must name.
    static let slips: [(text: String, code: ErrorCode, meant: String)] = [
        (hex, .pinFileWrongLength, unpadded + "="), (hex.lowercased(), .pinFileWrongLength, unpadded + "="),
        (
            stride(from: 0, to: 64, by: 2).map { String(hex.dropFirst($0).prefix(2)) }.joined(separator: ":"),
            .pinFileBadBase64, unpadded + "="
        ),
        (Base64.encode(Array(hex.lowercased().utf8)), .pinFileWrongLength, unpadded + "="),
        (Base64.encode([UInt8](repeating: 7, count: 20)), .pinFileWrongLength, "SHA-1"),
        (Base64.encode([UInt8](repeating: 7, count: 48)), .pinFileWrongLength, "SHA-384"),
        (Base64.encode([UInt8](repeating: 7, count: 31)), .pinFileWrongLength, "32"),
    ]

    // These tests require the intended pin in the message, which is more useful than a number of bytes.
    @Test("A digest in another form is refused, and the error names the intended pin", arguments: slips)
    func digestsInOtherForms(_ row: (text: String, code: ErrorCode, meant: String)) throws {
        let error = try #require(throws: PinFileError.self) {
            try PinConfiguration(
                reading: Array(
                    Self.kit("\"a.example.org\": {\"TSKPublicKeyHashes\": [\"\(row.text)\", \"\(row.text)\"]}").utf8),
                file: "file")
        }
        #expect(error.code == row.code)
        #expect(error.problems.first?.detail.contains(row.meant) == true, "\(error)")
    }

    @Test("Odd values are reported together with the value that makes the reader refuse a file")
    func oddValuesAreReportedWithOthers() throws {
        let text = try PinFixture.shared().filled(
            Self.android("<domain>a.test</domain><x/>\n<pin-set><pin digest=\"SHA-1\">{CA}</pin></pin-set>"))
        let error = try #require(throws: PinFileError.self) {
            try PinConfiguration(reading: Array(text.utf8), file: "file")
        }
        #expect(error.problems.map(\.grade) == [.odd, .refused])
    }

    @Test("The refused value is reported, however many odd values there are")
    func oddValuesHideNothing() {
        var values = PinValueReader(file: "file")
        for line in 1...2000 { values.add(.pinFileUnknownKey, as: .odd, line, "", "odd") }
        values.add(.pinFileBadHost, 3000, "", "refused")
        let error = #expect(throws: PinFileError.self) { try values.check() }
        #expect(error?.problems.last?.code == .pinFileBadHost)
    }

    @Test("Without an anchor, every server is refused, even one with the pinned key")
    func withoutAnAnchorEveryServerIsRefused() throws {
        let fixture = try PinFixture.shared()
        let text = fixture.filled(
            "<network-security-config><domain-config><domain>example.com</domain><trust-anchors/>\(Self.set)</domain-config></network-security-config>"
        )
        let configuration = try PinConfiguration(reading: Array(text.utf8), file: "file")
        var trust = try configuration.serverTrustConfiguration()
        trust.anchors = .only([fixture.root.certificate])
        let verdict = trust.evaluateWithoutFetching(PresentedChain(fixture.chain), host: try Hostname("example.com"))
        #expect(!verdict.isTrusted)
        // After the file is written again, the element is still there and empty.
        let written = try configuration.written(as: .android)
        #expect(written.losses.isEmpty)
        let own = try configuration.written(as: .json)
        #expect(
            try PinConfiguration(reading: own.bytes, file: "file").rules.map(\.anchors) == [[PinAnchorSource(.none)]])
    }

    @Test("TrustKit's element in an Android file is kept, and the pins are enforced as on Android")
    func trustKitsElementIsKept() throws {
        let text = try PinFixture.shared().filled(
            "<network-security-config><domain-config><domain>a.test</domain>\(Self.set)<trustkit-config enforcePinning=\"false\" disableDefaultReportUri=\"true\"><report-uri>https://reports.test/a</report-uri></trustkit-config></domain-config></network-security-config>"
        )
        let configuration = try PinConfiguration(reading: Array(text.utf8), file: "file")
        let rule = try #require(configuration.rules.first)
        #expect(configuration.oddities.isEmpty && rule.mode == .enforced)
        #expect(rule.reportURIs == ["https://reports.test/a"])
        #expect(
            rule.settings.map(\.description) == [
                "trustkit-config@enforcePinning = false", "trustkit-config@disableDefaultReportUri = true",
            ])
        #expect(try configuration.written(as: .android).losses.isEmpty)
    }

    @Test("A file without a domain applies to the whole app")
    func aFileWithoutADomainIsRead() throws {
        let text =
            "<network-security-config><base-config cleartextTrafficPermitted=\"true\"><trust-anchors><certificates src=\"user\"/></trust-anchors></base-config></network-security-config>"
        let configuration = try PinConfiguration(reading: Array(text.utf8), file: "file")
        #expect(configuration.rules.isEmpty && configuration.anchors == [PinAnchorSource(.user)])
        #expect(try configuration.written(as: .android).losses.isEmpty)
        #expect(throws: PinWritingError.self) { try configuration.written(as: .trustKit) }
    }
}
