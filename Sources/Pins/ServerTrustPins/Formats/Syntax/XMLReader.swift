// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A part of an XML document, in the order of the file.
package enum XMLEvent: Equatable {
    /// A start tag or an empty element's tag. `attributes` also contains declarations of namespaces.
    case start(name: String, attributes: [String: String])
    /// An end tag, or the end of an empty element.
    case end
    /// Character data or a CDATA section, with references replaced and line ends as `\n`. Text may arrive in several
    /// parts.
    case text(String)
    case comment(String)
}

/// A syntax error in XML. It ends the parsing.
package struct XMLFault: Error {
    let reason: StaticString
    let line: Int
    var kind = Kind.syntax

    package enum Kind {
        case syntax
        /// The file exceeds a limit of this program. It may still be XML.
        case limit
        /// The file has a document type that isn't allowed.
        case documentType
    }

    /// The reason for refusing text that is combined from references and sections.
    static let run: StaticString = "more than 30 combining characters in a row"
}

/// A parser of XML 1.0 (Fifth Edition) with namespaces and without document types other than Apple's. It is strict and
/// reads the file in one pass, without recursion and without recovery.
///
/// The only entities are the five of XML § 4.6. Other document types, versions other than 1.0, and violations of
/// well-formedness or of Namespaces in XML 1.0 are faults. The parser accepts relative namespace names, and blanks
/// before the declaration. It checks and skips instructions. The bytes have to be valid UTF-8. The parser doesn't check
/// the encoding that the declaration names.
package struct XMLReader {
    /// The line after the last event.
    package var line: Int { scanner.line }
    /// The offset after the last event.
    package var offset: Int { scanner.index }
    /// The place where the last event starts.
    package private(set) var start = (line: 1, offset: 0)

    private var scanner: XMLScanner
    private var namespaces = XMLNamespaces()
    private var open: [String] = []
    private var hasRoot = false
    /// The end of an empty element, which follows its start.
    private var isEndPending = false
    private var allowsPropertyListType: Bool

    /// The encoding in the declaration, or nil for none.
    let encoding: String?
    /// Whether blanks precede the declaration. Not every parser accepts that.
    let hasLateDeclaration: Bool

    /// Starts parsing. Skips a byte order mark.
    /// - Parameter allowsPropertyListType: whether the document type of property lists is allowed.
    package init(_ bytes: [UInt8], allowsPropertyListType: Bool) throws(XMLFault) {
        self.scanner = XMLScanner(bytes)
        self.allowsPropertyListType = allowsPropertyListType
        try scanner.checkCharacters()
        scanner.skip([0xef, 0xbb, 0xbf])
        let hasBlanks = scanner.skipBlanks()
        let isDeclared = scanner.isAt("<?xml")
        hasLateDeclaration = hasBlanks && isDeclared
        encoding = try scanner.declaration()
    }

    /// Returns the next event, or nil at the end of a complete document.
    package mutating func next() throws(XMLFault) -> XMLEvent? {
        if isEndPending { return try endElement() }
        while let byte = scanner.peek {
            start = (scanner.line, scanner.index)
            guard byte == UInt8(ascii: "<") else {
                if let text = try text() { return text }
                continue
            }
            if scanner.skip("</") { return try endTag() }
            if scanner.skip("<!--") { return .comment(try scanner.comment()) }
            if scanner.skip("<?") {
                try scanner.skipInstruction()
            } else if scanner.skip("<![CDATA[") {
                guard !open.isEmpty else { throw scanner.fault("a CDATA section outside the root element") }
                return .text(try scanner.text(upTo: "]]>", missing: "an unterminated CDATA section"))
            } else if scanner.isAt("<!") {
                try skipDocumentType()
            } else {
                return try startTag()
            }
        }
        guard open.isEmpty else { throw scanner.fault("an unterminated element") }
        guard hasRoot else { throw scanner.fault("no root element") }
        return nil
    }

    /// Skips the document type of property lists before the root element.
    private mutating func skipDocumentType() throws(XMLFault) {
        guard !hasRoot else { throw scanner.fault("a declaration") }
        let fault = XMLFault(
            reason: "a document type (<!DOCTYPE …), expected none", line: scanner.line, kind: .documentType)
        guard allowsPropertyListType else { throw fault }
        // A document may have one document type.
        allowsPropertyListType = false
        let text = try scanner.text(upTo: ">", missing: "an unterminated document type") + ">"
        let type = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard Self.propertyListTypes.contains(type) else { throw fault }
    }

    /// The document types of property lists, old and new.
    private static let propertyListTypes: Set<String> = {
        let types = ["Apple", "Apple Computer"].flatMap { owner in
            ["http", "https"].map { scheme in
                "<!DOCTYPE plist PUBLIC \"-//\(owner)//DTD PLIST 1.0//EN\" \"\(scheme)://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
            }
        }
        return Set(types + ["<!DOCTYPE plist>"])
    }()

    /// Returns character data, or nil for white space outside the root element.
    private mutating func text() throws(XMLFault) -> XMLEvent? {
        guard open.isEmpty else { return .text(try scanner.characterData()) }
        guard scanner.skipBlanks() else { throw scanner.fault("text outside the root element") }
        return nil
    }

    private mutating func startTag() throws(XMLFault) -> XMLEvent {
        scanner.skip("<")
        guard !hasRoot || !open.isEmpty else { throw scanner.fault("a second root element") }
        let name = try scanner.name()
        var attributes: [String: String] = [:]
        while true {
            let isSeparate = scanner.skipBlanks()
            if scanner.isAt(">") || scanner.isAt("/>") { break }
            guard isSeparate else { throw scanner.fault("no white space before an attribute") }
            let key = try scanner.name()
            scanner.skipBlanks()
            guard scanner.skip("=") else { throw scanner.fault("an attribute without a value") }
            scanner.skipBlanks()
            let value = try scanner.attributeValue()
            // Namespace names are compared and hashed below.
            guard !CombiningRun.isTooLong(in: value) else {
                throw XMLFault(reason: XMLFault.run, line: scanner.line, kind: .limit)
            }
            guard attributes.updateValue(value, forKey: key) == nil else {
                throw scanner.fault("a duplicate attribute")
            }
        }
        guard open.count < PinNode.maximumDepth else {
            throw XMLFault(reason: "elements are nested too deeply", line: scanner.line, kind: .limit)
        }
        if let reason = namespaces.open(name, attributes) { throw scanner.fault(reason) }
        open.append(name)
        hasRoot = true
        isEndPending = scanner.skip("/>")
        if !isEndPending { scanner.skip(">") }
        return .start(name: name, attributes: attributes)
    }

    private mutating func endTag() throws(XMLFault) -> XMLEvent {
        let name = try scanner.name()
        scanner.skipBlanks()
        guard name == open.last else { throw scanner.fault("an end tag that doesn't match its start tag") }
        guard scanner.skip(">") else { throw scanner.fault("an unterminated end tag") }
        return try endElement()
    }

    private mutating func endElement() throws(XMLFault) -> XMLEvent {
        isEndPending = false
        guard open.popLast() != nil else { throw scanner.fault("an end tag without a start tag") }
        namespaces.close()
        return .end
    }
}

/// The prefixes in scope (Namespaces in XML 1.0).
private struct XMLNamespaces {
    /// The namespaces of each prefix as numbers, the innermost last.
    private var bound: [String: [Int]] = [:]
    /// The number of each namespace. A namespace may be long and may have many attributes. It is therefore hashed only
    /// once, when a prefix is declared for it.
    private var numbers = [XMLNamespaces.xml: 0]
    /// The prefixes that each open element declares.
    private var declared: [[String]] = []

    private static let xml = "http://www.w3.org/XML/1998/namespace"
    private static let xmlns = "http://www.w3.org/2000/xmlns/"

    /// Opens an element. Returns the reason for an error.
    mutating func open(_ name: String, _ attributes: [String: String]) -> StaticString? {
        var prefixes: [String] = []
        for (key, value) in attributes where key == "xmlns" || key.hasPrefix("xmlns:") {
            let prefix = key == "xmlns" ? "" : String(key.dropFirst("xmlns:".count))
            if let reason = Self.problem(of: prefix, value) { return reason }
            if prefix == "xml" { continue }
            let number = numbers[value, default: numbers.count]
            numbers[value] = number
            bound[prefix, default: []].append(number)
            prefixes.append(prefix)
        }
        declared.append(prefixes)
        guard let parts = Self.parts(of: name), parts.prefix != "xmlns" else { return "a name with too many colons" }
        guard parts.prefix.isEmpty || namespace(parts.prefix) != nil else { return "a prefix without a namespace" }
        var seen: Set<Name> = []
        for key in attributes.keys where key.contains(":") && !key.hasPrefix("xmlns:") {
            guard let parts = Self.parts(of: key) else { return "a name with too many colons" }
            guard let namespace = namespace(parts.prefix) else { return "a prefix without a namespace" }
            guard seen.insert(Name(namespace: namespace, local: parts.local)).inserted else {
                return "a duplicate attribute"
            }
        }
        return nil
    }

    mutating func close() {
        for prefix in declared.popLast() ?? [] { bound[prefix]?.removeLast() }
    }

    /// A name, with the number of its namespace.
    private struct Name: Hashable {
        let namespace: Int
        let local: String
    }

    private func namespace(_ prefix: String) -> Int? { prefix == "xml" ? numbers[Self.xml] : bound[prefix]?.last }

    /// Returns the reason why a prefix can't be declared for a namespace (§ 3).
    private static func problem(of prefix: String, _ namespace: String) -> StaticString? {
        if prefix == "xml" { return namespace == xml ? nil : "the prefix xml with a different namespace" }
        if namespace == xml || namespace == xmlns || prefix == "xmlns" { return "a reserved namespace" }
        if prefix.contains(":") { return "a name with too many colons" }
        return !prefix.isEmpty && namespace.isEmpty ? "a prefix with an empty namespace" : nil
    }

    /// Returns the two parts of a qualified name, or nil if there are more parts, or if a part is missing or isn't a
    /// name.
    private static func parts(of name: String) -> (prefix: String, local: String)? {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let local = parts.last,
            parts.allSatisfy({ $0.unicodeScalars.first.map(XMLScanner.startsName) ?? false })
        else { return nil }
        return (parts.count == 2 ? String(parts[0]) : "", String(local))
    }
}
