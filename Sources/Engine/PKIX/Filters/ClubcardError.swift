// SPDX-License-Identifier: Apache-2.0

/// The error for bytes that aren't a CRLite filter, with field and byte. Its codes begin with `clubcard`, the format's
/// name.
public struct ClubcardError: TrustError, Hashable {
    /// The reason for rejecting the bytes. It is more specific than ``code`` and used in messages.
    package enum Reason: Sendable, Hashable {
        /// The field extends beyond the end of the bytes.
        case truncated
        /// Bytes follow the last field.
        case trailingBytes
        /// A version other than 3 or 4.
        case unknownVersion(Int)
        /// A number other than the only possible one.
        case unexpected(expected: Int, found: UInt64)
        /// A number larger than in any honest filter.
        case limitExceeded(limit: Int)
        /// An issuer or a log that appears twice.
        case duplicate
        /// A flag that is neither 0 nor 1.
        case flagMalformed
        /// An entry whose positions extend beyond a column, in bits.
        case placesMissing(needed: UInt64, found: Int)
    }

    /// The specific reason.
    let reason: Reason
    /// The field name, such as `index`.
    let field: String
    /// The offset of the field in bytes.
    public let offset: Int

    /// The kind of error: an unknown version of the format, or malformed bytes.
    public var code: ErrorCode { version == nil ? .clubcardMalformed : .clubcardVersionUnknown }

    /// The version of the format, if this package can't read it.
    var version: Int? { if case .unknownVersion(let version) = reason { version } else { nil } }

    public var message: String {
        let problem =
            switch reason {
            case .truncated: "is longer than the bytes"
            case .trailingBytes: "is followed by more bytes"
            case .unknownVersion(let version): "is \(version), expected 3 or 4"
            case .unexpected(let expected, let found): "is \(found), expected \(expected)"
            case .limitExceeded(let limit): "is more than \(limit)"
            case .duplicate: "appears twice"
            case .flagMalformed: "is neither 0 nor 1"
            case .placesMissing(let needed, let found): "needs \(needed) bits of a column that has \(found)"
            }
        return "not a CRLite filter: \(field) at byte \(offset) \(problem)"
    }
}

extension ErrorCode {
    /// The bytes aren't a CRLite filter, or the filter was cut off or altered.
    static let clubcardMalformed = ErrorCode("clubcardMalformed")
    /// The CRLite filter has a version other than 3 or 4.
    static let clubcardVersionUnknown = ErrorCode("clubcardVersionUnknown")
}
