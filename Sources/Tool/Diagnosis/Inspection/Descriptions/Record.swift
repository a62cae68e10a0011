// SPDX-License-Identifier: Apache-2.0

/// A field in the schema of a SEQUENCE: its tag, its label, and its form.
struct Field: Sendable {
    /// The tag of a field.
    enum Tag: Sendable {
        /// A required field of any type.
        case any
        /// The last field, of any type. It may be absent.
        case last
        /// A field that may be absent.
        case type(ASN1Type)
        /// A field with an implicit tag that may be absent.
        case context(UInt64)
        /// A field with an explicit tag that may be absent.
        case explicit(UInt64)
        /// A required field with its name in the grammar.
        case required(ASN1Type, String)
        /// A required time with its name in the grammar.
        case time(String)
        /// A time that may be absent.
        case optionalTime
        /// A required SEQUENCE whose fields are described like those around it.
        case group(String, [Field])
    }

    /// The treatment of values after the fields of the schema.
    enum Rest: Sendable {
        /// Neither they nor the problems of the fields are reported.
        case ignored
        /// The first one has a line.
        case shown
        /// They are problems. The text is the expected end.
        case refused(String)
    }

    let tag: Tag
    let label: String
    let form: Form
    /// The words for an absent field. Without words, a field that may be absent has no line.
    let absent: String?

    init(_ tag: Tag, _ label: String, _ form: Form, absent: String? = nil) {
        self.tag = tag
        self.label = label
        self.form = form
        self.absent = absent
    }

    static func group(_ name: String, _ fields: [Field]) -> Field { Field(.group(name, fields), "", .hidden) }

    /// Whether the field has a line even if it is absent.
    fileprivate var isAlwaysShown: Bool {
        switch tag {
        case .any, .required, .time, .group: true
        case .last, .type, .context, .explicit, .optionalTime: absent != nil
        }
    }
}

/// The fields of a SEQUENCE, parsed by a schema.
struct Record: Sendable {
    private var fields: [(field: Field, value: ASN1Value?)] = []
    /// The first value after the fields, if it has a line.
    private var other: ASN1Value?
    /// The fields that don't match the schema, in order.
    private(set) var problems: [ASN1Problem] = []

    /// - Parameter value: the SEQUENCE, or nil if it is missing.
    init(_ value: ASN1Value?, _ schema: [Field], rest: Field.Rest = .ignored) {
        var reader = FieldReader(value)
        var groups: [ASN1Problem] = []
        for field in schema {
            if case .group(_, let inner) = field.tag {
                let group = Record(reader.read(field.tag), inner, rest: rest)
                fields += group.fields
                groups += group.problems
            } else {
                fields.append((field, reader.read(field.tag)))
            }
        }
        switch rest {
        case .ignored: return
        case .shown: other = reader.any()
        case .refused(let end): reader.refuseRest(expecting: end)
        }
        problems = reader.problems + groups
    }

    /// Returns the value of the field with that label.
    subscript(label: String) -> ASN1Value? { fields.first { $0.field.label == label }?.value }

    /// Whether the schema has a field with that label.
    func contains(_ label: String) -> Bool { fields.contains { $0.field.label == label } }

    /// The lines of the fields.
    var details: [Detail] {
        var problems: [ASN1Problem] = []
        return details(&problems)
    }

    func details(_ problems: inout [ASN1Problem]) -> [Detail] {
        var details: [Detail] = []
        for (field, value) in fields where value != nil || field.isAlwaysShown {
            details += field.form.details(field.label, value, absent: field.absent, &problems)
        }
        return details + (other.map { [Detail("unknown field", $0.header.name)] } ?? [])
    }
}
