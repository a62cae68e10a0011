// SPDX-License-Identifier: Apache-2.0

/// A finder of the ends of records of comma-separated values (RFC 4180), byte by byte, without reading them.
///
/// Only a quote at the beginning of a field opens it. One elsewhere is an error of its record alone, which ends with its line, so that
/// it doesn't swallow the records that follow.
struct CSVRecordScanner {
    private enum State {
        case fieldStart
        case unquoted
        case quoted
        /// A quote within a quoted field: its end, or the first of two.
        case quoteInQuoted
    }

    private var state = State.fieldStart

    /// Whether the next byte is within a quoted field.
    var isInQuotes: Bool { state == .quoted }

    /// Reads a byte.
    /// - Returns: whether a record ends with it.
    mutating func take(_ byte: UInt8) -> Bool {
        if state == .quoted {
            if byte == UInt8(ascii: "\"") { state = .quoteInQuoted }
            return false
        }
        switch byte {
        case UInt8(ascii: "\n"):
            state = .fieldStart
            return true
        case UInt8(ascii: ","): state = .fieldStart
        case UInt8(ascii: "\"") where state != .unquoted: state = .quoted
        // A carriage return too: behind it a quote is one within a field, which opens nothing.
        default: state = .unquoted
        }
        return false
    }

    /// Returns the ranges of the records of bytes that begin and end with a record, empty lines among them.
    static func records(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var scanner = CSVRecordScanner()
        var records: [Range<Int>] = []
        var start = 0
        for index in bytes.indices where scanner.take(bytes[index]) {
            records.append(start..<(index + 1))
            start = index + 1
        }
        if start < bytes.count { records.append(start..<bytes.count) }
        return records
    }
}
