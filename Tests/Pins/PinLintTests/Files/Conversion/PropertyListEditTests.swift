// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// Replaces pins in property lists in place.
@Suite struct PropertyListEditTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        /// The file after the edit, with `{PINS}` for the dictionary of domains.
        let after: String
    }

    static let head = "<?xml version=\"1.0\"?>\n<!-- <key>NSAppTransportSecurity</key> -->\n<plist version=\"1.0\">\n"

    static let rows = [
        Row(
            testDescription: "existing pins",
            before: head
                + "<dict>\n  <key>A</key> <!-- kept -->\n  <string>&amp;</string>\n  <key>NSAppTransportSecurity</key>\n  <dict>\n    <key>NSPinnedDomains</key>\n    <dict><key>old.test</key><dict/></dict>\n    <key>B</key><true/>\n  </dict>\n</dict>\n</plist>\n\n",
            after: head
                + "<dict>\n  <key>A</key> <!-- kept -->\n  <string>&amp;</string>\n  <key>NSAppTransportSecurity</key>\n  <dict>\n    <key>NSPinnedDomains</key>\n    {PINS}\n    <key>B</key><true/>\n  </dict>\n</dict>\n</plist>\n\n"
        ),
        Row(
            testDescription: "no pins in the settings",
            before: head
                + "<dict>\n\t<key>NSAppTransportSecurity</key>\n\t<dict>\n\t\t<key>B</key>\n\t\t<true/>\n\t</dict>\n</dict>\n</plist>",
            after: head
                + "<dict>\n\t<key>NSAppTransportSecurity</key>\n\t<dict>\n\t\t<key>B</key>\n\t\t<true/>\n\t\t<key>NSPinnedDomains</key>\n\t\t{PINS}\n\t</dict>\n</dict>\n</plist>"
        ),
        Row(
            testDescription: "no settings at all",
            before: head + "<dict>\n\t<key>A</key>\n\t<true/>\n</dict>\n</plist>",
            after: head
                + "<dict>\n\t<key>A</key>\n\t<true/>\n\t<key>NSAppTransportSecurity</key>\n\t<dict>\n\t\t<key>NSPinnedDomains</key>\n\t\t{PINS}\n\t</dict>\n</dict>\n</plist>"
        ),
        Row(
            testDescription: "an empty dictionary", before: head + "<dict/>\n</plist>",
            after: head
                + "<dict>\n\t<key>NSAppTransportSecurity</key>\n\t<dict>\n\t\t<key>NSPinnedDomains</key>\n\t\t{PINS}\n\t</dict>\n</dict>\n</plist>"
        ),
    ]

    static func configuration() throws -> PinConfiguration {
        let rule = try PinRule(
            hosts: [.only(Hostname("a.test"))],
            pins: [Pin(.key(SPKIPin(try PinFixture.shared().filled("sha256/{CA}"))), scope: .authority)])
        return try PinConfiguration(rules: [rule], selection: .union)
    }

    /// Collapses every run of white space into one space.
    private static func packed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("An edit replaces the pins and keeps every other byte", arguments: rows)
    func pinsAreReplaced(_ row: Row) throws {
        for isWindows in [false, true] {
            let before = isWindows ? row.before.replacing("\n", with: "\r\n") : row.before
            let placed = try PropertyListEdit.placing(
                Self.configuration(), as: .ats, into: Array(before.utf8), file: "Info.plist")
            #expect(placed.losses == [])
            let text = String(decoding: placed.bytes, as: UTF8.self)
            #expect(text.contains("\r") == isWindows)
            let parts = row.after.split(separator: "{PINS}", maxSplits: 1).map { String($0) }
            let expected = isWindows ? parts.map { $0.replacing("\n", with: "\r\n") } : parts
            #expect(text.hasPrefix(expected[0]), "\(text)")
            #expect(text.hasSuffix(expected[1]), "\(text)")
            let again = try PinConfiguration(importing: placed.bytes, as: .ats, file: "Info.plist")
            #expect(try Self.configuration().losses(in: again) == [])
            // A second edit changes nothing.
            let twice = try PropertyListEdit.placing(
                Self.configuration(), as: .ats, into: placed.bytes, file: "Info.plist")
            #expect(twice.bytes == placed.bytes)
        }
    }

    @Test("An edit also inserts TrustKit's dictionary")
    func trustKit() throws {
        let pins = ["{CA}", "{OTHER}"].joined(separator: " sha256/")
        let configuration = try PinFixture.shared().configuration("a.example.org sha256/\(pins)", .okHttp)
        let before =
            Self.head
            + "<dict>\n\t<key>TSKConfiguration</key>\n\t<dict>\n\t\t<key>TSKSwizzleNetworkDelegates</key>\n\t\t<false/>\n\t</dict>\n</dict>\n</plist>"
        let placed = try PropertyListEdit.placing(
            configuration, as: .trustKit, into: Array(before.utf8), file: "Info.plist")
        let again = try PinConfiguration(importing: placed.bytes, as: .trustKit, file: "Info.plist")
        #expect(again.rules.flatMap(\.pins).count == 2)
        #expect(
            String(decoding: placed.bytes, as: UTF8.self).contains("TSKSwizzleNetworkDelegates</key>\n\t\t<false/>"))
    }

    @Test(
        "An edit refuses a file without a clear place for pins",
        arguments: [
            "<dict><key>NSAppTransportSecurity</key><dict/><key>NSAppTransportSecurity</key><dict/></dict>",
            "<dict><key>NSAppTransportSecurity</key><string>x</string></dict>",
            "<dict><key>NSAppTransport&#83;ecurity</key><dict/></dict>",
            "<dict><key><![CDATA[NSAppTransportSecurity]]></key><dict><key>NSPinnedDomains</key><dict/></dict></dict>",
            "<array/>", "<dict><key>a</key></dict>", "<dict>",
        ])
    func unclearPlacesAreRefused(_ root: String) throws {
        let bytes = Array(("<plist version=\"1.0\">" + root + "</plist>").utf8)
        let configuration = try Self.configuration()
        #expect(throws: PropertyListEdit.Refusal.self) {
            try PropertyListEdit.placing(configuration, as: .ats, into: bytes, file: "Info.plist")
        }
    }

    @Test("An edit refuses a binary property list")
    func binaryIsRefused() throws {
        var options = PinWritingOptions()
        options.isBinary = true
        let configuration = try Self.configuration()
        let bytes = try configuration.written(as: .ats, options).bytes
        #expect(throws: PropertyListEdit.Refusal.self) {
            try PropertyListEdit.placing(configuration, as: .ats, into: bytes, file: "Info.plist")
        }
    }
}
