// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint

/// The rules for what surrounds pins in their files: cleartext permissions, names that no host can have, anchors,
/// reports.
@Suite struct SurroundingsTests {
    private static func android(_ domain: String, flags: String = "", base: String = "") -> String {
        LintRow.android(domain.replacing("<domain-config>", with: "<domain-config\(flags)>"), base: base)
    }

    private static let permitted = " cleartextTrafficPermitted=\"true\""
    private static let refused = " cleartextTrafficPermitted=\"false\""
    private static let pinned = LintRow.domain("a.example.com", below: false, 1, 2)
    private static let plain = LintRow.domain("a.example.com", below: false)

    // AOSP: XmlConfigSource (inheritance), NetworkSecurityConfig (default). Apple: NSAppTransportSecurity.
    static let cleartext: [LintRow] = [
        LintRow(
            "Android: a pinned domain permits cleartext", .cleartextBesidePins, at: [2], .android,
            android(pinned, flags: permitted)),
        LintRow(
            "Android: a pinned domain inherits the permission", .cleartextBesidePins, at: [2], .android,
            android(pinned, base: "<base-config\(permitted)/>")),
        LintRow(
            "Android: a pinned domain forbids cleartext", .cleartextBesidePins, at: [], .android,
            android(pinned, flags: refused, base: "<base-config\(permitted)/>")),
        LintRow("Android: the platform's default", .cleartextBesidePins, at: [], .android, android(pinned)),
        LintRow(
            "Android: a nested domain inherits from the surrounding one", .cleartextBesidePins, at: [3], .android,
            """
            <network-security-config>
            <domain-config cleartextTrafficPermitted="true"><domain>b.example.net</domain>
            \(pinned)
            </domain-config></network-security-config>
            """),
        LintRow(
            "Android: a domain above permits cleartext, and the pinned one uses the default", .cleartextBesidePins,
            at: [],
            .android,
            """
            <network-security-config>
            <domain-config cleartextTrafficPermitted="true"><domain includeSubdomains="true">example.com</domain></domain-config>
            \(pinned)
            </network-security-config>
            """),
        LintRow(
            "Android: the base config permits cleartext", .cleartextByDefault, at: [1], .android,
            android(plain, base: "<base-config\(permitted)/>")),
        LintRow(
            "Android: the base config forbids cleartext", .cleartextByDefault, at: [], .android,
            android(plain, base: "<base-config\(refused)/>")),
        LintRow("Android: one host", .cleartextHost, at: [2], .android, android(plain, flags: permitted)),
        LintRow(
            "Android: the emulator's host", .cleartextHost, at: [], .android,
            android(LintRow.domain("10.0.2.2", below: false), flags: permitted)),
        LintRow(
            "Android: the device itself", .cleartextHost, at: [], .android,
            android(LintRow.domain("localhost", below: false), flags: permitted)),
        LintRow(
            "ATS: an exception for a pinned domain", .cleartextBesidePins, at: [5], .ats,
            LintRow.ats(
                LintRow.atsDomain("a.example.com", authority: [1, 2]),
                beside:
                    "\"NSExceptionDomains\": {\"a.example.com\": {\n\"NSExceptionAllowsInsecureHTTPLoads\": true}}")),
        LintRow(
            "ATS: an exception without cleartext", .cleartextBesidePins, at: [], .ats,
            LintRow.ats(
                LintRow.atsDomain("a.example.com", authority: [1, 2]),
                beside: "\"NSExceptionDomains\": {\"a.example.com\": {\"NSExceptionMinimumTLSVersion\": \"TLSv1.2\"}}",
                "\"NSAllowsArbitraryLoads\": true")),
        LintRow(
            "ATS: an exception below a pinned domain", .cleartextBesidePins, at: [4], .ats,
            LintRow.ats(
                LintRow.atsDomain("example.com", authority: [1, 2], below: true),
                beside:
                    "\"NSExceptionDomains\": {\"b.example.com\": {\"NSExceptionAllowsInsecureHTTPLoads\": true}}")),
        LintRow(
            "ATS: arbitrary loads", .cleartextByDefault, at: [4], .ats,
            LintRow.ats(
                LintRow.atsDomain("a.example.com", authority: [1, 2]), beside: "\"NSAllowsArbitraryLoads\": true")),
        LintRow(
            "ATS: arbitrary loads, which the system ignores", .cleartextByDefault, at: [], .ats,
            LintRow.ats(
                LintRow.atsDomain("a.example.com", authority: [1, 2]), beside: "\"NSAllowsArbitraryLoads\": true",
                "\"NSAllowsLocalNetworking\": true")),
    ]

    @Test("Connections without TLS cause findings", arguments: cleartext) func cleartextIsFound(_ row: LintRow) {
        row.check()
    }

    static let names: [LintRow] = [
        LintRow(
            "Android: a trailing dot", .odd(.pinFileUnmatchableHost), at: [2], .android,
            LintRow.android(LintRow.domain("a.example.com.", below: false, 1, 2))),
        LintRow(
            "Android: upper case, which it converts", .odd(.pinFileUnmatchableHost), at: [], .android,
            LintRow.android(LintRow.domain("A.example.com", below: false, 1, 2))),
        LintRow(
            "ATS: a trailing dot", .odd(.pinFileUnmatchableHost), at: [3], .ats,
            LintRow.ats(LintRow.atsDomain("a.example.com.", authority: [1, 2]))),
        LintRow(
            "ATS: upper case, which it ignores", .odd(.pinFileUnmatchableHost), at: [], .ats,
            LintRow.ats(LintRow.atsDomain("A.example.com", authority: [1, 2]))),
        LintRow(
            "TrustKit: upper case", .odd(.pinFileUnmatchableHost), at: [2], .trustKit,
            LintRow.trustKit(LintRow.kitDomain("A.example.com", 1, 2))),
        LintRow(
            "TrustKit: a trailing dot", .odd(.pinFileUnmatchableHost), at: [2], .trustKit,
            LintRow.trustKit(LintRow.kitDomain("a.example.com.", 1, 2))),
        LintRow("OkHttp: a trailing dot", .odd(.pinFileUnmatchableHost), at: [1], .okHttp, "a.example.com. $1 $2"),
        LintRow(
            "OkHttp: upper case, which it converts", .odd(.pinFileUnmatchableHost), at: [], .okHttp,
            "A.example.com $1 $2"),
        LintRow(
            "the package's own format, which compares names without the dot", .odd(.pinFileUnmatchableHost), at: [],
            .json,
            LintRow.json(LintRow.rule("a.example.com.", LintRow.pin(1), LintRow.pin(2)))),
    ]

    @Test("The linter finds names that no host can have", arguments: names) func unmatchableNames(_ row: LintRow) {
        row.check()
    }

    private static let exception = "\"NSExceptionDomains\": {\"b.example.com\": {\"NSPinnedDomains\": {}}}"

    static let lists: [LintRow] = [
        LintRow(
            "ATS: pins in an exception", .odd(.pinFileMisplacedKey), at: [4], .ats,
            LintRow.ats(LintRow.atsDomain("a.example.com", authority: [1, 2]), beside: exception)),
        LintRow(
            "ATS: a list of pins in an exception", .odd(.pinFileMisplacedKey), at: [4], .ats,
            LintRow.ats(
                LintRow.atsDomain("a.example.com", authority: [1, 2]),
                beside: exception.replacing("NSPinnedDomains\": {}", with: "NSPinnedCAIdentities\": []"))),
        LintRow(
            "ATS: pins at the root of an Info.plist", .odd(.pinFileMisplacedKey), at: [2], .ats,
            "{\"CFBundleIdentifier\": \"a\",\n\"NSPinnedDomains\": {}}"),
        LintRow(
            "ATS: a fragment with pins at its root", .odd(.pinFileMisplacedKey), at: [], .ats,
            "{\"NSAllowsArbitraryLoads\": false,\n\"NSPinnedDomains\": {}}"),
        LintRow(
            "ATS: an exception without pins", .odd(.pinFileMisplacedKey), at: [], .ats,
            LintRow.ats(
                LintRow.atsDomain("a.example.com", authority: [1, 2]),
                beside: exception.replacing("NSPinnedDomains\": {}", with: "NSIncludesSubdomains\": true"))),
        LintRow(
            "ATS: both lists", .leafAndAuthority, at: [3], .ats,
            LintRow.ats(LintRow.atsDomain("a.example.com", leaf: [1], authority: [2]))),
        LintRow(
            "ATS: both lists, each with a backup", .leafAndAuthority, at: [3], as: .note, .ats,
            LintRow.ats(LintRow.atsDomain("a.example.com", leaf: [1, 2], authority: [3, 4]))),
        LintRow(
            "ATS: one list", .leafAndAuthority, at: [], .ats,
            LintRow.ats(LintRow.atsDomain("a.example.com", authority: [1, 2]))),
        LintRow(
            "ATS: a registered domain with all names below it", .wholeDomain, at: [3], .ats,
            LintRow.ats(LintRow.atsDomain("example.com", authority: [1, 2], below: true))),
        LintRow(
            "ATS: a part of a registered domain", .wholeDomain, at: [], .ats,
            LintRow.ats(LintRow.atsDomain("api.example.com", authority: [1, 2], below: true))),
        LintRow(
            "Android: no expiry, found once", .noExpiry, at: [2], .android,
            LintRow.android(
                LintRow.domain("a.example.com", below: false, 1, 2), LintRow.domain("b.example.com", below: false, 1, 2)
            )),
        LintRow(
            "Android: an expiry", .noExpiry, at: [], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2027-05-01", 1, 2))),
        LintRow(
            "TrustKit: no expiry", .noExpiry, at: [2], .trustKit,
            LintRow.trustKit(LintRow.kitDomain("a.example.com", 1, 2))),
        LintRow("OkHttp: no expiry, because it has none", .noExpiry, at: [], .okHttp, "a.example.com $1 $2"),
    ]

    @Test("The linter checks lists of pins and their places", arguments: lists) func listsOfPins(_ row: LintRow) {
        row.check()
    }

    private static func trustKitAndroid(_ attributes: String) -> String {
        LintRow.android(
            LintRow.domain("a.example.com", below: false, 1, 2, other: "<trustkit-config\(attributes)/>"))
    }

    private static func anchored(_ certificates: String, pins: Bool = false, base: String = "") -> String {
        let anchors = certificates.isEmpty ? "" : "<trust-anchors>\(certificates)</trust-anchors>"
        return LintRow.android(
            pins
                ? LintRow.domain("a.example.com", below: false, 1, 2, other: anchors)
                : LintRow.domain("a.example.com", below: false, other: anchors), base: base)
    }

    private static let user = "<certificates src=\"user\"/>"
    private static let system = "<certificates src=\"system\"/>"

    static let trust: [LintRow] = [
        LintRow(
            "TrustKit's default address", .reportDefault, at: [2], .trustKit,
            LintRow.trustKit(LintRow.kitDomain("a.example.com", 1, 2), LintRow.kitDomain("b.example.com", 1, 2))),
        LintRow(
            "the default address, disabled", .reportDefault, at: [], .trustKit,
            LintRow.trustKit(
                LintRow.kitDomain("a.example.com", 1, 2, other: ", \"TSKDisableDefaultReportUri\": true"))),
        LintRow(
            "the default address of TrustKit-Android", .reportDefault, at: [2], .android, trustKitAndroid("")),
        LintRow(
            "the default address of TrustKit-Android, disabled", .reportDefault, at: [], .android,
            trustKitAndroid(" disableDefaultReportUri=\"true\"")),
        LintRow("Android without TrustKit sends no report", .reportDefault, at: [], .android, LintRow.android(pinned)),
        LintRow(
            "TrustKit-Android reports, and Android enforces", .enforcedAnyway, at: [2], .android,
            trustKitAndroid(" enforcePinning=\"false\"")),
        LintRow(
            "TrustKit-Android crashes an app with one pin", .noBackup, at: [2], as: .error, .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, 1, other: "<trustkit-config/>"))),
        LintRow(
            "Android without TrustKit accepts one pin", .noBackup, at: [2], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, 1))),
        LintRow(
            "TrustKit-Android accepts two pins", .noBackup, at: [], .android, trustKitAndroid("")),
        LintRow(
            "TrustKit-Android only uses the last of several domains", .lastDomainOnly, at: [2], .android,
            trustKitAndroid("").replacing("<domain ", with: "<domain>b.example.com</domain><domain ")),
        LintRow("TrustKit-Android with one domain", .lastDomainOnly, at: [], .android, trustKitAndroid("")),
        LintRow(
            "several domains without TrustKit", .lastDomainOnly, at: [], .android,
            LintRow.android(
                LintRow.domain("a.example.com", 1, 2).replacing(
                    "<domain ", with: "<domain>b.example.com</domain><domain "))),
        LintRow(
            "TrustKit-Android enforces", .enforcedAnyway, at: [], .android, trustKitAndroid(" enforcePinning=\"true\"")),
        LintRow(
            "the user's anchors next to pins", .userAnchors, at: [2], as: .note, .android,
            anchored(system + user, pins: true)),
        LintRow(
            "the user's anchors without pins", .userAnchors, at: [2], as: .warning, .android, anchored(system + user)),
        LintRow(
            "the user's anchors in debug-overrides", .userAnchors, at: [], .android,
            anchored("", base: "<debug-overrides><trust-anchors>\(user)</trust-anchors></debug-overrides>")),
        LintRow(
            "an anchor inside the app", .bundledAnchors, at: [2], .android,
            anchored(system + "<certificates src=\"@raw/ca\"/><certificates src=\"@raw/other\"/>")),
        LintRow("the system's anchors", .bundledAnchors, at: [], .android, anchored(system)),
        LintRow(
            "an attribute of debug-overrides without effect", .odd(.pinFileContradiction), at: [1], .android,
            anchored("", base: "<debug-overrides\(permitted)/>")),
        LintRow(
            "debug-overrides without attributes", .odd(.pinFileContradiction), at: [], .android,
            anchored("", base: "<debug-overrides/>")),
    ]

    @Test("The linter checks anchors and reports next to pins", arguments: trust) func anchorsAndReports(_ row: LintRow)
    {
        row.check()
    }

    @Test("The user's anchors for the whole app cause a warning about the file") func userAnchorsOfTheBase() throws {
        let row = LintRow(
            "", .userAnchors, at: [], .android,
            Self.anchored("", base: "<base-config><trust-anchors>\(Self.user)</trust-anchors></base-config>"))
        let found = PinLinter(at: TestAuthority.now).findings(in: row.source).filter { $0.rule == .userAnchors }
        #expect(found.map(\.severity) == [.warning])
        #expect(found.map(\.location.line) == [1])
    }

    private func findings(_ files: (name: String, text: String)...) -> [PinFinding] {
        let sources = files.flatMap { PinLintSource.sources(reading: Array($0.text.utf8), as: .android, file: $0.name) }
        return PinLinter(at: TestAuthority.now).findings(in: sources).filter { $0.rule == .debugResource }
    }

    // AOSP, XmlConfigSource: parseDebugOverridesResource.
    @Test("In a NAME_debug resource, Android reads only debug-overrides") func debugResource() {
        let overrides = "<debug-overrides><trust-anchors>\(Self.user)</trust-anchors></debug-overrides>"
        let alone = "<network-security-config>\(overrides)</network-security-config>"
        #expect(findings(("xml/network_debug.xml", LintRow.android(Self.pinned, base: overrides))).count == 1)
        #expect(findings(("xml/network_debug.xml", alone)).isEmpty)
        #expect(findings(("xml/network_debug.xml", alone), ("xml/network.xml", LintRow.android(Self.pinned))).isEmpty)
        #expect(
            findings(("debug/network_debug.xml", alone), ("main/network.xml", alone)).map(\.location.file)
                == ["debug/network_debug.xml"])
        #expect(findings(("network.xml", LintRow.android(Self.pinned, base: overrides))).isEmpty)
    }

    @Test("A file with pins only in exceptions causes a finding and pins nothing") func onlyMisplaced() {
        let text = "{\"NSAppTransportSecurity\": {\n\(Self.exception)\n}}"
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict>
            <key>b.example.com</key><dict><key>NSPinnedDomains</key><dict/></dict></dict></dict></dict></plist>
            """
        let found = PinLinter(at: TestAuthority.now).findings(
            in: PinLintSource.sources(reading: Array(text.utf8), as: .ats, file: "pins"))
        #expect(found.map(\.rule) == [.odd(.pinFileMisplacedKey)])
        let detected = PinLintSource.sources(reading: Array(plist.utf8), file: "Info.plist")
        #expect(detected.map(\.format) == [.ats])
    }

    static let slips: [(text: String, meant: String)] = [
        ("{\"NSAppTransportSecurity\": {\"NSPinnedDomain\": {}}}", "NSPinnedDomains"),
        ("{\"NSAppTransportSecurty\": {\"NSPinnedDomains\": {}}}", "NSAppTransportSecurity"),
        ("{\"TSKConfiguraton\": {}}", "TSKConfiguration"),
        ("{\"TSKConfiguration\": {\"TSKPinnedDomain\": {}}}", "TSKPinnedDomains"),
        (
            LintRow.trustKit(LintRow.kitDomain("a.example.com", 1, 2, other: ", \"TSKIncludeSubdomain\": true")),
            "TSKIncludeSubdomains"
        ),
        (LintRow.ats("\"a.example.com\": {\"NSPinnedLeafIdentites\": []}"), "NSPinnedLeafIdentities"),
        ("<network-security-confg/>", "network-security-config"), ("curl --pinned-pubkeys a", "pinnedpubkey"),
        ("{\"a\": {\"publicKeyHash\": []}}", "publicKeyHashes"),
        ("let domains = [TSKPinedDomains: [:]]", "TSKPinnedDomains"),
        ("{\"schemaVersion\": 1, \"selection\": \"union\", \"Rules\": []}", "rules"),
    ]

    // These tests require the intended key in the message, because the message suggests it as a question.
    @Test("The message about a misspelled key suggests the right one", arguments: slips)
    func didYouMean(_ row: (text: String, meant: String)) {
        let findings = PinLinter(at: TestAuthority.now).findings(
            in: PinLintSource.sources(reading: Array(row.text.utf8), file: "pins"))
        #expect(findings.contains { $0.message.contains("did you mean \(row.meant)") }, "\(findings)")
    }

    @Test("Thousands of misspelled keys take no extra time", .timeLimit(.minutes(10))) func manySlips() {
        let keys = (0..<20_000).map { ", \"TSKIncludeSubdomain\($0)\": true" }.joined()
        let text = LintRow.trustKit(LintRow.kitDomain("a.example.com", 1, 2, other: keys))
        let sources = PinLintSource.sources(reading: Array(text.utf8), as: .trustKit, file: "pins")
        #expect(sources.allSatisfy { $0.configuration == nil })
    }
}
