// Comparison of names by RFC 5280 § 7.1.
//
// Two attribute values are the same when they are the same characters after LDAP's string preparation (RFC 4518):
// invisible characters dropped, case folded, leading, trailing and repeated spaces dropped, whichever of the string
// types each is written in. Bytes are compared first: nearly always that answers. Of the compatibility mapping (NFKC)
// full-width forms are done, and what case folding brings (ligatures, sharp s, final sigma); the rest (superscripts,
// circled letters, half-width kana, …) is not: names that differ only so are different names here.
//
// A hash goes with it so that a store of anchors can be looked up by name: equal names have equal hashes. Only the last,
// most specific relative name is hashed, and values that are not plain ASCII all hash alike; a comparison always decides.

/// Whether two encoded names (tag and length included) are the same name.
func namesMatch(_ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange) -> Bool {
    if bytesEqual(left, leftRange, right, rightRange) { return true }
    guard leftRange.count + rightRange.count <= 2 * maximumComparedNameSize else { return false }
    return relativeNamesMatch(left, leftRange, right, rightRange, prefixOnly: false)
}

/// Whether the name `base` is the start of the name `name`, or all of it: RFC 5280 § 4.2.1.10's directory subtree.
func nameIsWithin(_ base: Span<UInt8>, _ baseRange: ByteRange, _ name: Span<UInt8>, _ nameRange: ByteRange) -> Bool {
    relativeNamesMatch(base, baseRange, name, nameRange, prefixOnly: true)
}

private func relativeNamesMatch(
    _ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange, prefixOnly: Bool
) -> Bool {
    var leftOuter = DERReader(left, leftRange)
    var rightOuter = DERReader(right, rightRange)
    guard let leftSequence = try? leftOuter.next("name"), let rightSequence = try? rightOuter.next("name") else {
        return false
    }
    var leftSets = leftOuter.inside(leftSequence)
    var rightSets = rightOuter.inside(rightSequence)
    while !leftSets.isAtEnd {
        guard !rightSets.isAtEnd, let leftSet = try? leftSets.next("name"), let rightSet = try? rightSets.next("name"),
            relativeNameMatches(leftSets.inside(leftSet), rightSets.inside(rightSet))
        else { return false }
    }
    return prefixOnly || rightSets.isAtEnd
}

/// Names of more bytes are the same only if their bytes are: folding is slow, and no real name has a kilobyte. Where
/// taking two names for different would accept something (excluded subtrees), such a name can't be judged.
let maximumComparedNameSize = 4096

/// How many attributes a relative name may have to be compared by meaning: matching sets is quadratic, and real ones
/// have one to three. Longer ones are the same only if their bytes are.
private let maximumComparedAttributes = 8

/// RFC 5280 § 7.1: the same number of attributes, each with a match in the other, in any order.
private func relativeNameMatches(_ left: borrowing DERReader, _ right: borrowing DERReader) -> Bool {
    let leftRange = ByteRange(left.position, left.end)
    let rightRange = ByteRange(right.position, right.end)
    if bytesEqual(left.bytes, leftRange, right.bytes, rightRange) { return true }
    let leftCount = attributeCount(left.bytes, leftRange)
    guard leftCount == attributeCount(right.bytes, rightRange), leftCount <= maximumComparedAttributes else {
        return false
    }
    var used: UInt32 = 0
    var leftMembers = DERReader(left.bytes, leftRange)
    while !leftMembers.isAtEnd {
        guard let (type, value) = try? leftMembers.nextAttribute("name") else { return false }
        var found = false
        var index: UInt32 = 0
        var rightMembers = DERReader(right.bytes, rightRange)
        while !rightMembers.isAtEnd {
            guard let other = try? rightMembers.nextAttribute("name") else { return false }
            if used & 1 << index == 0, bytesEqual(left.bytes, type, right.bytes, other.type),
                valuesMatch(left.bytes, value, right.bytes, other.value)
            {
                used |= 1 << index
                found = true
                break
            }
            index += 1
        }
        guard found else { return false }
    }
    return true
}

private func attributeCount(_ bytes: Span<UInt8>, _ range: ByteRange) -> Int {
    var reader = DERReader(bytes, range)
    var count = 0
    while !reader.isAtEnd {
        guard (try? reader.next("name")) != nil else { return -1 }
        count += 1
    }
    return count
}

private func valuesMatch(
    _ left: Span<UInt8>, _ leftValue: DERElement, _ right: Span<UInt8>, _ rightValue: DERElement
) -> Bool {
    if leftValue.tag == rightValue.tag, bytesEqual(left, leftValue.contents, right, rightValue.contents) { return true }
    guard isString(leftValue.tag), isString(rightValue.tag) else { return false }
    if isSingleByte(leftValue.tag), isSingleByte(rightValue.tag) {
        switch asciiValuesMatch(left, leftValue.contents, right, rightValue.contents) {
        case .some(let answer): return answer
        case nil: break
        }
    }
    guard let a = directoryString(left, leftValue), let b = directoryString(right, rightValue) else { return false }
    let foldedA = folded(a)
    let foldedB = folded(b)
    // Equality of strings is canonical equivalence, which is what normalisation would have given. Of a few characters
    // (U+037E and ;) one is ASCII and the other isn't: equal names must have equal hashes, so those stay different.
    return foldedA == foldedB && foldedA.utf8.allSatisfy { $0 < 0x80 } == foldedB.utf8.allSatisfy { $0 < 0x80 }
}

private func isString(_ tag: UInt8) -> Bool {
    switch tag {
    case DERTag.utf8String, DERTag.printableString, DERTag.ia5String, DERTag.teletexString, DERTag.numericString,
        DERTag.visibleString, DERTag.bmpString, DERTag.universalString:
        true
    default: false
    }
}

private func isSingleByte(_ tag: UInt8) -> Bool { tag != DERTag.bmpString && tag != DERTag.universalString }

/// Yields the bytes of an ASCII value folded: lower case, no space at the ends, one space for several, no control characters.
private struct FoldedASCII: ~Escapable {
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

    /// The next folded byte, nil at the end, 0xff where the value isn't ASCII.
    @_lifetime(self: copy self)
    mutating func next() -> UInt8? {
        var hasSpace = false
        while index < end {
            let byte = bytes[index]
            // Whatever spaces came before: what follows may be nothing, or a space, after all.
            if byte >= 0x80 { return 0xff }
            if byte == 0x20 || byte &- 0x09 < 5 {
                // RFC 4518 § 2.2: tabs and line breaks are spaces.
                hasSpace = true
            } else if byte < 0x20 || byte == 0x7f {
                // … and other control characters are nothing.
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

/// Nil if one of the two isn't ASCII.
private func asciiValuesMatch(
    _ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange
) -> Bool? {
    var a = FoldedASCII(left, leftRange)
    var b = FoldedASCII(right, rightRange)
    while true {
        let x = a.next()
        let y = b.next()
        if x == 0xff || y == 0xff { return nil }
        if x != y { return false }
        if x == nil { return true }
    }
}

/// The characters of a string value; nil if it is no string type or its bytes are not valid in its type.
///
/// TeletexString is read as Latin-1, as all verifiers do.
func directoryString(_ bytes: Span<UInt8>, _ value: DERElement) -> [Unicode.Scalar]? {
    var scalars: [Unicode.Scalar] = []
    switch value.tag {
    case DERTag.utf8String:
        var contents: [UInt8] = []
        for index in value.contents.indices { contents.append(bytes[index]) }
        var decoder = UTF8()
        var iterator = contents.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): scalars.append(scalar)
            case .emptyInput: return scalars
            case .error: return nil
            }
        }
    case DERTag.printableString, DERTag.ia5String, DERTag.numericString, DERTag.visibleString:
        for index in value.contents.indices {
            guard bytes[index] < 0x80 else { return nil }
            scalars.append(Unicode.Scalar(bytes[index]))
        }
    case DERTag.teletexString:
        for index in value.contents.indices { scalars.append(Unicode.Scalar(bytes[index])) }
    case DERTag.bmpString, DERTag.universalString:
        let width = value.tag == DERTag.bmpString ? 2 : 4
        guard value.contentCount % width == 0 else { return nil }
        var index = value.content
        while index < value.end {
            var code: UInt32 = 0
            for offset in 0..<width { code = code << 8 | UInt32(bytes[index + offset]) }
            guard let scalar = Unicode.Scalar(code) else { return nil }
            scalars.append(scalar)
            index += width
        }
    default:
        return nil
    }
    return scalars
}

/// RFC 4518 §§ 2.2 to 2.6, as far as the head of this file says.
///
/// - Parameter limit: how many bytes of the result are of interest; more than that may be left off.
private func folded(_ scalars: [Unicode.Scalar], limit: Int = .max) -> String {
    var text = ""
    var pendingSpace = false
    for scalar in scalars where text.utf8.count <= limit {
        switch scalar.value {
        case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
            pendingSpace = !text.isEmpty
            continue
        case 0...0x1f, 0x7f...0x9f, 0xad, 0x1806, 0x034f, 0x200b, 0xfffc:
            continue
        default: break
        }
        if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format { continue }
        if pendingSpace {
            text += " "
            pendingSpace = false
        }
        // Full-width forms are ASCII, moved.
        let plain = (0xff01...0xff5e).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0xfee0) ?? scalar : scalar
        // Upper case first: it takes apart what has no lower case of its own (ß, ﬁ) and joins both small sigmas. It would
        // join the dotless ı and i as well, which RFC 3454 table B.2 doesn't.
        if plain.value == 0x131 {
            text.unicodeScalars.append(plain)
            continue
        }
        for upper in plain.properties.uppercaseMapping.unicodeScalars { text += upper.properties.lowercaseMapping }
    }
    return text
}

/// A hash under which names that ``namesMatch(_:_:_:_:)`` are equal. Not for use against an adversary: look-ups by it
/// are followed by a comparison and are counted against a budget.
func nameHash(_ bytes: Span<UInt8>, _ range: ByteRange) -> UInt64 {
    var outer = DERReader(bytes, range)
    guard let sequence = try? outer.next("name") else { return 0 }
    var sets = outer.inside(sequence)
    var last: DERElement?
    while !sets.isAtEnd {
        guard let set = try? sets.next("name") else { return 0 }
        last = set
    }
    guard let last else { return 0 }
    // The attributes of a set have no order, so their hashes are added up.
    var sum: UInt64 = 0
    var members = sets.inside(last)
    while !members.isAtEnd {
        guard let (type, value) = try? members.nextAttribute("name") else { return 0 }
        sum &+= valueHash(bytes, type, value)
    }
    return sum ^ sum >> 29
}

/// Values that are longer when folded all hash alike, as those that aren't ASCII do. X.520 has common names of up to 64.
private let maximumHashedSize = 64

private func valueHash(_ bytes: Span<UInt8>, _ type: ByteRange, _ value: DERElement) -> UInt64 {
    var hash: UInt64 = 0x9e37_79b9_7f4a_7c15
    for index in type.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
    let start = hash
    if isString(value.tag) {
        if isSingleByte(value.tag) {
            var text = FoldedASCII(bytes, value.contents)
            var isASCII = true
            var count = 0
            while let byte = text.next() {
                guard byte != 0xff else {
                    isASCII = false
                    break
                }
                count += 1
                guard count <= maximumHashedSize else { return start }
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
            if isASCII { return hash }
        }
        // What takes kilobytes to say little is left out: such a name is then not found under a shorter spelling.
        guard value.contentCount <= 4096, let scalars = directoryString(bytes, value) else { return start }
        let text = folded(scalars, limit: maximumHashedSize).utf8
        guard text.count <= maximumHashedSize, text.allSatisfy({ $0 < 0x80 }) else { return start }
        hash = start
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash
    }
    for index in value.contents.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
    return hash
}
