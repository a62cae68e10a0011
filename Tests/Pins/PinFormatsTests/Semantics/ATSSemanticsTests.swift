// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PinFormats
@testable import PinModel

/// NSPinnedDomains. Source of every row: Apple's documentation of the key and Security's SecPolicy.c (parseNSPinnedDomains).
@Suite struct ATSSemanticsTests {
    static func domain(_ name: String, subdomains: Bool = false, ca: [String] = [], leaf: [String] = []) -> String {
        func list(_ key: String, _ pins: [String]) -> String {
            guard !pins.isEmpty else { return "" }
            let elements = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>{\($0)}</string></dict>" }
            return "<key>\(key)</key><array>\(elements.joined())</array>"
        }
        return "<key>\(name)</key><dict>\(subdomains ? "<key>NSIncludesSubdomains</key><true/>" : "")"
            + list("NSPinnedCAIdentities", ca) + list("NSPinnedLeafIdentities", leaf) + "</dict>"
    }

    static func plist(_ domains: String...) -> String {
        "<plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>"
            + domains.joined() + "</dict></dict></dict></plist>"
    }

    static let rows: [SemanticsRow] = [
        SemanticsRow(
            "a leaf identity is certificate 0", plist(domain("example.com", leaf: ["LEAF"])), "example.com", .pinned(0)),
        SemanticsRow("a leaf identity is no CA's", plist(domain("example.com", leaf: ["CA"])), "example.com", .missed),
        SemanticsRow(
            "a CA identity is any above the leaf", plist(domain("example.com", ca: ["CA"])), "example.com", .pinned(1)),
        SemanticsRow(
            "a CA identity may be the anchor's", plist(domain("example.com", ca: ["ROOT"])), "example.com", .pinned(2)),
        SemanticsRow(
            "a CA identity is not the leaf's", plist(domain("example.com", ca: ["LEAF"])), "example.com", .missed),
        SemanticsRow(
            "one of several CA identities is enough", plist(domain("example.com", ca: ["OTHER", "CA"])), "example.com",
            .pinned(1)),
        SemanticsRow(
            "with both lists both match", plist(domain("example.com", ca: ["CA"], leaf: ["LEAF"])), "example.com",
            .pinned(0)),
        SemanticsRow(
            "with both lists the leaf alone isn't enough", plist(domain("example.com", ca: ["OTHER"], leaf: ["LEAF"])),
            "example.com", .missed),
        SemanticsRow(
            "with both lists the CA alone isn't enough", plist(domain("example.com", ca: ["CA"], leaf: ["OTHER"])),
            "example.com", .missed),
        SemanticsRow(
            "without subdomains the name alone", plist(domain("example.com", ca: ["OTHER"])), "a.example.com", .unpinned
        ),
        SemanticsRow(
            "subdomains are one label below", plist(domain("example.com", subdomains: true, ca: ["OTHER"])),
            "a.example.com", .missed),
        SemanticsRow(
            "subdomains are not two labels below", plist(domain("example.com", subdomains: true, ca: ["OTHER"])),
            "b.a.example.com", .unpinned),
        SemanticsRow(
            "with subdomains the name itself", plist(domain("example.com", subdomains: true, ca: ["OTHER"])),
            "example.com", .missed),
        SemanticsRow(
            "a name that ends alike is another", plist(domain("example.com", subdomains: true, ca: ["OTHER"])),
            "notexample.com", .unpinned),
        SemanticsRow(
            "an exact entry and its parent unite",
            plist(domain("example.com", subdomains: true, ca: ["CA"]), domain("a.example.com", ca: ["OTHER"])),
            "a.example.com", .pinned(1)),
        SemanticsRow(
            "united, a parent's CA doesn't stand for a leaf",
            plist(domain("example.com", subdomains: true, ca: ["CA"]), domain("a.example.com", leaf: ["OTHER"])),
            "a.example.com", .missed),
        SemanticsRow(
            "united, each list is met by itself",
            plist(domain("example.com", subdomains: true, ca: ["CA"]), domain("a.example.com", leaf: ["LEAF"])),
            "a.example.com", .pinned(0)),
        SemanticsRow(
            "a parent two labels above doesn't unite",
            plist(domain("example.com", subdomains: true, ca: ["CA"]), domain("b.a.example.com", ca: ["OTHER"])),
            "b.a.example.com", .missed),
        SemanticsRow(
            "case doesn't matter in the entry", plist(domain("EXAMPLE.com", ca: ["OTHER"])), "example.com", .missed),
        SemanticsRow(
            "case doesn't matter in the host", plist(domain("example.com", ca: ["OTHER"])), "Example.COM", .missed),
        SemanticsRow(
            "a trailing dot of the host is dropped", plist(domain("example.com", ca: ["OTHER"])), "example.com.",
            .missed),
        SemanticsRow(
            "other hosts are evaluated by default", plist(domain("example.com", ca: ["OTHER"])), "example.org",
            .unpinned),
    ]

    @Test("A file of ATS is enforced as Apple's systems enforce it", arguments: rows) func behavesAsApplesSystems(
        _ row: SemanticsRow
    ) throws { try row.run(.ats) }
}
