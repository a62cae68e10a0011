// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The values of lists in JSON. Each accessor throws an error with the value's line.
extension JSONValue {
    /// Parses a list with at most 9 levels of nested values, where no key occurs twice.
    /// - Throws: ``RootListError`` with the line. A byte order mark is an error too (RFC 8259 § 8.1).
    static func list(_ bytes: [UInt8]) throws(RootListError) -> JSONValue {
        guard bytes.first != 0xef else { throw RootListError(line: 1, "expected JSON without a byte order mark") }
        do throws(JSONError) {
            return try JSONValue(parsing: bytes, maximumDepth: 9, maximumCount: 1_000_000, repeatedKeys: .refused)
        } catch {
            throw RootListError(line: error.line, error.detail)
        }
    }

    /// Returns an error at the value's line.
    func error(_ expected: String) -> RootListError { RootListError(line: line, "expected \(expected)") }

    /// Whether the value is an array.
    var isArray: Bool { if case .array = content { true } else { false } }

    /// Whether the value is null.
    var isNull: Bool { if case .null = content { true } else { false } }

    /// Whether the value is false.
    var isFalse: Bool { if case .boolean(false) = content { true } else { false } }

    /// Returns the members of an object.
    func members() throws(RootListError) -> [JSONValue.Member] {
        guard case .object(let members) = content else { throw error("an object") }
        return members
    }

    /// Returns the members of an object by their keys. An unknown key is an error, because it may be meant as a
    /// condition.
    func members(_ known: [String]) throws(RootListError) -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        for member in try members() {
            guard known.contains(member.key) else {
                throw .unexpected(
                    line: member.value.line, expected: "a key of \(known.joined(separator: ", "))", found: member.key)
            }
            found[member.key] = member.value
        }
        return found
    }

    /// Returns the elements of an array.
    func elements() throws(RootListError) -> [JSONValue] {
        guard case .array(let elements) = content else { throw error("an array") }
        return elements
    }

    /// Returns the text of a string.
    func string() throws(RootListError) -> String {
        guard case .string(let text) = content else { throw error("a string") }
        return text
    }

    /// Returns a Boolean.
    func boolean() throws(RootListError) -> Bool {
        guard case .boolean(let flag) = content else { throw error("true or false") }
        return flag
    }

    /// Returns the time of an RFC 3339 string, or the first moment of a day.
    func time() throws(RootListError) -> Time {
        let text = try string()
        do throws(TimeFormatError) { return try Time(rfc3339: text) } catch {
            throw .unexpected(line: line, expected: "an RFC 3339 time, or a date", found: text)
        }
    }
}
