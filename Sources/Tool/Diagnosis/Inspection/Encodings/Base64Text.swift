// SPDX-License-Identifier: Apache-2.0

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
        static let urlAlphabet = Forms(rawValue: 4)
    }

    /// Whether the text is bare base64: `-` and `_` are digits, and padding may be missing.
    var isBare = false
    /// The quotation mark that encloses the text. If it is nil, quotation marks are refused.
    var quotation: UInt8?

    /// Returns the bytes and the forms that occur in the text.
    func decode(_ text: [UInt8], _ range: Range<Int>) throws(Failure) -> (bytes: [UInt8], forms: Forms) {
        var state = State(bytes: [], forms: [])
        state.bytes.reserveCapacity(range.count / 4 * 3)
        var isInside = true
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            let value = Self.values[Int(byte)]
            if value < 64, isInside {
                try state.add(value, offset: index)
            } else if Self.isWhiteSpace(byte) {
                // The quotation mark may occur between digits as well as around them.
            } else if let quotation, byte == quotation {
                isInside.toggle()
                state.forms.insert(.quotes)
            } else if !isInside {
                guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".") else {
                    throw .character(byte, offset: index)
                }
            } else if byte == UInt8(ascii: "=") {
                try state.addPadding(offset: index)
            } else if byte == UInt8(ascii: "\\") {
                index = try escape(text, index, range.upperBound, &state)
                continue
            } else if isBare, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
                state.forms.insert(.urlAlphabet)
                try state.add(byte == UInt8(ascii: "-") ? 62 : 63, offset: index)
            } else {
                throw .character(byte, offset: index)
            }
            index += 1
        }
        try state.finish(isBare: isBare, offset: range.upperBound)
        return (state.bytes, state.forms)
    }

    /// Parses a JSON escape with one or more backslashes: `\n`, `\r`, `\t`, `\/` or `\u003d`.
    /// - Returns: the offset after the escape.
    private func escape(
        _ text: [UInt8], _ start: Int, _ end: Int, _ state: inout State
    ) throws(Failure) -> Int {
        var index = start
        while index < end, text[index] == UInt8(ascii: "\\") { index += 1 }
        guard index < end else { throw .character(UInt8(ascii: "\\"), offset: start) }
        state.forms.insert(.escapes)
        switch text[index] {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return index + 1
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return index + 1
        case UInt8(ascii: "/"):
            try state.add(63, offset: index)
            return index + 1
        case UInt8(ascii: "u") where end - index >= 5:
            guard let code = HexText.value(text[(index + 1)..<(index + 5)]), code < 0x80 else { break }
            let byte = UInt8(code)
            if byte == UInt8(ascii: "=") {
                try state.addPadding(offset: index)
            } else if Self.values[Int(byte)] < 64 {
                try state.add(Self.values[Int(byte)], offset: index)
            } else if !Self.isWhiteSpace(byte) {
                break
            }
            return index + 5
        default: break
        }
        throw .character(UInt8(ascii: "\\"), offset: start)
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }

    /// Whether a byte is a digit of either alphabet, padding or white space.
    static func isPlausible(_ byte: UInt8) -> Bool {
        values[Int(byte)] < 64 || isWhiteSpace(byte) || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    /// The six bits of each digit, or 0xff for other bytes.
    static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
}

/// The decoded bytes and the current incomplete group.
private struct State {
    var bytes: [UInt8]
    var forms: Base64Text.Forms
    private var group: UInt32 = 0
    private var digits = 0
    private var padding = 0

    init(bytes: [UInt8], forms: Base64Text.Forms) {
        self.bytes = bytes
        self.forms = forms
    }

    mutating func add(_ value: UInt8, offset: Int) throws(Base64Text.Failure) {
        guard padding == 0 else { throw .afterPadding(offset: offset) }
        group = group << 6 | UInt32(value)
        digits += 1
        guard digits == 4 else { return }
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        group = 0
        digits = 0
    }

    mutating func addPadding(offset: Int) throws(Base64Text.Failure) {
        padding += 1
        guard digits >= 2, digits + padding <= 4 else {
            throw .character(UInt8(ascii: "="), offset: offset)
        }
    }

    mutating func finish(isBare: Bool, offset: Int) throws(Base64Text.Failure) {
        guard digits > 0 else { return }
        guard digits >= 2, digits + padding == 4 || isBare && padding == 0 else { throw .cutOff(offset: offset) }
        guard group & (digits == 2 ? 0xf : 0x3) == 0 else { throw .unusedBits(offset: offset) }
        bytes.append(UInt8(truncatingIfNeeded: digits == 2 ? group >> 4 : group >> 10))
        if digits == 3 { bytes.append(UInt8(truncatingIfNeeded: group >> 2)) }
    }
}
