// SPDX-License-Identifier: Apache-2.0

// The only DER reader in this package.
//
// The reader is a view of bytes that the caller owns. It copies nothing, allocates nothing, and can't outlive the bytes
// (it isn't escapable). `Span` checks the bounds of every access. The reader returns offsets into the outermost value,
// so a slice of a certificate is a range in the certificate's bytes.
//
// The reader is always strict. If a certificate had two encodings, it would have two fingerprints and two pins, and it
// could hide bytes from one parser but not from another. Everything that X.690 §§ 10 and 11 forbid is therefore an
// error.

/// A half-open range of byte offsets in a parsed value. It has 8 bytes, whereas `Range<Int>` has 16.
struct ByteRange: Sendable, Hashable {
    var lower: UInt32
    var upper: UInt32

    /// The value of an absent optional field. No element starts at byte 0 and is empty.
    static let absent = ByteRange(lower: 0, upper: 0)

    init(lower: UInt32, upper: UInt32) {
        self.lower = lower
        self.upper = upper
    }

    init(_ lower: Int, _ upper: Int) {
        self.lower = UInt32(truncatingIfNeeded: lower)
        self.upper = UInt32(truncatingIfNeeded: upper)
    }

    var isPresent: Bool { upper != 0 }
    var start: Int { Int(lower) }
    var end: Int { Int(upper) }
    var count: Int { Int(upper) - Int(lower) }
    var indices: Range<Int> { Int(lower)..<Int(upper) }
}

/// A tag, length and contents, as offsets into the outermost value.
struct DERElement {
    var tag: UInt8
    /// The offset of the tag.
    var start: Int
    /// The offset of the first byte of the contents.
    var content: Int
    /// The offset after the last byte of the contents.
    var end: Int

    /// The tag, length and contents.
    var whole: ByteRange { ByteRange(start, end) }
    /// Only the contents.
    var contents: ByteRange { ByteRange(content, end) }
    var contentCount: Int { end - content }
    var isConstructed: Bool { tag & 0x20 != 0 }

    /// Returns the error for an element that must have another tag.
    @inline(never)
    func unexpected(_ expected: UInt8, _ field: StaticString) -> DERError {
        DERError(.unexpectedTag(expected: expected, found: tag), in: field, at: start)
    }
}

/// The tags that X.509 uses.
enum DERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let enumerated: UInt8 = 0x0a
    static let utf8String: UInt8 = 0x0c
    static let numericString: UInt8 = 0x12
    static let printableString: UInt8 = 0x13
    static let teletexString: UInt8 = 0x14
    static let ia5String: UInt8 = 0x16
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let visibleString: UInt8 = 0x1a
    static let universalString: UInt8 = 0x1c
    static let bmpString: UInt8 = 0x1e
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31

    /// The tag `[n]` of an IMPLICIT primitive type.
    static func context(_ number: UInt8) -> UInt8 { 0x80 | number }
    /// The tag `[n]` of a constructed type or an EXPLICIT type.
    static func contextConstructed(_ number: UInt8) -> UInt8 { 0xa0 | number }
}

// For arrays, use the span of a slice (`bytes[...].span`). `Array.span` needs macOS 26, the slice's span doesn't.

/// A reader for consecutive values from `position` to `end` of `bytes`.
struct DERReader: ~Escapable {
    let bytes: Span<UInt8>
    private(set) var position: Int
    let end: Int

    /// Creates a reader for all of `bytes`.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        self.position = 0
        self.end = bytes.count
    }

    /// Creates a reader for `range` of `bytes`. Offsets in errors and elements count from the start of `bytes`.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ range: ByteRange) {
        self.bytes = bytes
        self.position = min(range.start, bytes.count)
        self.end = min(range.end, bytes.count)
    }

    /// Returns a reader for the contents of `element`.
    @_lifetime(copy self)
    func inside(_ element: DERElement) -> DERReader {
        DERReader(bytes, element.contents)
    }

    var isAtEnd: Bool { position >= end }

    /// The tag of the next value, or nil at the end.
    var nextTag: UInt8? { position < end ? bytes[position] : nil }

    /// Reads the next value of any type. Doesn't check its contents.
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func next(_ field: StaticString) throws(DERError) -> DERElement {
        let start = position
        // Most values have a short tag, and a length below 128 in one byte.
        if end &- start >= 2 {
            let tag = bytes[start]
            let length = Int(bytes[start &+ 1])
            let content = start &+ 2
            if tag & 0x1f != 0x1f, length < 0x80, length <= end &- content {
                position = content &+ length
                return DERElement(tag: tag, start: start, content: content, end: position)
            }
        }
        return try nextOfAnyLength(field)
    }

    @_lifetime(self: copy self)
    @inline(never)
    private mutating func nextOfAnyLength(_ field: StaticString) throws(DERError) -> DERElement {
        let start = position
        // A value has at least two bytes: a tag and a length.
        guard end &- start >= 2 else { throw DERError(.truncated, in: field, at: end) }
        let tag = bytes[start]
        guard tag & 0x1f != 0x1f else { throw DERError(.highTagNumber, in: field, at: start) }
        let first = bytes[start &+ 1]
        var content = start &+ 2
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7f)
            guard count != 0 else { throw DERError(.indefiniteLength, in: field, at: start &+ 1) }
            guard count <= 4 else { throw DERError(.lengthTooLarge, in: field, at: start &+ 1) }
            guard end &- content >= count else { throw DERError(.truncated, in: field, at: end) }
            length = 0
            for index in content..<(content &+ count) {
                length = length << 8 | Int(bytes[index])
            }
            // X.690 § 10.1: the length must have as few bytes as possible.
            guard length >= 0x80, count == 1 || length >> ((count &- 1) &* 8) != 0 else {
                throw DERError(.lengthNotMinimal, in: field, at: start &+ 1)
            }
            content &+= count
        }
        guard length <= end &- content else { throw DERError(.truncated, in: field, at: end) }
        position = content &+ length
        return DERElement(tag: tag, start: start, content: content, end: position)
    }

    /// Reads the next value, which must have `tag`.
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func next(_ tag: UInt8, _ field: StaticString) throws(DERError) -> DERElement {
        if position < end, bytes[position] == tag { return try next(field) }
        throw unexpectedTag(tag, field)
    }

    @inline(never)
    private func unexpectedTag(_ tag: UInt8, _ field: StaticString) -> DERError {
        guard position < end else { return DERError(.truncated, in: field, at: end) }
        return DERError(.unexpectedTag(expected: tag, found: bytes[position]), in: field, at: position)
    }

    /// Reads the next value, which must be a SEQUENCE, and returns a reader for its contents.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func nextSequence(_ field: StaticString) throws(DERError) -> DERReader {
        inside(try next(DERTag.sequence, field))
    }

    /// Reads the next value if it has `tag`. Otherwise reads nothing and returns nil.
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func nextIf(_ tag: UInt8, _ field: StaticString) throws(DERError) -> DERElement? {
        guard position < end, bytes[position] == tag else { return nil }
        return try next(field)
    }

    /// Returns the only element of the value.
    /// - Throws: ``DERError`` unless the value is exactly one element with this tag.
    consuming func only(_ tag: UInt8, _ field: StaticString) throws(DERError) -> DERElement {
        let element = try next(tag, field)
        try finish(field)
        return element
    }

    /// Throws an error unless the reader is at the end.
    func finish(_ field: StaticString) throws(DERError) {
        guard position >= end else { throw DERError(.trailingBytes, in: field, at: position) }
    }
}

// MARK: - Primitive values

extension DERReader {
    /// Checks that `element` contains an INTEGER in its shortest form (X.690 § 8.3.2).
    func checkInteger(_ element: DERElement, _ field: StaticString) throws(DERError) {
        guard element.contentCount > 0 else { throw DERError(.integerNotMinimal, in: field, at: element.start) }
        if element.contentCount > 1 {
            let first = bytes[element.content]
            let second = bytes[element.content + 1]
            guard !(first == 0x00 && second < 0x80), !(first == 0xff && second >= 0x80) else {
                throw DERError(
                    .integerNotMinimal, in: field, at: element.content,
                    detail: "\(DERError.hexadecimal(bytes, element.contents)) has a superfluous first byte")
            }
        }
    }

    /// Returns an integer from 0 to 2³¹ - 1 from an element with any tag (including IMPLICIT tags).
    func smallNumber(_ element: DERElement, _ field: StaticString) throws(DERError) -> Int {
        try checkInteger(element, field)
        guard bytes[element.content] < 0x80, element.contentCount <= 4 else {
            throw DERError(
                .integerOutOfRange, in: field, at: element.content,
                detail: "the value is \(DERError.hexadecimal(bytes, element.contents)), expected 0 to 0x7fffffff")
        }
        var value = 0
        for index in element.content..<element.end { value = value << 8 | Int(bytes[index]) }
        return value
    }

    /// Reads an INTEGER from 0 to 2³¹ - 1.
    @_lifetime(self: copy self)
    mutating func nextSmallNumber(_ field: StaticString) throws(DERError) -> Int {
        let element = try next(DERTag.integer, field)
        return try smallNumber(element, field)
    }

    /// Returns a BOOLEAN from an element with any tag.
    func boolean(_ element: DERElement, _ field: StaticString) throws(DERError) -> Bool {
        guard element.contentCount == 1 else { throw DERError(.booleanNotCanonical, in: field, at: element.start) }
        switch bytes[element.content] {
        case 0x00: return false
        case 0xff: return true
        default: throw DERError(.booleanNotCanonical, in: field, at: element.content)
        }
    }

    /// Reads `BOOLEAN DEFAULT FALSE`. An absent value is false.
    ///
    /// An encoded FALSE violates X.690 § 11.5 but means the same. In that case, `writesDefault` is true.
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func nextFlagDefaultFalse(_ field: StaticString) throws(DERError) -> (isSet: Bool, writesDefault: Bool) {
        guard let element = try nextIf(DERTag.boolean, field) else { return (false, false) }
        let isSet = try boolean(element, field)
        return (isSet, !isSet)
    }

    /// Reads an OBJECT IDENTIFIER and returns the range of its contents.
    @_lifetime(self: copy self)
    mutating func nextObjectIdentifier(_ field: StaticString) throws(DERError) -> ByteRange {
        let element = try next(DERTag.objectIdentifier, field)
        // Attribute types and extensions (2.5.4.x and 2.5.29.x) have three bytes. Each byte ends an arc.
        if element.contentCount == 3,
            bytes[element.content] | bytes[element.content &+ 1] | bytes[element.content &+ 2] < 0x80
        {
            return element.contents
        }
        try checkObjectIdentifier(element, field)
        return element.contents
    }

    /// Checks an OBJECT IDENTIFIER (X.690 § 8.19): there is at least one byte, no arc starts with `0x80`, and the last
    /// byte ends an arc.
    func checkObjectIdentifier(_ element: DERElement, _ field: StaticString) throws(DERError) {
        guard element.contentCount > 0, element.contentCount <= OID.maximumSize, bytes[element.end - 1] < 0x80 else {
            throw DERError(.objectIdentifierMalformed, in: field, at: element.start)
        }
        var index = element.content
        while index < element.end {
            // Only a byte of 0x80 can start an arc wrongly. Few identifiers contain one.
            if element.end &- index >= 8, !hasByte0x80(loadWord(bytes, index)) {
                index &+= 8
                continue
            }
            guard bytes[index] != 0x80 || index > element.content && bytes[index - 1] >= 0x80 else {
                throw DERError(.objectIdentifierMalformed, in: field, at: index)
            }
            index &+= 1
        }
    }

    /// Reads a BIT STRING of whole bytes (keys, signatures). Returns the range of the bytes after the count of unused
    /// bits.
    @_lifetime(self: copy self)
    mutating func nextOctetAlignedBitString(_ field: StaticString) throws(DERError) -> ByteRange {
        let element = try next(DERTag.bitString, field)
        guard element.contentCount >= 1, bytes[element.content] == 0 else {
            throw DERError(.bitStringMalformed, in: field, at: element.start)
        }
        return ByteRange(element.content + 1, element.end)
    }

    /// Checks a BIT STRING (X.690 §§ 8.6.2, 11.2.1): the count of unused bits is 0 to 7, no unused bit is set, and an
    /// empty string has no unused bits.
    func checkBitString(_ element: DERElement, _ field: StaticString) throws(DERError) {
        guard element.contentCount >= 1 else { throw DERError(.bitStringMalformed, in: field, at: element.start) }
        let unused = bytes[element.content]
        guard unused < 8, element.contentCount > 1 || unused == 0,
            bytes[element.end - 1] & (UInt8(1) << unused &- 1) == 0 || element.contentCount == 1
        else { throw DERError(.bitStringMalformed, in: field, at: element.content) }
    }

    /// Reads a BIT STRING with at most 16 named bits. Bit 0 of the list is the lowest bit of the result.
    ///
    /// X.690 § 11.2.2 forbids trailing zero bits in a named bit list. Two roots of the public web have them, so only
    /// the strict rules reject them (``hasTrailingZeroBits(_:)``). Unused bits must always be zero.
    func namedBits(_ element: DERElement, _ field: StaticString) throws(DERError) -> UInt16 {
        try checkBitString(element, field)
        let count = element.contentCount - 1
        guard count <= 2 else { throw DERError(.limitExceeded(limit: 16), in: field, at: element.start) }
        var result: UInt16 = 0
        for index in 0..<count {
            let byte = bytes[element.content + 1 + index]
            for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 {
                result |= 1 << UInt16(index * 8 + bit)
            }
        }
        return result
    }

    /// Whether the last named bit isn't set. The BIT STRING must have passed ``namedBits(_:_:)``.
    func hasTrailingZeroBits(_ element: DERElement) -> Bool {
        element.contentCount > 1 && bytes[element.end - 1] >> bytes[element.content] & 1 == 0
    }

    /// Checks that `range` contains only ASCII, as an IA5String requires.
    func checkASCII(_ range: ByteRange, _ field: StaticString) throws(DERError) {
        var index = range.start
        while range.end &- index >= 8, loadWord(bytes, index) & 0x8080_8080_8080_8080 == 0 { index &+= 8 }
        while index < range.end {
            guard bytes[index] < 0x80 else {
                throw DERError(
                    .stringMalformed, in: field, at: index,
                    detail:
                        "\(DERError.quotedUTF8(bytes, range)) isn't ASCII; write internationalized names as A-labels (xn--…, RFC 5280 § 7.2)"
                )
            }
            index &+= 1
        }
    }
}
