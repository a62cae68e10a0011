// SPDX-License-Identifier: Apache-2.0

/// A spot at which bytes aren't the ASN.1 that was expected, in words for people.
package struct ASN1Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem.
    package enum Reason: Sendable, Hashable {
        /// Tag or length ends behind the last byte.
        case headerCutOff
        /// The number of a tag takes more than 64 bits.
        case tagTooLarge
        /// A length of more than 2⁴⁸ bytes.
        case lengthTooLarge
        /// The stated length is larger than the bytes that are left in the value around it.
        case lengthBeyondEnd(stated: Int, left: Int, around: String)
        /// Contents of indefinite length without their end mark.
        case endMissing
        /// A length in more bytes than it needs.
        case lengthPadded
        /// An indefinite length, which BER has and DER doesn't.
        case indefiniteLength
        /// Values inside of values, more of them than are opened.
        case tooDeep(limit: Int)
        /// Another value than the one that the grammar has here.
        case unexpected(expected: String, found: String)
        /// A value that its field doesn't allow, in a few words.
        case invalid(String)
    }

    /// The kind of problem.
    package let reason: Reason
    /// The byte at which it was found, from 0.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "byte \(offset): \(reason.words)" }
}

extension ASN1Problem.Reason {
    /// The problem in a sentence without its place.
    var words: String {
        switch self {
        case .headerCutOff: "a value starts here and ends before its tag and length do"
        case .tagTooLarge: "a tag whose number takes more than 64 bits"
        case .lengthTooLarge: "a length of more than 256 terabytes"
        case .lengthBeyondEnd(let stated, let left, let around):
            "the length says \(stated) bytes, and \(left) are left in \(around)"
        case .endMissing: "contents of indefinite length without their end mark (00 00)"
        case .lengthPadded: "a length in more bytes than it needs (allowed in BER, not in DER)"
        case .indefiniteLength: "an indefinite length (allowed in BER, not in DER)"
        case .tooDeep(let limit): "more than \(limit) values inside of each other: left closed"
        case .unexpected(let expected, let found): "expected \(expected), found \(found)"
        case .invalid(let words): words
        }
    }
}
