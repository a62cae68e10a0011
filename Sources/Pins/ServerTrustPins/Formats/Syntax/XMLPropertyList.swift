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
        let source = try XMLSource(bytes, file: file, allowsPropertyListType: true)
        oddities += source.oddities
        let reading: PropertyListReading
        do throws(XMLFault) {
            reading = try PropertyListReading(source.bytes)
        } catch {
            throw PinFileError(error, file: file)
        }
        self = try reading.node(file)
    }
}

/// The values of a property list, created from its XML events as they arrive.
///
/// A problem with a container replaces the problems inside it.
private struct PropertyListReading {
    /// An element that isn't closed yet.
    private struct Element {
        let name: String
        let line: Int
        /// The comments directly before the element.
        let comment: String?
        /// Whether an element around it has a problem, so that no value is created.
        let isIgnored: Bool
        /// The number of problems before the element.
        let problems: Int
        var children = 0
        var text = ""
        /// The elements of an array.
        var elements: [PinNode] = []
        /// The members of a dictionary.
        var members: [PinNode.Member] = []
        /// The key of a dictionary whose value is expected.
        var key: Key?
        /// Whether the children of a dictionary aren't pairs of keys and values.
        var isBroken = false

        var isContainer: Bool { name == "dict" || name == "array" }
        /// Whether children are values, or keys of values.
        var takesChildren: Bool { !isIgnored && !isBroken && isContainer }
    }

    private struct Key {
        let text: String
        let line: Int
        let comment: String?
    }

    /// A problem with an element. Its message is created only for problems that remain at the end.
    private struct Problem {
        enum Kind { case contents, notPair, noValue, date, data }
        let kind: Kind
        let line: Int
        /// The element's name, or the string that isn't a date.
        let text: String
    }

    private var open: [Element] = []
    private var comments: [String] = []
    private var problems: [Problem] = []
    private var root = (name: "", line: 0, children: 0)
    private var value: PinNode?
    /// The line of the value, even if the value has a problem.
    private var valueLine = 0

    init(_ bytes: [UInt8]) throws(XMLFault) {
        var reader = try XMLReader(bytes, maximumDepth: PinNode.maximumDepth)
        var count = 0
        while let event = try reader.next() {
            switch event {
            case .start(let name, _):
                count += 1
                guard count < PinNode.maximumCount else {
                    throw XMLFault(reason: "too many elements", line: reader.line, isTooLarge: true)
                }
                start(name, line: reader.line)
            case .end:
                guard let element = open.popLast() else { continue }
                comments = []
                guard !CombiningRun.isTooLong(in: element.text) else {
                    throw XMLFault(reason: XMLFault.run, line: reader.line, isTooLarge: true)
                }
                end(element)
            case .text(let text): if !open.isEmpty { open[open.count - 1].text += text }
            case .comment(let comment): comments.append(comment.trimmed)
            }
        }
    }

    /// Returns the value of the list.
    func node(_ file: String) throws(PinFileError) -> PinNode {
        var diagnostics = PinDiagnostics(file: file)
        guard root.name == "plist", root.children == 1 else {
            diagnostics.add(.pinFileUnreadable, root.line, "", "not a property list, expected <plist> with one value")
            throw PinFileError(diagnostics.problems[0])
        }
        for problem in problems { add(problem, to: &diagnostics) }
        try diagnostics.check()
        return value ?? PinNode(.null, line: valueLine)
    }

    private func add(_ problem: Problem, to diagnostics: inout PinDiagnostics) {
        let name = clipped(problem.text)
        let (code, detail): (ErrorCode, String) =
            switch problem.kind {
            case .contents: (.pinFileUnreadable, "<\(name)> has contents that it can't have")
            case .notPair: (.pinFileUnreadable, "<\(name)> in <dict>, expected <key> and a value")
            case .noValue: (.pinFileUnreadable, "<\(name)> isn't a property list value")
            case .date: (.pinFileBadDate, "\"\(name)\" isn't a date")
            case .data: (.pinFileBadBase64, "<data> is not base64")
            }
        diagnostics.add(code, problem.line, "", detail)
    }

    // MARK: Elements

    private mutating func start(_ name: String, line: Int) {
        let comment = comments.isEmpty ? nil : comments.joined(separator: "\n")
        comments = []
        var isIgnored = false
        switch open.indices.last {
        case nil: root = (name, line, 0)
        case 0:
            root.children += 1
            isIgnored = root.name != "plist"
        case let parent?:
            open[parent].children += 1
            // A dictionary is read up to the first child in a wrong place.
            if open[parent].takesChildren, open[parent].name == "dict", open[parent].key == nil, name != "key" {
                breakDictionary(parent, name, line)
            }
            isIgnored = !open[parent].takesChildren
        }
        open.append(
            Element(name: name, line: line, comment: comment, isIgnored: isIgnored, problems: problems.count))
    }

    private mutating func breakDictionary(_ index: Int, _ name: String, _ line: Int) {
        open[index].isBroken = true
        open[index].key = nil
        problems.append(Problem(kind: .notPair, line: line, text: name))
    }

    private mutating func end(_ element: Element) {
        guard !element.isIgnored, let parent = open.indices.last else { return }
        let isKey = parent > 0 && open[parent].name == "dict" && open[parent].key == nil
        guard !isKey else {
            guard element.children == 0 else { return breakDictionary(parent, element.name, element.line) }
            open[parent].key = Key(text: element.text, line: element.line, comment: element.comment)
            return
        }
        let value = value(of: element).map { PinNode($0, line: element.line, comment: element.comment) }
        guard parent > 0 else {
            self.value = value
            valueLine = element.line
            return
        }
        guard open[parent].name == "dict" else {
            if let value { open[parent].elements.append(value) }
            return
        }
        guard let key = open[parent].key else { return }
        open[parent].key = nil
        guard let value else { return }
        // A comment is written before the key.
        let node = PinNode(value.value, line: key.line, comment: value.comment ?? key.comment)
        open[parent].members.append(PinNode.Member(key: key.text, node: node))
    }

    /// Returns the value of an element after its children, or nil for an element with a problem.
    private mutating func value(of element: Element) -> PinNode.Value? {
        func problem(_ kind: Problem.Kind, _ text: String, line: Int? = nil) -> PinNode.Value? {
            problems.append(Problem(kind: kind, line: line ?? element.line, text: text))
            return nil
        }
        let text = element.text.trimmed
        let isEmpty = element.name == "true" || element.name == "false"
        guard element.isContainer || element.children == 0, !(element.isContainer || isEmpty) || text.isEmpty else {
            problems.removeSubrange(element.problems...)
            return problem(.contents, element.name)
        }
        switch element.name {
        case "string": return .string(element.text)
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "integer", "real": return .number(text)
        case "date": return (try? Time(rfc3339: text)).map { .date($0) } ?? problem(.date, text)
        case "data":
            let data = try? Base64.decode(String(text.filter { !$0.isWhitespace }))
            return data.map { .data($0) } ?? problem(.data, element.name)
        case "array": return .array(element.elements)
        case "dict":
            if let key = element.key { return problem(.notPair, "key", line: key.line) }
            return element.isBroken ? nil : .dictionary(element.members)
        default: return problem(.noValue, element.name)
        }
    }
}
