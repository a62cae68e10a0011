// SPDX-License-Identifier: Apache-2.0

// Comparison of two names according to RFC 5280 § 7.1.
//
// Two attribute values are the same if LDAP's string preparation (RFC 4518) produces the same characters, regardless of
// their string types. See NameFolding.swift. The comparison starts with the bytes, which nearly always decides. A
// search compares the same names often, so it normalizes each name only once: NormalizedName.swift.
//
// A hash allows lookups by name in an anchor store. Equal names have equal hashes. The hash covers only the last, most
// specific relative name. Values of one attribute type that aren't plain ASCII after folding all have the same hash. A
// comparison always makes the decision.

/// Whether two encoded names, including tag and length, are the same name.
func namesMatch(_ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange) -> Bool {
    if bytesEqual(left, leftRange, right, rightRange) { return true }
    var leftOuter = DERReader(left, leftRange)
    var rightOuter = DERReader(right, rightRange)
    guard let leftSequence = try? leftOuter.next("name"), let rightSequence = try? rightOuter.next("name") else {
        return false
    }
    var leftSets = leftOuter.inside(leftSequence)
    var rightSets = rightOuter.inside(rightSequence)
    while !leftSets.isAtEnd {
        guard !rightSets.isAtEnd, let leftSet = try? leftSets.next("name"), let rightSet = try? rightSets.next("name"),
            relativeNamesMatch(left, leftSet.contents, right, rightSet.contents)
        else { return false }
    }
    return rightSets.isAtEnd
}

/// Whether two relative names have the same number of attributes, and each attribute matches one in the other name, in
/// any order (RFC 5280 § 7.1).
private func relativeNamesMatch(
    _ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange
) -> Bool {
    if bytesEqual(left, leftRange, right, rightRange) { return true }
    if let answer = singleAttributesMatch(left, leftRange, right, rightRange) { return answer }
    guard let a = NormalizedName.RelativeName(left, leftRange), let b = NormalizedName.RelativeName(right, rightRange)
    else { return false }
    return a.text == b.text
}

/// Compares two single attributes without allocating. Returns nil if a name has several attributes, or if the types are
/// equal but a value isn't ASCII.
private func singleAttributesMatch(
    _ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange
) -> Bool? {
    var leftMembers = DERReader(left, leftRange)
    var rightMembers = DERReader(right, rightRange)
    guard let (type, value) = try? leftMembers.nextAttribute("name"), leftMembers.isAtEnd,
        let other = try? rightMembers.nextAttribute("name"), rightMembers.isAtEnd
    else { return nil }
    guard bytesEqual(left, type, right, other.type) else { return false }
    guard NameFolding.isString(value.tag), NameFolding.isString(other.value.tag),
        NameFolding.isSingleByte(value.tag), NameFolding.isSingleByte(other.value.tag)
    else { return nil }
    return asciiValuesMatch(left, value.contents, right, other.value.contents)
}

/// Compares two ASCII values. Returns nil if one of them isn't ASCII.
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

// MARK: - Hash

/// Returns a hash that is equal for names that ``namesMatch(_:_:_:_:)`` treats as equal. An adversary can create
/// collisions, so code compares the names found, and a search charges its meter for this.
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
    // The attributes of a set have no order, so this function adds their hashes.
    var sum: UInt64 = 0
    var count = 0
    var members = sets.inside(last)
    while !members.isAtEnd {
        guard let (type, value) = try? members.nextAttribute("name") else { return 0 }
        count += 1
        guard count <= maximumHashedAttributes else { return 1 }
        sum &+= valueHash(bytes, type, value)
    }
    return sum ^ sum >> 29
}

/// The largest number of attributes in a relative name that is hashed. All names with more attributes have the same
/// hash. Real names have one to three.
private let maximumHashedAttributes = 8

/// The largest value that is hashed, in bytes after folding. Longer values share one hash per attribute type, and so do
/// values that aren't ASCII. X.520 limits common names to 64.
private let maximumHashedSize = 64

private func valueHash(_ bytes: Span<UInt8>, _ type: ByteRange, _ value: DERElement) -> UInt64 {
    var hash: UInt64 = 0x9e37_79b9_7f4a_7c15
    for index in type.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
    let start = hash
    guard NameFolding.isString(value.tag) else {
        for index in value.contents.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
        return hash
    }
    if NameFolding.isSingleByte(value.tag) {
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
    guard let characters = NameFolding.characters(bytes, value) else { return start }
    let text = NameFolding.fold(characters, limit: maximumHashedSize).text.utf8
    guard text.count <= maximumHashedSize, text.allSatisfy({ $0 < 0x80 }) else { return start }
    hash = start
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return hash
}
