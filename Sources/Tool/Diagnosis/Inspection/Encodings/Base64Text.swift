// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A decoder for base64 as found in files: with line breaks, indentation, quotation marks and JSON escapes.
///
/// It tolerates only characters around and between the digits. Padding must be correct and unused bits must be zero, as
/// in `PEM`. Bare base64 may omit its padding (RFC 7515 § 2).
struct Base64Text {
    /// The reason why a text isn't base64, with the offset of the byte that has the problem.
    enum Failure: Error, Sendable, Hashable {
        /// A byte that isn't a digit.
        case character(UInt8, offset: Int)
        /// The last group has too few digits.
        case cutOff(offset: Int)
        /// Digits after the padding.
        case afterPadding(offset: Int)
        /// Unused bits are set.
        case unusedBits(offset: Int)
    }

    /// Properties of the text that strict parsers refuse.
    struct Forms: OptionSet, Sendable, Hashable {
        let rawValue: Int
        static let escapes = Forms(rawValue: 1)
        static let quotes = Forms(rawValue: 2)
    }

    /// Whether the text is bare base64: `-` and `_` are digits, and padding may be missing.
    var isBare = false
    /// The quotation mark that encloses the text. If it is nil, quotation marks are refused.
    var quotation: UInt8?

    /// Returns the bytes and the forms that occur in the text.
    func decode(_ text: [UInt8], _ range: Range<Int>) throws(Failure) -> (bytes: [UInt8], forms: Forms) {
        var digits = Digits(capacity: range.count)
        var isInside = true
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            if isInside, Base64.isDigit(byte) {
                try digits.add(byte, offset: index)
            } else if Base64.isWhiteSpace(byte) {
                // The quotation mark may occur between digits as well as around them.
            } else if let quotation, byte == quotation {
                isInside.toggle()
                digits.forms.insert(.quotes)
            } else if !isInside {
                guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".") else {
                    throw .character(byte, offset: index)
                }
            } else if byte == UInt8(ascii: "=") {
                try digits.addPadding(offset: index)
            } else if byte == UInt8(ascii: "\\") {
                index = try escape(text, index, range.upperBound, &digits)
                continue
            } else if isBare, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
                try digits.add(byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : UInt8(ascii: "/"), offset: index)
            } else {
                throw .character(byte, offset: index)
            }
            index += 1
        }
        return (try digits.decoded(isBare: isBare, offset: range.upperBound), digits.forms)
    }

    /// Parses a JSON escape with one or more backslashes: `\n`, `\r`, `\t`, `\/` or `\u003d`.
    /// - Returns: the offset after the escape.
    private func escape(
        _ text: [UInt8], _ start: Int, _ end: Int, _ digits: inout Digits
    ) throws(Failure) -> Int {
        var index = start
        while index < end, text[index] == UInt8(ascii: "\\") { index += 1 }
        guard index < end else { throw .character(UInt8(ascii: "\\"), offset: start) }
        digits.forms.insert(.escapes)
        switch text[index] {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return index + 1
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return index + 1
        case UInt8(ascii: "/"):
            try digits.add(UInt8(ascii: "/"), offset: index)
            return index + 1
        case UInt8(ascii: "u") where end - index >= 5:
            let code = Hex.decode(String(decoding: text[(index + 1)..<(index + 5)], as: UTF8.self))
            guard let code, code[0] == 0, code[1] < 0x80 else { break }
            if code[1] == UInt8(ascii: "=") {
                try digits.addPadding(offset: index)
            } else if Base64.isDigit(code[1]) {
                try digits.add(code[1], offset: index)
            } else if !Base64.isWhiteSpace(code[1]) {
                break
            }
            return index + 5
        default: break
        }
        throw .character(UInt8(ascii: "\\"), offset: start)
    }

    /// Whether a byte is a digit of either alphabet, padding or white space.
    static func isPlausible(_ byte: UInt8) -> Bool {
        Base64.isDigit(byte) || Base64.isWhiteSpace(byte) || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}

/// The digits of a text without the characters around them.
private struct Digits {
    var forms: Base64Text.Forms = []
    private var text: [UInt8] = []
    private var padding = 0

    init(capacity: Int) { text.reserveCapacity(capacity) }

    mutating func add(_ digit: UInt8, offset: Int) throws(Base64Text.Failure) {
        guard padding == 0 else { throw .afterPadding(offset: offset) }
        text.append(digit)
    }

    mutating func addPadding(offset: Int) throws(Base64Text.Failure) {
        padding += 1
        guard text.count % 4 >= 2, text.count % 4 + padding <= 4 else {
            throw .character(UInt8(ascii: "="), offset: offset)
        }
    }

    func decoded(isBare: Bool, offset: Int) throws(Base64Text.Failure) -> [UInt8] {
        let missing = (4 - text.count % 4) % 4
        guard missing != 3, padding == missing || isBare && padding == 0 else { throw .cutOff(offset: offset) }
        do throws(Base64.DecodingError) {
            return try Base64.decode(text + [UInt8](repeating: UInt8(ascii: "="), count: missing))
        } catch {
            throw .unusedBits(offset: offset)
        }
    }
}
