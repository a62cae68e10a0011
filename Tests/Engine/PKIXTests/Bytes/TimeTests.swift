// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Time")
struct TimeTests {
    // MARK: ASN.1

    static let utcRows: [(text: String, rfc3339: String?)] = [
        ("260101000000Z", "2026-01-01T00:00:00Z"), ("491231235959Z", "2049-12-31T23:59:59Z"),
        ("500101000000Z", "1950-01-01T00:00:00Z"), ("991231235959Z", "1999-12-31T23:59:59Z"),
        ("000101000000Z", "2000-01-01T00:00:00Z"), ("700101000000Z", "1970-01-01T00:00:00Z"),
        ("240229120000Z", "2024-02-29T12:00:00Z"), ("000229000000Z", "2000-02-29T00:00:00Z"),
        // Days and times that don't exist.
        ("230229120000Z", nil), ("250431000000Z", nil), ("250631000000Z", nil), ("250931000000Z", nil),
        ("251131000000Z", nil), ("250132000000Z", nil), ("250100000000Z", nil), ("250001000000Z", nil),
        ("251301000000Z", nil), ("250101240000Z", nil), ("250101006000Z", nil), ("250101000060Z", nil),
        // Other forms.
        ("2501010000Z", nil), ("250101000000", nil), ("250101000000+0000", nil), ("250101000000-0100", nil),
        ("250101000000z", nil), ("250101000000.0Z", nil), ("250101000000Z ", nil), (" 50101000000Z", nil),
        ("20250101000000Z", nil), ("", nil), ("Z", nil), ("25010100000aZ", nil), ("-50101000000Z", nil),
        ("+50101000000Z", nil), ("2501010000:0Z", nil), ("250101000000\u{0}", nil), ("25０10000000Z", nil),
        // In ASCII, a colon follows the nine, and a slash precedes the zero.
        (":00101000000Z", nil), ("2:0101000000Z", nil), ("250:01000000Z", nil), ("25010:000000Z", nil),
        ("2501010:0000Z", nil), ("250101000:00Z", nil), ("25010100000:Z", nil), ("25010100000/Z", nil),
        ("250101a00000Z", nil), ("25010100a000Z", nil), ("2501010000a0Z", nil), ("25a101000000Z", nil),
        ("2501a1000000Z", nil), ("a50101000000Z", nil),
    ]

    static let generalizedRows: [(text: String, rfc3339: String?)] = [
        ("20500101000000Z", "2050-01-01T00:00:00Z"), ("99991231235959Z", "9999-12-31T23:59:59Z"),
        ("20250101000000Z", "2025-01-01T00:00:00Z"), ("00010101000000Z", "0001-01-01T00:00:00Z"),
        ("19000301000000Z", "1900-03-01T00:00:00Z"), ("24000229000000Z", "2400-02-29T00:00:00Z"),
        ("21000228235959Z", "2100-02-28T23:59:59Z"),
        ("21000229000000Z", nil), ("19000229000000Z", nil), ("22000229000000Z", nil),
        ("20250101000000", nil), ("20250101000000.5Z", nil), ("20250101000000.0Z", nil), ("2025010100Z", nil),
        ("202501010000Z", nil), ("20250101000000+0000", nil), ("20250101000060Z", nil), ("20250101240000Z", nil),
        ("250101000000Z", nil), ("20250101000000z", nil), ("2025010100000,0Z", nil), ("", nil),
        ("20a50101000000Z", nil), ("2a250101000000Z", nil), ("20:00101000000Z", nil), (":0250101000000Z", nil),
        ("202:0101000000Z", nil),
    ]

    @Test("A UTCTime is YYMMDDHHMMSSZ, with years from 1950 to 2049", arguments: utcRows)
    func utc(text: String, rfc3339: String?) {
        expect(ASN1.utcTime(text), rfc3339, .utc)
    }

    @Test("A GeneralizedTime is YYYYMMDDHHMMSSZ", arguments: generalizedRows)
    func generalized(text: String, rfc3339: String?) {
        expect(ASN1.generalizedTime(text), rfc3339, .generalized)
    }

    private func expect(_ bytes: [UInt8], _ rfc3339: String?, _ form: DERTimeForm) {
        var reader = DERReader(bytes.span)
        do throws(DERError) {
            let found = try reader.nextTime("notAfter")
            #expect(found.time.description == rfc3339)
            #expect(found.form == form)
        } catch {
            #expect(rfc3339 == nil)
            #expect(error.reason == .timeMalformed)
            #expect(error.offset == 0)
        }
    }

    @Test("A value of another type isn't a time")
    func otherTypes() {
        for bytes in [ASN1.printable("260101000000Z"), ASN1.implicit(0, Array("260101000000Z".utf8)), ASN1.null] {
            var reader = DERReader(bytes.span)
            #expect((try? reader.nextTime("notAfter")) == nil)
        }
    }

    // MARK: RFC 3339

    @Test("Every time from year 0 to 9999 survives a round trip")
    func roundTrip() throws {
        var random = Repeatable(4)
        let first = try Time(rfc3339: "0000-01-01T00:00:00Z").secondsSinceEpoch
        let last = try Time(rfc3339: "9999-12-31T23:59:59Z").secondsSinceEpoch
        for _ in 0..<5_000 {
            let time = Time(secondsSinceEpoch: .random(in: first...last, using: &random))
            #expect(try Time(rfc3339: time.description) == time)
        }
        for time in [first, last, 0, -1, 951_782_399, 951_782_400, 951_868_799, 951_868_800] {
            #expect(try Time(rfc3339: Time(secondsSinceEpoch: time).description).secondsSinceEpoch == time)
        }
    }

    @Test(
        "Every day follows the day before, across leap years and centuries",
        arguments: ["1895-01-01", "1995-01-01", "2095-01-01"])
    func days(start: String) throws {
        let start = try Time(rfc3339: start).secondsSinceEpoch
        var before = ""
        for day in Int64(0)..<4_000 {
            let time = Time(secondsSinceEpoch: start + day * 86_400)
            #expect(time.description > before)
            before = time.description
            #expect(try Time(rfc3339: before) == time)
        }
    }

    @Test("The calendar repeats after 146,097 days, 400 years")
    func period() throws {
        #expect(
            try Time(rfc3339: "2299-12-30").secondsSinceEpoch - Time(rfc3339: "1899-12-30").secondsSinceEpoch
                == 146_097 * 86_400)
        #expect(
            try Time(rfc3339: "2100-03-01").secondsSinceEpoch - Time(rfc3339: "2100-02-28").secondsSinceEpoch == 86_400)
        #expect(
            try Time(rfc3339: "2000-03-01").secondsSinceEpoch - Time(rfc3339: "2000-02-28").secondsSinceEpoch == 172_800
        )
    }

    static let readableRows: [(text: String, rfc3339: String)] = [
        ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"), ("2026-11-21t09:30:00z", "2026-11-21T09:30:00Z"),
        ("2026-11-21 09:30:00Z", "2026-11-21T09:30:00Z"), ("2026-11-21T10:30:00+01:00", "2026-11-21T09:30:00Z"),
        ("2026-11-21T04:00:00-05:30", "2026-11-21T09:30:00Z"), ("2026-11-21T09:30:00.999999Z", "2026-11-21T09:30:00Z"),
        ("2026-11-21T09:30:00-00:00", "2026-11-21T09:30:00Z"), ("2026-11-21", "2026-11-21T00:00:00Z"),
        ("2026-12-31T23:59:60Z", "2027-01-01T00:00:00Z"), ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"), ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
        ("2026-11-21T09:30:00+23:59", "2026-11-20T09:31:00Z"), ("2026-11-21T09:30:00-23:59", "2026-11-22T09:29:00Z"),
    ]

    @Test("The parser reads an RFC 3339 time with any offset", arguments: readableRows)
    func readable(text: String, rfc3339: String) throws {
        #expect(try Time(rfc3339: text).description == rfc3339)
    }

    @Test(
        "The parser rejects text that isn't an RFC 3339 time",
        arguments: [
            "", "Z", "2026", "2026-11", "2026-11-21T", "2026-11-21Z", "2026-11-21T09:30Z", "2026-11-21T09:30:00",
            "2026-11-21T09:30:00+0100", "2026-11-21T09:30:00+1:00", "2026-11-21T09:30:00+24:00",
            "2026-11-21T09:30:00+01:60", "2026-11-21T24:00:00Z", "2026-11-21T09:60:00Z", "2026-11-21T09:30:61Z",
            "2026-11-21T09:30:00.Z", "2026-11-21T09:30:00,5Z", "2026-02-29T00:00:00Z", "2026-13-01", "2026-00-01",
            "2026-01-00", "2026-04-31", "26-01-01", "02026-01-01", "2026-1-1", "20261121", "2026-11-21T09:30:00ZZ",
            "2026-11-21T09:30:00Z ", " 2026-11-21", "+2026-11-21", "-2026-11-21", "2026-11-21T9:30:00Z",
            "２026-11-21", "2026-11-21T09:30:00 +01:00", "1234567890", "2026-11-21T-1:00:00Z",
            "202611-21", "2026-1121", "2026-11-2109:30:00Z", "2026-11-21T0930:00Z", "2026-11-21T09:3000Z",
            "2026-11-21T09:30:0001:00", "2026-11-21T09:30:00.5", "2026-11-21T09:30:00.", "2026-11-21T09:30:00.501:00",
        ])
    func unreadable(text: String) {
        #expect(throws: TimeFormatError(text: text)) { try Time(rfc3339: text) }
    }

    @Test(
        "The parser reads second 60 at the end of June and December in UTC, with any offset",
        arguments: [
            ("2015-06-30T23:59:60Z", "2015-07-01T00:00:00Z"), ("2016-12-31T23:59:60.75Z", "2017-01-01T00:00:00Z"),
            ("2015-07-01T01:59:60+02:00", "2015-07-01T00:00:00Z"),
            ("2016-12-31T15:59:60-08:00", "2017-01-01T00:00:00Z"),
            ("2017-01-01T05:29:60+05:30", "2017-01-01T00:00:00Z"), ("1999-12-31 23:59:60z", "2000-01-01T00:00:00Z"),
        ])
    func leapSeconds(text: String, rfc3339: String) throws {
        #expect(try Time(rfc3339: text).description == rfc3339)
    }

    @Test("The parser rejects every other second 60, and the error says where it is allowed", arguments: 1...12)
    func misplacedLeapSeconds(month: Int) throws {
        let isLast = month == 6 || month == 12
        let name = "2026-" + (month < 10 ? "0\(month)" : "\(month)")
        let last = Time.daysIn(month: Int64(month), year: 2026)
        let texts =
            ["-01T23:59:60Z", "-\(last - 1)T23:59:60Z", "-\(last)T23:58:60Z", "-\(last)T22:59:60Z"]
            + ["-\(last)T23:59:60+01:00", "-\(last)T23:59:60-00:01", "-01T00:59:60+01:01", "-15T12:00:60Z"]
            + (isLast ? [] : ["-\(last)T23:59:60Z", "-\(last)T18:59:60-05:00"])
        for text in texts.map({ name + $0 }) {
            let error = #expect(throws: TimeFormatError.self) { try Time(rfc3339: text) }
            let rule = "has second 60, expected only after 23:59:59 UTC on 30 June or 31 December"
            #expect(error?.message == "\"\(text)\" \(rule)" && error?.text == text && error?.code == .timeMalformed)
        }
    }

    @Test("Advancing a time never causes a trap")
    func advancing() {
        #expect(Time(secondsSinceEpoch: .max).advanced(by: 1).secondsSinceEpoch == .max)
        #expect(Time(secondsSinceEpoch: .min).advanced(by: -1).secondsSinceEpoch == .min)
        #expect(Time(secondsSinceEpoch: 5).advanced(by: -10).secondsSinceEpoch == -5)
        #expect(!Time(secondsSinceEpoch: .max).description.isEmpty)
        #expect(!Time(secondsSinceEpoch: .min).description.isEmpty)
    }
}
