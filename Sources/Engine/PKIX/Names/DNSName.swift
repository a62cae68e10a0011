// SPDX-License-Identifier: Apache-2.0

/// The syntax of DNS names as bytes, and their comparison according to RFC 9525 § 6.3.
enum DNSName {
    enum Syntax {
        case valid
        case tooLong
        case malformed
    }

    /// Checks the syntax of a name in its preferred form (RFC 1034 § 3.5). Also allows underscores and leading digits.
    ///
    /// - Parameters:
    ///   - wildcard: whether the leftmost label may be `*`. At least one other label must follow it.
    ///   - isReference: whether to allow hyphens everywhere except at the start of the name, like resolvers.
    static func check(
        _ bytes: Span<UInt8>, _ range: Range<Int>, wildcard: Bool, isReference: Bool = false
    ) -> Syntax {
        guard range.count <= 253 else { return .tooLong }
        var labelStart = range.lowerBound
        var index = range.lowerBound
        if wildcard, range.count >= 3, bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: ".") {
            index += 2
            labelStart = index
        }
        while true {
            let atEnd = index == range.upperBound
            if atEnd || bytes[index] == UInt8(ascii: ".") {
                let count = index - labelStart
                guard count > 0 else { return .malformed }
                guard count <= 63 else { return .tooLong }
                // RFC 1034 § 3.5: a label doesn't start or end with a hyphen. Resolvers reject a hyphen at the start of
                // the name, because programs may take it for an option.
                if bytes[labelStart] == UInt8(ascii: "-"), !isReference || labelStart == range.lowerBound {
                    return .malformed
                }
                if bytes[index - 1] == UInt8(ascii: "-"), !isReference { return .malformed }
                if atEnd { return .valid }
                labelStart = index + 1
            } else if !bytes[index].isLetterOrDigit, bytes[index] != UInt8(ascii: "-"),
                bytes[index] != UInt8(ascii: "_")
            {
                return .malformed
            }
            index += 1
        }
    }

    /// Whether two ranges are equal, ignoring case.
    static func equal(_ a: Span<UInt8>, _ aRange: Range<Int>, _ b: Span<UInt8>, _ bRange: Range<Int>) -> Bool {
        guard aRange.count == bRange.count else { return false }
        var index = bRange.lowerBound
        for position in aRange {
            guard asciiLowercased(a[position]) == asciiLowercased(b[index]) else { return false }
            index &+= 1
        }
        return true
    }
}

@inline(__always)
func asciiLowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

extension UInt8 {
    /// Whether the byte is a letter or a digit in ASCII.
    package var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
