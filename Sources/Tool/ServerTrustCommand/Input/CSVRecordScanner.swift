// SPDX-License-Identifier: Apache-2.0

/// The rules of comma-separated values (RFC 4180), byte by byte: the parts of fields, and the ends of fields and records.
///
/// ``CSVReader`` reads fields by it. Streams are cut into records by it, without fields, before each record is read.
///
/// Only a quote at the beginning of a field opens it. One elsewhere is an error of its record alone, which ends with its line, so that
/// it doesn't swallow the records that follow.
struct CSVRecordScanner {
    /// The part of a record that a byte is.
    enum Part {
        /// A byte of the field, or the second one of two quotes within quotes, which stand for one.
        case text
        /// The quote that opens a field.
        case opening
        /// A quote within quotes: the end of the field, or the first of two.
        case quote
        /// The comma behind a field.
        case fieldEnd
        /// The line feed behind a record.
        case recordEnd
        /// A quote within a field that doesn't begin with one.
        case strayQuote
        /// A byte behind the closing quote of a field.
        case behindQuotes
    }

    private enum State {
        case fieldStart
        case unquoted
        case quoted
        case quoteInQuoted
        case closed
    }

    private var state = State.fieldStart

    /// Whether the next byte is within a quoted field.
    var isInQuotes: Bool { state == .quoted }

    /// Reads a byte.
    @inline(__always)
    mutating func part(_ byte: UInt8) -> Part {
        if state == .quoted {
            guard byte == UInt8(ascii: "\"") else { return .text }
            state = .quoteInQuoted
            return .quote
        }
        switch byte {
        case UInt8(ascii: "\n"):
            state = .fieldStart
            return .recordEnd
        case UInt8(ascii: ","):
            state = .fieldStart
            return .fieldEnd
        case UInt8(ascii: "\"") where state == .fieldStart:
            state = .quoted
            return .opening
        case UInt8(ascii: "\"") where state == .quoteInQuoted:
            state = .quoted
            return .text
        // A carriage return too: behind it a quote is one within a field, which opens nothing.
        default:
            guard state == .fieldStart || state == .unquoted else {
                state = .closed
                return .behindQuotes
            }
            state = .unquoted
            return byte == UInt8(ascii: "\"") ? .strayQuote : .text
        }
    }

    /// Reads a byte.
    /// - Returns: whether a record ends with it.
    mutating func take(_ byte: UInt8) -> Bool { part(byte) == .recordEnd }

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
