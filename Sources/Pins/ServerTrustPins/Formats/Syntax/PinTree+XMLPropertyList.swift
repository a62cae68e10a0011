// SPDX-License-Identifier: Apache-2.0

import PKIX

extension PinTree {
    /// Returns the tree as an XML property list.
    package func xmlPropertyList() -> [UInt8] {
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

/// Escaped text for XML.
package enum XMLText {
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // XML 1.0 can't represent other control characters.
            case "\u{9}", "\u{a}": result.unicodeScalars.append(scalar)
            case "\u{d}": result += "&#13;"
            case let other where other.value < 0x20 || other.value == 0xfffe || other.value == 0xffff:
                result += "\u{fffd}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a comment on a separate line. Two hyphens would end it, so the result has a space between them.
    package static func comment(_ text: String, indent: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar.value >= 0x20 || scalar == "\n" || scalar == "\t" {
            if scalar == "-", safe.last == "-" { safe.append(" ") }
            safe.append(scalar == "\u{fffe}" || scalar == "\u{ffff}" ? "\u{fffd}" : scalar)
        }
        if safe.last == "-" { safe.append(" ") }
        return "\(indent)<!-- \(String(safe)) -->\n"
    }
}
