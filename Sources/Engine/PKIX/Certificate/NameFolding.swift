// SPDX-License-Identifier: Apache-2.0

// Preparation of attribute values for comparison (RFC 5280 § 7.1, RFC 4518 §§ 2.1 to 2.6).
//
// Folding removes invisible characters, folds case, and removes leading, trailing and repeated spaces. String
// comparison handles canonical equivalence. Of the compatibility mapping (NFKC), folding covers full-width forms and
// the results of case folding (ligatures, sharp s, final sigma). A value is inexact if the mapping would change another
// character, or if RFC 4518 prohibits a character. Two inexact values may be the same although they differ here.

/// A prepared attribute value.
struct FoldedValue {
    var text = ""
    /// False if RFC 4518 might require a different text.
    var isExact = true
    /// Whether a space precedes the next character, if there is a next character.
    fileprivate var hasPendingSpace = false
    /// The number of combining characters at the end of the text.
    fileprivate var combiningCount = 0

    fileprivate mutating func noteSpace() { hasPendingSpace = !text.isEmpty }

    fileprivate mutating func append(_ scalar: Unicode.Scalar) {
        if hasPendingSpace {
            text += " "
            hasPendingSpace = false
        }
        if scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered {
            combiningCount = 0
        } else {
            combiningCount += 1
            if combiningCount > NameFolding.maximumCombiningCount { breakCombiningSequence() }
        }
        text.unicodeScalars.append(scalar)
    }

    /// Ends a sequence of combining characters. Comparing strings sorts combining characters, which takes long for long
    /// sequences. After the longest sequence in stream-safe text, the comparison starts a new sequence.
    private mutating func breakCombiningSequence() {
        isExact = false
        combiningCount = 1
        text.unicodeScalars.append("\u{5}")
    }
}

enum NameFolding {
    /// The longest sequence of combining characters in stream-safe text (UAX #15 § 13).
    static let maximumCombiningCount = 30

    /// Prepares the characters of a value.
    ///
    /// - Parameters:
    ///   - scalars: the characters.
    ///   - limit: the number of UTF-8 bytes needed. The result may omit the rest.
    static func fold(_ scalars: [Unicode.Scalar], limit: Int = .max) -> FoldedValue {
        var folded = FoldedValue()
        for scalar in scalars where folded.text.utf8.count <= limit {
            if scalar.value < 0x80 {
                foldASCII(UInt8(scalar.value), into: &folded)
            } else {
                foldBeyondASCII(scalar, into: &folded)
            }
        }
        return folded
    }

    private static func foldASCII(_ byte: UInt8, into folded: inout FoldedValue) {
        // RFC 4518 § 2.2: tabs and line breaks become spaces, and other control characters are removed.
        if byte == 0x20 || byte &- 0x09 < 5 { return folded.noteSpace() }
        if byte < 0x20 || byte == 0x7f { return }
        folded.append(Unicode.Scalar(byte &- 0x41 < 26 ? byte | 0x20 : byte))
    }

    private static func foldBeyondASCII(_ scalar: Unicode.Scalar, into folded: inout FoldedValue) {
        switch scalar.value {
        case 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000: return folded.noteSpace()
        case 0x80...0x9f, 0xad, 0x1806, 0x034f, 0x200b, 0xfffc: return
        // Full-width forms are ASCII characters with an offset.
        case 0xff01...0xff5e: return foldASCII(UInt8(scalar.value - 0xfee0), into: &folded)
        // Canonical equivalence turns these two characters into ASCII without changing case.
        case 0x37e: return folded.append(";")
        case 0x1fef: return folded.append("`")
        default: break
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter: break
        case .format: return
        case .unassigned:
            if properties.isDefaultIgnorableCodePoint { return }
            folded.isExact = false
        default:
            if properties.isDefaultIgnorableCodePoint { return }
        }
        if isInexact(scalar) { folded.isExact = false }
        // Its uppercase form is I, but RFC 3454 table B.2 distinguishes the two.
        if scalar.value == 0x131 { return folded.append(scalar) }
        // Map to uppercase first: this splits letters that have no lowercase form (ß, ﬁ) and unifies both small sigmas.
        for upper in properties.uppercaseMapping.unicodeScalars {
            for lower in upper.properties.lowercaseMapping.unicodeScalars { folded.append(lower) }
        }
    }

    /// The blocks of 256 characters that contain a character in ``inexactRanges``.
    private static let inexactBlocks: [Bool] = {
        var blocks = [Bool](repeating: false, count: 0x1100)
        for range in inexactRanges {
            for block in range.first >> 8...range.last >> 8 { blocks[Int(block)] = true }
        }
        return blocks
    }()

    private static func isInexact(_ scalar: Unicode.Scalar) -> Bool {
        guard inexactBlocks[Int(scalar.value >> 8)] else { return false }
        var low = 0
        var high = inexactRanges.count
        while low < high {
            let middle = (low + high) / 2
            if inexactRanges[middle].last < scalar.value { low = middle + 1 } else { high = middle }
        }
        return low < inexactRanges.count && inexactRanges[low].first <= scalar.value
    }
}

extension NameFolding {
    /// Whether values of this type are text.
    static func isString(_ tag: UInt8) -> Bool {
        switch tag {
        case DERTag.utf8String, DERTag.printableString, DERTag.ia5String, DERTag.teletexString, DERTag.numericString,
            DERTag.visibleString, DERTag.bmpString, DERTag.universalString:
            true
        default: false
        }
    }

    /// Whether this string type encodes an ASCII character in one byte.
    static func isSingleByte(_ tag: UInt8) -> Bool { tag != DERTag.bmpString && tag != DERTag.universalString }

    /// Returns the characters of a string value. Returns nil if the type isn't a string type, or the bytes aren't valid
    /// in it.
    ///
    /// TeletexString is decoded as Latin-1, as in all other verifiers.
    static func characters(_ bytes: Span<UInt8>, _ value: DERElement) -> [Unicode.Scalar]? {
        switch value.tag {
        case DERTag.utf8String: utf8Characters(bytes, value.contents)
        case DERTag.printableString, DERTag.ia5String, DERTag.numericString, DERTag.visibleString:
            latinCharacters(bytes, value.contents, limit: 0x80)
        case DERTag.teletexString: latinCharacters(bytes, value.contents, limit: 0x100)
        case DERTag.bmpString: wideCharacters(bytes, value.contents, width: 2)
        case DERTag.universalString: wideCharacters(bytes, value.contents, width: 4)
        default: nil
        }
    }

    private static func utf8Characters(_ bytes: Span<UInt8>, _ range: ByteRange) -> [Unicode.Scalar]? {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(range.count)
        var decoder = UTF8()
        var iterator = bytes.copy(range).makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): scalars.append(scalar)
            case .emptyInput: return scalars
            case .error: return nil
            }
        }
    }

    private static func latinCharacters(
        _ bytes: Span<UInt8>, _ range: ByteRange, limit: Int
    ) -> [Unicode.Scalar]? {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(range.count)
        for index in range.indices {
            guard bytes[index] < limit else { return nil }
            scalars.append(Unicode.Scalar(bytes[index]))
        }
        return scalars
    }

    private static func wideCharacters(
        _ bytes: Span<UInt8>, _ range: ByteRange, width: Int
    ) -> [Unicode.Scalar]? {
        guard range.count % width == 0 else { return nil }
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(range.count / width)
        var index = range.start
        while index < range.end {
            var code: UInt32 = 0
            for offset in 0..<width { code = code << 8 | UInt32(bytes[index + offset]) }
            guard let scalar = Unicode.Scalar(code) else { return nil }
            scalars.append(scalar)
            index += width
        }
        return scalars
    }
}

/// Yields the folded bytes of an ASCII value: lowercase, without leading and trailing spaces, with single spaces, and
/// without control characters.
struct FoldedASCII: ~Escapable {
    let bytes: Span<UInt8>
    var index: Int
    let end: Int
    var hasStarted = false

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ range: ByteRange) {
        self.bytes = bytes
        self.index = range.start
        self.end = range.end
    }

    /// Returns the next folded byte, nil at the end, or 0xff for a byte that isn't ASCII.
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func next() -> UInt8? {
        guard index < end, bytes[index] &- 0x21 < 0x5e else { return nextAfterSpaces() }
        let byte = bytes[index]
        hasStarted = true
        index &+= 1
        return byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @_lifetime(self: copy self)
    @inline(never)
    private mutating func nextAfterSpaces() -> UInt8? {
        var hasSpace = false
        while index < end {
            let byte = bytes[index]
            // Check this before writing the pending space. The next character may be removed, or be a space.
            if byte >= 0x80 { return 0xff }
            if byte == 0x20 || byte &- 0x09 < 5 {
                // RFC 4518 § 2.2: tabs and line breaks become spaces.
                hasSpace = true
            } else if byte < 0x20 || byte == 0x7f {
                // Other control characters are removed.
            } else {
                if hasSpace, hasStarted { return 0x20 }
                hasStarted = true
                index &+= 1
                return byte &- 0x41 < 26 ? byte | 0x20 : byte
            }
            index &+= 1
        }
        return nil
    }
}
