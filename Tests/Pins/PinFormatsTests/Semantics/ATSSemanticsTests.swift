// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrustTesting
import Testing

@testable import PinFormats
@testable import PinModel

/// NSPinnedDomains. Source of every row: Apple's documentation of the key and Security's SecPolicy.c (parseNSPinnedDomains).
@Suite struct ATSSemanticsTests {
    static let rows: [SemanticsRow] = [
        SemanticsRow(
            "a leaf identity is certificate 0", ATSText.plist(ATSText.domain("example.com", leaf: ["LEAF"])),
            "example.com", .pinned(0)),
        SemanticsRow(
            "a leaf identity is no CA's", ATSText.plist(ATSText.domain("example.com", leaf: ["CA"])), "example.com",
            .missed),
        SemanticsRow(
            "a CA identity is any above the leaf", ATSText.plist(ATSText.domain("example.com", ca: ["CA"])),
            "example.com", .pinned(1)),
        SemanticsRow(
            "a CA identity may be the anchor's", ATSText.plist(ATSText.domain("example.com", ca: ["ROOT"])),
            "example.com", .pinned(2)),
        SemanticsRow(
            "a CA identity is not the leaf's", ATSText.plist(ATSText.domain("example.com", ca: ["LEAF"])),
            "example.com", .missed),
        SemanticsRow(
            "one of several CA identities is enough",
            ATSText.plist(ATSText.domain("example.com", ca: ["OTHER", "CA"])), "example.com",
            .pinned(1)),
        SemanticsRow(
            "with both lists both match", ATSText.plist(ATSText.domain("example.com", ca: ["CA"], leaf: ["LEAF"])),
            "example.com",
            .pinned(0)),
        SemanticsRow(
            "with both lists the leaf alone isn't enough",
            ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"], leaf: ["LEAF"])),
            "example.com", .missed),
        SemanticsRow(
            "with both lists the CA alone isn't enough",
            ATSText.plist(ATSText.domain("example.com", ca: ["CA"], leaf: ["OTHER"])),
            "example.com", .missed),
        SemanticsRow(
            "without subdomains the name alone", ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"])),
            "a.example.com", .unpinned
        ),
        SemanticsRow(
            "subdomains are one label below",
            ATSText.plist(ATSText.domain("example.com", subdomains: true, ca: ["OTHER"])),
            "a.example.com", .missed),
        SemanticsRow(
            "subdomains are not two labels below",
            ATSText.plist(ATSText.domain("example.com", subdomains: true, ca: ["OTHER"])),
            "b.a.example.com", .unpinned),
        SemanticsRow(
            "with subdomains the name itself",
            ATSText.plist(ATSText.domain("example.com", subdomains: true, ca: ["OTHER"])),
            "example.com", .missed),
        SemanticsRow(
            "a name that ends alike is another",
            ATSText.plist(ATSText.domain("example.com", subdomains: true, ca: ["OTHER"])),
            "notexample.com", .unpinned),
        SemanticsRow(
            "an exact entry and its parent unite",
            ATSText.plist(
                ATSText.domain("example.com", subdomains: true, ca: ["CA"]),
                ATSText.domain("a.example.com", ca: ["OTHER"])),
            "a.example.com", .pinned(1)),
        SemanticsRow(
            "united, a parent's CA doesn't stand for a leaf",
            ATSText.plist(
                ATSText.domain("example.com", subdomains: true, ca: ["CA"]),
                ATSText.domain("a.example.com", leaf: ["OTHER"])),
            "a.example.com", .missed),
        SemanticsRow(
            "united, each list is met by itself",
            ATSText.plist(
                ATSText.domain("example.com", subdomains: true, ca: ["CA"]),
                ATSText.domain("a.example.com", leaf: ["LEAF"])),
            "a.example.com", .pinned(0)),
        SemanticsRow(
            "a parent two labels above doesn't unite",
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
            "a trailing dot of the host is dropped", ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"])),
            "example.com.",
            .missed),
        SemanticsRow(
            "other hosts are evaluated by default", ATSText.plist(ATSText.domain("example.com", ca: ["OTHER"])),
            "example.org",
            .unpinned),
    ]

    @Test("A file of ATS is enforced as Apple's systems enforce it", arguments: rows) func behavesAsApplesSystems(
        _ row: SemanticsRow
    ) throws { try row.run(.ats) }
}
