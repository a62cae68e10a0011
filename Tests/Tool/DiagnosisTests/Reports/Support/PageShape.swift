// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The elements and attributes that an XML parser finds in a page.
struct PageShape {
    /// The number of each element.
    private(set) var elements: [String: Int] = [:]
    /// The number of each `element.attribute`.
    private(set) var attributes: [String: Int] = [:]
    /// The values of `id`, one entry per element.
    private(set) var identifiers: [String] = []
    /// The values of `href`.
    private(set) var links: [String] = []
    /// The text of all elements except `style` and `script`.
    private(set) var text = ""

    /// - Throws: the parser's error if the page isn't well-formed.
    init(_ bytes: [UInt8]) throws {
        let reader = Reader()
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
        self = reader.shape
    }

    private init() {}

    private final class Reader: NSObject, XMLParserDelegate {
        var shape = PageShape()
        private var skipped = 0

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            shape.elements[name, default: 0] += 1
            for (key, value) in attributes {
                shape.attributes["\(name).\(key)", default: 0] += 1
                if key == "id" { shape.identifiers.append(value) }
                if key == "href" { shape.links.append(value) }
            }
            if name == "style" || name == "script" { skipped += 1 }
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if name == "style" || name == "script" { skipped -= 1 }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if skipped == 0 { shape.text += text }
        }
    }
}
