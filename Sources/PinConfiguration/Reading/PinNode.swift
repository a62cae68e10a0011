// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A value of a property list or of JSON, with the line on which it starts. Members of a dictionary keep their order, and
/// those that come twice are there twice: what a dictionary type would swallow has to be seen.
struct PinNode {
    indirect enum Value {
        case dictionary([Member])
        case array([PinNode])
        case string(String)
        case number(String)
        case boolean(Bool)
        case date(Time)
        case data([UInt8])
        case null

        /// For errors.
        var kind: String {
            switch self {
            case .dictionary: "a dictionary"
            case .array: "an array"
            case .string: "a text"
            case .number: "a number"
            case .boolean: "a boolean"
            case .date: "a date"
            case .data: "data"
            case .null: "null"
            }
        }
    }

    struct Member {
        let key: String
        let node: PinNode
    }

    let value: Value
    /// From 1; nil in a binary property list.
    let line: Int?
    /// What a comment right before it says.
    var comment: String?

    init(_ value: Value, line: Int?, comment: String? = nil) {
        self.value = value
        self.line = line
        self.comment = comment
    }

    /// The first member of that key; nil for another kind of value as well.
    subscript(key: String) -> PinNode? {
        guard case .dictionary(let members) = value else { return nil }
        return members.first { $0.key.isExactly(key) }?.node
    }

    /// No honest file of pins is nested deeper.
    static let maximumDepth = 64
    /// As many values as are read at most.
    static let maximumCount = 4 << 20
}
