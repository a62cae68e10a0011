// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrustURLSession

@Suite("Freshness of a cached response (RFC 9111)")
struct FreshnessLifetimeTests {
    private static let most = TimeInterval(1 << 31)

    @Test(
        "max-age is digits and nothing else, once, and what is none counts as stale",
        arguments: [
            ("max-age=60", 60), ("max-age=0", 0), ("MAX-AGE=60", 60), ("public, max-age=60", 60), (" max-age=60 ", 60),
            ("max-age=007", 7), ("max-age=\"60\"", 60), ("max-age=2147483648", most), ("max-age=2147483649", most),
            ("max-age=99999999999999999999999999", most), ("max-age=60, max-age=60", 60),
            ("max-age=inf", 0), ("max-age=infinity", 0), ("max-age=nan", 0), ("max-age=-1", 0), ("max-age=+60", 0),
            ("max-age=0x3c", 0), ("max-age=1e9", 0), ("max-age=60.5", 0), ("max-age=6 0", 0), ("max-age=", 0),
            ("max-age", 0), ("max-age=\"\"", 0), ("max-age=\"60", 0), ("max-age=60\"", 0), ("max-age=6\"0\"", 0),
            ("max-age=\"inf\"", 0), ("max-age=\u{0666}\u{0660}", 0), ("max-age=\u{ff16}", 0), ("max-age=60;", 0),
            ("max-age=60, max-age=600", 0), ("max-age=60, max-age=inf", 0), ("max-age=inf, max-age=60", 0),
            ("max-age = 60", 60),
            // Within a text it is no directive, and behind one it is.
            ("private=\"x, max-age=600\", max-age=5", 5), ("x=\"a\\\", max-age=600\", max-age=5", 5),
        ])
    func maximumAge(_ field: String, _ expected: TimeInterval) {
        #expect(
            FreshnessLifetime.seconds(cacheControl: field, age: nil, expires: nil, date: nil) == expected)
    }

    @Test(
        "Without max-age there is no lifetime but that of Expires",
        arguments: ["", "public", "s-maxage=60", "x-max-age=60", ",,", "private=\"max-age=600\""])
    func none(_ field: String) {
        #expect(FreshnessLifetime.seconds(cacheControl: field, age: nil, expires: nil, date: nil) == nil)
        let date = Date(timeIntervalSince1970: 1_795_000_000)
        for (later, expected) in [(TimeInterval(60), TimeInterval(60)), (-60, 0), (0, 0), (1e12, Self.most)] {
            #expect(
                FreshnessLifetime.seconds(
                    cacheControl: field, age: nil, expires: date.addingTimeInterval(later), date: date) == expected)
        }
    }

    @Test(
        "Age shortens the lifetime and never lengthens it; one that is no number is ignored",
        arguments: [
            ("10", 50), ("0", 60), ("60", 0), ("61", 0), ("99999999999999999999", 0), ("10, 0", 50), ("-10", 60),
            ("-inf", 60), ("inf", 60), ("nan", 60), ("", 60), ("+10", 60), (" 10 ", 50),
        ])
    func age(_ age: String, _ expected: TimeInterval) {
        #expect(
            FreshnessLifetime.seconds(cacheControl: "max-age=60", age: age, expires: nil, date: nil) == expected)
        let date = Date(timeIntervalSince1970: 1_795_000_000)
        #expect(
            FreshnessLifetime.seconds(
                cacheControl: "", age: age, expires: date.addingTimeInterval(60), date: date) == expected)
    }
}
