// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

extension DERError {
    /// The field, the reason and the place in words, with the names of tags: `serialNumber: expected an INTEGER, found a BOOLEAN (byte 15)`.
    package var words: String {
        let place = offset == 0 ? "" : " (byte \(offset))"
        return "\(clipped(field, to: 100)): \(reasonInWords)\(place)"
    }

    private var reasonInWords: String {
        switch reason {
        case .unexpectedTag(let expected, let found):
            "expected \(Self.name(ofTag: expected)), found \(Self.name(ofTag: found))"
        case .truncated: "cut off"
        case .indefiniteLength: "an indefinite length, which DER does not have"
        default: clipped(reason.description, to: 200)
        }
    }

    /// Returns the name of a tag with its article, and the byte.
    package static func name(ofTag tag: UInt8) -> String {
        let byte = " (0x\(Hex.encode([tag])))"
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
}
