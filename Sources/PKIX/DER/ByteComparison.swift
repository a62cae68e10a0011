/// Whether two ranges hold the same bytes.
///
/// Names, keys and identifiers are compared on every step of path building, so this looks at eight bytes at a time.
/// (`Span.bytes` is marked unsafe for the padding that other element types may have; bytes have none.)
func bytesEqual(_ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange) -> Bool {
    let count = leftRange.count
    guard count == rightRange.count, count >= 0, leftRange.end <= left.count, rightRange.end <= right.count else {
        return false
    }
    let a = unsafe left.bytes
    let b = unsafe right.bytes
    var offset = 0
    while count &- offset >= 8 {
        // Unaligned loads of a trivial type inside the two ranges, whose ends were compared with the spans' above.
        let x = unsafe a.unsafeLoadUnaligned(fromByteOffset: leftRange.start &+ offset, as: UInt64.self)
        let y = unsafe b.unsafeLoadUnaligned(fromByteOffset: rightRange.start &+ offset, as: UInt64.self)
        if x != y { return false }
        offset &+= 8
    }
    while offset < count {
        if left[leftRange.start &+ offset] != right[rightRange.start &+ offset] { return false }
        offset &+= 1
    }
    return true
}

/// Whether `pattern` stands at `start` of `bytes`.
@inline(__always)
func matches(_ bytes: Span<UInt8>, _ start: Int, _ pattern: [UInt8]) -> Bool {
    guard start >= 0, bytes.count &- start >= pattern.count else { return false }
    for index in 0..<pattern.count where bytes[start &+ index] != pattern[index] { return false }
    return true
}

/// Whether `range` of `bytes` is exactly `pattern`.
@inline(__always)
func equals(_ bytes: Span<UInt8>, _ range: ByteRange, _ pattern: [UInt8]) -> Bool {
    range.count == pattern.count && matches(bytes, range.start, pattern)
}
