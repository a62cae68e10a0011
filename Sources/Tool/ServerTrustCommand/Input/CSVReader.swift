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

    private static let (quote, comma, lf, cr) = (UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(0x0a), UInt8(0x0d))

    /// Reads the next record that isn't an empty line; nil at the end.
    mutating func next() throws(CSVError) -> [CSVField]? {
        while index < bytes.count, isAtLineEnd { skipLineEnd() }
        guard index < bytes.count else { return nil }
        var fields: [CSVField] = []
        while true {
            guard fields.count < Self.maximumFields else {
                throw CSVError(place: place, detail: "more than \(Self.maximumFields) fields in a record")
            }
            fields.append(try field())
            guard index < bytes.count else { return fields }
            if bytes[index] == Self.comma {
                advance()
            } else {
                skipLineEnd()
                return fields
            }
        }
    }

    /// Reads a field up to its comma, its line end or the end.
    private mutating func field() throws(CSVError) -> CSVField {
        let start = place
        if index < bytes.count, bytes[index] == Self.quote { return try quoted(start) }
        var text: [UInt8] = []
        while index < bytes.count, bytes[index] != Self.comma, !isAtLineEnd {
            guard bytes[index] != Self.quote else {
                throw CSVError(place: place, detail: "a quote inside of a field that doesn't begin with one")
            }
            try append(&text, start)
        }
        return CSVField(bytes: text, place: start)
    }

    private mutating func quoted(_ start: TextPlace) throws(CSVError) -> CSVField {
        advance()
        var text: [UInt8] = []
        while true {
            guard index < bytes.count else {
                throw CSVError(place: start, detail: "the quote of this field is never closed")
            }
            if bytes[index] == Self.quote {
                advance()
                guard index < bytes.count, bytes[index] == Self.quote else { break }
            }
            try append(&text, start)
        }
        guard index == bytes.count || bytes[index] == Self.comma || isAtLineEnd else {
            throw CSVError(
                place: place, detail: "text behind the closing quote, expected a comma or the end of the line")
        }
        return CSVField(bytes: text, place: start)
    }

    private mutating func append(_ text: inout [UInt8], _ start: TextPlace) throws(CSVError) {
        guard bytes[index] != 0 else { throw CSVError(place: place, detail: "a byte 0, expected text") }
        guard text.count < Self.maximumField else {
            throw CSVError(place: start, detail: "a field over \(Self.maximumField >> 20) MiB")
        }
        text.append(bytes[index])
        advance()
    }

    private var isAtLineEnd: Bool {
        bytes[index] == Self.lf || (bytes[index] == Self.cr && index + 1 < bytes.count && bytes[index + 1] == Self.lf)
    }

    private mutating func skipLineEnd() {
        if bytes[index] == Self.cr { advance() }
        advance()
    }

    private mutating func advance() {
        if bytes[index] == Self.lf {
            place.line += 1
            place.column = 1
        } else {
            place.column += 1
        }
        index += 1
    }
}
