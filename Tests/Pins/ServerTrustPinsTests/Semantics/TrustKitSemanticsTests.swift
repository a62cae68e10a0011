// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// TrustKit's dictionary. Sources: parse_configuration.m, configuration_utils.m (getPinningConfigurationKeyForDomain) and
/// TSKPinningValidator.m.
@Suite struct TrustKitSemanticsTests {
    static let rows: [SemanticsRow] = [
        SemanticsRow(
            "a pin may match the leaf (TSKPinningValidator.m)",
            TrustKitText.json(TrustKitText.domain("example.com", ["LEAF", "OTHER"])),
            "example.com", .pinned(0)),
        SemanticsRow(
            "a pin may match the anchor (TSKPinningValidator.m)",
            TrustKitText.json(TrustKitText.domain("example.com", ["ROOT", "OTHER"])),
            "example.com", .pinned(2)),
        SemanticsRow(
            "pins are enforced by default (parse_configuration.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong)), "example.com",
            .missed),
        SemanticsRow(
            "kTSKEnforcePinning false only reports (TSKPinningValidator.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong, ", \"TSKEnforcePinning\": false")),
            "example.com", .reported),
        SemanticsRow(
            "one pin is enough if it isn't enforced (parse_configuration.m)",
            TrustKitText.json(TrustKitText.domain("example.com", ["OTHER"], ", \"TSKEnforcePinning\": false")),
            "example.com", .reported),
        SemanticsRow(
            "subdomains aren't included by default (parse_configuration.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong)), "a.example.com",
            .unpinned),
        SemanticsRow(
            "subdomains include one label (configuration_utils.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.sub)),
            "a.example.com",
            .missed),
        SemanticsRow(
            "subdomains include any depth (configuration_utils.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.sub)),
            "c.b.a.example.com", .missed),
        SemanticsRow(
            "a name with the same ending isn't a subdomain (configuration_utils.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.sub)),
            "notexample.com", .unpinned),
        SemanticsRow(
            "the exact entry takes precedence (configuration_utils.m)",
            TrustKitText.json(
                TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.sub) + ","
                    + TrustKitText.domain("a.example.com", ["LEAF", "OTHER"])), "a.example.com",
            .pinned(0)),
        SemanticsRow(
            "the exact entry applies without its parent's pins (configuration_utils.m)",
            TrustKitText.json(
                TrustKitText.domain("example.com", ["LEAF", "CA"], TrustKitText.sub) + ","
                    + TrustKitText.domain("a.example.com", TrustKitText.wrong)), "a.example.com",
            .missed),
        SemanticsRow(
            "otherwise the longest entry with subdomains counts (configuration_utils.m)",
            TrustKitText.json(
                TrustKitText.domain("example.com", ["LEAF", "CA"], TrustKitText.sub) + ","
                    + TrustKitText.domain("a.example.com", TrustKitText.wrong, TrustKitText.sub)),
            "b.a.example.com", .missed),
        SemanticsRow(
            "below an entry without subdomains, its parent counts (configuration_utils.m)",
            TrustKitText.json(
                TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.sub) + ","
                    + TrustKitText.domain("a.example.com", ["LEAF", "CA"])), "b.a.example.com",
            .missed),
        SemanticsRow(
            "an excluded name isn't pinned (TSKPinningValidator.m)",
            TrustKitText.json(
                TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.sub)
                    + ", \"a.example.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}"), "a.example.com",
            .unpinned),
        SemanticsRow(
            "names below an excluded name are pinned (configuration_utils.m)",
            TrustKitText.json(
                TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.sub)
                    + ", \"a.example.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}"), "b.a.example.com",
            .missed),
        SemanticsRow(
            "pins count until the expiry (TSKPinningValidator.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.expiry)),
            "example.com", .missed, at: TrustKitText.midnight),
        SemanticsRow(
            "after the expiry the name isn't pinned: fails open (TSKPinningValidator.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.expiry)),
            "example.com", .unpinned, at: TrustKitText.midnight.advanced(by: 1)),
        SemanticsRow(
            "an expired entry doesn't fall back to its parent (TSKPinningValidator.m)",
            TrustKitText.json(
                TrustKitText.domain("example.com", TrustKitText.wrong, TrustKitText.sub) + ","
                    + TrustKitText.domain("a.example.com", TrustKitText.wrong, TrustKitText.expiry)), "a.example.com",
            .unpinned),
        SemanticsRow(
            "other hosts are evaluated with the defaults (TSKPinningValidator.m)",
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong)),
            "example.org", .unpinned),
    ]

    @Test("The package enforces a TrustKit file as TrustKit does", arguments: rows) func behavesAsTrustKit(
        _ row: SemanticsRow
    ) throws { try row.run(.trustKit) }

    @Test("Every TrustKit key is read with and without its k prefix") func everyKeyIsReadInBothSpellings() throws {
        let scene = try PinFixture.shared()
        let pem = PEM.encode(scene.root.certificate.der, label: "CERTIFICATE").replacing("\n", with: "\\n")
        let text = """
            {"TSKConfiguration": {"TSKSwizzleNetworkDelegates": false, "TSKIgnorePinningForUserDefinedTrustAnchors": true,
             "TSKPinnedDomains": {"example.com": {"TSKPublicKeyHashes": ["{LEAF}", "{CA}"], "TSKEnforcePinning": true,
             "TSKIncludeSubdomains": true, "TSKReportUris": ["https://reports.example.org/pins"],
             "TSKDisableDefaultReportUri": true, "TSKExpirationDate": "2027-01-01", "TSKAdditionalTrustAnchors": ["\(pem)"],
             "TSKPublicKeyAlgorithms": ["TSKAlgorithmRsa2048"]},
             "a.example.com": {"kSKExcludeSubdomainFromParentPolicy": true}}}}
            """
        let configuration = try scene.configuration(text, .trustKit)
        let withK = try scene.configuration(
            text.replacing("\"TSK", with: "\"kTSK").replacing("kTSKAlgorithm", with: "TSKAlgorithm"), .trustKit)
        #expect(try configuration.written(as: .json).bytes == withK.written(as: .json).bytes)
        let rule = try #require(configuration.rules.first)
        #expect(rule.hosts.map(\.description) == ["**.example.com"])
        #expect(rule.mode == .enforced)
        #expect(rule.expiry == PinExpiry(try Time(rfc3339: "2027-01-01"), onExpiry: .failOpen))
        #expect(rule.reportURIs == ["https://reports.example.org/pins"])
        #expect(rule.anchors == [.system, PinAnchorSource(.certificate(scene.root.certificate))])
        #expect(rule.settings == [PinSetting(.trustKit, "TSKPublicKeyAlgorithms", "TSKAlgorithmRsa2048")])
        #expect(configuration.rules.last?.mode == .unpinned)
        #expect(configuration.settings.count == 2)
        let again = try configuration.written(as: .trustKit)
        #expect(again.losses == [])
    }

    @Test("Reporting to TrustKit's vendor is one of the rule's settings") func reportsToTheVendor() throws {
        let configuration = try PinFixture.shared().configuration(
            TrustKitText.json(TrustKitText.domain("example.com", TrustKitText.wrong)), .trustKit)
        #expect(configuration.rules.first?.settings == [PinSetting(.trustKit, "TSKDisableDefaultReportUri", "false")])
        #expect(try configuration.written(as: .android).losses.map(\.code) == [.settings])
    }
}
