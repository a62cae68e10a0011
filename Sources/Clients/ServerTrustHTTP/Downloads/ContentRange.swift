// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOHTTP1

/// The position of a response's body in the whole file (RFC 9110 § 14.4), for example `bytes 5-9/10`.
struct ContentRange: Equatable {
    /// The offsets of the first and the last byte.
    let first: Int
    let last: Int
    let total: Int

    /// Parses the header field. Returns nil unless there is exactly one field, its unit is bytes, and its range is
    /// inside a known total.
    init?(_ headers: HTTPHeaders) {
        let values = headers["content-range"]
        guard values.count == 1 else { return nil }
        let words = values[0].split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let numbers = words[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard numbers.count == 2 else { return nil }
        let ends = numbers[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            let total = Self.number(numbers[1]), first <= last, last < total
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    /// Parses a number that consists only of digits. `Int` would accept more.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}

extension HTTPHeaders {
    /// The strong entity tag with its quotation marks (RFC 9110 § 8.8.3). Nil if the tag is weak or malformed, or if
    /// there are several.
    var strongTag: String? {
        let values = self["etag"]
        guard values.count == 1, values[0].utf8.count <= 1024 else { return nil }
        let bytes = Array(values[0].utf8)
        let quote = UInt8(ascii: "\"")
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote,
            bytes.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7f })
        else { return nil }
        return values[0]
    }

    /// The length that the head announces. Nil if it is missing or isn't a number, or if there are several.
    var announcedLength: Int? {
        let values = self["content-length"]
        guard values.count == 1, let length = Int(values[0]), length >= 0 else { return nil }
        return length
    }

    /// Whether the body has a content coding, such as gzip.
    var isContentCoded: Bool {
        self[canonicalForm: "content-encoding"].contains { !$0.isEmpty && $0.lowercased() != "identity" }
    }
}

#endif
