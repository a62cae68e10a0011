// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins
import Testing

/// Android's rules: android.security.net.config in AOSP (XmlConfigSource, ApplicationConfig, Pin, PinSet,
/// NetworkSecurityConfig), its tests (XmlConfigTests with their files, NetworkSecurityConfigTests), and how `aapt2`
/// processes XML before that (XmlDom, XmlFlattener).
///
/// Known only from documentation, not from the sources: `SimpleDateFormat`, `XmlBlock.Parser`, `ResourceUtils`,
/// `PinSet`, and `NetworkSecurityConfig.Builder`.
@Suite("Android's rules") struct AndroidRules {
    private static let a = "<pin digest=\"SHA-256\">\(OwnerPins.a)</pin>"
    private static let b = "<pin digest=\"SHA-256\">\(OwnerPins.b)</pin>"
    private static let set = "<pin-set>\(a)\(b)</pin-set>"
    private static func file(_ inside: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<network-security-config>\(inside)</network-security-config>"
    }
    private static func config(_ inside: String) -> String { file("<domain-config>\(inside)</domain-config>") }
    private static func host(_ domain: String, _ inside: String = set) -> String { config(domain + inside) }
    private static func pin(_ pin: String) -> String { config("<domain>a.test</domain><pin-set>\(pin)</pin-set>") }
    private static func expiring(_ day: String) -> String {
        config("<domain>a.test</domain><pin-set expiration=\"\(day)\">\(a)</pin-set>")
    }
    private static let one = OwnerDecision.accepted(["a.test": .pinned(1)])
    private static let two = OwnerDecision.accepted(["a.test": .pinned(2)])
    private static let none = OwnerDecision.accepted(["a.test": .notPinned])
    private static let domain = "<domain>a.test</domain>"

    static let rows: [OwnerRow] = tests + elements + domains + pins + others

    private static let tests: [OwnerRow] = [
        OwnerRow("an empty file", "XmlConfigTests.testEmptyConfigFile", file(""), none),
        OwnerRow(
            "no anchor", "XmlConfigTests.testEmptyAnchors", file("<base-config><trust-anchors/></base-config>"),
            .accepted(["a.test": .locked])),
        OwnerRow(
            "a domain with anchors", "XmlConfigTests.testBasicDomainConfig",
            file(
                "<base-config><trust-anchors/></base-config><domain-config>\(domain)<trust-anchors><certificates src=\"system\"/></trust-anchors></domain-config>"
            ), .accepted(["a.test": .notPinned, "b.a.test": .locked])),
        OwnerRow(
            "pins", "XmlConfigTests.testBasicPinning", host(domain),
            .accepted(["a.test": .pinned(2), "b.test": .notPinned])),
        OwnerRow("expired pins", "XmlConfigTests.testExpiredPin", expiring("2015-01-01"), none),
        OwnerRow(
            "two domains of one config", "XmlConfigTests.testMultipleDomains",
            host("<domain>a.test</domain><domain>b.test</domain>"),
            .accepted(["a.test": .pinned(2), "b.test": .pinned(2)])),
        OwnerRow(
            "two configs", "XmlConfigTests.testMultipleDomainConfigs",
            file(
                "<domain-config><domain>a.test</domain>\(set)</domain-config><domain-config><domain>b.test</domain></domain-config>"
            ), .accepted(["a.test": .pinned(2), "b.test": .notPinned])),
        OwnerRow(
            "subdomains", "XmlConfigTests.testIncludeSubdomains",
            host("<domain includeSubdomains=\"true\">a.test</domain>"),
            .accepted(["a.test": .pinned(2), "b.a.test": .pinned(2), "c.b.a.test": .pinned(2), "ba.test": .notPinned])),
        OwnerRow(
            "a nested config adds pins", "XmlConfigTests.testNestedDomainConfigs",
            config(
                "<domain includeSubdomains=\"true\">a.test</domain><domain-config><domain>b.a.test</domain>\(set)</domain-config>"
            ), .accepted(["a.test": .notPinned, "b.a.test": .pinned(2)])),
        OwnerRow(
            "a nested config inherits pins", "NetworkSecurityConfig.Builder.getEffectivePinSet",
            config("\(domain)\(set)<domain-config><domain>b.a.test</domain></domain-config>"),
            .accepted(["b.a.test": .pinned(2)])),
        OwnerRow(
            "a nested config replaces pins", "NetworkSecurityConfig.Builder.getEffectivePinSet",
            config("\(domain)\(set)<domain-config><domain>b.a.test</domain><pin-set>\(a)</pin-set></domain-config>"),
            .accepted(["b.a.test": .pinned(1)])),
        OwnerRow(
            "a nested config inherits from a config after it", "XmlConfigSource.parseConfigEntry",
            config("<domain-config><domain>b.a.test</domain></domain-config>\(domain)\(set)"),
            .accepted(["b.a.test": .pinned(2)])),
        OwnerRow(
            "attributes of the base", "XmlConfigTests.testAttributes",
            file("<base-config cleartextTrafficPermitted=\"false\" hstsEnforced=\"true\"/>"), none),
        OwnerRow(
            "an unknown digest", "XmlConfigTests.testBadConfig0",
            pin("<pin digest=\"I am probably not an algorithm\">\(OwnerPins.a)</pin>"), .refused),
        OwnerRow("no digest name", "XmlConfigTests.testBadConfig1", pin("<pin>\(OwnerPins.a)</pin>"), .refused),
        OwnerRow("an empty digest", "XmlConfigTests.testBadConfig2", pin("<pin digest=\"SHA-256\"></pin>"), .refused),
        OwnerRow(
            "a domain in two configs", "XmlConfigTests.testBadConfig3",
            file("<domain-config>\(domain)</domain-config><domain-config>\(domain)</domain-config>"), .refused),
        OwnerRow(
            "a domain in the base", "XmlConfigTests.testBadConfig4", file("<base-config>\(domain)</base-config>"),
            .refused),
        OwnerRow(
            "pins in the base", "XmlConfigTests, bad_config5.xml",
            file("<base-config><pin-set></pin-set></base-config>"), .refused),
        OwnerRow(
            "white space around domains and pins", "XmlConfigTests.testDomainWhitespaceTrimming",
            config(
                "<domain>a.test\n   </domain><domain>   b.test   </domain><pin-set><pin digest=\"SHA-256\">  \(OwnerPins.a)  </pin></pin-set>"
            ), .accepted(["a.test": .pinned(1), "b.test": .pinned(1)])),
        OwnerRow(
            "certificate transparency, and underscores", "XmlConfigTests.testCertificateTransparencyDomainConfig",
            file(
                "<base-config><certificateTransparency enabled=\"true\"/></base-config><domain-config><domain>subdomain_user.a.test</domain><trust-anchors><certificates src=\"user\"/></trust-anchors></domain-config>"
            ), .accepted(["subdomain_user.a.test": .notPinned])),
        OwnerRow(
            "the most specific config", "NetworkSecurityConfigTests.testMostSpecificNetworkSecurityConfig",
            file(
                "<domain-config><domain includeSubdomains=\"true\">a.test</domain><pin-set>\(a)</pin-set></domain-config><domain-config><domain includeSubdomains=\"true\">b.a.test</domain>\(set)</domain-config>"
            ), .accepted(["c.a.test": .pinned(1), "b.a.test": .pinned(2), "c.b.a.test": .pinned(2)])),
        OwnerRow(
            "subdomains that aren't included", "NetworkSecurityConfigTests.testSubdomainIncluded", host(domain),
            .accepted(["b.a.test": .notPinned])),
        OwnerRow(
            "an app's debug override for users", "XmlConfigTests.testDebugOverridesDisabled",
            file(
                "<debug-overrides><trust-anchors><certificates src=\"user\"/></trust-anchors></debug-overrides><domain-config>\(domain)\(set)</domain-config>"
            ), two),
        OwnerRow(
            "anchors from a resource", "XmlConfigTests.testResourcePemCertificateSource",
            config("\(domain)<trust-anchors><certificates src=\"@raw/ca_certs_pem\"/></trust-anchors>"), none),
    ]

    private static let elements: [OwnerRow] = [
        OwnerRow("another root", "XmlUtils.beginDocument", "<network-security-configs/>", .refused),
        OwnerRow("two pin sets", "XmlConfigSource.parseConfigEntry", config(domain + set + set), .refused),
        OwnerRow(
            "two lists of anchors", "XmlConfigSource.parseConfigEntry",
            config(domain + "<trust-anchors/><trust-anchors/>"), .refused),
        OwnerRow(
            "two base configs", "XmlConfigSource.parseNetworkSecurityConfig", file("<base-config/><base-config/>"),
            .refused),
        OwnerRow(
            "two debug overrides", "XmlConfigSource.parseNetworkSecurityConfig",
            file("<debug-overrides/><debug-overrides/>"), .refused),
        OwnerRow(
            "a config in the base", "XmlConfigSource.parseConfigEntry",
            file("<base-config><domain-config>\(domain)</domain-config></base-config>"), .refused),
        OwnerRow("no domain", "XmlConfigSource.parseConfigEntry", config(set), .refused),
        OwnerRow(
            "no domain in a nested config", "XmlConfigSource.parseConfigEntry",
            config("\(domain)<domain-config>\(set)</domain-config>"), .refused),
        OwnerRow(
            "a base config after the domains", "XmlConfigSource.parseNetworkSecurityConfig",
            file("<domain-config>\(domain)\(set)</domain-config><base-config><trust-anchors/></base-config>"),
            .accepted(["a.test": .locked, "b.test": .locked])),
        OwnerRow(
            "an element of a later release", "XmlUtils.skipCurrentTag",
            config("\(domain)<domainEncryption mode=\"enabled\"><x/></domainEncryption>\(set)"), two),
        OwnerRow(
            "an element next to the configs", "XmlUtils.skipCurrentTag",
            file("<future/><domain-config>\(domain)\(set)</domain-config>"), two),
        OwnerRow("an element in a pin set", "XmlUtils.skipCurrentTag", pin(a + "<note>x</note>"), one),
        OwnerRow(
            "an element of TrustKit", "XmlUtils.skipCurrentTag",
            config(
                "\(domain)\(set)<trustkit-config enforcePinning=\"false\"><report-uri>https://r.test/a</report-uri></trustkit-config>"
            ), two),
        OwnerRow(
            "a misspelt element", "XmlUtils.skipCurrentTag", config("\(domain)<pinset>\(a)</pinset>"), none,
            ours: (.refused, "the author meant pins, but none are enforced: ambiguous")),
        OwnerRow("text between elements", "XmlUtils.nextElementWithin", config("text\(domain)text\(set)"), two),
        OwnerRow("comments between elements", "XmlDom", config("<!-- a -->\(domain)<!-- b -->\(set)<!-- c -->"), two),
        OwnerRow(
            "elements with a prefix", "XmlBlock.Parser.getName",
            "<network-security-config xmlns:n=\"urn:n\"><n:domain-config><n:domain>a.test</n:domain><n:pin-set>\(a)</n:pin-set></n:domain-config></network-security-config>",
            one),
        OwnerRow(
            "attributes for tools", "XmlBlock.Parser.getAttributeValue",
            "<network-security-config xmlns:tools=\"http://schemas.android.com/tools\" tools:ignore=\"X\"><domain-config tools:x=\"y\">\(domain)\(set)</domain-config></network-security-config>",
            two),
        OwnerRow(
            "an attribute of Android's namespace is a different one", "XmlBlock.Parser.getAttributeValue",
            "<network-security-config xmlns:android=\"http://schemas.android.com/apk/res/android\"><domain-config><domain android:includeSubdomains=\"true\">a.test</domain>\(set)</domain-config></network-security-config>",
            .accepted(["a.test": .pinned(2), "b.a.test": .notPinned])),
        OwnerRow(
            "a document type", "aapt2 XmlDom",
            "<!DOCTYPE network-security-config>\n<network-security-config><domain-config>\(domain)\(set)</domain-config></network-security-config>",
            two, ours: (.refused, "a document type can expand and fetch, and is never needed")),
        OwnerRow("XML that ends early", "aapt2 XmlDom", "<network-security-config><domain-config>", .refused),
        OwnerRow(
            "white space before the declaration", "the public files",
            "\n  <?xml version=\"1.0\" encoding=\"utf-8\"?><network-security-config><domain-config>\(domain)\(set)</domain-config></network-security-config>",
            two),
    ]

    private static let domains: [OwnerRow] = [
        OwnerRow("an empty domain", "XmlConfigSource.parseDomain", host("<domain></domain>"), .refused),
        OwnerRow("a blank domain", "XmlConfigSource.parseDomain", host("<domain>  </domain>"), .refused),
        OwnerRow(
            "an element in a domain", "XmlConfigSource.parseDomain", host("<domain>a.test<x/></domain>"), .refused),
        OwnerRow(
            "a comment within a domain", "XmlConfigSource.parseDomain", host("<domain>a<!-- x -->.test</domain>"),
            .refused),
        OwnerRow(
            "a comment after a domain", "XmlConfigSource.parseDomain", host("<domain>a.test<!-- x --></domain>"), two),
        OwnerRow(
            "a comment before a domain", "XmlConfigSource.parseDomain", host("<domain><!-- x -->a.test</domain>"), two),
        OwnerRow("a domain in CDATA", "aapt2 XmlDom", host("<domain><![CDATA[a.test]]></domain>"), two),
        OwnerRow("a domain with a character reference", "aapt2 XmlDom", host("<domain>&#97;.test</domain>"), two),
        OwnerRow("a domain in upper case", "XmlConfigSource.parseDomain", host("<domain>A.TEST</domain>"), two),
        OwnerRow(
            "a domain twice in different case", "XmlConfigSource.parseDomain",
            host("<domain>a.test</domain><domain>A.test</domain>"), .refused),
        OwnerRow(
            "a domain twice, once with subdomains", "XmlConfigSource.parseDomain",
            host("<domain>a.test</domain><domain includeSubdomains=\"true\">a.test</domain>"), .refused),
        OwnerRow(
            "a wildcard matches nothing", "ApplicationConfig.getConfigForHostname", host("<domain>*.a.test</domain>"),
            .accepted(["a.test": .notPinned, "b.a.test": .notPinned])),
        OwnerRow(
            "a URL matches nothing", "ApplicationConfig.getConfigForHostname", host("<domain>https://a.test</domain>"),
            none),
        OwnerRow(
            "a port matches nothing", "ApplicationConfig.getConfigForHostname", host("<domain>a.test:443</domain>"),
            none),
        OwnerRow(
            "a path matches nothing", "ApplicationConfig.getConfigForHostname", host("<domain>a.test/api</domain>"),
            none),
        OwnerRow(
            "a name beyond ASCII matches nothing", "ApplicationConfig.getConfigForHostname",
            host("<domain>bücher.test</domain>"), .accepted(["xn--bcher-kva.test": .notPinned])),
        OwnerRow(
            "a name in A-labels", "ApplicationConfig.getConfigForHostname", host("<domain>xn--bcher-kva.test</domain>"),
            .accepted(["xn--bcher-kva.test": .pinned(2)])),
        OwnerRow(
            "a name that matches nothing, next to another", "ApplicationConfig.getConfigForHostname",
            host("<domain>*.b.test</domain>\(domain)"), .accepted(["a.test": .pinned(2), "c.b.test": .notPinned])),
        OwnerRow(
            "a trailing dot matches nothing", "ApplicationConfig.getConfigForHostname",
            host("<domain>a.test.</domain>"), none, ours: (two, "this package pins the name: stricter")),
        OwnerRow(
            "a host with a trailing dot", "ApplicationConfig.getConfigForHostname", host(domain),
            .accepted(["a.test.": .pinned(2)])),
        OwnerRow(
            "a host in upper case", "ApplicationConfig.getConfigForHostname", host(domain),
            .accepted(["A.TEST": .pinned(2)])),
        OwnerRow(
            "an IPv4 address", "ApplicationConfig.getConfigForHostname", host("<domain>10.0.2.2</domain>"),
            .accepted(["10.0.2.2": .pinned(2)])),
        OwnerRow(
            "an address with subdomains", "ApplicationConfig.getConfigForHostname",
            host("<domain includeSubdomains=\"true\">10.0.2.2</domain>"), .accepted(["10.0.2.2": .pinned(2)])),
        OwnerRow(
            "localhost", "ApplicationConfig.getConfigForHostname",
            host("<domain includeSubdomains=\"true\">localhost</domain>"),
            .accepted(["localhost": .pinned(2), "a.localhost": .pinned(2)])),
        OwnerRow(
            "a top-level domain", "ApplicationConfig.getConfigForHostname",
            host("<domain includeSubdomains=\"true\">test</domain>"), .accepted(["a.test": .pinned(2)])),
        OwnerRow(
            "true in upper case", "aapt2 ResourceUtils.ParseBool",
            host("<domain includeSubdomains=\"TRUE\">a.test</domain>"), .accepted(["b.a.test": .pinned(2)])),
        OwnerRow(
            "true with white space around it", "aapt2 ResourceUtils.ParseBool",
            host("<domain includeSubdomains=\" true \">a.test</domain>"), .accepted(["b.a.test": .pinned(2)])),
        OwnerRow(
            "1 for true", "XmlBlock.Parser.getAttributeBooleanValue",
            host("<domain includeSubdomains=\"1\">a.test</domain>"), .accepted(["b.a.test": .pinned(2)])),
        OwnerRow(
            "2 for true", "XmlBlock.Parser.getAttributeBooleanValue",
            host("<domain includeSubdomains=\"2\">a.test</domain>"), .accepted(["b.a.test": .pinned(2)])),
        OwnerRow(
            "0 for false", "XmlBlock.Parser.getAttributeBooleanValue",
            host("<domain includeSubdomains=\"0\">a.test</domain>"),
            .accepted(["a.test": .pinned(2), "b.a.test": .notPinned])),
        OwnerRow(
            "yes instead of true", "XmlBlock.Parser.getAttributeBooleanValue",
            host("<domain includeSubdomains=\"yes\">a.test</domain>"),
            .accepted(["a.test": .pinned(2), "b.a.test": .notPinned]),
            ours: (.refused, "the author meant subdomains, which aren't pinned: ambiguous")),
    ]

    private static let pins: [OwnerRow] = [
        OwnerRow("one pin", "XmlConfigSource.parsePinSet", pin(a), one),
        OwnerRow("no pin", "XmlConfigSource.parsePinSet", pin(""), none),
        OwnerRow("the same pin twice", "XmlConfigSource.parsePinSet, ArraySet", pin(a + a), one),
        OwnerRow(
            "SHA-1", "Pin.isSupportedDigestAlgorithm", pin("<pin digest=\"SHA-1\">\(OwnerPins.a)</pin>"), .refused),
        OwnerRow("sha-256", "Pin.isSupportedDigestAlgorithm", pin("<pin digest=\"sha-256\">\(OwnerPins.a)</pin>"), one),
        OwnerRow(
            "SHA256", "Pin.isSupportedDigestAlgorithm", pin("<pin digest=\"SHA256\">\(OwnerPins.a)</pin>"), .refused),
        OwnerRow(
            "31 bytes", "XmlConfigSource.parsePin",
            pin("<pin digest=\"SHA-256\">\(Base64.encode([UInt8](1...31)))</pin>"), .refused),
        OwnerRow(
            "33 bytes", "XmlConfigSource.parsePin",
            pin("<pin digest=\"SHA-256\">\(Base64.encode([UInt8](1...33)))</pin>"), .refused),
        OwnerRow(
            "a prefix", "XmlConfigSource.parsePin", pin("<pin digest=\"SHA-256\">sha256/\(OwnerPins.a)</pin>"), .refused
        ),
        OwnerRow(
            "no = at the end", "android.util.Base64", pin("<pin digest=\"SHA-256\">\(OwnerPins.a.dropLast())</pin>"),
            one),
        OwnerRow(
            "two = at the end", "android.util.Base64", pin("<pin digest=\"SHA-256\">\(OwnerPins.a)=</pin>"), .refused),
        OwnerRow(
            "trailing bits that don't form a byte", "android.util.Base64",
            pin("<pin digest=\"SHA-256\">47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=</pin>"), one),
        OwnerRow(
            "a line break in a pin", "android.util.Base64",
            pin("<pin digest=\"SHA-256\">\(OwnerPins.a.prefix(20))\n   \(OwnerPins.a.dropFirst(20))</pin>"), one),
        OwnerRow(
            "a letter in a pin that isn't base64", "android.util.Base64",
            pin("<pin digest=\"SHA-256\">\(OwnerPins.a.prefix(20)):\(OwnerPins.a.dropFirst(20))</pin>"), one),
        OwnerRow(
            "the URL-safe alphabet", "android.util.Base64",
            pin("<pin digest=\"SHA-256\">__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA=</pin>"), .refused),
        OwnerRow(
            "hexadecimal digits", "XmlConfigSource.parsePin",
            pin("<pin digest=\"SHA-256\">\(String(repeating: "ab", count: 32))</pin>"), .refused),
        OwnerRow(
            "an element in a pin", "XmlConfigSource.parsePin", pin("<pin digest=\"SHA-256\">\(OwnerPins.a)<x/></pin>"),
            .refused),
        OwnerRow(
            "a comment within a pin", "XmlConfigSource.parsePin",
            pin("<pin digest=\"SHA-256\">\(OwnerPins.a.prefix(9))<!-- x -->\(OwnerPins.a.dropFirst(9))</pin>"), .refused
        ),
        OwnerRow(
            "a comment after a pin", "XmlConfigSource.parsePin",
            pin("<pin digest=\"SHA-256\">\(OwnerPins.a)<!-- x --></pin>"), one),
        OwnerRow(
            "a pin in CDATA", "aapt2 XmlDom", pin("<pin digest=\"SHA-256\"><![CDATA[\(OwnerPins.a)]]></pin>"), one),
        OwnerRow("an expiration in the future", "XmlConfigSource.parsePinSet", expiring("2027-03-31"), one),
        OwnerRow(
            "the day of the expiration", "PinSet, NetworkSecurityTrustManager.isPinningEnforced",
            expiring("2026-11-21"), none),
        OwnerRow(
            "a month that doesn't exist", "XmlConfigSource.parsePinSet, setLenient(false)", expiring("2027-13-01"),
            .refused),
        OwnerRow(
            "a day that doesn't exist", "XmlConfigSource.parsePinSet, setLenient(false)", expiring("2027-02-30"),
            .refused),
        OwnerRow("an empty expiration", "SimpleDateFormat.parse", expiring(""), .refused),
        OwnerRow("a word as an expiration", "SimpleDateFormat.parse", expiring("never"), .refused),
        OwnerRow("slashes in an expiration", "SimpleDateFormat.parse", expiring("2027/03/31"), .refused),
        OwnerRow("one digit for month and day", "SimpleDateFormat.parse", expiring("2027-3-1"), one),
        OwnerRow("a time after the day", "SimpleDateFormat.parse", expiring("2027-03-31T12:00:00Z"), one),
        OwnerRow("a blank before the day", "SimpleDateFormat.parse", expiring(" 2027-03-31"), one),
        OwnerRow("a year of two digits", "SimpleDateFormat.parse", expiring("27-03-31"), none),
        OwnerRow(
            "an inherited expiration", "NetworkSecurityConfig.Builder.getEffectivePinSet",
            config(
                "\(domain)<pin-set expiration=\"2020-01-01\">\(a)</pin-set><domain-config><domain>b.a.test</domain></domain-config>"
            ), .accepted(["b.a.test": .notPinned])),
    ]

    private static let others: [OwnerRow] = [
        OwnerRow(
            "an anchor without a source", "XmlConfigSource.parseCertificatesEntry",
            config("\(domain)<trust-anchors><certificates/></trust-anchors>"), .refused),
        OwnerRow(
            "an anchor with an unknown source", "XmlConfigSource.parseCertificatesEntry",
            config("\(domain)<trust-anchors><certificates src=\"all\"/></trust-anchors>"), .refused),
        OwnerRow(
            "no anchor in a domain", "XmlConfigSource.parseTrustAnchors", config("\(domain)\(set)<trust-anchors/>"),
            .accepted(["a.test": .locked])),
        OwnerRow(
            "inherited anchors", "NetworkSecurityConfig.Builder.getEffectiveCertificatesEntryRefs",
            config("\(domain)<trust-anchors/><domain-config><domain>b.test</domain></domain-config>"),
            .accepted(["b.test": .locked])),
        OwnerRow(
            "an unknown element among anchors", "XmlConfigSource.parseTrustAnchors",
            config("\(domain)\(set)<trust-anchors><x/><certificates src=\"system\"/></trust-anchors>"), two),
        OwnerRow(
            "attributes in any order", "XmlBlock.Parser.getAttributeValue",
            config(
                "\(domain)\(set)<trust-anchors><certificates overridePins=\"false\" src=\"system\"/></trust-anchors>"),
            two),
    ]

    @Test("The package follows Android's rules", arguments: rows) func rule(_ row: OwnerRow) throws {
        try expectOwnersDecision(row, .android)
    }
}
