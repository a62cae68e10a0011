// SPDX-License-Identifier: Apache-2.0

import PinLint
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Property lists in UTF-16, as XML 1.0 § 4.3.3 and CoreFoundation define it: with a byte order mark and a matching
/// declaration.
@Suite("Property lists in UTF-16") struct WideTextTests {
    private static func wide(_ text: String, isBig: Bool = false, mark: Bool = true) -> [UInt8] {
        ((mark ? [0xfeff] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isBig ? bytes : bytes.reversed()
        }
    }

    private static func plist(_ declaration: String = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>") -> String {
        """
        \(declaration)
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>TSKPinnedDomains</key><dict><!-- ü and 😀 -->
        <key>a.example.com</key><dict><key>TSKPublicKeyHashes</key><array>
        <string>\(TestPins.pin(1).description.dropFirst(7))</string>
        <string>\(TestPins.pin(2).description.dropFirst(7))</string></array></dict></dict></dict></plist>

        """
    }

    static let readable: [(name: String, bytes: [UInt8])] = [
        ("little-endian", wide(plist())), ("big-endian", wide(plist(), isBig: true)),
        ("without an encoding", wide(plist("<?xml version=\"1.0\"?>"))),
        ("in lower case", wide(plist("<?xml version=\"1.0\" encoding=\"utf-16\"?>"))),
    ]

    @Test("A property list with a byte order mark is read with correct lines", arguments: readable)
    func reads(_ row: (name: String, bytes: [UInt8])) throws {
        let configuration = try PinConfiguration(reading: row.bytes, file: "a.plist")
        #expect(configuration.oddities.isEmpty)
        #expect(configuration.rules.map(\.hosts.first?.name.description) == ["a.example.com"])
        let pins = configuration.rules.flatMap(\.pins)
        #expect(pins.map(\.key) == [TestPins.pin(1), TestPins.pin(2)])
        #expect(pins.map(\.location?.line) == [5, 6])
        #expect(try PinFormat(of: row.bytes, file: "a.plist") == .trustKit)
        let search = PinFormat.search(row.bytes)
        #expect(search.formats == [.trustKit] && search.obstacle == nil)
    }

    static let refused: [(name: String, bytes: [UInt8], code: ErrorCode)] = [
        ("half a unit", wide(plist()) + [0x20], .pinFileUnreadable),
        ("half of a surrogate pair", wide(plist()) + [0x3d, 0xd8], .pinFileUnreadable),
        (
            "an encoding that the mark contradicts", wide(plist("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")),
            .pinFileUnreadable
        ),
        ("a custom document type", wide("<!DOCTYPE a [<!ENTITY b \"c\">]><plist><dict/></plist>"), .pinFileEntity),
        ("a zero character", wide(plist() + "\0"), .pinFileUnreadable),
        ("UTF-32", [0xff, 0xfe, 0, 0] + Array(plist().utf8).flatMap { [$0, 0, 0, 0] }, .pinFileFormatUnclear),
        ("no mark", wide(plist(), mark: false), .pinFileUnreadable),
        ("Android's file", wide("<network-security-config/>"), .pinFileUnreadable),
        ("only the mark and one character", [0xff, 0xfe, 0x3c, 0x00], .pinFileUnreadable),
    ]

    @Test("Other UTF-16 text is refused", arguments: refused)
    func refuses(_ row: (name: String, bytes: [UInt8], code: ErrorCode)) throws {
        let error = try #require(throws: PinFileError.self) {
            try PinConfiguration(reading: row.bytes, file: "a.plist")
        }
        #expect(error.code == row.code, "\(error)")
    }
}
