// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// The text of comments and literals in generated source code.
enum SourceWriting {
    /// Returns a trailing comment, or an empty string.
    ///
    /// No text can break out of the comment. The result is one line of printable characters without a backslash. A
    /// backslash would start an escape, even in Java comments (JLS § 3.3), and at the end of a line it would extend an
    /// Objective-C comment to the next line.
    static func comment(_ text: String?) -> String {
        text.map { "  // " + line($0) } ?? ""
    }

    /// Returns text as one line of printable characters, without a backslash.
    static func line(_ text: String) -> String { clipped(text).map { $0 == "\\" ? "/" : String($0) }.joined() }

    /// Returns text as a literal. Pins, hosts, dates and key names consist of printable ASCII characters without
    /// quotes, dollar signs and backslashes. Other characters, such as those in a URL for reports, are escaped.
    static func literal(_ text: String, _ language: SourceLanguage) -> String {
        var literal = language == .objectiveC ? "@\"" : language == .javaScript ? "'" : "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": literal += "\\n"
            case "\\", "\"", "'": literal += "\\" + String(scalar)
            case "$" where language == .kotlin: literal += "\\$"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + (language == .javaScript ? "'" : "\"")
    }
}

/// Writes a tree as a Swift or Objective-C literal.
struct SourceTreeWriter {
    let language: SourceLanguage
    /// Returns the constant for a key, or nil to write a literal.
    let constant: (String) -> String?

    /// Returns the literal. Its first line isn't indented.
    func literal(_ tree: PinTree, indentation: String = "", isNested: Bool = false) -> String {
        let inner = indentation + "    "
        let box = language == .objectiveC ? "@" : ""
        switch tree {
        case .dictionary(let members):
            let (open, close) = language == .objectiveC ? ("@{", "}") : ("[", "]")
            let lines = members.map { member in
                let key = constant(member.key) ?? SourceWriting.literal(member.key, language)
                let value = literal(member.value, indentation: inner, isNested: true)
                return "\(inner)\(key): \(value)," + SourceWriting.comment(member.comment)
            }
            // Swift infers no type for a literal with values of several types.
            let type = language == .swift && isNested ? " as [String: Any]" : ""
            return ([open] + lines + [indentation + close]).joined(separator: "\n") + type
        case .array(let elements):
            let lines = elements.map { element in
                "\(inner)\(literal(element.value, indentation: inner, isNested: true)),"
                    + SourceWriting.comment(element.comment)
            }
            return (["\(box)["] + lines + [indentation + "]"]).joined(separator: "\n")
        case .string(let text): return SourceWriting.literal(text, language)
        case .integer(let number): return "\(box)\(number)"
        case .boolean(let value): return language == .objectiveC ? (value ? "@YES" : "@NO") : "\(value)"
        case .data(let bytes): return SourceWriting.literal(Base64.encode(bytes), language)
        }
    }
}
