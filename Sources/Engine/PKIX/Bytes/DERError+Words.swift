// SPDX-License-Identifier: Apache-2.0

extension DERError {
    /// Returns the name of a tag with its article and the byte: `a SEQUENCE (0x30)`.
    package static func name(ofTag tag: UInt8) -> String {
        let byte = " (\(hexByte(tag)))"
        if let name = universalNames[tag] { return name + byte }
        let number = tag & 0x1f
        return switch tag & 0xc0 {
        case 0x80: "the tag [\(number)]" + byte
        case 0x40: "the application tag \(number)" + byte
        case 0xc0: "the private tag \(number)" + byte
        default: "the tag \(number)" + byte
        }
    }

    private static let universalNames: [UInt8: String] = [
        0x01: "a BOOLEAN", 0x02: "an INTEGER", 0x03: "a BIT STRING", 0x04: "an OCTET STRING", 0x05: "a NULL",
        0x06: "an OBJECT IDENTIFIER", 0x0a: "an ENUMERATED", 0x0c: "a UTF8String", 0x12: "a NumericString",
        0x13: "a PrintableString", 0x14: "a TeletexString", 0x16: "an IA5String", 0x17: "a UTCTime",
        0x18: "a GeneralizedTime", 0x1a: "a VisibleString", 0x1c: "a UniversalString", 0x1e: "a BMPString",
        0x30: "a SEQUENCE", 0x31: "a SET",
    ]

    /// Returns the first bytes of a text in quotation marks. Bytes other than printable ASCII appear in hexadecimal.
    static func quoted(_ bytes: Span<UInt8>, _ range: ByteRange) -> String {
        var text = ""
        for byte in bytes.copy(ByteRange(range.start, min(range.end, range.start + maximumShown))) {
            if (0x20..<0x7f).contains(byte), byte != UInt8(ascii: "\\") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\" + Hex.encode([byte])
            }
        }
        return "\"\(text)\(range.count > maximumShown ? "…" : "")\""
    }

    /// Returns a UTF-8 text in quotation marks, with invisible characters in hexadecimal. For a text that is long or
    /// isn't UTF-8, returns the result of ``quoted(_:_:)``.
    static func quotedUTF8(_ bytes: Span<UInt8>, _ range: ByteRange) -> String {
        guard range.count <= maximumShown else { return quoted(bytes, range) }
        let written = bytes.copy(range)
        let text = String(decoding: written, as: UTF8.self)
        guard text.utf8.elementsEqual(written) else { return quoted(bytes, range) }
        return "\"\(PrintableText.escaping(text))\""
    }

    /// Returns the first bytes in hexadecimal.
    static func hexadecimal(_ bytes: Span<UInt8>, _ range: ByteRange) -> String {
        let hex = Hex.encode(bytes.copy(ByteRange(range.start, min(range.end, range.start + maximumShown))))
        return "0x" + hex + (range.count > maximumShown ? "…" : "")
    }

    /// The number of bytes of a value that errors show. Times have 13 or 15 bytes, and most names have fewer than 40.
    private static let maximumShown = 48
}

extension DERError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated: "cut off"
        case .trailingBytes: "bytes after the end of the value"
        case .lengthNotMinimal: "length not in its shortest form"
        case .indefiniteLength: "indefinite length, which DER doesn't allow"
        case .lengthTooLarge: "length of more than four bytes"
        case .highTagNumber: "tag number above 30"
        case .unexpectedTag(let expected, let found):
            "expected \(DERError.name(ofTag: expected)), found \(DERError.name(ofTag: found))"
        case .integerNotMinimal: "integer not in its shortest form"
        case .integerOutOfRange: "number out of range"
        case .booleanNotCanonical: "boolean is neither 0x00 nor 0xff"
        case .defaultEncoded: "the default value is encoded"
        case .bitStringMalformed: "malformed bit string"
        case .objectIdentifierMalformed: "malformed object identifier"
        case .timeMalformed: "malformed time"
        case .stringMalformed: "bytes that the string type doesn't allow"
        case .setNotSorted: "the members of a set are not in order"
        case .empty: "empty where at least one member is required"
        case .duplicate: "duplicate member"
        case .limitExceeded(let limit): "over the limit of \(limit)"
        case .invalid(let what): what
        }
    }
}

func hexByte(_ byte: UInt8) -> String { "0x" + Hex.encode([byte]) }
