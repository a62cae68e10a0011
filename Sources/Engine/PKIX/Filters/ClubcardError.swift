// SPDX-License-Identifier: Apache-2.0

/// An error for bytes that are no filter: the field, the byte, and the problem.
public struct ClubcardError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason for refusing bytes.
    package enum Reason: Sendable, Hashable {
        /// The field ends beyond the bytes.
        case truncated
        /// Bytes follow the last field.
        case trailingBytes
        /// Another number than 3 or 4.
        case unknownVersion(Int)
        /// A number other than the one that is possible there.
        case unexpected(expected: Int, found: UInt64)
        /// More than any honest filter has.
        case limitExceeded(limit: Int)
        /// An issuer or a log that comes twice.
        case duplicate
        /// A flag that is neither 0 nor 1.
        case flagMalformed
        /// An entry whose places end beyond a column, in bits.
        case placesMissing(needed: UInt64, found: Int)
    }

    /// The reason.
    package let reason: Reason
    /// The field, such as `index`.
    package let field: String
    /// The byte at which the field begins.
    package let offset: Int

    public var description: String {
        let problem =
            switch reason {
            case .truncated: "is longer than the bytes"
            case .trailingBytes: "is followed by more bytes"
            case .unknownVersion(let version): "is \(version), expected 3 or 4"
            case .unexpected(let expected, let found): "is \(found), expected \(expected)"
            case .limitExceeded(let limit): "is more than \(limit)"
            case .duplicate: "comes twice"
            case .flagMalformed: "is neither 0 nor 1"
            case .placesMissing(let needed, let found): "needs \(needed) bits of a column that has \(found)"
            }
        return "not a CRLite filter: \(field) at byte \(offset) \(problem)"
    }
}
