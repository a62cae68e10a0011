// SPDX-License-Identifier: Apache-2.0

/// The error for bytes that aren't the expected strict DER, with the field and the byte. Its codes begin with `der`.
public struct DERError: TrustError, Hashable {
    /// The reason for refusing bytes. The set is complete.
    package enum Reason: Sendable, Hashable {
        /// The value ends before its own length says, or a required value is missing.
        case truncated
        /// Bytes follow where the value should have ended.
        case trailingBytes
        /// A length in more bytes than it needs (X.690 § 10.1).
        case lengthNotMinimal
        /// A length without an end, `0x80`: BER, not DER (X.690 § 10.1).
        case indefiniteLength
        /// A length of more than four bytes.
        case lengthTooLarge
        /// A tag number of 31 or more: no type of X.509 has one.
        case highTagNumber
        /// A tag other than the one that the grammar requires.
        case unexpectedTag(expected: UInt8, found: UInt8)
        /// An INTEGER with a superfluous leading byte, or of no bytes (X.690 § 8.3).
        case integerNotMinimal
        /// A number outside the range of the field.
        case integerOutOfRange
        /// A BOOLEAN that is neither `0x00` nor `0xff` (X.690 § 11.1).
        case booleanNotCanonical
        /// A field encoded although it has its DEFAULT value (X.690 § 11.5).
        case defaultEncoded
        /// A BIT STRING whose count of unused bits is wrong, or whose unused bits are set (X.690 § 11.2).
        case bitStringMalformed
        /// An OBJECT IDENTIFIER that is empty, cut off, or has a padded arc (X.690 § 8.19).
        case objectIdentifierMalformed
        /// A time that RFC 5280 § 4.1.2.5 does not allow: no `Z`, a fraction, a day that does not exist, …
        case timeMalformed
        /// Bytes outside the string type's alphabet.
        case stringMalformed
        /// The members of a SET OF are not in ascending order (X.690 § 11.6).
        case setNotSorted
        /// A SEQUENCE or SET with no member where the grammar asks for one.
        case empty
        /// A member that an earlier member repeats.
        case duplicate
        /// Values nested more deeply, or more or larger values, than the stated limit.
        case limitExceeded(limit: Int)
        /// A value that the grammar does not allow here, in a few words.
        case invalid(String)
    }

    /// The reason: finer than ``code``, for messages and tests.
    package var reason: Reason
    /// The field that was being read, in the grammar's words (`tbsCertificate.validity`).
    public var field: String
    /// The byte at which the error was found, counted from the start of the outermost value.
    public var offset: Int
    /// The value that was found, printable and bounded, and the rule that it breaks; nil where the reason has both.
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
    /// The kind of error: the bytes were cut off, bytes follow, they are over a limit, or they are malformed in another way.
    public var code: ErrorCode {
        switch reason {
        case .truncated: .derCutOff
        case .trailingBytes: .derTrailingBytes
        case .limitExceeded: .derLimitExceeded
        default: .derMalformed
        }
    }

    /// The limit, for `ErrorCode.derLimitExceeded`.
    package var limit: Int? { if case .limitExceeded(let limit) = reason { limit } else { nil } }

    /// The tag that the grammar requires, if another was found.
    package var expectedTag: UInt8? { if case .unexpectedTag(let expected, _) = reason { expected } else { nil } }

    /// The tag that was found, if the grammar requires another.
    package var foundTag: UInt8? { if case .unexpectedTag(_, let found) = reason { found } else { nil } }

    public var message: String { "\(field): \(reason) at byte \(offset)" + (detail.map { ": " + $0 } ?? "") }
}

extension ErrorCode {
    /// The DER ends before its own length says, or a required value is missing.
    package static let derCutOff = ErrorCode("derCutOff")
    /// Bytes follow where the DER should have ended.
    package static let derTrailingBytes = ErrorCode("derTrailingBytes")
    /// The DER has values that are nested more deeply, are more or are larger than a limit.
    package static let derLimitExceeded = ErrorCode("derLimitExceeded")
    /// The bytes aren't DER, or not of the expected type.
    package static let derMalformed = ErrorCode("derMalformed")
}

extension DERError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated: "cut off"
        case .trailingBytes: "bytes after the end of the value"
        case .lengthNotMinimal: "length not in its shortest form"
        case .indefiniteLength: "indefinite length, which DER does not have"
        case .lengthTooLarge: "length of more than four bytes"
        case .highTagNumber: "tag number above 30"
        case .unexpectedTag(let expected, let found):
            "expected \(DERError.name(ofTag: expected)), found \(DERError.name(ofTag: found))"
        case .integerNotMinimal: "integer not in its shortest form"
        case .integerOutOfRange: "number out of range"
        case .booleanNotCanonical: "boolean is neither 0x00 nor 0xff"
        case .defaultEncoded: "the default value is written out"
        case .bitStringMalformed: "malformed bit string"
        case .objectIdentifierMalformed: "malformed object identifier"
        case .timeMalformed: "malformed time"
        case .stringMalformed: "bytes that the string type does not allow"
        case .setNotSorted: "members of a set not in order"
        case .empty: "empty where at least one member is required"
        case .duplicate: "the same member twice"
        case .limitExceeded(let limit): "over the limit of \(limit)"
        case .invalid(let what): what
        }
    }
}

func hexByte(_ byte: UInt8) -> String { "0x" + Hex.encode([byte]) }
