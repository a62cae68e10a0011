// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust

@Suite("Dates in header fields (RFC 9110 § 5.6.7)")
struct HTTPDateTests {
    private static let now = Time(secondsSinceEpoch: 1_795_305_600)  // 2026-11-22

    @Test(
        "The parser reads all three forms of a date",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
            ("Wed Nov 16 08:49:37 1994", "1994-11-16T08:49:37Z"),
            ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
            ("Thu, 29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59Z"),
            ("Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
            // A leap second is the first second of the next minute.
            ("Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T00:00:00Z"),
            // The parser doesn't compare the day of the week with the date.
            ("Mon, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        ])
    func forms(text: String, expected: String) {
        #expect(HTTPDate.parse(Substring(text), now: Self.now)?.description == expected)
    }

    @Test(
        "A two-digit year that would be more than 50 years in the future is in the past",
        arguments: [
            ("Sunday, 22-Nov-26 00:00:00 GMT", "2026-11-22T00:00:00Z"),
            ("Sunday, 22-Nov-76 00:00:00 GMT", "2076-11-22T00:00:00Z"),
            ("Sunday, 22-Nov-76 00:00:01 GMT", "1976-11-22T00:00:01Z"),
            ("Sunday, 22-Nov-77 00:00:00 GMT", "1977-11-22T00:00:00Z"),
            ("Sunday, 22-Nov-00 00:00:00 GMT", "2000-11-22T00:00:00Z"),
            ("Sunday, 29-Feb-00 00:00:00 GMT", "2000-02-29T00:00:00Z"),
        ])
    func centuries(text: String, expected: String) {
        #expect(HTTPDate.parse(Substring(text), now: Self.now)?.description == expected)
    }

    @Test("The parser also reads 29 February with a two-digit year, although no such day exists fifty years later")
    func leapDay() throws {
        let now = try Time(rfc3339: "2028-02-29T12:00:00Z")
        #expect(HTTPDate.parse("Monday, 28-Feb-78 12:00:00 GMT", now: now)?.description == "2078-02-28T12:00:00Z")
        #expect(HTTPDate.parse("Tuesday, 01-Mar-78 12:00:00 GMT", now: now)?.description == "1978-03-01T12:00:00Z")
    }

    @Test(
        "Any other text isn't a date",
        arguments: [
            "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 +0000", "sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun,  06 Nov 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:3Z GMT",
            "Sun, \u{0660}6 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "Sunday, 06-Nov-9x 08:49:37 GMT",
            "Sunday, 31-Feb-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  16 08:49:37 1994",
            "Sun Nov  6 08:49:37 94", "Sunday Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994 GMT",
            "1994-11-06T08:49:37Z",
        ])
    func others(text: String) {
        #expect(HTTPDate.parse(Substring(text), now: Self.now) == nil)
    }
}
