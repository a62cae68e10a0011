// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins
import Testing

/// OkHttp's rules: okhttp3/CertificatePinner.kt, CertificatePinnerTest.kt, okio/Base64.kt (`decodeBase64`) and
/// toCanonicalHost.
///
/// Known only from documentation, not from the sources: `decodeBase64` and toCanonicalHost.
@Suite("OkHttp's rules") struct OkHttpRules {
    private static let pin = "sha256/" + OwnerPins.a
    private static let other = "sha256/" + OwnerPins.b

    static let rows: [OwnerRow] = [
        OwnerRow(
            "another algorithm", "CertificatePinnerTest.malformedPin", "example.com md5/DmxUShsZuNiqPQsX2Oi9uv2sCnw=",
            .refused),
        OwnerRow(
            "a character that isn't base64", "CertificatePinnerTest.malformedBase64",
            "example.com sha256/\(OwnerPins.a.dropLast())*", .refused),
        OwnerRow(
            "a pin", "CertificatePinnerTest.successfulCheck", "example.com \(pin)",
            .accepted(["example.com": .pinned(1)])),
        OwnerRow(
            "two pins for a host", "CertificatePinnerTest.multipleCertificatesForOneHostname",
            "example.com \(pin) \(other)", .accepted(["example.com": .pinned(2)])),
        OwnerRow(
            "two hosts for a pin", "CertificatePinnerTest.multipleHostnamesForOneCertificate",
            "example.com \(pin)\nwww.example.com \(pin)",
            .accepted(["example.com": .pinned(1), "www.example.com": .pinned(1), "a.example.com": .notPinned])),
        OwnerRow(
            "no pin at all", "CertificatePinnerTest.absentHostnameMatches", "CertificatePinner.Builder().build()",
            .accepted(["example.com": .notPinned])),
        OwnerRow(
            "one star", "CertificatePinnerTest.successfulCheckForWildcardHostname", "*.example.com \(pin)",
            .accepted(["a.example.com": .pinned(1), "example.com": .notPinned])),
        OwnerRow(
            "one star matches one label", "CertificatePinner.Pin.matchesHostname", "*.example.com \(pin)",
            .accepted(["a.b.example.com": .notPinned, "aexample.com": .notPinned])),
        OwnerRow(
            "two pins for one star", "CertificatePinnerTest.multipleCertificatesForOneWildcardHostname",
            "*.example.com \(pin) \(other)", .accepted(["a.example.com": .pinned(2)])),
        OwnerRow(
            "one star and the name are united",
            "CertificatePinnerTest.successfulCheckForOneHostnameWithWildcardAndDirectCertificate",
            "*.example.com \(pin)\na.example.com \(other)",
            .accepted(["a.example.com": .pinned(2), "b.example.com": .pinned(1)])),
        OwnerRow(
            "two stars", "CertificatePinnerTest.checkForHostnameWithDoubleAsterisk", "**.example.co.uk \(pin)",
            .accepted([
                "example.co.uk": .pinned(1), "foo.example.co.uk": .pinned(1), "foo.bar.baz.example.co.uk": .pinned(1),
                "uk": .notPinned, "co.uk": .notPinned, "anotherexample.co.uk": .notPinned,
                "foo.anotherexample.co.uk": .notPinned,
            ])),
        OwnerRow("one letter as a pin", "CertificatePinnerTest.testBadPin", "example.co.uk sha256/a", .refused),
        OwnerRow(
            "SHA-512", "CertificatePinnerTest.testBadAlgorithm",
            "example.co.uk sha512/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", .refused),
        OwnerRow("a star at the end", "CertificatePinnerTest.testBadHost", "example.* \(pin)", .refused),
        OwnerRow(
            "a good pin", "CertificatePinnerTest.testGoodPin", "**.example.co.uk \(pin)",
            .accepted([
                "www.example.co.uk": .pinned(1), "gopher.example.co.uk": .pinned(1), "www.example.com": .notPinned,
            ])),
        OwnerRow(
            "a list of pins", "CertificatePinnerTest.pinList",
            "CertificatePinner.Builder()\n.add(\"example.com\", \"\(pin)\")\n.add(\"www.example.com\", \"\(pin)\")\n.build()",
            .accepted(["example.com": .pinned(1), "www.example.com": .pinned(1)])),
        OwnerRow(
            "SHA-1", "CertificatePinnerTest.testMatchesSha1", "example.com sha1/DmxUShsZuNiqPQsX2Oi9uv2sCnw=",
            .accepted(["example.com": .pinned(1)]), ours: (.refused, "SHA-1 is broken, and no engine here computes it")),
        OwnerRow(
            "upper case in a pattern", "CertificatePinner.Pin.init, toCanonicalHost", "EXAMPLE.com \(pin)",
            .accepted(["example.com": .pinned(1)])),
        OwnerRow(
            "an international pattern", "CertificatePinner.Pin.init, toCanonicalHost", "*.bücher.example \(pin)",
            .accepted(["a.xn--bcher-kva.example": .pinned(1)])),
        OwnerRow("a star within", "CertificatePinner.Pin.init", "a.*.example.com \(pin)", .refused),
        OwnerRow("a star within a label", "CertificatePinner.Pin.init", "a*.example.com \(pin)", .refused),
        OwnerRow("a star without a dot", "CertificatePinner.Pin.init", "*example.com \(pin)", .refused),
        OwnerRow("two stars in a row of labels", "CertificatePinner.Pin.init", "*.*.example.com \(pin)", .refused),
        OwnerRow("three stars", "CertificatePinner.Pin.init", "***.example.com \(pin)", .refused),
        OwnerRow("a star alone", "CertificatePinner.Pin.init", "* \(pin)", .refused),
        OwnerRow("a URL", "toCanonicalHost", "https://example.com \(pin)", .refused),
        OwnerRow("a port", "toCanonicalHost", "example.com:443 \(pin)", .refused),
        OwnerRow("a path", "toCanonicalHost", "example.com/a \(pin)", .refused),
        OwnerRow(
            "an IPv4 address", "CertificatePinner.Pin.matchesHostname", "192.0.2.1 \(pin)",
            .accepted(["192.0.2.1": .pinned(1)])),
        OwnerRow("no algorithm", "CertificatePinner.Pin.init", "example.com \(OwnerPins.a)", .refused),
        OwnerRow(
            "the algorithm in upper case", "CertificatePinner.Pin.init", "example.com SHA256/\(OwnerPins.a)", .refused),
        OwnerRow(
            "no = at the end", "okio decodeBase64", "example.com \(pin.dropLast())",
            .accepted(["example.com": .pinned(1)])),
        OwnerRow(
            "the URL-safe alphabet", "okio decodeBase64",
            "example.com sha256/__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA=", .accepted(["example.com": .pinned(1)])),
        OwnerRow(
            "white space in base64", "okio decodeBase64",
            "CertificatePinner.Builder().add(\"example.com\", \"sha256/\(OwnerPins.a.prefix(20)) \(OwnerPins.a.dropFirst(20))\").build()",
            .accepted(["example.com": .pinned(1)])),
        OwnerRow(
            "a digest of another length", "CertificatePinner.Pin.init", "example.com sha256/AAAA", .refused),
        OwnerRow(
            "a digest of another length, next to a valid one", "CertificatePinner.Pin.init",
            "example.com sha256/AAAA \(pin)", .accepted(["example.com": .pinned(1)])),
        OwnerRow(
            "the same pin twice", "CertificatePinner.Builder.build", "example.com \(pin) \(pin)",
            .accepted(["example.com": .pinned(1)])),
        OwnerRow(
            "a call without pins", "CertificatePinner.Builder.add",
            "CertificatePinner.Builder().add(\"example.com\").build()", .accepted(["example.com": .notPinned])),
        OwnerRow(
            "a call without pins, next to another", "CertificatePinner.Builder.add",
            "CertificatePinner.Builder().add(\"example.com\").add(\"a.test\", \"\(pin)\").build()",
            .accepted(["example.com": .notPinned, "a.test": .pinned(1)])),
        OwnerRow("no letter between dots", "toCanonicalHost", "a..example.com \(pin)", .refused),
        OwnerRow(
            "an underscore", "toCanonicalHost", "a_b.example.com \(pin)", .accepted(["a_b.example.com": .pinned(1)])),
    ]

    @Test("The package follows OkHttp's rules", arguments: rows) func rule(_ row: OwnerRow) throws {
        try expectOwnersDecision(row, .okHttp)
    }
}
