// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// A place in a file, from 1: a line, and a column in bytes.
struct TextPlace: Hashable, CustomStringConvertible {
    var line = 1
    var column = 1

    var description: String { "\(line):\(column)" }
}

/// An error of a file in CSV, or of a value in it.
struct CSVError: Error, CustomStringConvertible {
    let place: TextPlace
    let detail: String

    var description: String { "\(place): \(detail)" }
}

/// One field of a record: its text without quotes, and its place.
struct CSVField {
    let bytes: [UInt8]
    let place: TextPlace

    /// Returns the text.
    /// - Throws: ``CSVError`` for bytes that are no UTF-8.
    func text() throws(CSVError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CSVError(place: place, detail: "no text in UTF-8")
        }
        guard !CombiningRun.isTooLong(in: text) else {
            throw CSVError(place: place, detail: "expected \(CombiningRun.expectation)")
        }
        return text
    }
}

/// A reader of comma-separated values (RFC 4180), record by record: quoted fields may have commas, line ends and doubled quotes. Lines end
/// with LF or CRLF. A byte order mark is skipped.
///
/// Strict: a quote inside of an unquoted field, text behind a closing quote, a quote that is never closed and the byte 0 are errors, as
/// they would move all that follows into other columns.
struct CSVReader {
    /// The largest size of one field, in bytes.
    static let maximumField = 4 << 20
    /// The largest number of fields of one record.
    static let maximumFields = 1024

    private let bytes: [UInt8]
    private var index = 0
    private var place = TextPlace()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    }

    /// Reads the next record that isn't an empty line; nil at the end.
    mutating func next() throws(CSVError) -> [CSVField]? {
        while index < bytes.count, isAtLineEnd { skipLineEnd() }
        guard index < bytes.count else { return nil }
        var scanner = CSVRecordScanner()
        var fields: [CSVField] = []
        var (text, start): ([UInt8], TextPlace) = ([], place)
        while index < bytes.count {
            // A carriage return before the line feed belongs to the end of the line.
            if bytes[index] == 0x0d, isAtLineEnd, !scanner.isInQuotes {
                advance()
                continue
            }
            switch scanner.part(bytes[index]) {
            case .text:
                guard bytes[index] != 0 else { throw CSVError(place: place, detail: "a byte 0, expected text") }
                guard text.count < Self.maximumField else {
                    throw CSVError(place: start, detail: "a field over \(Self.maximumField >> 20) MiB")
                }
                text.append(bytes[index])
            case .opening, .quote: break
            case .strayQuote:
                throw CSVError(place: place, detail: "a quote inside of a field that doesn't begin with one")
            case .behindQuotes:
                throw CSVError(
                    place: place, detail: "text behind the closing quote, expected a comma or the end of the line")
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
            throw CSVError(place: start, detail: "the quote of this field is never closed")
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
