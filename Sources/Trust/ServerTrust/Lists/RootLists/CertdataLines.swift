// SPDX-License-Identifier: Apache-2.0

/// The lines of `certdata.txt`, and the octets in octal between some of them.
///
/// Each call receives the text as a span, so 1.3 MB are read without a copy.
struct CertdataLines {
    /// An attribute: `CKA_LABEL UTF8 "GlobalSign Root CA"`.
    struct Attribute {
        let name: Range<Int>
        let type: Range<Int>
        /// The rest of the line. Empty for octets, which follow on the next lines.
        let value: Range<Int>
    }

    /// The number of the line read last, from 1.
    private(set) var number = 0
    private var position = 0

    /// The octets of one attribute. A root certificate has about 2 KB.
    private var scratch = [UInt8](repeating: 0, count: 1 << 16)
    private var count = 0

    /// The octets read last.
    var octets: ArraySlice<UInt8> { scratch[..<count] }

    /// Returns the next attribute, or nil at the end of the text. Skips comments, empty lines and `BEGINDATA`.
    /// - Throws: ``RootListError`` for a line without a type, and for octets that aren't octal or have no end.
    mutating func next(_ text: Span<UInt8>) throws(RootListError) -> Attribute? {
        while let line = nextLine(text) {
            guard !line.isEmpty, text[line.lowerBound] != UInt8(ascii: "#") else { continue }
            var rest = line
            let name = Self.word(text, &rest)
            let type = Self.word(text, &rest)
            guard !type.isEmpty else {
                guard text.has(name, "BEGINDATA") else { throw error("an attribute with its type", text, line) }
                continue
            }
            count = 0
            if text.has(type, "MULTILINE_OCTAL") { try readOctets(text) }
            return Attribute(name: name, type: type, value: rest)
        }
        return nil
    }

    /// Returns an error at the line read last.
    func error(_ expected: String, _ text: Span<UInt8>, _ found: Range<Int>) -> RootListError {
        .unexpected(line: number, expected: expected, found: text.text(found, maximum: 64))
    }

    /// Returns the next line without its line ending and surrounding white space.
    private mutating func nextLine(_ text: Span<UInt8>) -> Range<Int>? {
        guard position < text.count else { return nil }
        var start = position
        var end = start
        while end < text.count, text[end] != 0x0a { end &+= 1 }
        position = min(end &+ 1, text.count)
        number &+= 1
        while start < end, Self.isSpace(text[start]) { start &+= 1 }
        while end > start, Self.isSpace(text[end &- 1]) { end &-= 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }

    /// Removes the first word of a line and the white space after it, and returns the word.
    private static func word(_ text: Span<UInt8>, _ line: inout Range<Int>) -> Range<Int> {
        var end = line.lowerBound
        while end < line.upperBound, !isSpace(text[end]) { end += 1 }
        let word = line.lowerBound..<end
        while end < line.upperBound, isSpace(text[end]) { end += 1 }
        line = end..<line.upperBound
        return word
    }

    /// Reads `\060\127…` up to the line `END`.
    private mutating func readOctets(_ text: Span<UInt8>) throws(RootListError) {
        while true {
            let isWhole = readGroups(text)
            guard let line = nextLine(text) else { break }
            if isWhole, text.has(line, "END") { return }
            // An empty line is the white space after a line of octets.
            guard line.isEmpty else { throw error("octets as \\ooo, or END", text, line) }
        }
        throw RootListError(line: number, "expected END of the octets, found the end of the file")
    }

    /// Reads groups of a backslash and three digits, and the line endings between them. Stops at anything else, or when
    /// the buffer is full.
    /// - Returns: whether the next byte begins a line.
    private mutating func readGroups(_ text: Span<UInt8>) -> Bool {
        var index = position
        var next = count
        var ends = 0
        var room = scratch.mutableSpan
        while index &+ 4 <= text.count {
            if text[index] == UInt8(ascii: "\\"), next < room.count {
                let high = text[index &+ 1] &- 0x30
                let middle = text[index &+ 2] &- 0x30
                let low = text[index &+ 3] &- 0x30
                guard high < 4, middle < 8, low < 8 else { break }
                room[next] = high &<< 6 | middle &<< 3 | low
                next &+= 1
                index &+= 4
            } else if text[index] == 0x0a {
                ends &+= 1
                index &+= 1
            } else {
                break
            }
        }
        position = index
        count = next
        number &+= ends
        return index > 0 && text[index &- 1] == 0x0a
    }
}

extension Span<UInt8> {
    /// Whether a range contains exactly a word.
    func has(_ part: Range<Int>, _ word: StaticString) -> Bool {
        guard part.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for index in word.indices where self[part.lowerBound + index] != word[index] { return false }
            return true
        }
    }

    /// Returns at most `maximum` bytes of a range as text.
    func text(_ part: Range<Int>, maximum: Int) -> String {
        String(decoding: part.prefix(maximum).map { self[$0] }, as: UTF8.self)
    }
}
