// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
    /// Writes a key with a truth value, or null.
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        key(name)
        if let value { boolean(value) } else { null() }
    }

    /// Writes a key with an array of texts, or null.
    package mutating func member(_ name: StaticString, _ texts: [String]?) {
        key(name)
        if let texts { array(of: texts) { $0.string($1) } } else { null() }
    }

    /// Writes a key that isn't known in advance with a number, or null.
    package mutating func member(escaping name: String, _ value: Int?) {
        key(escaping: name)
        number(value)
    }

    /// Writes a key with an array.
    package mutating func array(_ name: StaticString, _ members: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        try array(members)
    }

    /// Writes a key with an array that has an object for each member.
    package mutating func objects<Member>(
        _ name: StaticString, of members: some Sequence<Member>, _ write: (inout JSONWriter, Member) -> Void
    ) {
        array(name, of: members) { json, member in json.object { write(&$0, member) } }
    }
}
