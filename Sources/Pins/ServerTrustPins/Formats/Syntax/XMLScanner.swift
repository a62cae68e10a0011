// SPDX-License-Identifier: Apache-2.0

/// A scanner for the tokens of XML 1.0 (Fifth Edition) in valid UTF-8. It also counts lines.
struct XMLScanner {
    /// The line of the next byte, from 1.
    private(set) var line = 1

    private let bytes: [UInt8]
    /// The offset of the next byte.
    private(set) var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    func fault(_ reason: StaticString) -> XMLFault { XMLFault(reason: reason, line: line) }

    func isAt(_ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    /// Skips `mark`, which may not contain a line end.
    /// - Returns: whether the mark was found.
    @discardableResult mutating func skip(_ mark: StaticString) -> Bool {
        guard isAt(mark) else { return false }
        index += mark.utf8CodeUnitCount
        return true
    }

    mutating func skip(_ mark: [UInt8]) {
        if bytes[index...].starts(with: mark) { index += mark.count }
    }

    /// Skips white space (§ 2.3).
    /// - Returns: whether there was white space.
    @discardableResult mutating func skipBlanks() -> Bool {
        let start = index
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { advance() }
        return index > start
    }

    private mutating func advance() {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    private mutating func advance(to end: Int) {
        while index < end { advance() }
    }

    /// Throws for the first character that XML forbids (§ 2.2).
    mutating func checkCharacters() throws(XMLFault) {
        for start in bytes.indices {
            let byte = bytes[start]
            let isControl = byte < 0x20 && byte != 0x09 && byte != 0x0a && byte != 0x0d
            // U+FFFE and U+FFFF.
            let isNone =
                byte == 0xef && start + 2 < bytes.count && bytes[start + 1] == 0xbf && bytes[start + 2] >= 0xbe
            guard isControl || isNone else { continue }
            advance(to: start)
            throw fault("a character that XML forbids")
        }
    }
}

// MARK: Names

extension XMLScanner {
    /// The characters that can start a name (§ 2.3), including `:`.
    private static let nameStarts: [ClosedRange<UInt32>] = [
        0x3a...0x3a, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a, 0xc0...0xd6, 0xd8...0xf6, 0xf8...0x2ff, 0x370...0x37d,
        0x37f...0x1fff, 0x200c...0x200d, 0x2070...0x218f, 0x2c00...0x2fef, 0x3001...0xd7ff, 0xf900...0xfdcf,
        0xfdf0...0xfffd, 0x10000...0xeffff,
    ]
    /// The other characters of names.
    private static let nameOthers: [ClosedRange<UInt32>] = [
        0x2d...0x2e, 0x30...0x39, 0xb7...0xb7, 0x300...0x36f, 0x203f...0x2040,
    ]

    static func startsName(_ scalar: Unicode.Scalar) -> Bool { nameStarts.contains { $0.contains(scalar.value) } }

    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        startsName(scalar) || nameOthers.contains { $0.contains(scalar.value) }
    }

    mutating func name() throws(XMLFault) -> String {
        // Only ASCII characters can end a name or follow it. Names contain no other ASCII characters.
        var end = index
        while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
        let name = String(decoding: bytes[index..<end], as: UTF8.self)
        guard let first = name.unicodeScalars.first, Self.startsName(first),
            name.unicodeScalars.allSatisfy(Self.continuesName)
        else { throw fault("a missing or malformed name") }
        index = end
        return name
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x61...0x7a).contains(byte | 0x20) || (0x2d...0x2e).contains(byte)
            || (0x30...0x3a).contains(byte) || byte == UInt8(ascii: "_")
    }
}

// MARK: Text

extension XMLScanner {
    /// Reads a comment after its start (§ 2.5).
    mutating func comment() throws(XMLFault) -> String {
        let text = try text(upTo: "--", missing: "an unterminated comment")
        guard skip(">") else { throw fault("-- in a comment") }
        return text
    }

    /// Reads up to `mark` and skips it. References stay unchanged.
    mutating func text(upTo mark: StaticString, missing reason: StaticString) throws(XMLFault) -> String {
        var text: [UInt8] = []
        while index < bytes.count {
            if skip(mark) { return String(decoding: text, as: UTF8.self) }
            text.append(contentByte())
        }
        throw fault(reason)
    }

    /// Reads up to the next `<` or the end (§ 2.4).
    mutating func characterData() throws(XMLFault) -> String {
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "<") {
            if byte == UInt8(ascii: "&") {
                try reference(into: &text)
            } else if isAt("]]>") {
                throw fault("]]> outside a CDATA section")
            } else {
                text.append(contentByte())
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a value in quotes. White space inside the value becomes spaces (§ 3.3.3).
    mutating func attributeValue() throws(XMLFault) -> String {
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault("a value without quotes")
        }
        index += 1
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "<") {
            if byte == quote {
                index += 1
                return String(decoding: text, as: UTF8.self)
            }
            if byte == UInt8(ascii: "&") {
                try reference(into: &text)
            } else {
                let byte = contentByte()
                text.append(byte < 0x20 ? 0x20 : byte)
            }
        }
        throw fault("a value that contains < or is unterminated")
    }

    /// Reads a byte. Every kind of line end becomes one `\n` (§ 2.11).
    private mutating func contentByte() -> UInt8 {
        let byte = bytes[index]
        advance()
        guard byte == UInt8(ascii: "\r") else { return byte }
        if peek == UInt8(ascii: "\n") { advance() }
        return UInt8(ascii: "\n")
    }

    /// Reads `&…;`: a character number (§ 4.1) or one of the five entities.
    private mutating func reference(into text: inout [UInt8]) throws(XMLFault) {
        let entities: [(StaticString, UInt8)] = [
            ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&amp;", UInt8(ascii: "&")),
            ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
        ]
        for (name, byte) in entities where skip(name) { return text.append(byte) }
        let isHexadecimal = skip("&#x")
        guard isHexadecimal || skip("&#") else { throw fault("an unknown entity, or & without an entity") }
        let digits = bytes[index...].prefix { byte in
            (0x30...0x39).contains(byte) || isHexadecimal && (0x61...0x66).contains(byte | 0x20)
        }
        // Only leading zeros could make a number overflow, and they are dropped.
        let significant = digits.drop { $0 == UInt8(ascii: "0") }.prefix(10)
        guard !digits.isEmpty, digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: ";"),
            let number = UInt32(String(decoding: significant, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number), Self.isCharacter(number)
        else { throw fault("an invalid character reference") }
        index = digits.endIndex + 1
        text += String(scalar).utf8
    }

    private static func isCharacter(_ number: UInt32) -> Bool {
        number >= 0x20 ? number != 0xfffe && number != 0xffff : number == 0x09 || number == 0x0a || number == 0x0d
    }
}

// MARK: Instructions

extension XMLScanner {
    /// Skips an instruction after its `<?` (§ 2.6).
    mutating func skipInstruction() throws(XMLFault) {
        let target = try name()
        guard !target.contains(":"), target.lowercased() != "xml" else { throw fault("a malformed instruction name") }
        if skip("?>") { return }
        guard skipBlanks() else { throw fault("a malformed instruction name") }
        while index < bytes.count {
            if skip("?>") { return }
            advance()
        }
        throw fault("an unterminated instruction")
    }

    /// Reads an XML declaration, if one follows (§ 2.8).
    /// - Returns: the encoding, or nil for none.
    mutating func declaration() throws(XMLFault) -> String? {
        let rest = bytes[index...].dropFirst(5)
        guard isAt("<?xml"), let next = rest.first, next <= 0x20 || next == UInt8(ascii: "?") else { return nil }
        skip("<?xml")
        guard try pseudoAttribute("version") == "1.0" else { throw fault("a version other than XML 1.0") }
        let encoding = try pseudoAttribute("encoding")
        if let encoding {
            let isName = encoding.utf8.enumerated().allSatisfy { offset, byte in
                (0x61...0x7a).contains(byte | 0x20)
                    || offset > 0 && (0x2d...0x39).contains(byte) && byte != UInt8(ascii: "/")
                    || offset > 0 && byte == UInt8(ascii: "_")
            }
            guard !encoding.isEmpty, isName else { throw fault("a malformed encoding name") }
        }
        guard [nil, "yes", "no"].contains(try pseudoAttribute("standalone")) else { throw fault("standalone") }
        skipBlanks()
        guard skip("?>") else { throw fault("a malformed XML declaration") }
        return encoding
    }

    /// Reads a part of an XML declaration. Returns nil if a different part or the end follows.
    private mutating func pseudoAttribute(_ name: StaticString) throws(XMLFault) -> String? {
        let before = self
        guard skipBlanks(), skip(name) else {
            self = before
            return nil
        }
        skipBlanks()
        guard skip("=") else { throw fault("a malformed XML declaration") }
        skipBlanks()
        return try attributeValue()
    }
}
