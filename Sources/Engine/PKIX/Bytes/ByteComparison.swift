// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Whether two ranges contain the same bytes.
///
/// Every step of path building compares names, keys and whole certificates with this function. None of them are secret.
func bytesEqual(_ left: Span<UInt8>, _ leftRange: ByteRange, _ right: Span<UInt8>, _ rightRange: ByteRange) -> Bool {
    let count = leftRange.count
    guard count == rightRange.count, count >= 0, leftRange.end <= left.count, rightRange.end <= right.count else {
        return false
    }
    // Both pointers are used only inside the calls, and the code above checks the ranges against the counts.
    return unsafe left.withUnsafeBufferPointer { left in
        unsafe right.withUnsafeBufferPointer { right in
            guard let a = left.baseAddress, let b = right.baseAddress else { return count == 0 }
            return unsafe memcmp(a + leftRange.start, b + rightRange.start, count) == 0
        }
    }
}

/// Returns the eight bytes at `index` as a number in the machine's byte order. The caller must check that they exist.
@inline(__always)
func loadWord(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
    // The load checks the bounds. (`Span.bytes` is marked unsafe because other element types may have padding.)
    unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
}

/// Whether one of the eight bytes is 0x80.
@inline(__always)
func hasByte0x80(_ word: UInt64) -> Bool {
    let difference = word ^ 0x8080_8080_8080_8080
    return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080 != 0
}

/// Whether `bytes` contain `pattern` at `start`.
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
        // The call copies the buffer before it returns.
        unsafe extracting(range.indices).withUnsafeBufferPointer { unsafe Array($0) }
    }
}
