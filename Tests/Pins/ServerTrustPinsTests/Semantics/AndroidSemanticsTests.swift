// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustPins

/// network_security_config.xml. Sources: Android's documentation "Network security configuration", XmlConfigSource.java,
/// ApplicationConfig.java (getConfigForHostname), NetworkSecurityConfig.java and NetworkSecurityTrustManager.java (checkPins).
@Suite struct AndroidSemanticsTests {
    /// Returns nested elements with one host each, which inherit everything from the outer element.
    static func nested(_ elements: Int, in outer: String) -> String {
        AndroidText.xml(
            AndroidText.config(
                AndroidText.domain("example.com"), outer,
                (0..<elements).map { AndroidText.config(AndroidText.domain("h\($0).example.com")) }.joined()))
    }
    /// Lists of 100 inherited values.
    static let inherited: [String] = {
        func each(_ text: (UInt8) -> String) -> String { (0..<100).map(text).joined() }
        func pin(_ first: UInt8) -> String { Base64.encode((0..<32).map { first + $0 }) }
        return [
            "<pin-set>\(each { "<pin digest=\"SHA-256\">\(pin($0))</pin>" })</pin-set>",
            "<trust-anchors>\(each { "<certificates src=\"@raw/a\($0)\"/>" })</trust-anchors>",
            "<trustkit-config>\(each { "<report-uri>https://a.test/\($0)</report-uri>" })</trustkit-config>",
        ]
    }()

    static let rows: [SemanticsRow] = [
        SemanticsRow(
            "a pin may be anywhere in the chain (checkPins)",
            AndroidText.xml(AndroidText.config(AndroidText.domain("example.com"), AndroidText.pins("CA"))),
            "example.com", .pinned(1)),
        SemanticsRow(
            "without a matching pin the server is refused (checkPins)",
            AndroidText.xml(AndroidText.config(AndroidText.domain("example.com"), AndroidText.pins("OTHER"))),
            "example.com",
            .missed),
        SemanticsRow(
            "without includeSubdomains, only the name is pinned (XmlConfigSource)",
            AndroidText.xml(AndroidText.config("<domain>example.com</domain>", AndroidText.pins("OTHER"))),
            "a.example.com", .unpinned),
        SemanticsRow(
            "subdomains at any depth (getConfigForHostname)",
            AndroidText.xml(AndroidText.config(AndroidText.domain("example.com", true), AndroidText.pins("OTHER"))),
            "c.b.a.example.com", .missed),
        SemanticsRow(
            "a name with the same ending isn't a subdomain (getConfigForHostname)",
            AndroidText.xml(AndroidText.config(AndroidText.domain("example.com", true), AndroidText.pins("OTHER"))),
            "notexample.com", .unpinned),
        SemanticsRow(
            "the exact domain takes precedence (getConfigForHostname)",
            AndroidText.xml(
                AndroidText.config(AndroidText.domain("example.com", true), AndroidText.pins("OTHER"))
                    + AndroidText.config(AndroidText.domain("a.example.com"), AndroidText.pins("LEAF"))),
            "a.example.com", .pinned(0)),
        SemanticsRow(
            "otherwise the longest takes precedence (getConfigForHostname)",
            AndroidText.xml(
                AndroidText.config(AndroidText.domain("example.com", true), AndroidText.pins("LEAF"))
                    + AndroidText.config(AndroidText.domain("a.example.com", true), AndroidText.pins("OTHER"))
            ), "b.a.example.com", .missed),
        SemanticsRow(
            "several domains share a config (documentation)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com"), AndroidText.domain("example.org"), AndroidText.pins("OTHER"))),
            "example.org", .missed),
        SemanticsRow(
            "case doesn't matter (XmlConfigSource lower-cases)",
            AndroidText.xml(AndroidText.config(AndroidText.domain("EXAMPLE.com"), AndroidText.pins("OTHER"))),
            "example.com", .missed),
        SemanticsRow(
            "a nested config inherits pins (NetworkSecurityConfig.Builder)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com"), AndroidText.pins("OTHER"),
                    AndroidText.config(AndroidText.domain("example.org")))), "example.org", .missed),
        SemanticsRow(
            "a nested config's own pins replace inherited ones (NetworkSecurityConfig.Builder)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com", true), AndroidText.pins("OTHER"),
                    AndroidText.config(AndroidText.domain("a.example.com"), AndroidText.pins("LEAF")))),
            "a.example.com", .pinned(0)),
        SemanticsRow(
            "a nested config's domain only wins by its length (getConfigForHostname)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("a.example.com", true), AndroidText.pins("OTHER"),
                    AndroidText.config(AndroidText.domain("example.com", true), AndroidText.pins("LEAF")))),
            "b.a.example.com", .missed),
        SemanticsRow(
            "a separate config without pins isn't pinned (NetworkSecurityConfig.Builder)",
            AndroidText.xml(
                AndroidText.config(AndroidText.domain("example.com", true), AndroidText.pins("OTHER"))
                    + AndroidText.config(AndroidText.domain("a.example.com"))), "a.example.com",
            .unpinned),
        SemanticsRow(
            "pins count until the expiration (checkPins)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com"), AndroidText.pins("OTHER", expiration: "2026-11-18"))),
            "example.com", .missed,
            at: TrustKitText.midnight),
        SemanticsRow(
            "after the expiration there are no pins: fails open (checkPins)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com"), AndroidText.pins("OTHER", expiration: "2026-11-18"))),
            "example.com", .unpinned,
            at: TrustKitText.midnight.advanced(by: 1)),
        SemanticsRow(
            "the expiration is inherited with the pins (NetworkSecurityConfig.Builder)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com"), AndroidText.pins("OTHER", expiration: "2026-11-18"),
                    AndroidText.config(AndroidText.domain("example.org")))),
            "example.org", .unpinned),
        SemanticsRow(
            "a domain's anchors replace the system's (documentation)",
            AndroidText.xml(AndroidText.config(AndroidText.domain("example.com"), AndroidText.anchors("@raw/other"))),
            "example.com", .refused([.unknownIssuer])),
        SemanticsRow(
            "a resource is an anchor (documentation)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com"), AndroidText.pins("ROOT"), AndroidText.anchors("@raw/root"))),
            "example.com", .pinned(2)),
        SemanticsRow(
            "anchors that override pins need no pin (isPinningEnforced)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com"), AndroidText.pins("OTHER"),
                    AndroidText.anchors("@raw/root", overrides: true))), "example.com",
            .unpinned),
        SemanticsRow(
            "other anchors need a pin (isPinningEnforced)",
            AndroidText.xml(
                AndroidText.config(
                    AndroidText.domain("example.com"), AndroidText.pins("OTHER"),
                    AndroidText.anchors("@raw/root", overrides: false))), "example.com",
            .missed),
        SemanticsRow(
            "base anchors apply to all hosts (documentation)",
            AndroidText.xml(
                "<base-config>\(AndroidText.anchors("@raw/root"))</base-config>"
                    + AndroidText.config(AndroidText.domain("example.com"), AndroidText.pins("CA"))),
            "example.org", .unpinned),
        SemanticsRow(
            "a domain inherits the base's anchors (documentation)",
            AndroidText.xml(
                "<base-config>\(AndroidText.anchors("@raw/root"))</base-config>"
                    + AndroidText.config(AndroidText.domain("example.com"), AndroidText.pins("CA"))),
            "example.com", .pinned(1)),
        SemanticsRow(
            "a domain inherits the base's overridePins (NetworkSecurityConfig.Builder)",
            AndroidText.xml(
                "<base-config>\(AndroidText.anchors("@raw/root", overrides: true))</base-config>"
                    + AndroidText.config(AndroidText.domain("example.com"), AndroidText.pins("OTHER"))), "example.com",
            .unpinned),
        SemanticsRow(
            "a domain's anchors replace the base's (documentation)",
            AndroidText.xml(
                "<base-config>\(AndroidText.anchors("@raw/other"))</base-config>"
                    + AndroidText.config(AndroidText.domain("example.com"), AndroidText.anchors("@raw/root"))),
            "example.com", .unpinned),
    ]

    @Test("The package enforces an Android file as Android does", arguments: rows) func behavesAsAndroid(
        _ row: SemanticsRow
    ) throws { try row.run(.android) }

    @Test("Debug overrides apply while debugging and override pins")
    func debugOverridesCountWhileBeingDebuggedAndOverridePins() throws {
        let scene = try PinFixture.shared()
        let text = AndroidText.xml(
            AndroidText.config(
                AndroidText.domain("example.com"), AndroidText.pins("OTHER"), AndroidText.anchors("@raw/other"))
                + "<debug-overrides>\(AndroidText.anchors("@raw/root"))</debug-overrides>")
        let configuration = try scene.configuration(text, .android)
        #expect(try scene.outcome(configuration, host: "example.com") == .refused([.unknownIssuer]))
        #expect(try scene.outcome(configuration, host: "example.com", isBeingDebugged: true) == .unpinned)
    }

    @Test(
        "The number of values that nested elements inherit is limited", .timeLimit(.minutes(10)), arguments: inherited)
    func inheritedValuesAreBounded(_ values: String) throws {
        func read(_ elements: Int) throws -> PinConfiguration {
            try PinConfiguration(reading: Array(Self.nested(elements, in: values).utf8), as: .android, file: "file")
        }
        #expect(try read(10).rules.count == 11)
        let error = #expect(throws: PinFileError.self) { try read(2_000) }
        #expect(error?.problems.map(\.code) == [.pinFileTooLarge])
    }

    @Test("A missing resource causes an error when the rules are created") func missingResource() throws {
        let text = AndroidText.xml(
            AndroidText.config(AndroidText.domain("example.com"), AndroidText.anchors("@raw/lost")))
        let configuration = try PinFixture.shared().configuration(text, .android)
        let error = #expect(throws: PinEnforcementError.self) { try configuration.serverTrustManager() }
        #expect(error?.code == .pinEnforcementResourceMissing)
        #expect(error?.problems.map(\.resource) == ["raw/lost"])
    }

    @Test("Anchors for all hosts require a configuration instead of a manager") func anchorsForAllHosts() throws {
        let text = AndroidText.xml(
            "<base-config>\(AndroidText.anchors("@raw/root"))</base-config>"
                + AndroidText.config(AndroidText.domain("example.com")))
        let root = try PinFixture.shared().root.certificate
        let configuration = try PinFixture.shared().configuration(text, .android)
        #expect(throws: PinEnforcementError(problems: [.anchorsForAllHosts])) {
            try configuration.serverTrustManager(PinEnforcement { _ in [root] })
        }
    }
}
