// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A distinguished name in words. It also works for names that the strict parser refuses.
struct NameDescription: Sendable, Hashable {
    /// One attribute.
    struct Attribute: Sendable, Hashable {
        let oid: String
        let type: String
        let value: String
    }
    /// The relative distinguished names, the most significant first.
    let relativeNames: [[Attribute]]

    /// The maximum number of attributes that are shown.
    private static let maximumCount = Detail.maximumMembers

    init(_ value: ASN1Value?) {
        var left = Self.maximumCount
        let names = value?.members.map { set in
            let attributes = set.members.prefix(left).map { Attribute($0) }
            left -= attributes.count
            return attributes
        }
        relativeNames = names?.filter { !$0.isEmpty } ?? []
    }

    var isEmpty: Bool { relativeNames.isEmpty }

    /// The name in the format of RFC 4514, with the last relative name first: `CN=www.example.com,O=Example\, Inc.`.
    /// Empty for an empty name.
    var text: String {
        relativeNames.reversed().map { attributes in
            attributes.map { ($0.short ?? $0.oid) + "=" + Self.escaped($0.value) }.joined(separator: "+")
        }.joined(separator: ",")
    }

    /// Returns the values of the attributes with that type, unescaped.
    func values(_ oid: String) -> [String] { relativeNames.joined().filter { $0.oid == oid }.map(\.value) }

    /// The attributes, each with type and value.
    var details: [Detail] {
        relativeNames.joined().map { Detail($0.type, $0.value, oid: $0.oid) }
    }

    /// Escapes a value as RFC 4514 § 2.4 requires.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in clipped(value, to: 1024).unicodeScalars {
            switch scalar {
            case "\"", "+", ",", ";", "<", ">": text += "\\" + String(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        if text.hasPrefix(" ") || text.hasPrefix("#") { text = "\\" + text }
        return text
    }
}

extension NameDescription.Attribute {
    /// Parses `AttributeTypeAndValue ::= SEQUENCE { type OBJECT IDENTIFIER, value ANY }`.
    init(_ value: ASN1Value) {
        var fields = FieldReader(value)
        let type = fields.any()
        let content = fields.any()
        oid = type?.oid ?? "malformed type"
        self.type = OIDNames.name(of: oid) ?? oid
        self.value = content.map { $0.string ?? "#" + Hex.encode($0.whole.prefix(256)) } ?? ""
    }

    /// The type's name in RFC 4514, or nil for an unknown type.
    var short: String? { OIDNames.attribute(of: oid) ?? OIDNames.name(of: oid) }
}
