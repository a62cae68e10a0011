// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrustTesting
import Testing

@testable import ServerTrustPins

/// NSPinnedDomains. The source of every row: Apple's documentation of the key and Security's SecPolicy.c
/// (parseNSPinnedDomains).
@Suite struct ATSSemanticsTests {
    static let rows: [SemanticsRow] = [
        SemanticsRow(
            "a leaf identity only matches certificate 0", ATSText.plist(ATSText.domain("example.com", leaf: ["LEAF"])),
            "example.com", .pinned(0)),
        SemanticsRow(
            "a leaf identity doesn't match a CA", ATSText.plist(ATSText.domain("example.com", leaf: ["CA"])),
            "example.com",
            .missed),
        SemanticsRow(
            "a CA identity matches any certificate above the leaf",
            ATSText.plist(ATSText.domain("example.com", ca: ["CA"])),
            "example.com", .pinned(1)),
        SemanticsRow(
            "a CA identity may match the anchor", ATSText.plist(ATSText.domain("example.com", ca: ["ROOT"])),
            "example.com", .pinned(2)),
        SemanticsRow(
            "a CA identity doesn't match the leaf", ATSText.plist(ATSText.domain("example.com", ca: ["LEAF"])),
            "example.com", .missed),
        SemanticsRow(
            "one of several CA identities is enough",
            ATSText.plist(ATSText.domain("example.com", ca: ["OTHER", "CA"])), "example.com",
            .pinned(1)),
        SemanticsRow(
            "with both lists, both must match",
            ATSText.plist(ATSText.domain("example.com", ca: ["CA"], leaf: ["LEAF"])),
            "example.com",
            .pinned(0)),
        SemanticsRow(
            "with both lists, the leaf isn't enough",
            ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"], leaf: ["LEAF"])),
            "example.com", .missed),
        SemanticsRow(
            "with both lists, the CA isn't enough",
            ATSText.plist(ATSText.domain("example.com", ca: ["CA"], leaf: ["OTHER"])),
            "example.com", .missed),
        SemanticsRow(
            "without subdomains, only the name is pinned", ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"])),
            "a.example.com", .unpinned
        ),
        SemanticsRow(
            "one label below the name is a subdomain",
            ATSText.plist(ATSText.domain("example.com", subdomains: true, ca: ["OTHER"])),
            "a.example.com", .missed),
        SemanticsRow(
            "two labels below the name aren't a subdomain",
            ATSText.plist(ATSText.domain("example.com", subdomains: true, ca: ["OTHER"])),
            "b.a.example.com", .unpinned),
        SemanticsRow(
            "with subdomains, the name itself is pinned too",
            ATSText.plist(ATSText.domain("example.com", subdomains: true, ca: ["OTHER"])),
            "example.com", .missed),
        SemanticsRow(
            "a name with the same ending isn't a subdomain",
            ATSText.plist(ATSText.domain("example.com", subdomains: true, ca: ["OTHER"])),
            "notexample.com", .unpinned),
        SemanticsRow(
            "an exact entry and its parent unite",
            ATSText.plist(
                ATSText.domain("example.com", subdomains: true, ca: ["CA"]),
                ATSText.domain("a.example.com", ca: ["OTHER"])),
            "a.example.com", .pinned(1)),
        SemanticsRow(
            "in a union, a parent's CA doesn't match a leaf",
            ATSText.plist(
                ATSText.domain("example.com", subdomains: true, ca: ["CA"]),
                ATSText.domain("a.example.com", leaf: ["OTHER"])),
            "a.example.com", .missed),
        SemanticsRow(
            "in a union, each list must match on its own",
            ATSText.plist(
                ATSText.domain("example.com", subdomains: true, ca: ["CA"]),
                ATSText.domain("a.example.com", leaf: ["LEAF"])),
            "a.example.com", .pinned(0)),
        SemanticsRow(
            "a parent two labels above isn't united",
            ATSText.plist(
                ATSText.domain("example.com", subdomains: true, ca: ["CA"]),
                ATSText.domain("b.a.example.com", ca: ["OTHER"])),
            "b.a.example.com", .missed),
        SemanticsRow(
            "case doesn't matter in the entry", ATSText.plist(ATSText.domain("EXAMPLE.com", ca: ["OTHER"])),
            "example.com", .missed),
        SemanticsRow(
            "case doesn't matter in the host", ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"])),
            "Example.COM", .missed),
        SemanticsRow(
            "a trailing dot in the host is dropped", ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"])),
            "example.com.",
            .missed),
        SemanticsRow(
            "other hosts are evaluated with the defaults", ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"])),
            "example.org",
            .unpinned),
    ]

    @Test("The package enforces an ATS file as Apple's systems do", arguments: rows) func behavesAsApplesSystems(
        _ row: SemanticsRow
    ) throws { try row.run(.ats) }
}
