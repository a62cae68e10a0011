// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A place in a file: a line, and a column in bytes. Both start at 1.
struct TextPlace: Hashable, CustomStringConvertible {
    var line = 1
    var column = 1

    var description: String { "\(line):\(column)" }
}

/// An error in a CSV file, or in one of its values.
struct CSVError: Error, CustomStringConvertible {
    let place: TextPlace
    let detail: String

    var description: String { "\(place): \(detail)" }
}

/// A field of a record: its text without quotes, and its place.
struct CSVField {
    let bytes: [UInt8]
    let place: TextPlace

    /// Returns the text.
    /// - Throws: ``CSVError`` if the bytes aren't UTF-8.
    func text() throws(CSVError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CSVError(place: place, detail: "text isn't UTF-8")
        }
        guard !CombiningRun.isTooLong(in: text) else {
            throw CSVError(place: place, detail: "expected \(CombiningRun.expectation)")
        }
        return text
    }
}

/// A reader of comma-separated values (RFC 4180), record by record. Quoted fields may contain commas, line ends and
/// doubled quotes. Lines end with LF or CRLF. The reader skips a byte order mark.
///
/// The reader is strict. These are errors, because they would shift later values into other columns: a quote inside an
/// unquoted field, text after a closing quote, an unclosed quote and the byte 0.
struct CSVReader {
    /// The maximum size of a field in bytes.
    static let maximumField = 4 << 20
    /// The maximum number of fields in a record.
    static let maximumFields = 1024

    private let bytes: [UInt8]
    private var index = 0
    private var place = TextPlace()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    }

    /// Returns the next record, skipping empty lines, or nil at the end.
    mutating func next() throws(CSVError) -> [CSVField]? {
        while index < bytes.count, isAtLineEnd { skipLineEnd() }
        guard index < bytes.count else { return nil }
        var scanner = CSVRecordScanner()
        var fields: [CSVField] = []
        var (text, start): ([UInt8], TextPlace) = ([], place)
        while index < bytes.count {
            // A carriage return before a line feed is part of the line's end.
            if bytes[index] == 0x0d, isAtLineEnd, !scanner.isInQuotes {
                advance()
                continue
            }
            switch scanner.part(bytes[index]) {
            case .text:
                guard bytes[index] != 0 else { throw CSVError(place: place, detail: "a zero byte, expected text") }
                guard text.count < Self.maximumField else {
                    throw CSVError(place: start, detail: "a field larger than \(Self.maximumField >> 20) MiB")
                }
                text.append(bytes[index])
            case .opening, .quote: break
            case .strayQuote:
                throw CSVError(place: place, detail: "a quote inside a field that doesn't begin with a quote")
            case .behindQuotes:
                throw CSVError(
                    place: place, detail: "text after the closing quote, expected a comma or the end of the line")
            case .recordEnd:
                fields.append(CSVField(bytes: text, place: start))
                advance()
                return fields
            case .fieldEnd:
                fields.append(CSVField(bytes: text, place: start))
                advance()
                guard fields.count < Self.maximumFields else {
                    throw CSVError(place: place, detail: "more than \(Self.maximumFields) fields in a record")
                }
                (text, start) = ([], place)
                continue
            }
            advance()
        }
        guard !scanner.isInQuotes else {
            throw CSVError(place: start, detail: "the quote that opens this field is never closed")
        }
        fields.append(CSVField(bytes: text, place: start))
        return fields
    }

    private var isAtLineEnd: Bool {
        bytes[index] == 0x0a || bytes[index] == 0x0d && index + 1 < bytes.count && bytes[index + 1] == 0x0a
    }

    private mutating func skipLineEnd() {
        if bytes[index] == 0x0d { advance() }
        advance()
    }

    private mutating func advance() {
        if bytes[index] == 0x0a {
            place.line += 1
            place.column = 1
        } else {
            place.column += 1
        }
        index += 1
    }
}
