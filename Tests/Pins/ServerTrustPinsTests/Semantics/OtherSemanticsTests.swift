// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustPins

/// OkHttp, ISPCertificatePinning and this package's own format.
@Suite struct OtherSemanticsTests {
    /// Source: CertificatePinner.kt, Pin.matchesHostname and findMatchingPins, and its documentation.
    static let okHttp: [SemanticsRow] = [
        SemanticsRow(
            "OkHttp: a pin may be anywhere in the chain", "example.com sha256/{ROOT}", "example.com", .pinned(2)),
        SemanticsRow(
            "OkHttp: without a matching pin the server is refused", "example.com sha256/{OTHER}", "example.com", .missed
        ),
        SemanticsRow(
            "OkHttp: an exact pattern only matches the name", "example.com sha256/{OTHER}", "a.example.com", .unpinned),
        SemanticsRow("OkHttp: *. matches one label", "*.example.com sha256/{OTHER}", "a.example.com", .missed),
        SemanticsRow(
            "OkHttp: *. doesn't match two labels", "*.example.com sha256/{OTHER}", "b.a.example.com", .unpinned),
        SemanticsRow("OkHttp: *. doesn't match the name", "*.example.com sha256/{OTHER}", "example.com", .unpinned),
        SemanticsRow("OkHttp: **. matches the name", "**.example.com sha256/{OTHER}", "example.com", .missed),
        SemanticsRow("OkHttp: **. matches any depth", "**.example.com sha256/{OTHER}", "c.b.a.example.com", .missed),
        SemanticsRow("OkHttp: **. ends at a dot", "**.example.com sha256/{OTHER}", "notexample.com", .unpinned),
        SemanticsRow(
            "OkHttp: matching patterns unite", "**.example.com sha256/{OTHER}\na.example.com sha256/{LEAF}",
            "a.example.com", .pinned(0)),
        SemanticsRow(
            "OkHttp: a more specific pattern removes nothing",
            "**.example.com sha256/{LEAF}\na.example.com sha256/{OTHER}", "a.example.com", .pinned(0)),
        SemanticsRow(
            "OkHttp: patterns of all three kinds unite",
            "**.example.com sha256/{OTHER}\n*.example.com sha256/{CA}\na.example.com sha256/{ANOTHER}", "a.example.com",
            .pinned(1)),
        SemanticsRow(
            "OkHttp: lines of one pattern unite", "example.com sha256/{OTHER}\nexample.com sha256/{LEAF}",
            "example.com", .pinned(0)),
        SemanticsRow(
            "OkHttp: international names are converted", "bücher.example sha256/{OTHER}", "xn--bcher-kva.example",
            .missed),
        SemanticsRow("OkHttp: case doesn't matter", "EXAMPLE.com sha256/{OTHER}", "example.com", .missed),
        SemanticsRow(
            "OkHttp: other hosts are evaluated with the defaults", "example.com sha256/{OTHER}", "example.org",
            .unpinned),
    ]

    @Test("The package enforces an OkHttp file as OkHttp does", arguments: okHttp) func behavesAsOkHttp(
        _ row: SemanticsRow
    ) throws { try row.run(.okHttp) }

    /// Source: ISPCertificatePinning.m and ISPPinnedNSURLSessionDelegate.m.
    static let isp: [SemanticsRow] = [
        SemanticsRow(
            "ISP: any certificate of the chain matches",
            "<key>example.com</key><array><data>{OTHERDER}</data><data>{CADER}</data></array>", "example.com",
            .pinned(1)),
        SemanticsRow(
            "ISP: certificates are compared byte by byte",
            "<key>example.com</key><array><data>{OTHERDER}</data></array>", "example.com",
            .refused([.certificateNotPinned])),
        SemanticsRow(
            "ISP: a domain that isn't listed is refused", "<key>example.com</key><array><data>{LEAFDER}</data></array>",
            "example.org", .refused([.hostNotListed])),
        SemanticsRow(
            "ISP: a parent's certificates don't count", "<key>example.com</key><array><data>{LEAFDER}</data></array>",
            "a.example.com", .refused([.hostNotListed])),
    ].map {
        SemanticsRow($0.testDescription, "<plist version=\"1.0\"><dict>\($0.file)</dict></plist>", $0.host, $0.outcome)
    }

    @Test("The package enforces an ISPCertificatePinning file as that library does", arguments: isp)
    func behavesAsISPCertificatePinning(_ row: SemanticsRow) throws { try row.run(.isp) }

    static let last = TestAuthority.now.advanced(by: -1)

    static let json: [SemanticsRow] = [
        SemanticsRow(
            "own: hosts without a rule are refused", OwnText.own(OwnText.rule("example.com", "LEAF")), "example.org",
            .refused([.hostNotListed])),
        SemanticsRow(
            "own: hosts without a rule are evaluated with the defaults",
            OwnText.own(OwnText.rule("example.com", "LEAF"), unlisted: "evaluatedByDefault"),
            "example.org", .unpinned),
        SemanticsRow(
            "own: report-only", OwnText.own(OwnText.rule("example.com", mode: "reportOnly")), "example.com", .reported),
        SemanticsRow(
            "own: pins count until the last second before an expiry",
            OwnText.own(OwnText.rule("example.com", "OTHER", OwnText.expires("refused"))), "example.com",
            .missed, at: last),
        SemanticsRow(
            "own: an expiry can fail closed",
            OwnText.own(OwnText.rule("example.com", "LEAF", OwnText.expires("refused"))), "example.com",
            .refused([.pinsExpired])),
        SemanticsRow(
            "own: an expiry can fail open",
            OwnText.own(OwnText.rule("example.com", "OTHER", OwnText.expires("unpinned"))), "example.com",
            .unpinned),
        SemanticsRow(
            "own: the most specific rule counts",
            OwnText.own(OwnText.rule("**.example.com", "LEAF") + "," + OwnText.rule("*.example.com")), "a.example.com",
            .missed),
        SemanticsRow(
            "own: a union",
            OwnText.own(
                OwnText.rule("**.example.com", "LEAF") + "," + OwnText.rule("*.example.com"), selection: "union"),
            "a.example.com", .pinned(0)),
        SemanticsRow(
            "own: an unlisted name is refused although its subdomains are listed",
            OwnText.own(
                "{\"hosts\": [{\"name\": \"example.com\", \"includesName\": false, \"below\": \"anyDepth\"}], \"mode\": \"enforced\", \"pins\": [{\"key\": \"sha256/{LEAF}\", \"scope\": \"leaf\"}]}"
            ), "example.com", .refused([.hostDenied])),
        SemanticsRow("own: an address can be pinned", OwnText.own(OwnText.rule("192.0.2.1")), "192.0.2.1", .missed),
    ]

    @Test("The package enforces its own JSON as documented", arguments: json) func behavesAsDocumented(
        _ row: SemanticsRow
    )
        throws
    { try row.run(.json) }
}
