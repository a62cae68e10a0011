// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinModel
import TrustSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

// XML as a tree with lines. By a document type XML can be made to expand or to fetch, so the parser never gets one: bytes have to be
// UTF-8, the prolog is scanned first, Apple's own line for property lists is replaced by spaces, and any other document type is a
// problem. Without one there is no entity but the five of XML itself.

/// An element of an XML file.
struct XMLElement {
    let name: String
    let attributes: [String: String]
    let line: Int
    /// The comments right before the element.
    let comment: String?
    var children: [XMLElement] = []
    /// The character data, without that of children.
    var text = ""
    /// Whether a comment stands between two parts of the text, neither of which is blank.
    var hasSplitText = false
    /// Whether a comment stands behind a part of the text that isn't blank.
    fileprivate var endsWithComment = false
}

/// A parsed XML file.
struct XMLTree {
    let root: XMLElement
    /// The comments that precede no element.
    let strayComments: [String]
    /// The odd problems of the file's syntax.
    let oddities: [PinFileProblem]

    /// Parses XML.
    /// - Parameter allowsPropertyListType: whether the document type of property lists is allowed.
    ///   Then names of elements keep their prefixes; else they are local names, as Android's parser compares them.
    init(_ bytes: [UInt8], file: String, allowsPropertyListType: Bool) throws(PinFileError) {
        func error(_ code: PinFileProblem.Code, _ line: Int?, _ detail: String) -> PinFileError {
            PinFileError(PinFileProblem(code, at: SourceLocation(file: file, line: line), detail))
        }
        guard bytes.count <= PinConfiguration.maximumFileSize else {
            throw error(.tooLarge, nil, "over \(PinConfiguration.maximumFileSize >> 20) MiB")
        }
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            throw error(.unreadable, nil, "not UTF-8")
        }
        let markup = XMLMarkup(bytes)
        if let fault = markup.fault {
            throw error(.unreadable, bytes[..<fault].count { $0 == UInt8(ascii: "\n") } + 1, "not well-formed XML")
        }
        var bytes = markup.bytes
        let prolog = XMLProlog(bytes)
        if let encoding = prolog.encoding, !["utf-8", "us-ascii"].contains(encoding.lowercased()) {
            throw error(.unreadable, 1, "the encoding \(clipped(encoding)), expected UTF-8")
        }
        if let declaration = prolog.lateDeclaration {
            for index in declaration where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
            self.oddities = [
                PinFileProblem(
                    .unreadable, .odd, at: SourceLocation(file: file, line: 1),
                    "blanks before <?xml, expected it at the start of the file")
            ]
        } else {
            self.oddities = []
        }
        if let type = prolog.documentType {
            guard allowsPropertyListType, type.isPropertyList else {
                throw error(.entity, type.line, "a document type (<!DOCTYPE …), expected none")
            }
            for index in type.range where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
        }
        let builder = XMLTreeBuilder(keepsPrefixes: allowsPropertyListType)
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = builder
        let isParsed = parser.parse()
        if let problem = builder.problem { throw error(problem.code, problem.line, problem.detail) }
        guard isParsed, builder.isComplete, let root = builder.root else {
            throw error(.unreadable, parser.lineNumber > 0 ? parser.lineNumber : nil, "not well-formed XML")
        }
        self.root = root
        self.strayComments = builder.strayComments
    }
}

/// The prolog: everything before the first element.
private struct XMLProlog {
    struct DocumentType {
        let range: Range<Int>
        let line: Int
        let isPropertyList: Bool
    }

    private(set) var encoding: String?
    private(set) var documentType: DocumentType?
    /// The bytes of an XML declaration that is preceded by blanks alone. Not every parser accepts one.
    private(set) var lateDeclaration: Range<Int>?

    init(_ bytes: [UInt8]) {
        var index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        let start = index
        var isFirst = true
        while index < bytes.count {
            if bytes[index] == 0x20 || (0x09...0x0d).contains(bytes[index]) {
                index += 1
            } else if has("<?", bytes, index) {
                let next = end(of: "?>", bytes, index)
                if encoding == nil, has("<?xml", bytes, index) {
                    encoding = Self.encoding(bytes[index..<next])
                    if isFirst, index > start { lateDeclaration = index..<next }
                }
                isFirst = false
                index = next
            } else if has("<!--", bytes, index) {
                isFirst = false
                index = end(of: "-->", bytes, index + 4)
            } else if has("<!", bytes, index) {
                documentType = Self.documentType(bytes, index)
                return
            } else {
                return
            }
        }
    }

    private static func encoding(_ declaration: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: declaration, as: UTF8.self)
        guard let key = text.range(of: "encoding") else { return nil }
        let rest = text[key.upperBound...].drop { $0 == " " || $0 == "\t" || $0 == "=" || $0.isNewline }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return "" }
        return String(rest.dropFirst().prefix { $0 != quote })
    }

    /// Reads a document type up to the first `>`. One with an internal subset, or with `>` in quotes, is not allowed anyway.
    private static func documentType(_ bytes: [UInt8], _ start: Int) -> DocumentType {
        let last = end(of: ">", bytes, start)
        let text = String(decoding: bytes[start..<last], as: UTF8.self)
        let words = text.split { $0 == " " || $0 == "\t" || $0.isNewline }.joined(separator: " ")
        let identifier = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
        let older = "<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" "
        let rest = words.hasPrefix(identifier) ? words.dropFirst(identifier.count) : words.dropFirst(older.count)
        let isKnown =
            words.hasPrefix(identifier) || words.hasPrefix(older)
        let location = "://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        let isPropertyList =
            words == "<!DOCTYPE plist>" || (isKnown && (rest == "\"http" + location || rest == "\"https" + location))
        return DocumentType(
            range: start..<last, line: bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1,
            isPropertyList: isPropertyList)
    }
}

/// The boundaries of comments, CDATA sections and processing instructions, found before the parser runs.
///
/// A parser that continues after an error may take the contents of a comment for an instruction, or the reverse. So markup on which
/// the two could disagree is refused beforehand.
private struct XMLMarkup {
    /// The bytes with a space before the end of each instruction: not every parser accepts one without data (`<?a?>`), and instructions
    /// are ignored.
    private(set) var bytes: [UInt8] = []
    /// The offset of an error after which a parser may continue in its own way: a character that XML forbids (§ 2.2), `--` in a comment
    /// (§ 2.5), an instruction without a name or an end (§ 2.6), a declaration with markup in it (§ 2.8). Other errors are left to the
    /// parser.
    private(set) var fault: Int?

    init(_ file: [UInt8]) {
        fault = Self.noCharacter(in: file)
        bytes.reserveCapacity(file.count)
        var index = 0
        while fault == nil, index < file.count {
            let start = index
            var isInstruction = false
            var isEnded = true
            if file[index] != UInt8(ascii: "<") {
                index += 1
            } else if has("<!--", file, index) {
                index = end(of: "--", file, index + 4)
                isEnded = index < file.count && file[index] == UInt8(ascii: ">")
            } else if has("<![CDATA[", file, index) {
                index = end(of: "]]>", file, index + 9)
                isEnded = file[..<index].suffix(3).elementsEqual("]]>".utf8)
            } else if has("<?", file, index) {
                isInstruction = true
                index = end(of: "?>", file, index + 2)
                isEnded = file[..<index].suffix(2).elementsEqual("?>".utf8) && Self.isInstruction(file[start..<index])
            } else {
                index += 1
            }
            if !isEnded {
                fault = start
            } else if isInstruction {
                bytes += file[start..<index - 2]
                bytes += " ?>".utf8
            } else {
                bytes += file[start..<index]
            }
        }
    }

    /// Returns the offset of the first character that XML forbids.
    private static func noCharacter(in file: [UInt8]) -> Int? {
        file.indices.first { index in
            let byte = file[index]
            if byte < 0x20 { return byte != 0x09 && byte != 0x0a && byte != 0x0d }
            // U+FFFE and U+FFFF.
            return byte == 0xef && index + 2 < file.count && file[index + 1] == 0xbf && file[index + 2] >= 0xbe
        }
    }

    /// Returns whether `<?…?>` has a name (XML allows more names), and no markup if it is a declaration.
    private static func isInstruction(_ whole: ArraySlice<UInt8>) -> Bool {
        let inside = whole.dropFirst(2).dropLast(2)
        guard let first = inside.first,
            (0x61...0x7a).contains(first | 0x20) || first == UInt8(ascii: "_") || first == UInt8(ascii: ":")
        else { return false }
        return inside.prefix(3).map { $0 | 0x20 } != Array("xml".utf8)
            || !inside.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }
    }
}

private func has(_ text: StaticString, _ bytes: [UInt8], _ index: Int) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
}

/// Returns the offset behind the next `text`; the end of the file if there is none.
private func end(of text: StaticString, _ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < bytes.count {
        if has(text, bytes, index) { return index + text.utf8CodeUnitCount }
        index += 1
    }
    return bytes.count
}

private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private(set) var root: XMLElement?
    private(set) var problem: (code: PinFileProblem.Code, line: Int, detail: String)?
    private(set) var strayComments: [String] = []
    private var open: [XMLElement] = []
    private var comments: [String] = []
    private var count = 0
    private let keepsPrefixes: Bool

    init(keepsPrefixes: Bool) { self.keepsPrefixes = keepsPrefixes }

    var isComplete: Bool { open.isEmpty && root != nil }

    private func localName(_ name: String) -> String {
        guard !keepsPrefixes, let colon = name.firstIndex(of: ":") else { return name }
        return String(name[name.index(after: colon)...])
    }

    private func stop(_ parser: XMLParser, _ code: PinFileProblem.Code, _ detail: String) {
        if problem == nil { problem = (code, parser.lineNumber, detail) }
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        guard problem == nil else { return }
        count += 1
        guard open.count < PinNode.maximumDepth, count < PinNode.maximumCount else {
            return stop(parser, .tooLarge, "nested too deeply, or too many elements")
        }
        let comment = comments.isEmpty ? nil : comments.joined(separator: "\n")
        comments = []
        open.append(
            XMLElement(name: localName(elementName), attributes: attributes, line: parser.lineNumber, comment: comment))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard problem == nil, let element = open.popLast() else { return }
        strayComments += comments
        comments = []
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { add(string) }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) { add(String(decoding: CDATABlock, as: UTF8.self)) }

    private func add(_ text: String) {
        guard problem == nil, !open.isEmpty else { return }
        let index = open.count - 1
        open[index].text += text
        if open[index].endsWithComment, !open[index].hasSplitText, !text.trimmed.isEmpty {
            open[index].hasSplitText = true
        }
    }

    func parser(_ parser: XMLParser, foundComment comment: String) {
        guard problem == nil else { return }
        let text = comment.trimmingCharacters(in: .whitespacesAndNewlines)
        if let element = open.last, !element.endsWithComment, !element.text.trimmed.isEmpty {
            open[open.count - 1].endsWithComment = true
        }
        if open.isEmpty, root != nil { strayComments.append(text) } else { comments.append(text) }
    }

    func parser(
        _ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?
    ) {
        stop(parser, .entity, "an entity, expected none")
    }

    func parser(
        _ parser: XMLParser, foundExternalEntityDeclarationWithName name: String, publicID: String?, systemID: String?
    ) {
        stop(parser, .entity, "an external entity, expected none")
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        if problem == nil {
            problem = (
                .unreadable, max(1, parser.lineNumber), "not well-formed XML (error \((parseError as NSError).code))"
            )
        }
        // The parser continues after an error; its further events are neither useful nor safe.
        parser.delegate = nil
    }
}
