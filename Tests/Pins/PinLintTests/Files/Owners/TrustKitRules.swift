// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins
import Testing

/// TrustKit's rules: parse_configuration.m (`parseTrustKitConfiguration`), configuration_utils.m
/// (`getPinningConfigurationKeyForDomain`), TSKPinConfigurationTests.m. Its registry is `GetRegistryLength` from
/// domain_registry. If TrustKit raises an exception, the file counts as refused. For TrustKit-Android's element:
/// TrustKitConfigurationParser, DomainPinningPolicy, TrustKitConfigurationTest.
///
/// Known only from documentation, not from the sources: `GetRegistryLength`, and Foundation's `boolValue`,
/// `URLWithString:` and base64.
@Suite("TrustKit's rules") struct TrustKitRules {
    private static let hashes = "\"TSKPublicKeyHashes\": [\"\(OwnerPins.a)\", \"\(OwnerPins.b)\"]"
    private static func file(_ domains: String) -> String { "{\"TSKPinnedDomains\": {\(domains)}}" }
    private static func domain(_ name: String, _ keys: String = hashes) -> String { file("\"\(name)\": {\(keys)}") }
    private static func keys(_ keys: String) -> String { domain("www.good.com", keys) }
    private static func hash(_ hash: String) -> String { keys("\"TSKPublicKeyHashes\": [\"\(OwnerPins.b)\", \(hash)]") }
    private static let below = "\"TSKIncludeSubdomains\": true, " + hashes
    private static let two = OwnerDecision.accepted(["www.good.com": .pinned(2)])
    private static let parse = "parseTrustKitConfiguration"
    private static let find = "getPinningConfigurationKeyForDomain"
    private static let tests = "TSKPinConfigurationTests."

    static let rows: [OwnerRow] = theirTests + names + values

    private static let theirTests: [OwnerRow] = [
        OwnerRow(
            "one pin twice", tests + "testPinOnePublicKey",
            keys("\"TSKPublicKeyHashes\": [\"\(OwnerPins.a)\", \"\(OwnerPins.a)\"]"), .refused),
        OwnerRow(
            "an exclusion", tests + "testDisablePinningForSubdomainAndNoPublicKey",
            file("\"good.com\": {\(below)}, \"unsecured.good.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}"),
            .accepted(["unsecured.good.com": .notPinned, "a.good.com": .pinned(2)])),
        OwnerRow(
            "an exclusion without a parent", tests + "testDisablePinningForSubdomainWithoutParentAndNoPublicKey",
            file(
                "\"good.com\": {\"TSKIncludeSubdomains\": false, \(hashes)}, \"unsecured.good.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}"
            ), .refused),
        OwnerRow(
            "an exclusion with other keys", tests + "testDisablePinningForSubdomainAdditionalDomainKeys",
            file(
                "\"good.com\": {\(below)}, \"unsecured.good.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true, \"TSKPublicKeyAlgorithms\": [\"TSKAlgorithmRsa4096\"]}"
            ), .refused),
        OwnerRow("a domain", tests + "testGetConfigurationPinningEnabled", domain("www.good.com"), two),
        OwnerRow(
            "an expiration that has passed", tests + "testGetConfigurationPinningEnabledWithExpirationDate",
            keys("\"TSKExpirationDate\": \"2015-01-01\", \(hashes)"), .accepted(["www.good.com": .notPinned])),
        OwnerRow(
            "another domain", tests + "testGetConfigurationPinningDisabled", domain("good.com"),
            .accepted(["www.datatheorem.com": .notPinned])),
        OwnerRow("subdomains", tests + "testIncludeSubdomainsEnabled", domain("good.com", below), two),
        OwnerRow(
            "subdomains, and the domain itself", tests + "testIncludeSubdomainsEnabledSameDomain",
            domain("good.com", below), .accepted(["good.com": .pinned(2)])),
        OwnerRow(
            "the name within the name of a subdomain", tests + "testIncludeSubdomainsEnabledSubSubDomain",
            domain("www.good.com", below), .accepted(["sub.www.good.com.www.good.com": .pinned(2)])),
        OwnerRow(
            "the end of another name", tests + "testIncludeSubdomainsEnabledNotSubdomain", domain("good.com", below),
            .accepted(["good.com.otherdomaingood.com": .notPinned])),
        OwnerRow(
            "another top-level domain", tests + "testIncludeSubdomainsEnabledNotSubdomainDifferentTld",
            domain("good.net", below), .accepted(["test.good.com": .notPinned])),
        OwnerRow(
            "subdomains of a public suffix", tests + "testIncludeSubdomainsEnabledForSuffix", domain("com", below),
            .refused),
        OwnerRow(
            "no subdomains", tests + "testIncludeSubdomainsDisabled",
            domain("good.com", "\"TSKIncludeSubdomains\": false, " + hashes), .accepted(["www.good.com": .notPinned])),
        OwnerRow(
            "the name itself before its parent", tests + "testIncludeSubdomainsEnabledAndSpecificConfiguration",
            file(
                "\"good.com\": {\(below)}, \"www.good.com\": {\"TSKEnforcePinning\": false, \"TSKPublicKeyHashes\": [\"\(OwnerPins.c)\"]}"
            ), .accepted(["www.good.com": .reported(1)])),
        OwnerRow(
            "no domains", tests + "testNoPinnedDomains",
            "{\"TSKConfiguration\": {\"TSKSwizzleNetworkDelegates\": true}}", .refused),
        OwnerRow(
            "global settings", tests + "testGlobalSettings",
            "{\"TSKSwizzleNetworkDelegates\": false, \"TSKPinnedDomains\": {\"good.com\": {\(below)}}}",
            .accepted(["good.com": .pinned(2)])),
    ]

    private static let names: [OwnerRow] = [
        OwnerRow("an empty dictionary of domains", parse, file(""), .refused),
        OwnerRow("an unknown top-level domain", parse + ", GetRegistryLength", domain("nas.local"), .refused),
        OwnerRow("one label", parse + ", GetRegistryLength", domain("localhost"), .refused),
        OwnerRow("an address", parse + ", GetRegistryLength", domain("192.0.2.1"), .refused),
        OwnerRow("an empty name", parse + ", GetRegistryLength", domain(""), .refused),
        OwnerRow(
            "a wildcard matches nothing", find, domain("*.good.com"),
            .accepted(["www.good.com": .notPinned, "good.com": .notPinned])),
        OwnerRow(
            "a name in upper case matches nothing", find, domain("WWW.good.com"),
            .accepted(["www.good.com": .notPinned]), ours: (two, "this package pins the name: stricter")),
        OwnerRow(
            "only a public suffix", parse, domain("co.uk"), .accepted(["co.uk": .pinned(2), "a.co.uk": .notPinned])),
        OwnerRow("subdomains of a two-label suffix", parse, domain("co.uk", below), .refused),
        OwnerRow(
            "subdomains below a two-label suffix", find, domain("good.co.uk", below),
            .accepted(["a.b.good.co.uk": .pinned(2), "other.co.uk": .notPinned])),
        OwnerRow("an underscore", parse, domain("a_b.good.com"), .accepted(["a_b.good.com": .pinned(2)])),
        OwnerRow(
            "an exclusion two labels below its parent", find,
            file("\"good.com\": {\(below)}, \"a.b.good.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}"),
            .accepted(["a.b.good.com": .notPinned, "c.b.good.com": .pinned(2)])),
        OwnerRow(
            "the parent pins names below an exclusion", find,
            file("\"good.com\": {\(below)}, \"a.good.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}"),
            .accepted(["b.a.good.com": .pinned(2)])),
        OwnerRow(
            "an exclusion that is false", parse,
            file(
                "\"good.com\": {\(below)}, \"a.good.com\": {\"kSKExcludeSubdomainFromParentPolicy\": false, \(hashes)}"),
            .accepted(["a.good.com": .pinned(2)])),
        OwnerRow(
            "an exclusion spelled as in the documentation", parse,
            file("\"good.com\": {\(below)}, \"a.good.com\": {\"TSKExcludeSubdomainFromParentPolicy\": true}"), .refused),
    ]

    private static let values: [OwnerRow] = [
        OwnerRow("an unknown key", parse, keys(hashes + ", \"Owner\": \"mobile\""), two),
        OwnerRow(
            "an unknown global key", parse,
            "{\"Owner\": 1, \"TSKPinnedDomains\": {\"www.good.com\": {\(hashes)}}}", two),
        OwnerRow(
            "a key of an older release", parse,
            keys(hashes + ", \"TSKPublicKeyAlgorithms\": [\"TSKAlgorithmRsa2048\"]"), two),
        OwnerRow(
            "an unknown algorithm", parse, keys(hashes + ", \"TSKPublicKeyAlgorithms\": \"any\""), two),
        OwnerRow(
            "a misspelt key", parse, keys(hashes + ", \"TSKIncludesSubdomains\": true"),
            .accepted(["www.good.com": .pinned(2), "a.www.good.com": .notPinned]),
            ours: (.refused, "the author meant subdomains, which aren't pinned: ambiguous")),
        OwnerRow("one pin", parse, keys("\"TSKPublicKeyHashes\": [\"\(OwnerPins.a)\"]"), .refused),
        OwnerRow(
            "one pin that is only reported", parse,
            keys("\"TSKEnforcePinning\": false, \"TSKPublicKeyHashes\": [\"\(OwnerPins.a)\"]"),
            .accepted(["www.good.com": .reported(1)])),
        OwnerRow(
            "no pin, in a report-only domain", parse, keys("\"TSKEnforcePinning\": false, \"TSKPublicKeyHashes\": []"),
            .refused
        ),
        OwnerRow("no list of pins", parse, keys("\"TSKIncludeSubdomains\": true"), .refused),
        OwnerRow(
            "three pins, two of them the same", parse,
            keys("\"TSKPublicKeyHashes\": [\"\(OwnerPins.a)\", \"\(OwnerPins.b)\", \"\(OwnerPins.a)\"]"), two),
        OwnerRow("31 bytes", parse, hash("\"\(Base64.encode([UInt8](1...31)))\""), .refused),
        OwnerRow("a prefix", parse, hash("\"sha256/\(OwnerPins.a)\""), .refused),
        OwnerRow(
            "no = at the end", parse + ", NSDataBase64DecodingOptions 0", hash("\"\(OwnerPins.a.dropLast())\""),
            .refused),
        OwnerRow("a blank in a pin", parse + ", NSDataBase64DecodingOptions 0", hash("\" \(OwnerPins.a)\""), .refused),
        OwnerRow(
            "the URL-safe alphabet", parse + ", NSDataBase64DecodingOptions 0",
            hash("\"__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA=\""), .refused),
        OwnerRow("a number as a pin", parse, hash("1"), .refused),
        OwnerRow("a string as the list of pins", parse, keys("\"TSKPublicKeyHashes\": \"\(OwnerPins.a)\""), .refused),
        OwnerRow(
            "1 for true", parse + ", boolValue", keys("\"TSKIncludeSubdomains\": 1, " + hashes),
            .accepted(["a.www.good.com": .pinned(2)])),
        OwnerRow(
            "2 for true", parse + ", boolValue", keys("\"TSKIncludeSubdomains\": 2, " + hashes),
            .accepted(["a.www.good.com": .pinned(2)])),
        OwnerRow(
            "YES instead of true", parse + ", boolValue", keys("\"TSKIncludeSubdomains\": \"YES\", " + hashes),
            .accepted(["a.www.good.com": .pinned(2)])),
        OwnerRow(
            "true as a text", parse + ", boolValue", keys("\"TSKIncludeSubdomains\": \"true\", " + hashes),
            .accepted(["a.www.good.com": .pinned(2)])),
        OwnerRow(
            "NO instead of false", parse + ", boolValue", keys("\"TSKEnforcePinning\": \"NO\", " + hashes),
            .accepted(["www.good.com": .reported(2)])),
        OwnerRow(
            "0 for false", parse + ", boolValue", keys("\"TSKEnforcePinning\": 0, " + hashes),
            .accepted(["www.good.com": .reported(2)])),
        OwnerRow("an expiration in the future", parse, keys("\"TSKExpirationDate\": \"2027-01-01\", " + hashes), two),
        OwnerRow(
            "the day of the expiration", "TSKPinningValidator evaluateTrust:forHostname:",
            keys("\"TSKExpirationDate\": \"2026-11-21\", " + hashes), .accepted(["www.good.com": .notPinned])),
        OwnerRow(
            "an expiration that isn't a day", parse, keys("\"TSKExpirationDate\": \"next year\", " + hashes), two,
            ours: (.refused, "the author meant an expiry, but none is kept: ambiguous")),
        OwnerRow(
            "a report URI without a host", parse + ", URLWithString:",
            keys("\"TSKReportUris\": [\"reports\"], " + hashes), two),
        OwnerRow(
            "a report URI with another scheme", parse + ", URLWithString:",
            keys("\"TSKReportUris\": [\"mailto:a@good.com\"], " + hashes), two),
        OwnerRow("no report URI", parse, keys("\"TSKReportUris\": [], " + hashes), two),
        OwnerRow("a list as a domain", parse, file("\"www.good.com\": []"), .refused),
    ]

    @Test("The package follows TrustKit's rules", arguments: rows) func rule(_ row: OwnerRow) throws {
        try expectOwnersDecision(row, .trustKit)
    }

    @Test("TrustKit-Android inherits settings attribute by attribute, but report URIs as a whole")
    func androidElement() throws {
        // TrustKitConfigurationTest.testNestedDomainConfig and testDefaultValues.
        let set =
            "<pin-set><pin digest=\"SHA-256\">\(OwnerPins.a)</pin><pin digest=\"SHA-256\">\(OwnerPins.b)</pin></pin-set>"
        let text = """
            <network-security-config><domain-config>
            <domain-config><domain>other.a.com</domain><trustkit-config disableDefaultReportUri="false"/></domain-config>
            <domain includeSubdomains="true">a.com</domain>\(set)
            <trustkit-config disableDefaultReportUri="true" enforcePinning="true"><report-uri>https://r.a.com/</report-uri></trustkit-config>
            <domain-config><domain>unrelated.b.com</domain><trustkit-config><report-uri>https://r.b.com/</report-uri></trustkit-config></domain-config>
            <domain-config><domain>c.com</domain></domain-config>
            </domain-config></network-security-config>
            """
        let table = PinTable(try PinConfiguration(importing: Array(text.utf8), file: "file"))
        func settings(_ host: String) throws -> [String] {
            let rule = try #require(table.rule(for: try Hostname(host)))
            return rule.settings.map { "\($0.key.dropFirst("trustkit-config@".count))=\($0.value)" }.sorted()
                + rule.reportURIs
        }
        #expect(try settings("a.com") == ["disableDefaultReportUri=true", "enforcePinning=true", "https://r.a.com/"])
        #expect(try settings("other.a.com") == ["disableDefaultReportUri=false", "enforcePinning=true"])
        #expect(
            try settings("unrelated.b.com") == [
                "disableDefaultReportUri=true", "enforcePinning=true", "https://r.b.com/",
            ])
        #expect(try settings("c.com") == ["disableDefaultReportUri=true", "enforcePinning=true", "https://r.a.com/"])
    }
}
