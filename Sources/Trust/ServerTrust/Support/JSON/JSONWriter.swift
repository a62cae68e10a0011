// SPDX-License-Identifier: Apache-2.0

// A hand-written encoder for JSON that leaves this program. Keys keep their order, absent values are null, and a row of
// `verify --batch` costs a microsecond. ``JSONEscapes`` escapes texts, in this writer and after Foundation's encoder.

/// Appends JSON to a buffer of bytes.
package struct JSONWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    private let isIndented: Bool
    private var depth = 0
    private var place = Place.first

    /// The position of the next key or value.
    private enum Place {
        /// First in its array or object, or at the top level.
        case first
        case later
        case afterKey
    }

    /// - Parameter isIndented: whether to write one member per line for people to read. Otherwise the JSON has no white
    ///   space at all.
    package init(isIndented: Bool) { self.isIndented = isIndented }

    /// Removes all bytes but keeps their memory allocated.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        place = .first
    }

    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        try nested("{", "}", members)
    }

    package mutating func array(_ members: (inout JSONWriter) throws -> Void) rethrows {
        try nested("[", "]", members)
    }

    @inlinable
    package mutating func array<Member>(of members: some Sequence<Member>, _ write: (inout JSONWriter, Member) -> Void)
    {
        array { json in
            for member in members { write(&json, member) }
        }
    }

    package mutating func key(_ name: StaticString) {
        startMember()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        endKey()
    }

    /// Writes a key that isn't known in advance, with escapes.
    package mutating func key(escaping name: String) {
        string(name)
        endKey()
    }

    /// Writes a key with a text, or null.
    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        string(text)
    }

    /// Writes a key with a number, or null.
    package mutating func member(_ name: StaticString, _ value: Int?) {
        key(name)
        number(value)
    }

    /// Writes a key with a truth value.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        boolean(value)
    }

    /// Writes a key with an array of texts.
    package mutating func member(_ name: StaticString, _ texts: some Sequence<String>) {
        array(name, of: texts) { $0.string($1) }
    }

    /// Writes a key with an object.
    package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        try object(members)
    }

    /// Writes a key with an array.
    @inlinable
    package mutating func array<Member>(
        _ name: StaticString, of members: some Sequence<Member>, _ write: (inout JSONWriter, Member) -> Void
    ) {
        key(name)
        array(of: members, write)
    }

    package mutating func string(_ text: String) {
        startMember()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { JSONEscapes.append($0, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func string(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    /// Writes a string of lowercase hexadecimal digits, two for each byte.
    package mutating func hexadecimal(_ data: [UInt8]) {
        startMember()
        bytes.append(UInt8(ascii: "\""))
        for byte in data {
            bytes.append(Self.digits[Int(byte >> 4)])
            bytes.append(Self.digits[Int(byte & 15)])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let digits = Array("0123456789abcdef".utf8)

    package mutating func number(_ number: Int?) {
        guard let number else { return null() }
        literal(String(number))
    }

    /// Writes a number that is already in the form of RFC 8259 § 6.
    package mutating func number(digits: String) { literal(digits) }

    package mutating func boolean(_ value: Bool) { literal(value ? "true" : "false") }

    package mutating func null() { literal("null") }

    /// Ends a line of JSON Lines.
    package mutating func lineFeed() {
        bytes.append(UInt8(ascii: "\n"))
        place = .first
    }

    /// Returns a text as a JSON string, in quotes.
    package static func quoted(_ text: String) -> String {
        var json = JSONWriter(isIndented: false)
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Returns another encoder's JSON with this writer's escapes. The values stay the same.
    package static func escaping(_ json: some Sequence<UInt8>) -> [UInt8] {
        let json = Array(json)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count)
        json.withUnsafeBufferPointer { JSONEscapes.appendEncoded($0, to: &bytes) }
        return bytes
    }
}

extension JSONWriter {
    private mutating func nested(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ members: (inout JSONWriter) throws -> Void
    ) rethrows {
        startMember()
        bytes.append(UInt8(ascii: open))
        let empty = bytes.count
        depth += 1
        place = .first
        try members(&self)
        depth -= 1
        if bytes.count > empty { breakLine() }
        bytes.append(UInt8(ascii: close))
        place = .later
    }

    private mutating func endKey() {
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(UInt8(ascii: " ")) }
        place = .afterKey
    }

    private mutating func literal(_ text: String) {
        startMember()
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the comma and the line break before a member. The value after a key has neither.
    private mutating func startMember() {
        if place == .later { bytes.append(UInt8(ascii: ",")) }
        if place != .afterKey, depth > 0 { breakLine() }
        place = .later
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<(2 * depth) { bytes.append(UInt8(ascii: " ")) }
    }
}
