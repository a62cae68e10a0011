// SPDX-License-Identifier: Apache-2.0

/// A position with unexpected or invalid ASN.1, described for people.
package struct ASN1Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem.
    package enum Reason: Sendable, Hashable {
        /// The tag or length extends beyond the last byte.
        case headerCutOff
        /// The number of a tag has more than 64 bits.
        case tagTooLarge
        /// A length is more than 2⁴⁸ bytes.
        case lengthTooLarge
        /// The stated length is larger than the number of bytes left in the enclosing value.
        case lengthBeyondEnd(stated: Int, left: Int, around: String)
        /// Contents of indefinite length have no end mark.
        case endMissing
        /// A length has more bytes than necessary.
        case lengthPadded
        /// An indefinite length, which BER allows and DER doesn't.
        case indefiniteLength
        /// More levels of nested values than the parser opens.
        case tooDeep(limit: Int)
        /// A value that differs from the one the grammar requires here.
        case unexpected(expected: String, found: String)
        /// A value that its field doesn't allow, described in a few words.
        case invalid(String)
    }

    /// The kind of problem.
    let reason: Reason
    /// The offset of the byte with the problem, from 0.
    let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "byte \(offset): \(reason.words)" }
}

extension ASN1Problem.Reason {
    /// The problem in a sentence, without its position.
    var words: String {
        switch self {
        case .headerCutOff: "a value that is cut off within its tag or length"
        case .tagTooLarge: "a tag whose number is longer than 64 bits"
        case .lengthTooLarge: "a length of more than 256 terabytes"
        case .lengthBeyondEnd(let stated, let left, let around):
            "the length says \(stated) bytes, but only \(left) are left in \(around)"
        case .endMissing: "contents of indefinite length without an end mark (00 00)"
        case .lengthPadded: "a length with more bytes than necessary (allowed in BER, not in DER)"
        case .indefiniteLength: "an indefinite length (allowed in BER, not in DER)"
        case .tooDeep(let limit): "more than \(limit) nested values: not opened"
        case .unexpected(let expected, let found): "expected \(expected), found \(found)"
        case .invalid(let words): words
        }
    }
}
