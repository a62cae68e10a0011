// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension PinTree {
    /// Returns the tree as JSON, indented by two spaces, with a line feed at the end. JSON has no comments, so the
    /// tree's comments are left out.
    package func json() -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        node.write(to: &json)
        json.lineFeed()
        return json.bytes
    }

    private var node: PinNode {
        let value: PinNode.Value =
            switch self {
            case .dictionary(let members):
                .dictionary(members.map { PinNode.Member(key: $0.key, node: $0.value.node) })
            case .array(let elements): .array(elements.map(\.value.node))
            case .string(let text): .string(text)
            case .integer(let number): .number(String(number))
            case .boolean(let value): .boolean(value)
            case .data(let bytes): .data(bytes)
            }
        return PinNode(value, line: nil)
    }
}

extension PinNode {
    /// The value as JSON without white space, members in their order.
    package var json: String {
        var json = JSONWriter(isIndented: false)
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    fileprivate func write(to json: inout JSONWriter) {
        switch value {
        case .dictionary(let members):
            json.object { json in
                for member in members {
                    json.key(escaping: member.key)
                    member.node.write(to: &json)
                }
            }
        case .array(let elements): json.array(of: elements) { json, element in element.write(to: &json) }
        case .string(let text): json.string(text)
        case .number(let digits): json.number(digits: digits)
        case .boolean(let value): json.boolean(value)
        // Only property lists have these two kinds of values.
        case .date(let time): json.string(time.description)
        case .data(let bytes): json.string(Base64.encode(bytes))
        case .null: json.null()
        }
    }
}
