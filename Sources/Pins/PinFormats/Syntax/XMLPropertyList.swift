// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

extension PinNode {
    /// Reads the tree of an XML property list (`PropertyList-1.0.dtd`).
    /// - Throws: `PinFileError` with all problems.
    package init(xmlPropertyList tree: XMLTree, file: String) throws(PinFileError) {
        var diagnostics = PinDiagnostics(file: file)
        guard tree.root.name == "plist", tree.root.children.count == 1, let value = tree.root.children.first else {
            diagnostics.add(.pinFileUnreadable, tree.root.line, "", "no property list, expected <plist> with one value")
            throw PinFileError(diagnostics.problems[0])
        }
        let node = PinNode(value, &diagnostics)
        try diagnostics.check()
        self = node ?? PinNode(.null, line: value.line)
    }

    private init?(_ element: XMLElement, _ diagnostics: inout PinDiagnostics) {
        func node(_ value: Value) -> PinNode { PinNode(value, line: element.line, comment: element.comment) }
        let text = element.text.trimmed
        let isContainer = element.name == "dict" || element.name == "array"
        let isEmpty = element.name == "true" || element.name == "false"
        guard isContainer || element.children.isEmpty, !(isContainer || isEmpty) || text.isEmpty else {
            diagnostics.add(.pinFileUnreadable, element.line, "", "<\(clipped(element.name))> holds what it can't hold")
            return nil
        }
        switch element.name {
        case "string": self = node(.string(element.text))
        case "true": self = node(.boolean(true))
        case "false": self = node(.boolean(false))
        case "integer", "real": self = node(.number(text))
        case "date":
            guard let time = try? Time(rfc3339: text) else {
                diagnostics.add(.pinFileBadDate, element.line, "", "\"\(clipped(text))\" is no date")
                return nil
            }
            self = node(.date(time))
        case "data":
            guard let data = try? Base64.decode(String(text.filter { !$0.isWhitespace })) else {
                diagnostics.add(.pinFileBadBase64, element.line, "", "<data> is not base64")
                return nil
            }
            self = node(.data(data))
        case "array": self = node(.array(element.children.compactMap { PinNode($0, &diagnostics) }))
        case "dict":
            var members: [Member] = []
            var index = 0
            while index < element.children.count {
                let key = element.children[index]
                guard key.name == "key", key.children.isEmpty, index + 1 < element.children.count else {
                    diagnostics.add(
                        .pinFileUnreadable, key.line, "", "<\(clipped(key.name))> in <dict>, expected <key> and a value"
                    )
                    return nil
                }
                let value = element.children[index + 1]
                index += 2
                guard var member = PinNode(value, &diagnostics) else { continue }
                // A comment is written before the key.
                if member.comment == nil { member.comment = key.comment }
                members.append(
                    Member(key: key.text, node: PinNode(member.value, line: key.line, comment: member.comment)))
            }
            self = node(.dictionary(members))
        default:
            diagnostics.add(
                .pinFileUnreadable, element.line, "", "<\(clipped(element.name))> is no value of a property list")
            return nil
        }
    }
}
