// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// A file's rule for a host, and why other rules don't apply.
@Suite("A file's effect on a host") struct EffectivePinsTests {
    typealias Outcome = EffectivePins.Outcome
    typealias Reason = EffectivePins.Reason

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let format: PinFormat
        let text: String
        let host: String
        let outcome: Outcome
        let reason: Reason
        /// The lines of the rules that apply.
        let lines: [Int]
        /// Rules that nearly apply: reasons and lines.
        let near: [NearRule.Reason]
        var time = "2026-11-22"
    }

    static let a = TestPins.pin(1).description
    static let b = TestPins.pin(2).description
    static func value(_ pin: String) -> String { String(pin.dropFirst(7)) }
    static let set =
        "<pin-set expiration=\"2027-03-31\"><pin digest=\"SHA-256\">\(value(a))</pin><pin digest=\"SHA-256\">\(value(b))</pin></pin-set>"
    static let android = """
        <network-security-config>
        <domain-config><domain includeSubdomains="true">example.com</domain>\(set)
        <domain-config><domain>www.example.com</domain></domain-config>
        </domain-config>
        <domain-config><domain>api.example.org</domain>\(set)</domain-config>
        <domain-config><domain>open.test</domain></domain-config>
        <domain-config><domain>none.test</domain><trust-anchors/>\(set)</domain-config>
        </network-security-config>
        """
    static let kit = """
        {"TSKPinnedDomains": {
        "example.com": {"TSKIncludeSubdomains": true, "TSKPublicKeyHashes": ["\(value(a))", "\(value(b))"]},
        "out.example.com": {"kSKExcludeSubdomainFromParentPolicy": true},
        "try.example.org": {"TSKEnforcePinning": false, "TSKPublicKeyHashes": ["\(value(a))"]}
        }}
        """
    static let okHttp = "*.example.com \(a) \(b)\nexample.org \(a) \(b)\nb.example.com \(a) \(b)"

    static let manager = """
        {"sha256Keys": {"a.test": ["\(a)", "\(b)"],
        "b.test": ["\(a)", "\(b)"]},
        "domains": {"a.test": {"enforcePinning": false}, "b.test": {"expirationDate": "2027-06-30"}}}
        """

    static let rows: [Row] = [
        Row(
            testDescription: "a parent with subdomains", format: .android, text: android, host: "a.b.example.com",
            outcome: .pinned, reason: .inForce, lines: [2], near: []),
        Row(
            testDescription: "the nested rule, before its parent's", format: .android, text: android,
            host: "WWW.example.com.", outcome: .pinned, reason: .inForce, lines: [3], near: [.lessSpecific]),
        Row(
            testDescription: "subdomains that aren't included", format: .android, text: android,
            host: "v1.api.example.org", outcome: .notPinned, reason: .noRule, lines: [], near: [.subdomainsNotIncluded]),
        Row(
            testDescription: "a host above a pinned name", format: .android, text: android, host: "example.org",
            outcome: .notPinned, reason: .noRule, lines: [], near: [.belowHost]),
        Row(
            testDescription: "a typo", format: .android, text: android, host: "apl.example.org",
            outcome: .notPinned, reason: .noRule, lines: [], near: [.similarName]),
        Row(
            testDescription: "another name in the domain", format: .android, text: android, host: "login.example.org",
            outcome: .notPinned, reason: .noRule, lines: [], near: [.sibling]),
        Row(
            testDescription: "nothing near", format: .android, text: android, host: "elsewhere.test",
            outcome: .notPinned, reason: .noRule, lines: [], near: []),
        Row(
            testDescription: "a rule without pins", format: .android, text: android, host: "open.test",
            outcome: .notPinned, reason: .noPin, lines: [6], near: []),
        Row(
            testDescription: "no anchor", format: .android, text: android, host: "none.test", outcome: .refused,
            reason: .noAnchor, lines: [7], near: []),
        Row(
            testDescription: "after the expiration, as on Android", format: .android, text: android,
            host: "api.example.org", outcome: .notPinned, reason: .expired, lines: [5], near: [], time: "2027-04-01"),
        Row(
            testDescription: "a TrustKit exemption", format: .trustKit, text: kit, host: "out.example.com",
            outcome: .notPinned, reason: .noPin, lines: [3], near: [.lessSpecific]),
        Row(
            testDescription: "a report-only rule", format: .trustKit, text: kit, host: "try.example.org",
            outcome: .reported, reason: .reportOnly, lines: [4], near: []),
        Row(
            testDescription: "two rules, united", format: .okHttp, text: okHttp, host: "b.example.com",
            outcome: .pinned, reason: .inForce, lines: [1, 3], near: []),
        Row(
            testDescription: "two labels below a one-label rule", format: .okHttp, text: okHttp,
            host: "a.b.example.com",
            outcome: .notPinned, reason: .noRule, lines: [], near: [.subdomainsNotIncluded, .oneLabelOnly]),
        Row(
            testDescription: "the name itself, with a rule for subdomains only", format: .okHttp, text: okHttp,
            host: "example.com", outcome: .notPinned, reason: .noRule, lines: [], near: [.nameNotIncluded, .belowHost]),
        Row(
            testDescription: "pins at the root of an Info.plist, where the system never looks", format: .ats,
            text:
                "{\"CFBundleIdentifier\": \"a\", \"NSPinnedDomains\": {\"a.test\": {\"NSPinnedLeafIdentities\": [{\"SPKI-SHA256-BASE64\": \"\(value(a))\"}]}}}",
            host: "a.test", outcome: .notPinned, reason: .noRule, lines: [], near: []),
        Row(
            testDescription: "a host of ssl_config.json that isn't enforced", format: .reactNative, text: manager,
            host: "b.a.test", outcome: .reported, reason: .reportOnly, lines: [1], near: []),
        Row(
            testDescription: "the last day of a host of ssl_config.json", format: .reactNative, text: manager,
            host: "b.test", outcome: .pinned, reason: .inForce, lines: [2], near: [], time: "2027-06-30"),
        Row(
            testDescription: "the day after it", format: .reactNative, text: manager, host: "b.test",
            outcome: .notPinned, reason: .expired, lines: [2], near: [], time: "2027-07-01"),
        Row(
            testDescription: "pins for any host", format: .curl, text: "sha256//" + value(a), host: "192.0.2.1",
            outcome: .pinned, reason: .inForce, lines: [1], near: []),
        Row(
            testDescription: "a rule next to an unknown call", format: .okHttp,
            text:
                "val b = CertificatePinner.Builder()\nb.add(\"a.test\", \"\(a)\")\nhosts.forEach { b.add(it, \"\(a)\") }",
            host: "a.test", outcome: .unknown, reason: .inForce, lines: [2], near: []),
        Row(
            testDescription: "no rule and an unknown call", format: .okHttp,
            text: "val b = CertificatePinner.Builder()\nhosts.forEach { b.add(it, \"\(a)\") }",
            host: "a.test", outcome: .unknown, reason: .noRule, lines: [], near: []),
        Row(
            testDescription: "a dictionary with an unknown value", format: .trustKit,
            text:
                "import TrustKit\nlet c = [kTSKPinnedDomains: [\"a.example.com\": [kTSKPublicKeyHashes: [\"\(value(a))\", \"\(value(b))\"], kTSKEnforcePinning: enforce]]]",
            host: "a.example.com", outcome: .unknown, reason: .inForce, lines: [2], near: []),
        Row(
            testDescription: "git's key in another file", format: .git, text: "[http]\npinnedPubkey = /etc/key.pem\n",
            host: "a.test", outcome: .unknown, reason: .noRule, lines: [], near: []),
    ]

    @Test("Each host has the rules that apply and the rules that nearly apply", arguments: rows)
    func rules(_ row: Row) throws {
        let configuration = try PinConfiguration(importing: Array(row.text.utf8), as: row.format, file: "file")
        let effective = EffectivePins(
            of: try Hostname(row.host), in: configuration, format: row.format, at: try Time(rfc3339: row.time))
        #expect(effective.outcome == row.outcome)
        #expect(effective.reason == row.reason)
        #expect(effective.applied.map { $0.rule.location?.line } == row.lines)
        #expect(effective.near.map(\.reason) == row.near)
        // The rules that apply are those that are enforced.
        let applied = Set(effective.applied.flatMap(\.rule.pins).map(PinRule.Requirement.init))
        #expect(applied == Set((effective.rule?.pins ?? []).map(PinRule.Requirement.init)))
    }

    @Test("A setting names its origin: the rule, the file, or the owner's default")
    func settings() throws {
        let text = """
            <network-security-config><base-config hstsEnforced="true"><trust-anchors><certificates src="user"/></trust-anchors></base-config>
            <domain-config cleartextTrafficPermitted="true"><domain>a.test</domain><trust-anchors><certificates src="system"/></trust-anchors></domain-config>
            <domain-config><domain>b.test</domain></domain-config></network-security-config>
            """
        let configuration = try PinConfiguration(importing: Array(text.utf8), file: "file")
        func effective(_ host: String) throws -> EffectivePins {
            EffectivePins(of: try Hostname(host), in: configuration, format: .android, at: Time(secondsSinceEpoch: 0))
        }
        func lines(_ effective: EffectivePins) -> [String] {
            effective.settings.map { "\($0.setting) \($0.origin.rawValue)" }
        }
        #expect(
            lines(try effective("a.test")) == ["cleartextTrafficPermitted = true rule", "hstsEnforced = true file"])
        #expect(
            lines(try effective("b.test")) == ["hstsEnforced = true file", "cleartextTrafficPermitted = false default"])
        #expect(try effective("a.test").anchorsOrigin == .rule)
        #expect(try effective("b.test").anchorsOrigin == .file)
        #expect(try effective("b.test").anchors == [PinAnchorSource(.user)])
    }

    @Test("A file with many rules is searched in one pass", .timeLimit(.minutes(10)))
    func manyRules() throws {
        let text = (0..<20_000).map { "h\($0).example.com \(Self.a) \(Self.b)" }.joined(separator: "\n")
        let configuration = try PinConfiguration(importing: Array(text.utf8), as: .okHttp, file: "file")
        let effective = EffectivePins(
            of: try Hostname("example.com"), in: configuration, format: .okHttp, at: Time(secondsSinceEpoch: 0))
        #expect(effective.near.count == 10)
        #expect(effective.furtherNear > 0)
    }
}
