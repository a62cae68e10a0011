// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension PinTree {
    /// Returns the tree as JSON, indented by two, with a line feed at the end. JSON has no comments: those of the tree are left out.
    package func json() -> [UInt8] {
        var text = ""
        writeJSON(to: &text, depth: 0)
        return Array((text + "\n").utf8)
    }

    private func writeJSON(to text: inout String, depth: Int) {
        let indent = String(repeating: "  ", count: depth + 1)
        let end = "\n" + String(repeating: "  ", count: depth)
        switch self {
        case .dictionary(let members):
            guard !members.isEmpty else { return text += "{}" }
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + indent + Self.quoted(member.key) + ": "
                member.value.writeJSON(to: &text, depth: depth + 1)
            }
            text += end + "}"
        case .array(let elements):
            guard !elements.isEmpty else { return text += "[]" }
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + indent
                element.value.writeJSON(to: &text, depth: depth + 1)
            }
            text += end + "]"
        case .string(let string): text += Self.quoted(string)
        case .integer(let number): text += String(number)
        case .boolean(let value): text += String(value)
        case .data(let bytes): text += Self.quoted(Base64.encode(bytes))
        }
    }

    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let control where control.value < 0x20:
                let hex = String(control.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension PinNode {
    /// The value as JSON without white space, members in their order.
    package var json: String {
        switch value {
        case .dictionary(let members):
            "{" + members.map { PinTree.quoted($0.key) + ":" + $0.node.json }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .string(let text): PinTree.quoted(text)
        case .number(let digits): digits
        case .boolean(let value): value ? "true" : "false"
        // Only property lists have these two.
        case .date(let time): PinTree.quoted(time.description)
        case .data(let bytes): PinTree.quoted(Base64.encode(bytes))
        case .null: "null"
        }
    }
}
