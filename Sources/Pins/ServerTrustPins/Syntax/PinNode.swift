// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A value in a property list or in JSON, with the line where it starts.
///
/// Dictionary members keep their order and their duplicates, so that readers can report duplicates.
package struct PinNode {
    package indirect enum Value {
        case dictionary([Member])
        case array([PinNode])
        case string(String)
        case number(String)
        case boolean(Bool)
        case date(Time)
        case data([UInt8])
        case null

        /// The kind of the value, for error messages.
        var kind: String {
            switch self {
            case .dictionary: "a dictionary"
            case .array: "an array"
            case .string: "a string"
            case .number: "a number"
            case .boolean: "a boolean"
            case .date: "a date"
            case .data: "data"
            case .null: "null"
            }
        }
    }

    package struct Member {
        package let key: String
        package let node: PinNode

        package init(key: String, node: PinNode) {
            self.key = key
            self.node = node
        }
    }

    package let value: Value
    /// The line, from 1, or nil in a binary property list.
    package let line: Int?
    /// The comment directly before the value.
    package var comment: String?

    package init(_ value: Value, line: Int?, comment: String? = nil) {
        self.value = value
        self.line = line
        self.comment = comment
    }

    /// The number of members or elements, or 0 for another value.
    package var count: Int {
        switch value {
        case .dictionary(let members): members.count
        case .array(let elements): elements.count
        default: 0
        }
    }

    /// Returns the first member with the key, or nil if no member has it or the value isn't a dictionary.
    package subscript(key: String) -> PinNode? {
        guard case .dictionary(let members) = value else { return nil }
        return members.first { $0.key.isExactly(key) }?.node
    }

    /// The maximum depth of nested containers.
    package static let maximumDepth = 64
    /// The maximum number of values, almost twice as many as in a file with 10,000 domains of ten pins each. A value of
    /// two bytes takes 170 bytes in memory.
    package static let maximumCount = 1 << 20
}
