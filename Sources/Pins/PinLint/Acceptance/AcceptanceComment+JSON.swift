// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

extension AcceptanceComment {
    /// Returns the `comment` members of JSON that accept findings, with the lines of the objects that contain them.
    ///
    /// JSON has no comments. This package's own format has a member with this name in the document, in rules and in
    /// pins.
    static func comments(inJSON bytes: [UInt8]) -> [AcceptanceComment] {
        guard let root = try? PinNode(json: bytes, file: "") else { return [] }
        var found: [AcceptanceComment] = []
        // An array of one document is equivalent to the document.
        if case .array(let documents) = root.value {
            for document in documents { collect(document, isRoot: true, into: &found) }
        } else {
            collect(root, isRoot: true, into: &found)
        }
        return found
    }

    /// Adds the comments in a value.
    /// - Returns: the line where the last value inside it starts.
    @discardableResult
    private static func collect(_ node: PinNode, isRoot: Bool = false, into found: inout [AcceptanceComment]) -> Int {
        var last = node.line ?? 1
        var own: [Int] = []
        switch node.value {
        case .array(let elements): for element in elements { last = max(last, collect(element, into: &found)) }
        case .dictionary(let members):
            for member in members {
                last = max(last, collect(member.node, into: &found))
                guard member.key.isExactly("comment"), case .string(let text) = member.node.value else { continue }
                for var comment in read(Array(text.utf8)[...], line: 1, limit: maximumCount + 1 - found.count) {
                    // All lines of the comment's text are on one line of the file.
                    comment.line = last
                    own.append(found.count)
                    found.append(comment)
                }
            }
        default: break
        }
        for index in own {
            found[index].lines = (node.line ?? 1)...last
            found[index].coversFile = isRoot
        }
        return last
    }
}
