// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// Replaces or adds a value directly in the bytes of an XML property list. Comments, order, indentation and everything
// else in the file stay unchanged. Reads the result back and requires the same property list except for the value.

/// Replaces one value of a property list in XML.
package struct PropertyListEdit {
    /// The reason why a file can't be edited.
    package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// A human-readable description of the reason.
        package let description: String

        package init(description: String) { self.description = description }
    }

    private let bytes: [UInt8]
    private let keys: [String]

    /// Returns a property list in which the given pins replace its own.
    /// - Parameters:
    ///   - configuration: the pins.
    ///   - format: ATS or TrustKit.
    ///   - bytes: the whole file, an XML property list with a dictionary.
    ///   - file: the file's name, for errors.
    /// - Returns: the whole file, and the losses of the pins.
    package static func placing(
        _ configuration: PinConfiguration, as format: PinFormat, into bytes: [UInt8], file: String
    ) throws(Refusal) -> WrittenPins {
        let written: WrittenPins
        do throws(PinWritingError) { written = try configuration.written(as: format) } catch {
            throw Refusal(description: error.description)
        }
        let (keys, tree): ([String], PinTree?) =
            format == .ats
            ? (["NSAppTransportSecurity", "NSPinnedDomains"], ATSWriter.tree(configuration))
            : ([TrustKitKeys.configuration, TrustKitKeys.pinnedDomains], TrustKitWriter.tree(configuration))
        // The TrustKit writer omits the key above its dictionary.
        guard let domains = format == .ats ? tree?[keys[0]]?[keys[1]] : tree?[keys[1]] else {
            throw Refusal(description: "no host that \(format) can express")
        }
        let before = try root(bytes, file)
        let edited = try PropertyListEdit(bytes: bytes, keys: keys).replacing(with: domains)
        let after = try root(edited, file)
        guard without(keys, after) == without(keys, before), let value = after[keys[0]]?[keys[1]] else {
            throw Refusal(description: "\(file): the place of \(keys.joined(separator: " › ")) is unclear")
        }
        let expected = try root(written.bytes, file)
        guard let wanted = format == .ats ? expected[keys[0]]?[keys[1]] : expected[keys[1]], wanted.json == value.json
        else {
            throw Refusal(description: "\(file): the pins read back differ from those written")
        }
        return WrittenPins(bytes: edited, losses: written.losses)
    }

    private static func root(_ bytes: [UInt8], _ file: String) throws(Refusal) -> PinNode {
        guard !bytes.starts(with: PinNode.binaryPropertyListMagic) else {
            throw Refusal(description: "\(file): a binary property list, expected XML: use plutil -convert xml1")
        }
        let node: PinNode
        do throws(PinFileError) {
            node = try PinNode(xmlPropertyList: bytes, file: file)
        } catch {
            throw Refusal(description: error.description)
        }
        guard case .dictionary = node.value else { throw Refusal(description: "\(file): not a dictionary") }
        return node
    }

    /// Returns a dictionary's JSON without the value at a path of two keys. If the dictionary around that value becomes
    /// empty, it is left out, too.
    private static func without(_ keys: [String], _ node: PinNode) -> String {
        guard case .dictionary(let members) = node.value else { return "" }
        let kept = members.compactMap { member -> PinNode.Member? in
            guard member.key == keys[0], case .dictionary(let inner) = member.node.value else { return member }
            let others = inner.filter { $0.key != keys[1] }
            return others.isEmpty ? nil : PinNode.Member(key: member.key, node: PinNode(.dictionary(others), line: nil))
        }
        return PinNode(.dictionary(kept), line: nil).json
    }

    // MARK: Editing

    private func replacing(with value: PinTree) throws(Refusal) -> [UInt8] {
        let scan = PropertyListScan(bytes)
        guard let root = scan.root else { throw Refusal(description: "the property list isn't a dictionary") }
        guard let outer = try scan.member(keys[0], of: root) else {
            return insert(keys[0], .dictionary([(keys[1], nil, value)]), into: root, scan)
        }
        guard scan.elements[outer].name == "dict" else { throw Refusal(description: "\(keys[0]) isn't a dictionary") }
        guard let inner = try scan.member(keys[1], of: outer) else { return insert(keys[1], value, into: outer, scan) }
        let element = scan.elements[inner]
        let indentation = self.indentation(before: element.range.lowerBound) ?? ""
        let new = Array(text(value, indentation).drop { $0 == 0x20 || $0 == 0x09 })
        return joined(..<element.range.lowerBound, new, element.range.upperBound)
    }

    /// Adds a key with its value at the end of a dictionary.
    private func insert(_ key: String, _ value: PinTree, into parent: Int, _ scan: PropertyListScan) -> [UInt8] {
        let element = scan.elements[parent]
        let own = indentation(before: element.range.lowerBound) ?? ""
        let first = element.children.first.map { scan.elements[$0].range.lowerBound }
        let inner = first.flatMap { indentation(before: $0) } ?? own + unit
        let member =
            Array("\(inner)<key>\(XMLText.escaped(key))</key>".utf8) + newline + text(value, inner) + newline
        guard let end = element.end else {
            // `<dict/>`
            let new = Array("<dict>".utf8) + newline + member + Array((own + "</dict>").utf8)
            return joined(..<element.range.lowerBound, new, element.range.upperBound)
        }
        // After the last line of the dictionary, before the indentation of its end tag.
        var start = end
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        if start > 0, bytes[start - 1] == 0x0a { return joined(..<start, member, start) }
        return joined(..<end, newline + member + Array(own.utf8), end)
    }

    private func joined(_ before: PartialRangeUpTo<Int>, _ new: [UInt8], _ rest: Int) -> [UInt8] {
        Array(bytes[before]) + new + Array(bytes[rest...])
    }

    private var newline: [UInt8] {
        guard let feed = bytes.firstIndex(of: 0x0a), feed > 0, bytes[feed - 1] == 0x0d else { return [0x0a] }
        return [0x0d, 0x0a]
    }

    /// The indentation of one level, from the first indented line. The default is a tab.
    private var unit: String {
        for line in bytes.split(separator: 0x0a) where line.first == 0x20 || line.first == 0x09 {
            let blanks = line.prefix { $0 == 0x20 || $0 == 0x09 }
            if line.count > blanks.count, line[line.startIndex + blanks.count] == UInt8(ascii: "<") {
                return String(decoding: blanks.prefix(8), as: UTF8.self)
            }
        }
        return "\t"
    }

    /// Returns the white space between the start of a line and an element, or nil if anything else precedes the
    /// element.
    private func indentation(before index: Int) -> String? {
        var start = index
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        guard start == 0 || bytes[start - 1] == 0x0a, index - start <= 256 else { return nil }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Returns the lines of a value, each of them indented, without a trailing line feed.
    private func text(_ value: PinTree, _ indentation: String) -> [UInt8] {
        let document = String(decoding: value.xmlPropertyList(), as: UTF8.self).split(separator: "\n").map(String.init)
        let unit = unit
        let lines = document.dropFirst(3).dropLast().map { line in
            // The writer indents by four spaces.
            let depth = line.prefix { $0 == " " }.count / 4
            return indentation + String(repeating: unit, count: depth) + line.drop { $0 == " " }
        }
        return Array(lines.joined(separator: String(decoding: newline, as: UTF8.self)).utf8)
    }
}

extension PinTree {
    fileprivate subscript(key: String) -> PinTree? {
        guard case .dictionary(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

/// The elements of a well-formed property list, with their positions in the bytes.
private struct PropertyListScan {
    struct Element {
        let name: String
        /// The bytes from the start of the start tag to the end of the end tag.
        var range: Range<Int>
        /// The offset of the end tag, or nil for an empty element.
        var end: Int?
        var children: [Int] = []
        /// The offset after the start tag.
        let contents: Int
    }

    private let bytes: [UInt8]
    private(set) var elements: [Element] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard var reader = try? XMLReader(bytes, allowsPropertyListType: true) else { return }
        var open: [Int] = []
        while let event = try? reader.next() {
            switch event {
            case .start(let name, _):
                if let parent = open.last { elements[parent].children.append(elements.count) }
                open.append(elements.count)
                let range = reader.start.offset..<reader.offset
                elements.append(Element(name: name, range: range, end: nil, contents: reader.offset))
            case .end:
                guard let last = open.popLast() else { return }
                if reader.offset > elements[last].contents { elements[last].end = reader.start.offset }
                elements[last].range = elements[last].range.lowerBound..<reader.offset
            case .text, .comment: break
            }
        }
    }

    /// The property list's root dictionary.
    var root: Int? {
        guard let list = elements.first, list.name == "plist", let root = list.children.first,
            elements[root].name == "dict"
        else { return nil }
        return root
    }

    /// Returns the value for a key of a dictionary.
    /// - Throws: `Refusal` if the key occurs twice.
    func member(_ key: String, of parent: Int) throws(PropertyListEdit.Refusal) -> Int? {
        var found: Int?
        let children = elements[parent].children
        for (position, child) in children.enumerated() where elements[child].name == "key" {
            guard let end = elements[child].end, position + 1 < children.count,
                bytes[elements[child].contents..<end].elementsEqual(key.utf8)
            else { continue }
            guard found == nil else { throw PropertyListEdit.Refusal(description: "\(key) occurs twice") }
            found = children[position + 1]
        }
        return found
    }
}
