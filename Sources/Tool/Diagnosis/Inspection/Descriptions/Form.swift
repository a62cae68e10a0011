// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The lines that describe a value. Tables combine forms into the schemas of structures.
struct Form: Sendable {
    /// A function that returns the lines for a value. The value is nil if the field is missing. The result is nil if
    /// the form has no words for the value.
    typealias Lines = @Sendable (_ label: String, ASN1Value?, inout [ASN1Problem]) -> [Detail]?

    /// The types that the value of an extension may have, empty for every type.
    let types: [ASN1Type]
    private let lines: Lines

    init(_ types: ASN1Type..., lines: @escaping Lines) {
        self.types = types
        self.lines = lines
    }

    /// Creates a form with one line.
    init(_ types: ASN1Type..., words: @escaping @Sendable (ASN1Value) -> String?) {
        self.types = types
        self.lines = { label, value, _ in value.flatMap(words).map { [Detail(label, $0)] } }
    }

    /// Returns the lines for the value of an extension, or nil for a value of the wrong type.
    func extensionLines(_ value: ASN1Value, _ problems: inout [ASN1Problem]) -> [Detail]? {
        guard types.isEmpty || types.contains(where: value.isUniversal) else { return nil }
        return lines("", value, &problems)
    }

    /// Returns the lines for a value, or a line with `absent` if the form has no words for it.
    func details(
        _ label: String, _ value: ASN1Value?, absent: String? = nil, _ problems: inout [ASN1Problem]
    ) -> [Detail] {
        lines(label, value, &problems) ?? [Detail(label, absent)]
    }
}

// MARK: - Single values

extension Form {
    /// Text in any string type.
    static let text = Form { $0.string }
    /// Text, or the words for a value of another type.
    static let plain = Form { $0.plain }
    /// The words for a value of any type.
    static let words = Form { $0.words }
    /// The name of a value's tag.
    static let tagName = Form { $0.header.name }
    static let number = Form(.integer) { $0.words }
    /// A number with an implicit tag.
    static let count = Form { String(ASN1Value.number($0.contents.prefix(8))) }
    static let octets = Form(.octetString) { $0.hex(maximum: 256) }
    static let time = Form(.generalizedTime, .utcTime) { $0.time?.description ?? $0.words }
    static let identifier = Form { label, value, _ in [.identifier(label, value)] }
    static let algorithm = Form { label, value, _ in [AlgorithmDescription(value).detail(label)] }
    static let key = Form { label, value, _ in
        value.map(KeyDescription.init).map { [Detail(label, $0.words, $0.details)] }
    }
    static let generalName = Form { _, value, _ in value.map { [GeneralNameDescription.detail($0)] } }
    static let generalNames = list(of: generalName)
    /// The required time of a certificate, CRL or response.
    static let validityTime = Form { $0.timeWords }
    /// A version, which is encoded as one less.
    static let version = Form { $0.number.map { String($0 &+ 1) } ?? "malformed" }
    /// The bytes and the values of an unknown structure.
    static let unknown = Form { _, value, _ in value.map { Detail.unknown($0.whole) } ?? [] }
    static let extensions = Form { label, value, _ in
        let list = ExtensionDescription.list(value)
        return list.isEmpty ? [] : [Detail(label, nil, list.map(\.detail))]
    }
    /// A field without a line.
    static let hidden = Form { _, _, _ in [] }

    /// A distinguished name.
    static func name(ifEmpty words: String = "") -> Form {
        Form { label, value, _ in
            let name = NameDescription(value)
            return [Detail(label, name.isEmpty ? words : name.text, name.details)]
        }
    }

    /// The contents in hexadecimal.
    static func hex(_ maximum: Int = 64) -> Form { Form { $0.hex(maximum: maximum) } }

    /// An extension that has a meaning merely by being present.
    static func presence(_ words: String) -> Form { Form(.null) { _ in words } }

    /// The names of the set bits.
    static func bits(_ names: [String]) -> Form {
        Form(.bitString) { label, value, _ in value?.bitNames(names)?.map { Detail(label, $0) } }
    }
}

// MARK: - Structures

extension Form {
    /// The lines of each value in a SEQUENCE OF or SET OF.
    static func list(_ label: String = "", of form: Form, maximum: Int = .max) -> Form {
        Form(.sequence) { _, value, problems in
            value?.members.prefix(maximum).flatMap { form.details(label, $0, &problems) } ?? []
        }
    }

    /// A line whose nested lines are those of another form.
    static func nested(_ form: Form) -> Form {
        Form { label, value, problems in [Detail(label, nil, form.details("", value, &problems))] }
    }

    /// The fields of a SEQUENCE.
    static func record(_ fields: [Field], rest: Field.Rest = .ignored) -> Form {
        Form(.sequence) { _, value, problems in
            let record = Record(value, fields, rest: rest)
            problems += record.problems
            return record.details(&problems)
        }
    }

    /// The values with the tags `[0]`, `[1]`, … in any order.
    /// - Parameter other: the form of values with other tags.
    static func tagged(_ forms: [UInt64: (label: String, form: Form)], other: Form = .tagName) -> Form {
        Form(.sequence) { _, value, problems in
            value?.members.flatMap { field in
                let number = field.header.tagClass == .contextSpecific ? field.header.number : .max
                let (label, form) = forms[number] ?? ("unknown field", other)
                return form.details(label, field, &problems)
            } ?? []
        }
    }

    /// An OBJECT IDENTIFIER, with the value after it as nested lines.
    /// - Parameters:
    ///   - forms: the forms of values by identifier.
    ///   - other: the form of values with other identifiers.
    static func identified(_ label: String, _ forms: [String: Form] = [:], other: Form) -> Form {
        Form { _, value, problems in
            var fields = FieldReader(value)
            let type = fields.any()
            let form = type?.oid.flatMap { forms[$0] } ?? other
            return [.identifier(label, type, fields.any().map { form.details("", $0, &problems) } ?? [])]
        }
    }
}

extension ASN1Value {
    /// The text of a string type, or the words for another type.
    var plain: String { string ?? words ?? "" }

    /// The time in words, or the reason why the value isn't a time.
    var timeWords: String { time?.description ?? "not a time: " + (words ?? "") }

    /// Returns the names of the set bits, or nil for a value without bits. Bits without a name are written as `bit 9`.
    func bitNames(_ names: [String]) -> [String]? {
        setBits.map { bits in
            bits.isEmpty ? ["none"] : bits.map { $0 < names.count ? names[$0] : "bit \($0)" }
        }
    }
}
