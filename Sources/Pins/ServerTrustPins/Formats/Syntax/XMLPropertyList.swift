// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension PinNode {
    /// Parses an XML property list (`PropertyList-1.0.dtd`).
    /// - Throws: `PinFileError` with all problems.
    package init(xmlPropertyList bytes: [UInt8], file: String) throws(PinFileError) {
        var oddities: [PinFileProblem] = []
        try self.init(xmlPropertyList: bytes, file: file, oddities: &oddities)
    }

    /// Parses an XML property list (`PropertyList-1.0.dtd`).
    /// - Parameter oddities: receives the odd problems of the file's syntax.
    /// - Throws: `PinFileError` with all problems.
    init(xmlPropertyList bytes: [UInt8], file: String, oddities: inout [PinFileProblem]) throws(PinFileError) {
        let tree = try XMLTree(bytes, file: file, isPropertyList: true)
        oddities += tree.oddities
        var reading = PropertyListReading(values: PinValueReader(file: file))
        self = try reading.node(tree.root)
    }
}

/// The values of a property list.
private struct PropertyListReading {
    var values: PinValueReader

    /// Returns the value of the list.
    mutating func node(_ root: XMLElement) throws(PinFileError) -> PinNode {
        guard root.name == "plist", root.children.count == 1 else {
            let question = NearMiss.question(about: root.name, among: ["network-security-config"])
            values.add(
                .pinFileUnreadable, root.line, "", "not a property list, expected <plist> with one value\(question)")
            throw PinFileError(values.problems[0])
        }
        let node = node(of: root.children[0])
        try values.check()
        return node ?? PinNode(.null, line: root.children[0].line)
    }

    private mutating func node(of element: XMLElement) -> PinNode? {
        value(of: element).map { PinNode($0, line: element.line, comment: element.comment) }
    }

    private mutating func problem(
        _ element: XMLElement, _ detail: String, _ code: ErrorCode = .pinFileUnreadable
    ) -> PinNode.Value? {
        values.add(code, element.line, "", detail)
        return nil
    }

    /// Returns the value of an element, or nil for an element with a problem.
    private mutating func value(of element: XMLElement) -> PinNode.Value? {
        let text = element.text.trimmed
        let name = clipped(element.name)
        let isContainer = element.name == "dict" || element.name == "array"
        let isEmpty = isContainer || element.name == "true" || element.name == "false"
        guard isContainer || element.children.isEmpty, !isEmpty || text.isEmpty else {
            return problem(element, "<\(name)> has contents that it can't have")
        }
        switch element.name {
        case "string": return .string(element.text)
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "integer", "real": return .number(text)
        case "date":
            return (try? Time(rfc3339: text)).map { .date($0) }
                ?? problem(element, "\"\(clipped(text))\" isn't a date", .pinFileBadDate)
        case "data":
            return (try? Base64.decode(String(text.filter { !$0.isWhitespace }))).map { .data($0) }
                ?? problem(element, "<data> is not base64", .pinFileBadBase64)
        case "array": return .array(element.children.compactMap { node(of: $0) })
        case "dict": return dictionary(element)
        default: return problem(element, "<\(name)> isn't a property list value")
        }
    }

    /// Returns the pairs of keys and values in a dictionary, up to the first child in a wrong place.
    private mutating func dictionary(_ element: XMLElement) -> PinNode.Value? {
        func detail(_ name: String) -> String { "<\(clipped(name))> in <dict>, expected <key> and a value" }
        var members: [PinNode.Member] = []
        var expected: XMLElement?
        for child in element.children {
            guard let key = expected else {
                guard child.name == "key", child.children.isEmpty else { return problem(child, detail(child.name)) }
                expected = child
                continue
            }
            expected = nil
            guard let value = value(of: child) else { continue }
            // A comment is written before the key.
            let node = PinNode(value, line: key.line, comment: child.comment ?? key.comment)
            members.append(PinNode.Member(key: key.text, node: node))
        }
        if let expected { return problem(expected, detail("key")) }
        return .dictionary(members)
    }
}
