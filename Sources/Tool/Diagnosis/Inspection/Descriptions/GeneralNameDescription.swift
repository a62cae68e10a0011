// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A GeneralName in words (RFC 5280 § 4.2.1.6).
enum GeneralNameDescription {
    /// Returns a line with the kind of name and the name.
    /// - Parameter isConstraint: whether a mask follows each address, as in name constraints (RFC 5280 § 4.2.1.10).
    static func detail(_ value: ASN1Value, isConstraint: Bool = false) -> Detail {
        guard value.header.tagClass == .contextSpecific else {
            return Detail("unknown", "\(value.header.name) \(value.hex())")
        }
        switch value.header.number {
        case 0: return otherName(value)
        case 1: return Detail("email", text(value))
        case 2: return Detail("DNS", text(value))
        case 3: return Detail("x400Address", value.hex())
        case 4: return Detail("directory", NameDescription(value.inner).text)
        case 5: return Detail("ediPartyName", value.hex())
        case 6: return Detail("URI", text(value))
        case 7: return Detail("IP", address(value.contents, hasMask: isConstraint))
        case 8:
            let dotted = ASN1Value.dotted(value.contents)
            return Detail("registeredID", dotted ?? "malformed: \(value.hex(maximum: 32))", oid: dotted)
        default: return Detail("unknown", "[\(value.header.number)] \(value.hex())")
        }
    }

    /// Returns the name in the form that clients compare. Names of the kinds DNS, IP, email and URI have no prefix.
    /// Other names keep their kind.
    static func plain(_ detail: Detail) -> String {
        switch detail.label {
        case "DNS", "IP", "email", "URI": detail.value ?? ""
        default: "\(detail.label):\(detail.value ?? "")"
        }
    }

    private static func text(_ value: ASN1Value) -> String {
        value.contents.allSatisfy { $0 < 0x80 }
            ? String(decoding: value.contents, as: UTF8.self)
            : String(validating: value.contents, as: UTF8.self) ?? "#" + value.hex()
    }

    private static func otherName(_ value: ASN1Value) -> Detail {
        var fields = FieldReader(value)
        let type = fields.any()
        let content = fields.any()?.inner
        let dotted = type?.oid ?? "malformed type"
        let text = content.map { $0.string ?? "#" + ASN1Value.hex($0.whole) } ?? "without a value"
        return Detail("otherName", "\(OIDNames.words(for: dotted) ?? dotted): \(text)", oid: type?.oid)
    }

    /// Returns an address, an address with its mask, or hexadecimal for other bytes.
    private static func address(_ bytes: ArraySlice<UInt8>, hasMask: Bool) -> String {
        let bytes = Array(bytes)
        if let address = IPAddress(bytes: bytes) { return address.description + (hasMask ? " without a mask" : "") }
        let half = bytes.count / 2
        guard hasMask, bytes.count == 8 || bytes.count == 32, let address = IPAddress(bytes: Array(bytes[..<half])),
            let mask = IPAddress(bytes: Array(bytes[half...]))
        else { return "#\(ASN1Value.hex(bytes[...])), \(bytes.count) bytes" }
        let ones = mask.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
        let isPrefix = mask.bytes.enumerated().allSatisfy { index, byte in
            let expected = max(0, min(8, ones - index * 8))
            return byte == UInt8(truncatingIfNeeded: 0xff00 >> expected)
        }
        return isPrefix ? "\(address)/\(ones)" : "\(address) mask \(mask)"
    }
}
