// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ASN1Value {
    /// The text of a string type, or nil for other types and for invalid text. It isn't escaped for display.
    var string: String? { Self.string(header.type, contents) }

    /// Returns the text in the contents of a string type. T61String is decoded as Latin-1, as is common practice.
    static func string(_ type: ASN1Type?, _ contents: ArraySlice<UInt8>) -> String? {
        switch type {
        case .utf8String: return String(validating: contents, as: UTF8.self)
        case .printableString, .ia5String, .visibleString, .numericString, .generalString, .graphicString:
            return contents.allSatisfy { $0 < 0x80 } ? String(decoding: contents, as: UTF8.self) : nil
        case .teletexString, .videotexString:
            return String(String.UnicodeScalarView(contents.map { Unicode.Scalar($0) }))
        case .bmpString:
            return units(contents, 2).flatMap { String(validating: $0.map { UInt16($0) }, as: UTF16.self) }
        case .universalString:
            return units(contents, 4).flatMap { String(validating: $0, as: UTF32.self) }
        default: return nil
        }
    }

    /// Returns big-endian units of `size` bytes, or nil if the last one is incomplete.
    private static func units(_ contents: ArraySlice<UInt8>, _ size: Int) -> [UInt32]? {
        guard contents.count % size == 0 else { return nil }
        return stride(from: contents.startIndex, to: contents.endIndex, by: size).map { start in
            contents[start..<start + size].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// An OBJECT IDENTIFIER in dotted decimal, or nil for other types and for one of more than ``OID/maximumSize``
    /// bytes.
    var oid: String? {
        guard isUniversal(.objectIdentifier), !header.isConstructed else { return nil }
        return Self.dotted(contents)
    }

    static func dotted(_ contents: ArraySlice<UInt8>) -> String? {
        guard let last = contents.last, last < 0x80, contents.count <= OID.maximumSize else { return nil }
        return OID(contents: Array(contents)).description
    }

    /// The number in an INTEGER or ENUMERATED of at most eight bytes, or nil for other values.
    var number: Int? {
        guard isUniversal(.integer) || isUniversal(.enumerated), !contents.isEmpty, contents.count <= 8 else {
            return nil
        }
        return Self.number(contents)
    }

    static func number(_ contents: ArraySlice<UInt8>) -> Int {
        var value = (contents.first ?? 0) >= 0x80 ? -1 : 0
        for byte in contents { value = value << 8 | Int(byte) }
        return value
    }

    /// Whether the value is a BOOLEAN that is TRUE in BER: any byte except zero.
    var isTrue: Bool { isUniversal(.boolean) && contents.contains { $0 != 0 } }

    /// The time in a UTCTime or GeneralizedTime, or nil for other types and for invalid times.
    ///
    /// All forms of X.680 §§ 46 and 47 are accepted, with or without seconds. A fraction is dropped. The time may end
    /// with `Z`, an offset or neither. Without both, it is in UTC.
    var time: Time? {
        guard isUniversal(.utcTime) || isUniversal(.generalizedTime), contents.count <= 40 else { return nil }
        let text = contents.map { $0 < 0x80 ? $0 : 0x3f }
        let digits = text.prefix { $0 >= 0x30 && $0 <= 0x39 }
        var parts: [String] = []
        var index = 0
        let yearSize = isUniversal(.utcTime) ? 2 : 4
        for size in [yearSize, 2, 2, 2, 2, 2] where index + size <= digits.count {
            parts.append(String(decoding: digits[index..<index + size], as: UTF8.self))
            index += size
        }
        guard index == digits.count, parts.count >= 4 else { return nil }
        if yearSize == 2, let year = Int(parts[0]) { parts[0] = (year >= 50 ? "19" : "20") + parts[0] }
        while parts.count < 6 { parts.append("00") }
        var rest = String(decoding: text[index...], as: UTF8.self)
        if rest.first == "." || rest.first == "," { rest = String(rest.dropFirst().drop { $0.isNumber }) }
        if rest.isEmpty { rest = "Z" }
        if rest.count == 5 { rest.insert(":", at: rest.index(rest.startIndex, offsetBy: 3)) }
        let day = parts[..<3].joined(separator: "-")
        return try? Time(rfc3339: day + "T" + parts[3...].joined(separator: ":") + rest)
    }

    /// The set bits of a BIT STRING, where the first bit is 0, or nil for other types. Only the first 64 bits are
    /// parsed.
    var setBits: [Int]? {
        guard isUniversal(.bitString) || header.tagClass == .contextSpecific, !header.isConstructed,
            !contents.isEmpty
        else { return nil }
        let bits = contents.dropFirst().prefix(8)
        return bits.indices.flatMap { index in
            (0..<8).filter { bits[index] & (0x80 >> UInt8($0)) != 0 }.map { (index - bits.startIndex) * 8 + $0 }
        }
    }

    /// The contents in hexadecimal. Long contents are shortened to the first bytes and the total number of bytes.
    func hex(maximum: Int = 64) -> String { Self.hex(contents, maximum: maximum) }

    static func hex(_ bytes: ArraySlice<UInt8>, maximum: Int = 64) -> String {
        Hex.encode(bytes.prefix(maximum)) + (bytes.count > maximum ? "… (\(bytes.count) bytes)" : "")
    }
}

extension ASN1Value {
    /// The contents of a primitive value in words, for a line of a dump, or nil if there are no words for them.
    var words: String? {
        switch header.type {
        case .boolean: return contents.count == 1 ? (isTrue ? "TRUE" : "FALSE") : hex()
        case .integer, .enumerated: return integerWords
        case .objectIdentifier:
            guard let oid else { return "malformed: " + hex(maximum: 32) }
            return OIDNames.name(of: oid).map { "\(oid) (\($0))" } ?? oid
        case .utcTime, .generalizedTime:
            let text = clipped(String(decoding: contents.prefix(64), as: UTF8.self), to: 64)
            return time.map { "\(text) (\($0))" } ?? "\"\(text)\", which isn't a time"
        case .null, .endOfContents: return contents.isEmpty ? nil : hex()
        case .bitString:
            guard let unused = contents.first else {
                return "malformed: the byte with the number of unused bits is missing"
            }
            let rest = unused == 0 ? "" : " (\(unused) unused bits)"
            return Self.hex(contents.dropFirst(), maximum: 32) + rest
        default:
            if let string { return "\"" + clipped(string, to: 200) + "\"" }
            guard header.tagClass != .universal, contents.count >= 2 else { return hex(maximum: 32) }
            return hex(maximum: 32) + readable
        }
    }

    private var integerWords: String {
        guard !contents.isEmpty else { return "malformed: no contents" }
        guard contents.count <= 8 else { return "0x" + hex(maximum: 64) }
        let value = Self.number(contents)
        return value < 10 && value >= 0 ? String(value) : "\(value) (0x\(hex()))"
    }

    /// The contents in hexadecimal, followed by the text if all bytes are printable ASCII. Implicit tags hide string
    /// types.
    private var readable: String {
        guard contents.count <= 200, contents.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return "" }
        return " \"" + String(decoding: contents, as: UTF8.self) + "\""
    }
}

extension ASN1Value {
    /// Returns the time in a GeneralizedTime with an implicit tag, or nil for an invalid time.
    static func time(generalized contents: ArraySlice<UInt8>) -> Time? {
        guard contents.count < 0x80 else { return nil }
        return (try? ASN1Value([0x18, UInt8(contents.count)] + contents))?.time
    }
}
