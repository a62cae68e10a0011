// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint
@testable import ServerTrustPins

@Suite struct ConversionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let from: PinFormat
        let text: String
        let to: PinFormat
        let losses: [(code: PinLoss.Code, hosts: String?, effect: PinLoss.Effect)]

        init(
            _ sentence: String, _ from: PinFormat, _ text: String, _ to: PinFormat,
            _ losses: (code: PinLoss.Code, hosts: String?, effect: PinLoss.Effect)...
        ) {
            self.testDescription = sentence
            self.from = from
            self.text = text
            self.to = to
            self.losses = losses
        }
    }

    typealias ATS = ATSText
    typealias Kit = TrustKitText
    typealias Droid = AndroidText
    typealias Other = OwnText

    static let twoPins = Droid.pins("CA", "OTHER")
    static let quiet = ", \"TSKDisableDefaultReportUri\": true"

    static let rows: [Row] = [
        Row(
            "the same in both: any depth and the name", .android,
            Droid.xml(Droid.config(Droid.domain("example.com", true), twoPins)), .okHttp),
        Row("the same in both: only the name", .okHttp, "example.com sha256/{CA} sha256/{OTHER}", .android),
        Row(
            "the same in both: TrustKit and Android", .trustKit,
            Kit.json(Kit.domain("example.com", ["CA", "OTHER"], Kit.sub + Kit.expiry + quiet)), .android),
        Row(
            "the same in both: Android's domain without pins is TrustKit's exclusion", .android,
            Droid.xml(
                Droid.config(Droid.domain("example.com", true), twoPins) + Droid.config(Droid.domain("a.example.com"))),
            .trustKit),
        Row(
            "one label becomes any depth", .ats,
            ATS.plist(ATS.domain("example.com", subdomains: true, leaf: ["LEAF", "OTHER"])), .android,
            (.scope, "example.com", .different), (.scope, "*.example.com", .different),
            (.hostsPinnedToo, "*.*.example.com", .stricter)),
        Row(
            "any depth becomes one label", .okHttp, "**.example.com sha256/{CA}", .ats,
            (.scope, "example.com", .different), (.scope, "*.example.com", .different),
            (.hostsNotPinned, "*.*.example.com", .weaker)),
        Row(
            "only subdomains become the name and subdomains", .okHttp, "*.example.com sha256/{CA}", .android,
            (.hostsPinnedToo, "example.com", .stricter), (.hostsPinnedToo, "*.*.example.com", .stricter)),
        Row(
            "a union is written out for each host", .okHttp, "**.example.com sha256/{CA}\na.example.com sha256/{OTHER}",
            .android),
        Row(
            "a union also accepts a parent's pins", .android,
            Droid.xml(
                Droid.config(Droid.domain("example.com", true), Droid.pins("CA"))
                    + Droid.config(Droid.domain("a.example.com"), Droid.pins("OTHER"))), .okHttp,
            (.morePins, "a.example.com", .weaker)),
        Row(
            "a union can't express an exclusion", .trustKit,
            Kit.json(
                Kit.domain("example.com", ["CA", "OTHER"], Kit.sub + quiet)
                    + ", \"a.example.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}"), .okHttp,
            (.hostsPinnedToo, "a.example.com", .stricter)),
        Row(
            "report-only rules are left out", .trustKit,
            Kit.json(
                Kit.domain("example.com", ["CA", "OTHER"], ", \"TSKEnforcePinning\": false" + quiet) + ","
                    + Kit.domain("example.org", ["CA", "OTHER"], quiet)), .android,
            (.hostsNotPinned, "example.com", .none)),
        Row(
            "an expiry is lost", .android,
            Droid.xml(Droid.config(Droid.domain("example.com"), Droid.pins("CA", "OTHER", expiration: "2027-01-01"))),
            .okHttp, (.expiry, "example.com", .different)),
        Row(
            "a rule that fails closed fails open", .json,
            Other.own(
                Other.rule("example.com", "CA", Other.expires("refused").replacing("T11:06:39Z", with: "")),
                unlisted: "evaluatedByDefault"), .android, (.onExpiry, "example.com", .weaker)),
        Row(
            "an expiry within a day is rounded up", .json,
            Other.own(Other.rule("example.com", "CA", Other.expires("unpinned")), unlisted: "evaluatedByDefault"),
            .android, (.expiry, "example.com", .different)),
        Row(
            "hosts without a rule", .json, Other.own(Other.rule("example.com", "CA")), .okHttp,
            (.unlistedHosts, nil, .weaker)),
        Row(
            "report URIs", .trustKit,
            Kit.json(
                Kit.domain("example.com", ["CA", "OTHER"], quiet + ", \"TSKReportUris\": [\"https://r.example.org/\"]")),
            .android, (.reportURIs, "example.com", .none)),
        Row(
            "anchors", .android,
            Droid.xml(Droid.config(Droid.domain("example.com"), twoPins, Droid.anchors("@raw/root"))), .trustKit,
            (.anchors, "example.com", .different)),
        Row(
            "settings", .android,
            Droid.xml(
                "<domain-config cleartextTrafficPermitted=\"false\">\(Droid.domain("example.com"))\(twoPins)</domain-config>"
            ), .okHttp, (.settings, nil, .none)),
        Row(
            "certificates become keys", .isp,
            "<plist version=\"1.0\"><dict><key>example.com</key><array><data>{CADER}</data></array></dict></plist>",
            .okHttp, (.certificates, "example.com", .weaker), (.unlistedHosts, nil, .weaker)),
        Row(
            "both lists become one", .ats, ATS.plist(ATS.domain("example.com", ca: ["CA"], leaf: ["LEAF"])), .okHttp,
            (.scope, "example.com", .different), (.fewerPins, "example.com", .stricter)),
        Row("curl's leaf pins stay leaf pins", .ats, ATS.plist(ATS.domain("example.com", leaf: ["LEAF"])), .curl),
        Row(
            "curl's pins lose the scope", .okHttp, "example.com sha256/{CA}", .curl,
            (.scope, "example.com", .different)),
    ]

    @Test("The conversion reports every loss", arguments: rows) func losses(_ row: Row) throws {
        let configuration = try PinFixture.shared().configuration(row.text, row.from)
        let losses = try configuration.written(as: row.to).losses
        #expect(losses.map(\.code) == row.losses.map(\.code), "\(losses)")
        #expect(losses.map(\.hosts) == row.losses.map(\.hosts), "\(losses)")
        #expect(losses.map(\.effect) == row.losses.map(\.effect), "\(losses)")
    }

    /// Equivalent configurations give the same verdict for every host.
    @Test("Without a loss, both configurations have the same verdicts", arguments: rows.filter(\.losses.isEmpty))
    func equalVerdictsWithoutLoss(_ row: Row) throws {
        let scene = try PinFixture.shared()
        let before = try scene.configuration(row.text, row.from)
        let written = try before.written(as: row.to)
        var after = try PinConfiguration(importing: written.bytes, as: row.to, file: "again")
        for host in PinFixture.names {
            if row.to == .curl {
                guard host == "example.com" else { continue }
                after = after.bound(to: try Hostname(host))
            }
            #expect(try scene.outcome(after, host: host) == scene.outcome(before, host: host), "\(host)")
        }
    }

    @Test("Writing to a format that can't contain the pins throws") func unwritable() throws {
        let scene = try PinFixture.shared()
        let one = try scene.configuration("example.com sha256/{CA}", .okHttp)
        // TrustKit requires two pins.
        do throws(PinWritingError) {
            _ = try one.written(as: .trustKit)
            Issue.record("TrustKit's file was written with one pin")
        } catch {
            #expect(error.code == .pinWritingRefused && error.format == .trustKit)
            #expect(error.refusal?.problems.map(\.code) == [.pinFileTooFewPins])
        }
        #expect(throws: PinWritingError(.pinWritingNothing, .isp)) { try one.written(as: .isp) }
        let two = try scene.configuration("example.com sha256/{CA}\nexample.org sha256/{CA}", .okHttp)
        #expect(throws: PinWritingError(.pinWritingNeedsHost, .curl)) { try two.written(as: .curl) }
        var options = PinWritingOptions()
        options.isBinary = true
        #expect(throws: PinWritingError(.pinWritingNotBinary, .okHttp)) { try two.written(as: .okHttp, options) }
    }

    // MARK: Golden files

    @Test("The OkHttp file has the expected contents") func okHttpGolden() throws {
        let configuration = try PinFixture.shared().configuration(
            "**.example.com sha256/{CA} # the CA\n*.a.example.com sha256/{OTHER}", .okHttp)
        let written = try configuration.written(as: .okHttp)
        let expected = try PinFixture.shared().filled(
            """
            val certificatePinner = CertificatePinner.Builder()
                .add("**.example.com", "sha256/{CA}")  // the CA
                .add("**.a.example.com", "sha256/{CA}")  // the CA
                .add("*.a.example.com", "sha256/{CA}")  // the CA
                .add("*.a.example.com", "sha256/{OTHER}")
                .build()

            """)
        #expect(String(decoding: written.bytes, as: UTF8.self) == expected)
        #expect(written.losses == [])
    }

    @Test("The TrustKit file uses the exclusion key that TrustKit reads, not the documented one")
    func trustKitExclusion() throws {
        let text = Kit.json(
            Kit.domain("example.com", ["CA", "OTHER"], Kit.sub + Self.quiet)
                + ", \"a.example.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}")
        let configuration = try PinFixture.shared().configuration(text, .trustKit)
        for isBinary in [false, true] {
            var options = PinWritingOptions()
            options.isBinary = isBinary
            let bytes = try configuration.written(as: .trustKit, options).bytes
            let written = String(decoding: bytes, as: UTF8.self)
            #expect(written.contains("kSKExcludeSubdomainFromParentPolicy"))
            #expect(!written.contains("TSKExcludeSubdomainFromParentPolicy"))
            let again = try PinConfiguration(importing: bytes, as: .trustKit, file: "again")
            #expect(try again.written(as: .json).bytes == configuration.written(as: .json).bytes)
        }
    }

    @Test("The Android file has the expected contents") func androidGolden() throws {
        let text = Kit.json(
            Kit.domain("example.com", ["CA", "OTHER"], Kit.sub + Kit.expiry + Self.quiet)
                + ", \"a.example.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}")
        let written = try PinFixture.shared().configuration(text, .trustKit).written(as: .android)
        let expected = try PinFixture.shared().filled(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <network-security-config>
                <domain-config>
                    <domain includeSubdomains="true">example.com</domain>
                    <pin-set expiration="2026-11-18">
                        <pin digest="SHA-256">{CA}</pin>
                        <pin digest="SHA-256">{OTHER}</pin>
                    </pin-set>
                </domain-config>
                <domain-config>
                    <domain includeSubdomains="true">a.example.com</domain>
                </domain-config>
            </network-security-config>

            """)
        // Subdomains of the excluded name are pinned again.
        #expect(
            String(decoding: written.bytes, as: UTF8.self)
                == expected.replacing("\"true\">a.example.com", with: "\"false\">a.example.com"))
        #expect(written.losses == [])
    }

    @Test("The ATS file has the expected contents") func atsGolden() throws {
        let written = try PinFixture.shared().configuration("sha256//{LEAF};sha256//{OTHER}", .curl)
            .bound(to: Hostname("example.com")).written(as: .ats)
        let expected = try PinFixture.shared().filled(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>NSAppTransportSecurity</key>
                <dict>
                    <key>NSPinnedDomains</key>
                    <dict>
                        <key>example.com</key>
                        <dict>
                            <key>NSPinnedLeafIdentities</key>
                            <array>
                                <dict>
                                    <key>SPKI-SHA256-BASE64</key>
                                    <string>{LEAF}</string>
                                </dict>
                                <dict>
                                    <key>SPKI-SHA256-BASE64</key>
                                    <string>{OTHER}</string>
                                </dict>
                            </array>
                        </dict>
                    </dict>
                </dict>
            </dict>
            </plist>

            """)
        #expect(String(decoding: written.bytes, as: UTF8.self) == expected)
        #expect(written.losses == [])
    }

    @Test("curl's argument has the expected contents") func curlGolden() throws {
        let written = try PinFixture.shared().configuration(
            ATS.plist(ATS.domain("example.com", leaf: ["LEAF", "OTHER"])), .ats
        ).written(as: .curl)
        #expect(
            try String(decoding: written.bytes, as: UTF8.self)
                == PinFixture.shared().filled("sha256//{LEAF};sha256//{OTHER}\n"))
    }

    // MARK: Properties

    /// Writes random configurations in the package's own format, reads them back and compares them.
    @Test("Writing in the package's own format loses nothing") func ownFormatKeepsEverything() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let configuration = try RandomPins.configuration(&random)
            let written = try configuration.written(as: .json)
            #expect(written.losses == [])
            let again = try PinConfiguration(importing: written.bytes, as: .json, file: "again")
            #expect(again.losses(in: configuration) == [])
            #expect(try again.written(as: .json).bytes == written.bytes)
        }
    }

    /// Verdicts differ only if a conversion reports a loss.
    @Test("The conversion reports a loss for every difference in verdicts") func noUnreportedDifference() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let before = try RandomPins.configuration(&random)
            for format in [PinFormat.ats, .android, .okHttp, .trustKit] {
                guard let written = try? before.written(as: format) else { continue }
                let after = PinTable(try PinConfiguration(importing: written.bytes, as: format, file: "again"))
                let table = PinTable(before)
                let named = Set(written.losses.compactMap(\.hosts))
                for _ in 0..<30 {
                    let host = try RandomPins.host(&random)
                    let classes = [table.row(of: host), after.row(of: host)].compactMap { $0?.wordsForRow }
                    guard named.isDisjoint(with: classes) else { continue }
                    let (one, other) = (table.rule(for: host), after.rule(for: host))
                    let isPinned = one.map { $0.mode != .unpinned } ?? false
                    #expect(isPinned == other.map { $0.mode != .unpinned } ?? false, "\(host) \(format)")
                    if isPinned { #expect(one?.isEquivalent(to: other) == true, "\(host) \(format)") }
                }
            }
        }
    }
}
