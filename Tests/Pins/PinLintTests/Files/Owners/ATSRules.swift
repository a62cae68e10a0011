// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins
import Testing

/// Rules from Apple's Security: SecPolicy.c (`parseNSPinnedDomains`, `CopyParentDomainNameFromHostName`,
/// `getNSPinnedIdentitiesForHostName`, `SecPolicyReconcilePinningRequiredIfInfoSpecified`), and TrustEvaluationTests'
/// `testParseNSPinnedDomains`, which tests example.org and subdomain.example.org with a trailing dot.
@Suite("App Transport Security rules") struct ATSRules {
    private static func pin(_ pin: String) -> String {
        "<dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict>"
    }
    private static let leaves = "<key>NSPinnedLeafIdentities</key><array>\(pin(OwnerPins.a))</array>"
    private static let authorities =
        "<key>NSPinnedCAIdentities</key><array>\(pin(OwnerPins.b))\(pin(OwnerPins.c))</array>"
    private static let below = "<key>NSIncludesSubdomains</key><true/>"
    private static func list(_ inside: String) -> String { "<key>NSPinnedCAIdentities</key><array>\(inside)</array>" }
    private static func file(_ domains: String) -> String {
        "<plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>\(domains)</dict></dict></dict></plist>"
    }
    private static func domain(_ name: String, _ inside: String) -> String {
        "<key>\(name)</key><dict>\(inside)</dict>"
    }
    private static func example(_ inside: String) -> String { file(domain("example.org", inside)) }
    private static func accepted(_ treatment: OwnerDecision.Treatment) -> OwnerDecision {
        .accepted(["example.org": treatment])
    }
    private static let parse = "parseNSPinnedDomains"
    private static let tests = "testParseNSPinnedDomains"
    private static let parent = "CopyParentDomainNameFromHostName"

    static let rows: [OwnerRow] = [
        OwnerRow("keys of servers", tests, example(leaves), accepted(.pinned(1))),
        OwnerRow("keys of CAs", tests, example(authorities), accepted(.pinned(2))),
        OwnerRow("keys of both", tests, example(leaves + authorities), accepted(.pinned(3))),
        OwnerRow(
            "a subdomain with a trailing dot", tests, example(authorities + below),
            .accepted(["subdomain.example.org.": .pinned(2)])),
        OwnerRow(
            "a subdomain that isn't included", tests, example(authorities),
            .accepted(["subdomain.example.org.": .notPinned])),
        OwnerRow(
            "subdomains that are explicitly not included", tests,
            example(authorities + "<key>NSIncludesSubdomains</key><false/>"), .accepted(["a.example.org": .notPinned])),
        OwnerRow("another domain", parse, example(authorities), .accepted(["example.com": .notPinned])),
        OwnerRow("two labels below", parent, example(authorities + below), .accepted(["a.b.example.org": .notPinned])),
        OwnerRow(
            "the end of another name", parent, example(authorities + below), .accepted(["anexample.org": .notPinned])),
        OwnerRow(
            "the name and its parent are united", parse,
            file(domain("example.org", authorities + below) + domain("a.example.org", list(pin(OwnerPins.a)))),
            .accepted(["a.example.org": .pinned(3)])),
        OwnerRow(
            "the name itself isn't its own parent", parse,
            file(domain("example.org", authorities + below) + domain("a.example.org", list(pin(OwnerPins.a)))),
            accepted(.pinned(2))),
        OwnerRow(
            "a domain in upper case", parse + ", kCFCompareCaseInsensitive", file(domain("EXAMPLE.org", authorities)),
            accepted(.pinned(2))),
        OwnerRow(
            "a host in upper case", parse + ", kCFCompareCaseInsensitive", example(authorities),
            .accepted(["EXAMPLE.ORG": .pinned(2)])),
        OwnerRow(
            "a domain twice in different case is united", parse,
            file(domain("example.org", leaves) + domain("Example.org", authorities)), accepted(.pinned(3))),
        OwnerRow(
            "a domain with a trailing dot matches nothing", parse, file(domain("example.org.", authorities)),
            accepted(.notPinned), ours: (accepted(.pinned(2)), "this package pins the name: stricter")),
        OwnerRow(
            "a wildcard matches nothing", parse, file(domain("*.example.org", authorities)),
            .accepted(["a.example.org": .notPinned, "example.org": .notPinned])),
        OwnerRow(
            "a URL matches nothing", parse, file(domain("https://example.org", authorities)), accepted(.notPinned)),
        OwnerRow(
            "a name beyond ASCII matches nothing", parse, file(domain("bücher.org", authorities)),
            .accepted(["xn--bcher-kva.org": .notPinned])),
        OwnerRow(
            "a name that matches nothing, next to another", parse,
            file(domain("*.example.com", authorities) + domain("example.org", leaves)),
            .accepted(["example.org": .pinned(1), "a.example.com": .notPinned])),
        OwnerRow("an address", parse, file(domain("192.0.2.1", authorities)), .accepted(["192.0.2.1": .pinned(2)])),
        OwnerRow(
            "an address with subdomains", parse, file(domain("192.0.2.1", authorities + below)),
            .accepted(["192.0.2.1": .pinned(2)])),
        OwnerRow(
            "a top-level domain with subdomains", parent, file(domain("org", authorities + below)),
            .accepted(["example.org": .pinned(2), "a.example.org": .notPinned])),
        OwnerRow("no identities", parse, example(below), accepted(.notPinned)),
        OwnerRow("an empty dictionary for a domain", parse, example(""), accepted(.notPinned)),
        OwnerRow(
            "a text for a domain", parse,
            file("<key>example.org</key><string>x</string>" + domain("example.com", leaves)),
            .accepted(["example.org": .notPinned, "example.com": .pinned(1)])),
        OwnerRow("no domain", parse, file(""), accepted(.notPinned)),
        OwnerRow(
            "any certificate satisfies an empty list", "SecPolicyReconcilePinningRequiredIfInfoSpecified",
            example("<key>NSPinnedLeafIdentities</key><array/>"), accepted(.notPinned)),
        OwnerRow(
            "an empty list next to another", "SecPolicyReconcilePinningRequiredIfInfoSpecified",
            example("<key>NSPinnedLeafIdentities</key><array/>" + authorities), accepted(.pinned(2))),
        OwnerRow(
            "an empty list doesn't exclude a name from its parent", parse,
            file(
                domain("example.com", authorities + below)
                    + domain("a.example.com", "<key>NSPinnedCAIdentities</key><array/>")),
            .accepted(["a.example.com": .pinned(2)])),
        OwnerRow(
            "a text for a list", parse, example("<key>NSPinnedLeafIdentities</key><string>x</string>" + authorities),
            accepted(.pinned(2))),
        OwnerRow(
            "a text for an identity", parse, example(list("<string>\(OwnerPins.a)</string>\(pin(OwnerPins.b))")),
            accepted(.pinned(1))),
        OwnerRow(
            "an identity without a digest", parse, example(list("<dict/>\(pin(OwnerPins.b))")), accepted(.pinned(1))),
        OwnerRow(
            "an identity with another digest", parse,
            example(list("<dict><key>SPKI-SHA1-BASE64</key><string>x</string></dict>\(pin(OwnerPins.b))")),
            accepted(.pinned(1))),
        OwnerRow(
            "data as a digest", parse,
            example(list("<dict><key>SPKI-SHA256-BASE64</key><data>\(OwnerPins.a)</data></dict>\(pin(OwnerPins.b))")),
            accepted(.pinned(1))),
        OwnerRow(
            "another key in an identity", parse,
            example(
                list(
                    "<dict><key>Owner</key><string>x</string><key>SPKI-SHA256-BASE64</key><string>\(OwnerPins.a)</string></dict>"
                )), accepted(.pinned(1))),
        OwnerRow(
            "a digest that isn't base64, next to another", "CreateCFDataFromBase64CFString",
            example(list(pin("?") + pin(OwnerPins.b))), accepted(.pinned(1))),
        OwnerRow(
            "a digest of another length, next to another", parse, example(list(pin("AAAA") + pin(OwnerPins.b))),
            accepted(.pinned(1))),
        OwnerRow("only a digest of another length", parse, example(list(pin("AAAA"))), accepted(.locked)),
        OwnerRow(
            "only a digest that isn't base64", "CreateCFDataFromBase64CFString", example(list(pin("?"))),
            accepted(.notPinned), ours: (accepted(.locked), "a typo doesn't turn pinning off: stricter")),
        OwnerRow(
            "1 instead of true counts as false", parse + ", kCFBooleanTrue",
            example(authorities + "<key>NSIncludesSubdomains</key><integer>1</integer>"),
            .accepted(["example.org": .pinned(2), "a.example.org": .notPinned])),
        OwnerRow(
            "YES instead of true counts as false", parse + ", kCFBooleanTrue",
            example(authorities + "<key>NSIncludesSubdomains</key><string>YES</string>"),
            .accepted(["example.org": .pinned(2), "a.example.org": .notPinned])),
        OwnerRow(
            "an unknown key", parse,
            example(authorities + "<key>NSExceptionMinimumTLSVersion</key><string>TLSv1.3</string>"),
            accepted(.pinned(2))),
        OwnerRow(
            "a misspelt key", parse, example(authorities + "<key>NSIncludeSubdomains</key><true/>"),
            .accepted(["example.org": .pinned(2), "a.example.org": .notPinned]),
            ours: (.refused, "the author meant subdomains, which aren't pinned: ambiguous")),
        OwnerRow("the same pin twice", parse, example(list(pin(OwnerPins.a) + pin(OwnerPins.a))), accepted(.pinned(1))),
        OwnerRow(
            "a comment in a pin's text", "NSPropertyListSerialization", example(list("<!-- CA -->" + pin(OwnerPins.a))),
            accepted(.pinned(1))),
    ]

    @Test("The package follows Apple's rules", arguments: rows) func rule(_ row: OwnerRow) throws {
        try expectOwnersDecision(row, .ats)
    }
}
