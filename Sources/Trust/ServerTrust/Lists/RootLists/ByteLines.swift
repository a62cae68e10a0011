// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The lines of a text in sequence, with the current line number.
struct ByteLines {
    private let bytes: [UInt8]
    private var position = 0
    /// The number of the line returned last, from 1.
    private(set) var number = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next line without its line ending and trailing white space, or nil at the end of the text.
    mutating func next() -> ArraySlice<UInt8>? {
        guard position < bytes.count else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != 0x0a { position += 1 }
        var end = position
        position += 1
        number += 1
        while end > start, bytes[end - 1] == 0x0d || bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return bytes[start..<end]
    }

    /// Returns an error at the line returned last.
    func error(_ expected: String, found: ArraySlice<UInt8>) -> RootListError {
        .unexpected(line: number, expected: expected, found: String(decoding: found.prefix(64), as: UTF8.self))
    }
}

extension Time {
    /// Creates the time of a UTCTime's digits, `YYMMDDHHMMSSZ`. Years from 50 on belong to the last century (RFC 5280 §
    /// 4.1.2.5.1).
    init?(utcTime digits: [UInt8]) {
        let digits = digits.last == 0 ? digits.dropLast() : digits[...]
        guard digits.count == 13, digits.last == UInt8(ascii: "Z"),
            digits.dropLast().allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        func part(_ index: Int) -> Substring { text.dropFirst(index * 2).prefix(2) }
        let century = part(0) < "50" ? "20" : "19"
        let day = "\(century)\(part(0))-\(part(1))-\(part(2))"
        guard let time = try? Time(rfc3339: "\(day)T\(part(3)):\(part(4)):\(part(5))Z") else { return nil }
        self = time
    }
}
