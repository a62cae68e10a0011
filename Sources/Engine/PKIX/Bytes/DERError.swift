// SPDX-License-Identifier: Apache-2.0

/// The error for bytes that aren't the expected strict DER, with the field and the byte. Its codes begin with `der`.
public struct DERError: TrustError, Hashable {
    /// The reason for rejecting bytes. The list of cases is complete.
    package enum Reason: Sendable, Hashable {
        /// The value ends earlier than its length states, or a required value is missing.
        case truncated
        /// There are bytes after the end of the value.
        case trailingBytes
        /// A length with more bytes than it needs (X.690 § 10.1).
        case lengthNotMinimal
        /// An indefinite length, `0x80`, which BER allows but DER doesn't (X.690 § 10.1).
        case indefiniteLength
        /// A length of more than four bytes.
        case lengthTooLarge
        /// A tag number of at least 31, which no X.509 type has.
        case highTagNumber
        /// A tag other than the tag that the grammar requires.
        case unexpectedTag(expected: UInt8, found: UInt8)
        /// An INTEGER with a superfluous leading byte, or without any bytes (X.690 § 8.3).
        case integerNotMinimal
        /// A number outside the range of the field.
        case integerOutOfRange
        /// A BOOLEAN that is neither `0x00` nor `0xff` (X.690 § 11.1).
        case booleanNotCanonical
        /// An encoded field that has its DEFAULT value (X.690 § 11.5).
        case defaultEncoded
        /// A BIT STRING with a wrong count of unused bits, or with unused bits that are set (X.690 § 11.2).
        case bitStringMalformed
        /// An OBJECT IDENTIFIER that is empty, is cut off, or has a padded arc (X.690 § 8.19).
        case objectIdentifierMalformed
        /// A time that RFC 5280 § 4.1.2.5 doesn't allow: no `Z`, a fraction, a day that doesn't exist, …
        case timeMalformed
        /// Bytes that the string type's alphabet doesn't contain.
        case stringMalformed
        /// A SET OF with members that aren't in ascending order (X.690 § 11.6).
        case setNotSorted
        /// A SEQUENCE or SET without members, although the grammar requires at least one.
        case empty
        /// A member that repeats an earlier member.
        case duplicate
        /// Values that are nested too deeply, too many, or too large for the stated limit.
        case limitExceeded(limit: Int)
        /// A value that the grammar doesn't allow here, with a short description.
        case invalid(String)
    }

    /// The reason, which is more specific than ``code``. For messages and tests.
    package var reason: Reason
    /// The field that the reader was parsing, as the grammar names it (`tbsCertificate.validity`).
    public var field: String
    /// The position of the wrong byte, counted from the start of the outermost value.
    public var offset: Int
    /// The value found, printable and shortened, and the rule that it violates. Nil if the reason already contains
    /// both.
    package var detail: String?

    @inline(never)
    init(_ reason: Reason, in field: StaticString, at offset: Int, detail: String? = nil) {
        self.reason = reason
        self.field = field.description
        self.offset = offset
        self.detail = detail
    }
}

extension DERError {
    /// The kind of error: the bytes are cut off, have extra bytes after them, exceed a limit, or are malformed in
    /// another way.
    public var code: ErrorCode {
        switch reason {
        case .truncated: .derCutOff
        case .trailingBytes: .derTrailingBytes
        case .limitExceeded: .derLimitExceeded
        default: .derMalformed
        }
    }

    /// The limit, for `ErrorCode.derLimitExceeded`.
    var limit: Int? { if case .limitExceeded(let limit) = reason { limit } else { nil } }

    /// The tag that the grammar requires. Nil unless the error is an unexpected tag.
    var expectedTag: UInt8? { if case .unexpectedTag(let expected, _) = reason { expected } else { nil } }

    /// The tag found. Nil unless the error is an unexpected tag.
    var foundTag: UInt8? { if case .unexpectedTag(_, let found) = reason { found } else { nil } }

    public var message: String { "\(field): \(reason) at byte \(offset)" + (detail.map { ": " + $0 } ?? "") }
}

extension ErrorCode {
    /// The DER ends earlier than its length states, or a required value is missing.
    static let derCutOff = ErrorCode("derCutOff")
    /// There are bytes after the end of the DER.
    static let derTrailingBytes = ErrorCode("derTrailingBytes")
    /// The DER contains values that are nested too deeply, too many, or too large for a limit.
    static let derLimitExceeded = ErrorCode("derLimitExceeded")
    /// The bytes aren't DER, or don't have the expected type.
    static let derMalformed = ErrorCode("derMalformed")
}
