// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whether two ranges hold the same bytes.
///
/// Names, keys and whole certificates are compared on every step of path building; nothing compared here is secret.
func bytesEqual(_ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange) -> Bool {
    let count = leftRange.count
    guard count == rightRange.count, count >= 0, leftRange.end <= left.count, rightRange.end <= right.count else {
        return false
    }
    // Both pointers are used inside the calls alone, and the ranges were checked against the counts above.
    return unsafe left.withUnsafeBufferPointer { left in
        unsafe right.withUnsafeBufferPointer { right in
            guard let a = left.baseAddress, let b = right.baseAddress else { return count == 0 }
            return unsafe memcmp(a + leftRange.start, b + rightRange.start, count) == 0
        }
    }
}

/// Returns eight bytes at `index` as a number in the machine's byte order; the caller has checked that they exist.
@inline(__always)
func loadWord(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
    // Bounds are checked by the load. (`Span.bytes` is marked unsafe for the padding that other element types may have.)
    unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
}

/// Whether `bytes` have `pattern` at `start`.
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

extension Span<UInt8> {
    /// Returns a copy of a range.
    func copy(_ range: ByteRange) -> [UInt8] {
        // The buffer is copied inside the call.
        unsafe extracting(range.indices).withUnsafeBufferPointer { unsafe Array($0) }
    }
}
