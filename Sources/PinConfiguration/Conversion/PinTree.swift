// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What is to be written as property list or JSON. Members keep their order; comments are written where the format has any.
indirect enum PinTree {
    case dictionary([(key: String, comment: String?, value: PinTree)])
    case array([(comment: String?, value: PinTree)])
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case data([UInt8])

    static func list(_ elements: [PinTree]) -> PinTree { .array(elements.map { (nil, $0) }) }
}

// MARK: - XML

extension PinTree {
    func xmlPropertyList() -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        write(to: &text, depth: 0)
        return Array((text + "</plist>\n").utf8)
    }

    private func write(to text: inout String, depth: Int) {
        let indent = String(repeating: "    ", count: depth)
        switch self {
        case .dictionary(let members):
            text += "\(indent)<dict>\n"
            for member in members {
                if let comment = member.comment { text += XMLText.comment(comment, indent: indent + "    ") }
                text += "\(indent)    <key>\(XMLText.escaped(member.key))</key>\n"
                member.value.write(to: &text, depth: depth + 1)
            }
            text += "\(indent)</dict>\n"
        case .array(let elements):
            text += "\(indent)<array>\n"
            for element in elements {
                if let comment = element.comment { text += XMLText.comment(comment, indent: indent + "    ") }
                element.value.write(to: &text, depth: depth + 1)
            }
            text += "\(indent)</array>\n"
        case .string(let string): text += "\(indent)<string>\(XMLText.escaped(string))</string>\n"
        case .integer(let number): text += "\(indent)<integer>\(number)</integer>\n"
        case .boolean(let value): text += "\(indent)<\(value)/>\n"
        case .data(let bytes): text += "\(indent)<data>\(Base64.encode(bytes))</data>\n"
        }
    }
}

/// Text as XML has it.
enum XMLText {
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // XML 1.0 has no way to write other control characters.
            case "\u{9}", "\u{a}": result.unicodeScalars.append(scalar)
            case "\u{d}": result += "&#13;"
            case let other where other.value < 0x20 || other.value == 0xfffe || other.value == 0xffff:
                result += "\u{fffd}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A comment on a line of its own. Two hyphens would end it, so they get a space between them.
    static func comment(_ text: String, indent: String) -> String {
        var text = text
        while text.contains("--") { text = text.replacing("--", with: "- -") }
        let safe = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }))
        return "\(indent)<!-- \(safe)\(safe.hasSuffix("-") ? " " : "") -->\n"
    }
}

// MARK: - Binary

extension PinTree {
    /// `bplist00`, with offsets and references of four bytes. Equal texts are written as often as they occur.
    func binaryPropertyList() -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        let top = writer.add(self)
        return writer.finished(top: top)
    }
}

private struct BinaryPropertyListWriter {
    private var objects: [[UInt8]] = []

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    private static func header(_ marker: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 0xf, 0x12] + number(count, 4)
    }

    mutating func add(_ tree: PinTree) -> Int {
        let index = objects.count
        objects.append([])
        switch tree {
        case .boolean(let value): objects[index] = [value ? 0x09 : 0x08]
        case .integer(let value): objects[index] = [0x13] + Self.number(value, 8)
        case .data(let bytes): objects[index] = Self.header(0x40, bytes.count) + bytes
        case .string(let text):
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                objects[index] = Self.header(0x50, text.utf8.count) + Array(text.utf8)
            } else {
                let units = Array(text.utf16)
                objects[index] = Self.header(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
            }
        case .array(let elements):
            let references = elements.map { add($0.value) }
            objects[index] = Self.header(0xa0, references.count) + references.flatMap { Self.number($0, 4) }
        case .dictionary(let members):
            let keys = members.map { add(.string($0.key)) }
            let values = members.map { add($0.value) }
            objects[index] = Self.header(0xd0, keys.count) + (keys + values).flatMap { Self.number($0, 4) }
        }
        return index
    }

    func finished(top: Int) -> [UInt8] {
        var bytes = PinNode.binaryPropertyListMagic
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        bytes += offsets.flatMap { Self.number($0, 4) }
        return bytes + [0, 0, 0, 0, 0, 0, 4, 4] + Self.number(objects.count, 8) + Self.number(top, 8)
            + Self.number(table, 8)
    }
}

// MARK: - JSON

extension PinTree {
    /// Indented by two, a line feed at the end. JSON has no comments: those of the tree are left out.
    func json() -> [UInt8] {
        var text = ""
        writeJSON(to: &text, depth: 0)
        return Array((text + "\n").utf8)
    }

    private func writeJSON(to text: inout String, depth: Int) {
        let indent = String(repeating: "  ", count: depth + 1)
        let end = "\n" + String(repeating: "  ", count: depth)
        switch self {
        case .dictionary(let members):
            guard !members.isEmpty else { return text += "{}" }
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + indent + Self.quoted(member.key) + ": "
                member.value.writeJSON(to: &text, depth: depth + 1)
            }
            text += end + "}"
        case .array(let elements):
            guard !elements.isEmpty else { return text += "[]" }
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + indent
                element.value.writeJSON(to: &text, depth: depth + 1)
            }
            text += end + "]"
        case .string(let string): text += Self.quoted(string)
        case .integer(let number): text += String(number)
        case .boolean(let value): text += String(value)
        case .data(let bytes): text += Self.quoted(Base64.encode(bytes))
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let control where control.value < 0x20:
                let hex = String(control.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
