// SPDX-License-Identifier: Apache-2.0

import PKIX

// A parser only for display. It accepts BER and damaged values, so don't base any decision on its results. Evaluations
// parse certificates with PKIX's strict parser. All positions are bounds-checked here, and no function is recursive.

/// The class of a tag (X.690 § 8.1.2.2).
enum ASN1TagClass: UInt8, Sendable, Hashable {
    case universal = 0
    case application = 1
    case contextSpecific = 2
    case privateUse = 3
}

/// The tag and the length of one value in any BER form.
struct ASN1Header: Sendable, Hashable {
    /// The class of the tag.
    let tagClass: ASN1TagClass
    /// Whether the contents are values.
    let isConstructed: Bool
    /// The number of the tag.
    let number: UInt64
    /// The number of bytes in tag and length.
    package let count: Int
    /// The number of content bytes according to the length, or nil for an indefinite length. Fewer bytes may be
    /// available.
    let length: Int?
    /// Whether the length has more bytes than necessary, which DER forbids (X.690 § 10.1).
    let isLengthPadded: Bool

    /// Parses the header at `start`, before `end`.
    /// - Throws: ``ASN1Problem`` if the header is cut off, or if its tag or length is larger than any value can be.
    static func read(_ bytes: [UInt8], at start: Int, end: Int) throws(ASN1Problem) -> ASN1Header {
        let end = min(end, bytes.count)
        guard start < end else { throw ASN1Problem(.headerCutOff, at: end) }
        let first = bytes[start]
        var position = start + 1
        var number = UInt64(first & 0x1f)
        if number == 0x1f {
            number = 0
            var byte: UInt8
            repeat {
                guard position < end else { throw ASN1Problem(.headerCutOff, at: start) }
                guard number >> 57 == 0 else { throw ASN1Problem(.tagTooLarge, at: start) }
                byte = bytes[position]
                number = number << 7 | UInt64(byte & 0x7f)
                position += 1
            } while byte >= 0x80
        }
        let length = try Self.length(bytes, at: &position, end: end, start: start)
        return ASN1Header(
            tagClass: ASN1TagClass(rawValue: first >> 6) ?? .universal, isConstructed: first & 0x20 != 0,
            number: number, count: position - start, length: length.value, isLengthPadded: length.isPadded)
    }

    private static func length(
        _ bytes: [UInt8], at position: inout Int, end: Int, start: Int
    ) throws(ASN1Problem) -> (value: Int?, isPadded: Bool) {
        guard position < end else { throw ASN1Problem(.headerCutOff, at: start) }
        let first = bytes[position]
        position += 1
        guard first >= 0x80 else { return (Int(first), false) }
        let count = Int(first & 0x7f)
        guard count > 0 else { return (nil, false) }
        guard end - position >= count else { throw ASN1Problem(.headerCutOff, at: start) }
        var value = 0
        for index in position..<(position + count) {
            guard value >> 40 == 0 else { throw ASN1Problem(.lengthTooLarge, at: start) }
            value = value << 8 | Int(bytes[index])
        }
        let isPadded = bytes[position] == 0 || value < 0x80
        position += count
        return (value, isPadded)
    }

    /// Returns the problem with a definite length, if any.
    /// - Parameters:
    ///   - left: the number of bytes left in the enclosing value.
    ///   - name: the enclosing value in words.
    func lengthProblem(at start: Int, left: Int, around name: String) -> ASN1Problem? {
        guard let length, length > left else {
            return length != nil && isLengthPadded ? ASN1Problem(.lengthPadded, at: start) : nil
        }
        return ASN1Problem(.lengthBeyondEnd(stated: length, left: left, around: name), at: start)
    }

    /// Whether the header is the mark that ends contents of indefinite length (X.690 § 8.1.5).
    var isEndOfContents: Bool { tagClass == .universal && number == 0 && !isConstructed && length == 0 }

    /// Whether the tag is that universal type.
    func isUniversal(_ type: ASN1Type) -> Bool { tagClass == .universal && number == UInt64(type.rawValue) }

    /// The universal type, or nil for other classes and unknown numbers.
    var type: ASN1Type? {
        guard tagClass == .universal, number < 31 else { return nil }
        return ASN1Type(rawValue: UInt8(number))
    }

    /// The tag's name in ASN.1: `SEQUENCE`, `[0]` or `[APPLICATION 1]`.
    package var name: String {
        switch tagClass {
        case .universal: type?.name ?? "[UNIVERSAL \(number)]"
        case .application: "[APPLICATION \(number)]"
        case .contextSpecific: "[\(number)]"
        case .privateUse: "[PRIVATE \(number)]"
        }
    }
}

/// The universal types of ASN.1 (X.680 § 8.4).
enum ASN1Type: UInt8, Sendable, Hashable {
    case endOfContents = 0
    case boolean = 1
    case integer = 2
    case bitString = 3
    case octetString = 4
    case null = 5
    case objectIdentifier = 6
    case objectDescriptor = 7
    case external = 8
    case real = 9
    case enumerated = 10
    case embeddedPDV = 11
    case utf8String = 12
    case relativeOID = 13
    case sequence = 16
    case set = 17
    case numericString = 18
    case printableString = 19
    case teletexString = 20
    case videotexString = 21
    case ia5String = 22
    case utcTime = 23
    case generalizedTime = 24
    case graphicString = 25
    case visibleString = 26
    case generalString = 27
    case universalString = 28
    case characterString = 29
    case bmpString = 30

    /// The type's name in ASN.1.
    package var name: String { Self.names[Int(rawValue)] }

    /// The names by number. There are no cases for the numbers 14 and 15, which X.509 doesn't use.
    private static let names = [
        "END OF CONTENTS", "BOOLEAN", "INTEGER", "BIT STRING", "OCTET STRING", "NULL", "OBJECT IDENTIFIER",
        "ObjectDescriptor", "EXTERNAL", "REAL", "ENUMERATED", "EMBEDDED PDV", "UTF8String", "RELATIVE-OID", "", "",
        "SEQUENCE", "SET", "NumericString", "PrintableString", "T61String", "VideotexString", "IA5String", "UTCTime",
        "GeneralizedTime", "GraphicString", "VisibleString", "GeneralString", "UniversalString", "CHARACTER STRING",
        "BMPString",
    ]
}

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
