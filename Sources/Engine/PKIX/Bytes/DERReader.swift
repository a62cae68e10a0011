// SPDX-License-Identifier: Apache-2.0

// The only reader of DER in this package.
//
// It is a view over bytes that the caller owns: it copies nothing, allocates nothing, can't outlive the bytes (it is
// not escapable), and every access goes through the bounds check of `Span`. It returns offsets into the outermost
// value, so that a slice of a certificate is a range into the certificate's bytes.
//
// Strictness is not optional. Two encodings of one certificate would mean two fingerprints, two pins and room to hide
// bytes from one parser and not from another, so everything that X.690 §§ 10 and 11 rule out is an error.

/// A half-open range of byte offsets into a value that was parsed; 8 bytes, where `Range<Int>` takes 16.
struct ByteRange: Sendable, Hashable {
    var lower: UInt32
    var upper: UInt32

    /// The value of an optional field that is absent: no element starts at byte 0 and is empty.
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

/// One tag-length-value, as offsets into the outermost value.
struct DERElement {
    var tag: UInt8
    /// The offset of the tag.
    var start: Int
    /// The offset of the first byte of the contents.
    var content: Int
    /// The offset past the last byte of the contents.
    var end: Int

    /// Tag, length and contents.
    var whole: ByteRange { ByteRange(start, end) }
    /// The contents alone.
    var contents: ByteRange { ByteRange(content, end) }
    var contentCount: Int { end - content }
    var isConstructed: Bool { tag & 0x20 != 0 }
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

    /// The tag `[n]` of a primitive type, IMPLICIT.
    static func context(_ number: UInt8) -> UInt8 { 0x80 | number }
    /// The tag `[n]` of a constructed type, or EXPLICIT.
    static func contextConstructed(_ number: UInt8) -> UInt8 { 0xa0 | number }
}

// Arrays are viewed through a slice (`bytes[...].span`): `Array.span` itself needs macOS 26, the slice's does not.

/// Reads values one after the other from `position` to `end` of `bytes`.
struct DERReader: ~Escapable {
    let bytes: Span<UInt8>
    private(set) var position: Int
    let end: Int

    /// Reads all of `bytes`.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        self.position = 0
        self.end = bytes.count
    }

    /// Reads `range` of `bytes`; offsets in errors and elements count from the start of `bytes`.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ range: ByteRange) {
        self.bytes = bytes
        self.position = min(range.start, bytes.count)
        self.end = min(range.end, bytes.count)
    }

    /// Returns a reader of the contents of `element`.
    @_lifetime(copy self)
    func inside(_ element: DERElement) -> DERReader {
        DERReader(bytes, element.contents)
    }

    var isAtEnd: Bool { position >= end }

    /// The tag of the next value, nil at the end.
    var nextTag: UInt8? { position < end ? bytes[position] : nil }

    /// Reads the next value of any type. Its contents are not checked.
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func next(_ field: StaticString) throws(DERError) -> DERElement {
        let start = position
        // A short tag and a length below 128 in one byte: most values.
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
        // At least two bytes: a tag and a length.
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
            // X.690 § 10.1: the fewest bytes that hold it.
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
    mutating func next(_ tag: UInt8, _ field: StaticString) throws(DERError) -> DERElement {
        let start = position
        guard start < end else { throw DERError(.truncated, in: field, at: end) }
        guard bytes[start] == tag else {
            throw DERError(.unexpectedTag(expected: tag, found: bytes[start]), in: field, at: start)
        }
        return try next(field)
    }

    /// Reads the next value if it has `tag`; otherwise reads nothing.
    @_lifetime(self: copy self)
    mutating func nextIf(_ tag: UInt8, _ field: StaticString) throws(DERError) -> DERElement? {
        guard position < end, bytes[position] == tag else { return nil }
        return try next(field)
    }

    /// Throws unless everything was read.
    func finish(_ field: StaticString) throws(DERError) {
        guard position >= end else { throw DERError(.trailingBytes, in: field, at: position) }
    }
}

// MARK: - Primitive values

extension DERReader {
    /// Checks that `element` holds an INTEGER in its shortest form (X.690 § 8.3.2).
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

    /// Returns a whole number from 0 to 2³¹ - 1 in an element of any tag (IMPLICIT ones too).
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

    /// Returns a BOOLEAN in an element of any tag.
    func boolean(_ element: DERElement, _ field: StaticString) throws(DERError) -> Bool {
        guard element.contentCount == 1 else { throw DERError(.booleanNotCanonical, in: field, at: element.start) }
        switch bytes[element.content] {
        case 0x00: return false
        case 0xff: return true
        default: throw DERError(.booleanNotCanonical, in: field, at: element.content)
        }
    }

    /// Reads `BOOLEAN DEFAULT FALSE`: absent is false.
    ///
    /// A FALSE that is written out breaks X.690 § 11.5 and means the same; `writesDefault` is true then.
    @_lifetime(self: copy self)
    mutating func nextFlagDefaultFalse(_ field: StaticString) throws(DERError) -> (isSet: Bool, writesDefault: Bool) {
        guard let element = try nextIf(DERTag.boolean, field) else { return (false, false) }
        let isSet = try boolean(element, field)
        return (isSet, !isSet)
    }

    /// Reads an OBJECT IDENTIFIER; the range is its contents.
    @_lifetime(self: copy self)
    mutating func nextObjectIdentifier(_ field: StaticString) throws(DERError) -> ByteRange {
        let element = try next(DERTag.objectIdentifier, field)
        // Attribute types and extensions, 2.5.4.x and 2.5.29.x: three bytes, each an arc.
        if element.contentCount == 3,
            bytes[element.content] | bytes[element.content &+ 1] | bytes[element.content &+ 2] < 0x80
        {
            return element.contents
        }
        try checkObjectIdentifier(element, field)
        return element.contents
    }

    /// Checks an OBJECT IDENTIFIER (X.690 § 8.19): at least one byte, no arc starts with `0x80`, the last byte ends an
    /// arc.
    func checkObjectIdentifier(_ element: DERElement, _ field: StaticString) throws(DERError) {
        guard element.contentCount > 0, element.contentCount <= OID.maximumSize, bytes[element.end - 1] < 0x80 else {
            throw DERError(.objectIdentifierMalformed, in: field, at: element.start)
        }
        var startsArc = true
        for index in element.content..<element.end {
            let byte = bytes[index]
            guard !(startsArc && byte == 0x80) else {
                throw DERError(.objectIdentifierMalformed, in: field, at: index)
            }
            startsArc = byte < 0x80
        }
    }

    /// Reads a BIT STRING of whole bytes (keys, signatures): the range is the bytes after the count of unused bits.
    @_lifetime(self: copy self)
    mutating func nextOctetAlignedBitString(_ field: StaticString) throws(DERError) -> ByteRange {
        let element = try next(DERTag.bitString, field)
        guard element.contentCount >= 1, bytes[element.content] == 0 else {
            throw DERError(.bitStringMalformed, in: field, at: element.start)
        }
        return ByteRange(element.content + 1, element.end)
    }

    /// Checks a BIT STRING (X.690 §§ 8.6.2, 11.2.1): a count of unused bits from 0 to 7, none of them set, and none
    /// unused of none.
    func checkBitString(_ element: DERElement, _ field: StaticString) throws(DERError) {
        guard element.contentCount >= 1 else { throw DERError(.bitStringMalformed, in: field, at: element.start) }
        let unused = bytes[element.content]
        guard unused < 8, element.contentCount > 1 || unused == 0,
            bytes[element.end - 1] & (UInt8(1) << unused &- 1) == 0 || element.contentCount == 1
        else { throw DERError(.bitStringMalformed, in: field, at: element.content) }
    }

    /// Reads a BIT STRING of named bits, at most 16 of them: bit 0 of the list is the lowest bit of the result.
    ///
    /// X.690 § 11.2.2 leaves trailing zero bits of a named bit list off. Two roots of the public web keep them, so only
    /// the strict rules refuse them (``hasTrailingZeroBits(_:)``); the unused bits must be zero in any case.
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

    /// Whether the last named bit of a BIT STRING that ``namedBits(_:_:)`` has accepted is not set.
    func hasTrailingZeroBits(_ element: DERElement) -> Bool {
        element.contentCount > 1 && bytes[element.end - 1] >> bytes[element.content] & 1 == 0
    }

    /// Checks that `range` holds only bytes of IA5String: ASCII.
    func checkASCII(_ range: ByteRange, _ field: StaticString) throws(DERError) {
        var index = range.start
        while range.end &- index >= 8, loadWord(bytes, index) & 0x8080_8080_8080_8080 == 0 { index &+= 8 }
        while index < range.end {
            guard bytes[index] < 0x80 else {
                throw DERError(
                    .stringMalformed, in: field, at: index,
                    detail:
                        "\(DERError.quotedUTF8(bytes, range)) is not ASCII; write internationalized names as A-labels (xn--…, RFC 5280 § 7.2)"
                )
            }
            index &+= 1
        }
    }
}
