// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint

/// The rules for pins and their expiry, without a server.
@Suite struct PinRulesTests {
    static let backup: [LintRow] = [
        LintRow("one pin has no backup", .noBackup, at: [1], .okHttp, "api.example.com $1"),
        LintRow("two keys are pin and backup", .noBackup, at: [], .okHttp, "api.example.com $1 $2"),
        LintRow(
            "pins on two lines of one pattern belong together", .noBackup, at: [], .okHttp,
            "api.example.com $1\napi.example.com $2"),
        LintRow("each pattern needs its backup", .noBackup, at: [2], .okHttp, "a.example.com $1 $2\nb.example.com $3"),
        LintRow(
            "a leaf and a CA must both match, so neither backs up the other", .noBackup, at: [2, 2], .json,
            LintRow.json(
                LintRow.rule("a.example.com", LintRow.pin(1, scope: "leaf"), LintRow.pin(2, scope: "authority")))),
        LintRow(
            "two keys in use aren't a backup", .noBackup, at: [2], .json,
            LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1, role: "inUse"), LintRow.pin(2, role: "inUse")))),
        LintRow(
            "a marked backup counts", .noBackup, at: [], .json,
            LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1, role: "inUse"), LintRow.pin(2, role: "backup")))),
        LintRow(
            "it is a note if failures are only reported", .noBackup, at: [2], as: .note, .json,
            LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1), mode: "reportOnly"))),
        LintRow(
            "an exempted host needs no backup", .noBackup, at: [], .android,
            LintRow.android(LintRow.domain("a.example.com"), LintRow.domain("example.com", 1, 2))),
    ]

    @Test("A rule without a backup pin causes a finding", arguments: backup) func backups(_ row: LintRow) {
        row.check()
    }

    static let leafOnly: [LintRow] = [
        LintRow(
            "curl can only pin the leaf", .leafOnly, at: [1], as: .note, .curl,
            "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=;sha256//BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        LintRow(
            "only leaf pins, without a backup", .leafOnly, at: [2], .json,
            LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1, scope: "leaf")))),
        LintRow(
            "only leaf pins, with a backup", .leafOnly, at: [2], as: .note, .json,
            LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1, scope: "leaf"), LintRow.pin(2, scope: "leaf")))),
        LintRow(
            "a CA's pin next to it", .leafOnly, at: [], .json,
            LintRow.json(
                LintRow.rule("a.example.com", LintRow.pin(1, scope: "leaf"), LintRow.pin(2, scope: "authority")))),
        LintRow("pins with any scope may be a CA's", .leafOnly, at: [], .okHttp, "a.example.com $1 $2"),
    ]

    @Test("A rule with only server keys causes a finding", arguments: leafOnly) func leafPins(_ row: LintRow) {
        row.check()
    }

    static let expiry: [LintRow] = [
        LintRow(
            "an expiry in the past", .expired, at: [2], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2026-11-17", 1, 2))),
        LintRow(
            "an expiry in the future hasn't passed", .expired, at: [], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2026-11-20", 1, 2))),
        LintRow(
            "an expiry within 30 days is near", .expiresSoon, at: [2], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2026-12-17", 1, 2))),
        LintRow(
            "an expiry after 30 days isn't near", .expiresSoon, at: [], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2026-12-19", 1, 2))),
        LintRow(
            "three years are far", .expiresLate, at: [2], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2029-11-18", 1, 2))),
        LintRow(
            "a year isn't far", .expiresLate, at: [], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2027-11-18", 1, 2))),
        LintRow(
            "Android's expiry fails open, and Android has no other", .expiryFailsOpen, at: [3], as: .note, .android,
            LintRow.android(
                LintRow.domain("a.example.com", below: false, 1, 2),
                LintRow.domain("b.example.com", below: false, expires: "2027-11-18", 1, 2))),
        LintRow(
            "in the package's own format the expiry was chosen", .expiryFailsOpen, at: [2], as: .warning, .json,
            LintRow.json(
                LintRow.rule(
                    "a.example.com", LintRow.pin(1), LintRow.pin(2),
                    other: ", \"expires\": {\"at\": \"2027-05-01\", \"afterwards\": \"unpinned\"}"))),
        LintRow(
            "an expiry that refuses fails closed", .expiryFailsOpen, at: [], .json,
            LintRow.json(
                LintRow.rule(
                    "a.example.com", LintRow.pin(1), LintRow.pin(2),
                    other: ", \"expires\": {\"at\": \"2027-05-01\", \"afterwards\": \"refused\"}"))),
        LintRow(
            "a malformed expiry is the reader's error", .unreadable(.pinFileBadDate), at: [2], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2026-13-01", 1, 2))),
    ]

    @Test("The linter checks the expiry of pins", arguments: expiry) func expiries(_ row: LintRow) { row.check() }

    @Test("The caller sets the horizon") func horizon() {
        let row = LintRow(
            "", .expiresSoon, at: [2], .android,
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: "2027-01-15", 1, 2)))
        var linter = PinLinter(at: TestAuthority.now)
        #expect(linter.findings(in: row.source).allSatisfy { $0.rule != .expiresSoon })
        linter.horizon = .seconds(60 * 86_400)
        row.check(linter)
        // A duration of any size is valid.
        for seconds in [Int64.min, 0] {
            linter.horizon = .seconds(seconds)
            #expect(linter.findings(in: row.source).allSatisfy { $0.rule != .expiresSoon })
        }
        linter.horizon = .seconds(Int64.max)
        row.check(linter)
    }

    @Test("A publicly known compromised key causes a finding by default") func knownCompromised() throws {
        // eDellRoot's key, in hexadecimal as in browsers' lists.
        let bytes: [UInt8] = [
            0x13, 0x0a, 0xd4, 0xe0, 0x63, 0x35, 0x21, 0x29, 0x05, 0x31, 0xb6, 0x65, 0x1f, 0x57, 0x59, 0xb0,
            0xbc, 0x7b, 0xc6, 0x56, 0x70, 0x9f, 0xf8, 0xf3, 0x65, 0xc2, 0x14, 0x3b, 0x03, 0x89, 0xb6, 0xf6,
        ]
        let pin = try SPKIPin("sha256/" + Base64.encode(bytes))
        #expect(DeniedList.knownCompromised.entry(denying: pin)?.reason.isEmpty == false)
        #expect(DeniedList.knownCompromised.count == 42)
        let text = "a.example.com \(pin) $1"
        LintRow("", .denied, at: [1], .okHttp, text).check(PinLinter(at: TestAuthority.now))
        var lenient = PinLinter(at: TestAuthority.now)
        lenient.denied = DeniedList()
        LintRow("", .denied, at: [], .okHttp, text).check(lenient)
    }

    @Test("A denied key causes a finding with the reason") func denied() {
        var linter = PinLinter(at: TestAuthority.now)
        linter.denied.formUnion(DeniedList(keys: [TestPins.pin(2)], reason: "stolen"))
        LintRow("", .denied, at: [2], .okHttp, "a.example.com $1 $3\nb.example.com $1 $2").check(linter)
        LintRow("", .denied, at: [], .okHttp, "a.example.com $1 $3").check(linter)
        let findings = linter.findings(in: LintRow("", .denied, at: [], .okHttp, "b.example.com $1 $2").source)
        #expect(findings.first { $0.rule == .denied }?.message.contains("stolen") == true)
    }
}
