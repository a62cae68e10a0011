// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// A document type can make XML expand or fetch data, so the parser accepts no other than that of property lists, and
// skips it. The bytes have to be UTF-8, or UTF-16, which is converted to UTF-8 here. The only entities are the five of
// XML itself.

/// An element of an XML file.
struct XMLElement {
    let name: String
    let attributes: [String: String]
    let line: Int
    /// The comments directly before the element.
    let comment: String?
    var children: [XMLElement] = []
    /// The character data of the element, without its children's character data.
    var text = ""
    /// Whether a comment occurs between two parts of the text that aren't blank.
    var hasSplitText = false
    /// Whether the text isn't blank.
    fileprivate var hasText = false
    /// Whether a comment occurs after a part of the text that isn't blank.
    fileprivate var endsWithComment = false
}

/// A parsed XML file.
package struct XMLTree {
    let root: XMLElement
    /// The comments that don't precede an element.
    let strayComments: [String]
    /// The odd problems of the file's syntax.
    let oddities: [PinFileProblem]

    /// Parses XML.
    /// - Parameter isPropertyList: whether the file may have the document type of property lists, and may be UTF-16. In
    ///   other files, element names are local names, as Android's parser compares them.
    init(_ bytes: [UInt8], file: String, isPropertyList: Bool = false) throws(PinFileError) {
        try PinFileError.checkSize(bytes, of: file)
        let isWide = isPropertyList && UTF16Text.isXML(bytes)
        guard let bytes = isWide ? UTF16Text.utf8(bytes) : bytes else {
            throw PinFileError(.pinFileUnreadable, in: file, "not UTF-16, although it has its byte order mark")
        }
        try PinFileError.checkSize(bytes, of: file, " in UTF-8")
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw PinFileError(.pinFileUnreadable, in: file, "not UTF-8")
        }
        guard !CombiningRun.isTooLong(in: text) else {
            throw PinFileError(.pinFileUnreadable, in: file, "expected \(CombiningRun.expectation)")
        }
        let reader: XMLReader
        do throws(XMLFault) {
            reader = try XMLReader(bytes, allowsPropertyListType: isPropertyList)
        } catch {
            throw PinFileError(error, file: file)
        }
        let encodings = isWide ? ["utf-16"] : ["utf-8", "us-ascii"]
        if let encoding = reader.encoding, !encodings.contains(encoding.lowercased()) {
            throw PinFileError(
                .pinFileUnreadable, in: file, line: 1,
                "the encoding \(clipped(encoding)), expected \(isWide ? "UTF-16" : "UTF-8")")
        }
        let late = PinFileProblem(
            .pinFileUnreadable, .odd, at: PinFileLocation(file: file, line: 1),
            "white space before <?xml, expected it at the start of the file")
        oddities = reader.hasLateDeclaration ? [late] : []
        do throws(XMLFault) {
            let builder = try XMLTreeBuilder(reader, hasLocalNames: !isPropertyList)
            self.root = builder.root
            self.strayComments = builder.strayComments
        } catch {
            throw PinFileError(error, file: file)
        }
    }
}

extension PinFileError {
    /// Creates the error for a file whose XML has a fault.
    init(_ fault: XMLFault, file: String) {
        let (code, detail): (ErrorCode, String) =
            switch fault.kind {
            case .syntax: (.pinFileUnreadable, "not well-formed XML: \(fault.reason)")
            case .limit: (.pinFileTooLarge, "\(fault.reason)")
            case .documentType: (.pinFileEntity, "\(fault.reason)")
            }
        self.init(code, in: file, line: fault.line, detail)
    }
}

/// The tree of a document that is being parsed.
private struct XMLTreeBuilder {
    private(set) var root: XMLElement
    private(set) var strayComments: [String] = []
    private var open: [XMLElement] = []
    private var comments: [String] = []
    private var hasRoot = false

    init(_ reader: XMLReader, hasLocalNames: Bool) throws(XMLFault) {
        var reader = reader
        self.root = XMLElement(name: "", attributes: [:], line: 0, comment: nil)
        var count = 0
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes):
                count += 1
                guard count < PinNode.maximumCount else {
                    throw XMLFault(reason: "too many elements", line: reader.line, kind: .limit)
                }
                start(hasLocalNames ? localName(name) : name, attributes, line: reader.line)
            case .end:
                guard end() else { throw XMLFault(reason: XMLFault.run, line: reader.line, kind: .limit) }
            case .text(let text): add(text)
            case .comment(let comment): add(comment: comment.trimmed)
            }
        }
    }

    private func localName(_ name: String) -> String {
        guard let colon = name.firstIndex(of: ":") else { return name }
        return String(name[name.index(after: colon)...])
    }

    private mutating func start(_ name: String, _ attributes: [String: String], line: Int) {
        let comment = comments.isEmpty ? nil : comments.joined(separator: "\n")
        comments = []
        open.append(XMLElement(name: name, attributes: attributes, line: line, comment: comment))
    }

    /// Ends an element. Returns whether its text can be compared.
    private mutating func end() -> Bool {
        guard let element = open.popLast() else { return true }
        strayComments += comments
        comments = []
        if open.isEmpty {
            root = element
            hasRoot = true
        } else {
            open[open.count - 1].children.append(element)
        }
        return !CombiningRun.isTooLong(in: element.text)
    }

    private mutating func add(_ text: String) {
        guard !open.isEmpty else { return }
        let index = open.count - 1
        open[index].text += text
        // Checks each part only once, because the text may have as many parts as there are comments.
        guard !text.trimmed.isEmpty else { return }
        if open[index].endsWithComment { open[index].hasSplitText = true }
        open[index].hasText = true
    }

    private mutating func add(comment: String) {
        if !open.isEmpty, open[open.count - 1].hasText { open[open.count - 1].endsWithComment = true }
        if open.isEmpty, hasRoot { strayComments.append(comment) } else { comments.append(comment) }
    }
}
