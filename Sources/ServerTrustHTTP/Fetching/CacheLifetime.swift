// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import PKIX

/// For how long a response may be kept, as its headers say (RFC 9111 § 4.2.1).
enum CacheLifetime {
    /// Seconds from now; 0 for what may not be kept; nil if the server doesn't say.
    static func seconds(_ headers: HTTPHeaders) -> Int? {
        let directives = headers[canonicalForm: "cache-control"].map { $0.lowercased() }
        if directives.contains(where: { $0 == "no-store" || $0 == "no-cache" || $0.hasPrefix("no-cache=") }) {
            return 0
        }
        let age = headers.first(name: "age").flatMap { Int($0) } ?? 0
        let maximum = directives.first { $0.hasPrefix("max-age=") }
        if let maximum {
            // A number that can't be read is taken for an old response (§ 4.2.1).
            guard let seconds = Int(maximum.dropFirst("max-age=".count).filter { $0 != "\"" }) else { return 0 }
            return max(0, seconds.clamped - age.clamped)
        }
        guard let expires = headers.first(name: "expires") else { return nil }
        // "An Expires of 0" and other dates that are none lie in the past (§ 5.3).
        guard let end = HTTPDate.parse(expires) else { return 0 }
        guard let start = headers.first(name: "date").flatMap({ HTTPDate.parse($0) }) else { return nil }
        return max(0, Int(end.secondsSinceEpoch - start.secondsSinceEpoch).clamped - age.clamped)
    }
}

extension Int {
    /// § 1.2.2: more than 2³¹ seconds are as good as that.
    fileprivate var clamped: Int { Swift.min(Swift.max(self, 0), 1 << 31) }
}

/// Dates in headers.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 § 5.6.7, IMF-fixdate). Not the two obsolete forms.
    static func parse(_ text: String) -> Time? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard parts[1].count == 2, parts[3].count == 4, clock.count == 3, clock.allSatisfy({ $0.count == 2 }) else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return try? Time(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
