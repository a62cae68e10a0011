// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@Suite("Freshness of a cached response (RFC 9111)")
struct FreshnessLifetimeTests {
    private static let most = 1 << 31
    private static let now = Time(secondsSinceEpoch: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func lifetime(_ fields: [(String, String)]) -> FreshnessLifetime {
        FreshnessLifetime(now: Self.now) { name in fields.filter { $0.0 == name }.map(\.1) }
    }

    @Test(
        "A max-age must consist of digits and occur once, or the response counts as stale",
        arguments: [
            ("max-age=60", 60), ("max-age=0", 0), ("MAX-AGE=60", 60), ("public, max-age=60", 60), (" max-age=60 ", 60),
            ("max-age=007", 7), ("max-age=\"60\"", 60), ("public, MAX-AGE=\"60\"", 60), ("max-age=2147483648", most),
            ("max-age=2147483649", most), ("max-age=99999999999", most),
            ("max-age=99999999999999999999999999", most), ("max-age=60, max-age=60", 60),
            ("max-age=soon", 0), ("max-age=inf", 0), ("max-age=infinity", 0), ("max-age=nan", 0), ("max-age=-1", 0),
            ("max-age=+60", 0), ("max-age=0x3c", 0), ("max-age=1e9", 0), ("max-age=60.5", 0), ("max-age=6 0", 0),
            ("max-age=", 0), ("max-age", 0), ("max-age=\"\"", 0), ("max-age=\"60", 0), ("max-age=60\"", 0),
            ("max-age=6\"0\"", 0), ("max-age=\"6\\0\"", 0), ("max-age=\"inf\"", 0), ("max-age=\u{0666}\u{0660}", 0),
            ("max-age=\u{ff16}", 0), ("max-age=60;", 0), ("max-age=60, max-age=600", 0),
            ("max-age=60, max-age=inf", 0), ("max-age=inf, max-age=60", 0), ("max-age = 60", 60),
            ("max-age\t=\t60", 60), (",, max-age=60,", 60),
            // Inside a quoted string it isn't a directive, but after the quoted string it is.
            ("private=\"x, max-age=600\", max-age=5", 5), ("x=\"a\\\", max-age=600\", max-age=5", 5),
            // A quoted string without an end hides an unknown number of directives.
            ("x=\"a, max-age=600", 0), ("max-age=600, x=\"a", 0),
        ])
    func maximumAge(field: String, expected: Int) {
        #expect(lifetime([("cache-control", field)]).seconds == expected)
    }

    @Test(
        "A response that needs validation before each use has a lifetime of 0, whatever its max-age",
        arguments: [
            "no-cache", "NO-CACHE", "no-cache, max-age=60", "max-age=60, no-cache",
            "no-cache=\"set-cookie\", max-age=60",
            "max-age=60, no-cache =x", "max-age=60,no-cache",
        ])
    func noCache(field: String) {
        #expect(lifetime([("cache-control", field)]).seconds == 0)
        #expect(lifetime([("cache-control", field)]).forbidsStoring == false)
    }

    @Test(
        "A response with no-store or with ambiguous directives must not be stored",
        arguments: [
            ("no-store", true), ("No-Store, max-age=60", true), ("max-age=60 ,no-store", true), ("no-store=x", true),
            ("private=\"x, no-store", true), ("private=\"x, no-store\"", false), ("x-no-store", false),
            ("no-stored", false), ("", false),
        ])
    func noStore(field: String, expected: Bool) {
        #expect(lifetime([("cache-control", field)]).forbidsStoring == expected)
    }

    @Test("Directives in several fields count together, but the parser reads each field separately")
    func severalFields() {
        #expect(lifetime([("cache-control", "public"), ("cache-control", "max-age=60")]).seconds == 60)
        #expect(lifetime([("cache-control", "max-age=60"), ("cache-control", "max-age=600")]).seconds == 0)
        #expect(lifetime([("cache-control", "max-age=60"), ("cache-control", "no-cache")]).seconds == 0)
        #expect(lifetime([("cache-control", "max-age=60"), ("cache-control", "no-store")]).forbidsStoring)
        #expect(lifetime([("cache-control", "x=\"a"), ("cache-control", "b\", max-age=60")]).forbidsStoring)
    }

    @Test(
        "Without max-age the lifetime is Expires minus Date",
        arguments: ["", "public", "s-maxage=60", "x-max-age=60", ",,", "private=\"max-age=600\""],
        [
            ("Sun, 06 Nov 1994 09:49:37 GMT", 3600), ("Sunday, 06-Nov-94 09:49:37 GMT", 3600),
            ("Sun Nov  6 09:49:37 1994", 3600), (" Sun, 06 Nov 1994 09:49:37 GMT ", 3600),
            ("Sun, 06 Nov 1994 07:49:37 GMT", 0), (date, 0), ("Fri, 31 Dec 9999 23:59:59 GMT", most), ("0", 0),
            ("-1", 0), ("", 0), ("soon", 0),
        ])
    func expires(field: String, row: (expires: String, expected: Int)) {
        #expect(lifetime([("cache-control", field)]).seconds == nil)
        #expect(
            lifetime([("cache-control", field), ("date", Self.date), ("expires", row.expires)]).seconds == row.expected)
    }

    @Test("Expires without a readable Date gives no lifetime, and two different Expires fields make the response stale")
    func expiresAndDate() {
        let later = "Sun, 06 Nov 1994 09:49:37 GMT"
        #expect(lifetime([]).seconds == nil)
        #expect(lifetime([("age", "5")]).seconds == nil)
        #expect(lifetime([("date", Self.date)]).seconds == nil)
        #expect(lifetime([("expires", later)]).seconds == nil)
        #expect(lifetime([("expires", later), ("date", "soon")]).seconds == nil)
        #expect(lifetime([("expires", later), ("expires", later), ("date", Self.date)]).seconds == 3600)
        #expect(lifetime([("expires", later), ("expires", Self.date), ("date", Self.date)]).seconds == 0)
        #expect(lifetime([("expires", "\(later), \(later)"), ("date", Self.date)]).seconds == 0)
        // max-age has priority.
        #expect(lifetime([("expires", later), ("date", Self.date), ("cache-control", "max-age=5")]).seconds == 5)
        #expect(lifetime([("expires", later), ("date", Self.date), ("cache-control", "max-age=x")]).seconds == 0)
    }

    @Test(
        "Age shortens the lifetime and never lengthens it, and an Age that isn't a number is ignored",
        arguments: [
            ("10", 50), ("20", 40), ("0", 60), ("60", 0), ("61", 0), ("90", 0), ("99999999999999999999", 0),
            ("10, 0", 50), ("-10", 60), ("-inf", 60), ("inf", 60), ("nan", 60), ("", 60), ("+10", 60), (" 10 ", 50),
        ])
    func age(age: String, expected: Int) {
        #expect(lifetime([("cache-control", "max-age=60"), ("age", age)]).seconds == expected)
        #expect(
            lifetime([("age", age), ("date", Self.date), ("expires", "Sun, 06 Nov 1994 08:50:37 GMT")]).seconds
                == expected)
    }

    @Test("Of several Age fields, the first counts")
    func severalAges() {
        #expect(lifetime([("cache-control", "max-age=60"), ("age", "10"), ("age", "50")]).seconds == 50)
    }
}
