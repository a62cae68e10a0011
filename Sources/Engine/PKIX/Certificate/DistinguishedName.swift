// SPDX-License-Identifier: Apache-2.0

/// A subject or issuer name: `RDNSequence` (RFC 5280 § 4.1.2.4).
///
/// Two names are equal if RFC 5280 § 7.1 says so, regardless of their string types. To compare bytes, use ``der``.
public struct DistinguishedName: Sendable {
    /// The DER encoding, including tag and length.
    public let der: [UInt8]

    init(checkedDER der: [UInt8]) { self.der = der }

    /// Parses a name in DER.
    /// - Throws: ``DERError`` if the bytes aren't a name in DER.
    public init(der: [UInt8]) throws(DERError) {
        guard der.count <= Certificate.maximumSize else {
            throw DERError(.limitExceeded(limit: Certificate.maximumSize), in: "name", at: 0)
        }
        let view = der[...]
        var reader = DERReader(view.span)
        _ = try reader.nextName("name")
        try reader.finish("name")
        self.der = der
    }

    /// Whether the name has no attributes.
    package var isEmpty: Bool { der.count <= 2 }

    /// One attribute of a relative name.
    package struct Attribute: Sendable, Hashable {
        /// The attribute's type.
        package var type: OID
        /// The value as text. Nil if its type isn't a string type, or its bytes aren't valid in that type.
        package var value: String?
        /// The value in DER, including its tag.
        package var der: [UInt8]
    }

    /// The relative names in encoding order (most significant first), each with its attributes.
    package var relativeNames: [[Attribute]] {
        let view = der[...]
        let span = view.span
        var relativeNames: [[Attribute]] = []
        var outer = DERReader(span)
        guard let sequence = try? outer.next("name") else { return [] }
        var sets = outer.inside(sequence)
        while !sets.isAtEnd, let set = try? sets.next("name") {
            var attributes: [Attribute] = []
            var members = sets.inside(set)
            while !members.isAtEnd, let (type, value) = try? members.nextAttribute("name") {
                attributes.append(
                    Attribute(
                        type: OID(checkedContents: Array(der[type.indices])),
                        value: NameFolding.characters(span, value).map { String(String.UnicodeScalarView($0)) },
                        der: Array(der[value.whole.indices])))
            }
            relativeNames.append(attributes)
        }
        return relativeNames
    }

    /// Returns the values of all attributes of a type, in order.
    public func values(of type: OID) -> [String] {
        relativeNames.joined().compactMap { $0.type == type ? $0.value : nil }
    }

    /// The `commonName` values. Never use them as a server's identity (RFC 9525 § 2).
    public var commonNames: [String] { values(of: .commonName) }
}

extension DistinguishedName: Hashable {
    public static func == (left: DistinguishedName, right: DistinguishedName) -> Bool {
        let a = left.der[...]
        let b = right.der[...]
        return namesMatch(a.span, ByteRange(0, a.count), b.span, ByteRange(0, b.count))
    }

    public func hash(into hasher: inout Hasher) {
        let view = der[...]
        let span = view.span
        hasher.combine(nameHash(span, ByteRange(0, span.count)))
    }
}

extension OID {
    /// The type `id-at-commonName`.
    package static let commonName = OID(checkedContents: [0x55, 0x04, 0x03])
    /// The type `id-at-organizationName`.
    package static let organizationName = OID(checkedContents: [0x55, 0x04, 0x0a])
    /// The type `id-at-organizationalUnitName`.
    package static let organizationalUnitName = OID(checkedContents: [0x55, 0x04, 0x0b])
    /// The type `id-at-countryName`.
    package static let countryName = OID(checkedContents: [0x55, 0x04, 0x06])
    /// The type `id-emailAddress` of PKCS #9.
    package static let emailAddress = OID(
        checkedContents: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x01])
}

// MARK: - RFC 4514

extension DistinguishedName: CustomStringConvertible {
    /// The name by RFC 4514: last relative name first, `CN=www.example.com,O=Example\, Inc.,C=US`.
    public var description: String {
        relativeNames.reversed().map { attributes in
            attributes.map { attribute in
                // § 2.4: without a short name for its type, or without a string, the value is written as its encoding.
                guard let type = Self.shortNames[attribute.type], let value = attribute.value else {
                    let type = Self.shortNames[attribute.type] ?? attribute.type.description
                    return type + "=#" + Hex.encode(attribute.der)
                }
                return type + "=" + Self.escaped(value)
            }.joined(separator: "+")
        }.joined(separator: ",")
    }

    /// Returns `text` with control and invisible characters escaped as `\\` and hexadecimal digits.
    package static func printable(_ text: String) -> String { PrintableText.escaping(text) }

    /// Returns a value escaped according to RFC 4514 § 2.4. Also escapes control characters in hexadecimal, so that a
    /// name can't forge a log line.
    private static func escaped(_ value: String) -> String {
        var text = ""
        let scalars = Array(value.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "\"", "+", ",", ";", "<", ">", "\\":
                text += "\\"
                text.unicodeScalars.append(scalar)
            case "#" where index == 0, " " where index == 0 || index == scalars.count - 1:
                text += "\\"
                text.unicodeScalars.append(scalar)
            default:
                if PrintableText.isControl(scalar) {
                    text += PrintableText.hexEscaped(scalar)
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    /// Short names from RFC 4514 § 3, and OpenSSL's short names for other common types.
    private static let shortNames: [OID: String] = {
        let table: [(String, String)] = [
            ("2.5.4.3", "CN"), ("2.5.4.7", "L"), ("2.5.4.8", "ST"), ("2.5.4.10", "O"), ("2.5.4.11", "OU"),
            ("2.5.4.6", "C"), ("2.5.4.9", "STREET"), ("0.9.2342.19200300.100.1.25", "DC"),
            ("0.9.2342.19200300.100.1.1", "UID"), ("2.5.4.4", "SN"), ("2.5.4.5", "serialNumber"),
            ("2.5.4.12", "title"), ("2.5.4.15", "businessCategory"), ("2.5.4.17", "postalCode"), ("2.5.4.42", "GN"),
            ("2.5.4.46", "dnQualifier"), ("2.5.4.97", "organizationIdentifier"),
            ("1.2.840.113549.1.9.1", "emailAddress"), ("1.3.6.1.4.1.311.60.2.1.1", "jurisdictionL"),
            ("1.3.6.1.4.1.311.60.2.1.2", "jurisdictionST"), ("1.3.6.1.4.1.311.60.2.1.3", "jurisdictionC"),
        ]
        var names: [OID: String] = [:]
        for (dotted, name) in table {
            if let oid = OID(dotted) { names[oid] = name }
        }
        return names
    }()
}

// MARK: - Reading

extension DERReader {
    /// Reads `Name ::= SEQUENCE OF SET SIZE (1..MAX) OF AttributeTypeAndValue`. The range includes tag, length and
    /// contents.
    @_lifetime(self: copy self)
    mutating func nextName(_ field: StaticString) throws(DERError) -> ByteRange {
        let sequence = try next(DERTag.sequence, field)
        var sets = inside(sequence)
        while !sets.isAtEnd {
            let set = try sets.next(DERTag.set, field)
            try sets.checkRelativeName(set, field)
        }
        return sequence.whole
    }

    /// Checks the members of one relative name. There is at least one, and they are in DER order (X.690 § 11.6).
    func checkRelativeName(_ set: DERElement, _ field: StaticString) throws(DERError) {
        guard set.contentCount > 0 else { throw DERError(.empty, in: field, at: set.start) }
        var members = inside(set)
        var before = ByteRange.absent
        while !members.isAtEnd {
            let start = members.position
            try members.checkWellFormed(members.nextAttribute(field).value, field)
            let member = ByteRange(start, members.position)
            if before.isPresent, !isOrdered(before, member) {
                throw DERError(.setNotSorted, in: field, at: start)
            }
            before = member
        }
    }

    /// Reads `AttributeTypeAndValue ::= SEQUENCE { type OBJECT IDENTIFIER, value ANY }`.
    @_lifetime(self: copy self)
    mutating func nextAttribute(_ field: StaticString) throws(DERError) -> (type: ByteRange, value: DERElement) {
        var inner = try nextSequence(field)
        let type = try inner.nextObjectIdentifier(field)
        let value = try inner.next(field)
        try inner.finish(field)
        return (type, value)
    }

    private func isOrdered(_ first: ByteRange, _ second: ByteRange) -> Bool {
        let shared = min(first.count, second.count)
        for offset in 0..<shared {
            let a = bytes[first.start + offset]
            let b = bytes[second.start + offset]
            if a != b { return a < b }
        }
        return first.count <= second.count
    }
}
