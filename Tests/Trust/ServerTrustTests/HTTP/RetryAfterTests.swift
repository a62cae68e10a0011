// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
    /// 2026-11-27T12:00:00Z, a Friday.
    private static let now = Time(secondsSinceEpoch: 1_795_780_800)

    private func seconds(_ values: [String], date: String? = nil) -> Int? {
        RetryAfter.seconds(now: Self.now) { name in
            switch name {
            case "retry-after": values
            case "date": date.map { [$0] } ?? []
            default: []
            }
        }
    }

    @Test(
        "A number of seconds counts, and a huge one is limited",
        arguments: [
            ("0", 0), ("120", 120), (" 7\t", 7), ("007", 7), ("1" + String(repeating: "0", count: 30), 1 << 31),
            ("2147483649", 1 << 31),
        ])
    func number(text: String, expected: Int) { #expect(seconds([text]) == expected) }

    @Test(
        "Other texts don't count",
        arguments: ["", "-1", "+1", "1.5", "1e3", "١", "soon", "1, 2", "Fri, 27 Nov 2026", "0x10", "inf"])
    func other(text: String) { #expect(seconds([text]) == nil) }

    @Test("Without the field, or with two of them, there is no answer")
    func count() {
        #expect(seconds([]) == nil)
        #expect(seconds(["1", "1"]) == nil)
    }

    @Test("A date counts from the response's Date, and a date in the past means zero")
    func date() {
        let text = "Fri, 27 Nov 2026 12:01:00 GMT"
        #expect(seconds([text]) == 60)
        #expect(seconds([text], date: "Fri, 27 Nov 2026 12:00:50 GMT") == 10)
        #expect(seconds([text], date: "nonsense") == 60)
        #expect(seconds([text], date: "Fri, 27 Nov 2026 13:00:00 GMT") == 0)
        #expect(seconds(["Thu, 01 Jan 1970 00:00:00 GMT"]) == 0)
        #expect(seconds(["Fri, 31 Dec 9999 23:59:59 GMT"]) == 1 << 31)
    }
}
