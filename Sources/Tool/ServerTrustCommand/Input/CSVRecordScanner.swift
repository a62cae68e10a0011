// SPDX-License-Identifier: Apache-2.0

/// A scanner for comma-separated values (RFC 4180). Byte by byte, it finds the parts of fields and the ends of fields
/// and records.
///
/// ``CSVReader`` uses it to parse fields. Streams use it to split the input into records before parsing each.
///
/// Only a quote at the beginning of a field opens it. A quote elsewhere is an error in its record, which ends with
/// its line, so it can't swallow the following records.
struct CSVRecordScanner {
    /// The role of a byte in a record.
    enum Part {
        /// A byte of the field. Two quotes within a quoted field represent one: the second one has this role.
        case text
        /// The quote that opens a field.
        case opening
        /// A quote within a quoted field: the end of the field, or the first of two.
        case quote
        /// The comma after a field.
        case fieldEnd
        /// The line feed after a record.
        case recordEnd
        /// A quote inside a field that doesn't begin with a quote.
        case strayQuote
        /// A byte after the closing quote of a field.
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

    /// Whether the next byte is inside a quoted field.
    var isInQuotes: Bool { state == .quoted }

    /// Scans a byte.
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
        // This includes a carriage return: a quote after it is inside the field, so it doesn't open one.
        default:
            guard state == .fieldStart || state == .unquoted else {
                state = .closed
                return .behindQuotes
            }
            state = .unquoted
            return byte == UInt8(ascii: "\"") ? .strayQuote : .text
        }
    }

    /// Scans a byte.
    /// - Returns: whether it ends a record.
    mutating func take(_ byte: UInt8) -> Bool { part(byte) == .recordEnd }

    /// Returns the ranges of the records in a buffer, including empty lines. The buffer begins and ends with a complete
    /// record.
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
