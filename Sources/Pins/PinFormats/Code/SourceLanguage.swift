// SPDX-License-Identifier: Apache-2.0

/// A programming language in whose sources pins are written.
package enum SourceLanguage: String, Sendable, Hashable, CaseIterable {
    case kotlin
    case java
    case swift
    case objectiveC = "objective-c"
    /// JavaScript and TypeScript.
    case javaScript = "javascript"

    /// Whether a comment can contain comments.
    var nestsComments: Bool { self == .kotlin || self == .swift }

    /// Whether a statement ends with a line unless its expression goes on.
    var endsStatementsWithLines: Bool { self != .java && self != .objectiveC }

    /// The language of a file by the suffix of its name; nil for another suffix.
    init?(file: String) {
        guard let dot = file.lastIndex(of: ".") else { return nil }
        switch file[file.index(after: dot)...].lowercased() {
        case "kt", "kts": self = .kotlin
        case "java": self = .java
        case "swift": self = .swift
        case "m", "mm", "h": self = .objectiveC
        case "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts": self = .javaScript
        default: return nil
        }
    }

    /// The language of a source by the words that it contains.
    init(guessing bytes: [UInt8]) {
        if bytes.contains(ascii: "kTSK") {
            self = bytes.contains(ascii: "@\"") || bytes.contains(ascii: "@{") ? .objectiveC : .swift
        } else if bytes.contains(ascii: "initializeSslPinning") || bytes.contains(ascii: "NSPinnedDomains") {
            self = .javaScript
        } else {
            self =
                bytes.contains(ascii: "new CertificatePinner")
                    || bytes.contains(ascii: "import okhttp3.CertificatePinner;")
                ? .java : .kotlin
        }
    }
}

extension [UInt8] {
    /// Returns whether the bytes contain a text of ASCII characters, upper and lower case being different. Linear for texts whose first
    /// character does not recur in them soon.
    func contains(ascii text: StaticString) -> Bool { firstIndex(ofASCII: text) != nil }

    /// Returns the offset of the first occurrence of a text of ASCII characters.
    func firstIndex(ofASCII text: StaticString) -> Int? {
        text.withUTF8Buffer { needle in
            guard let first = needle.first, needle.count <= count else { return nil }
            for index in 0...(count - needle.count) where self[index] == first {
                var length = 1
                while length < needle.count, self[index + length] == needle[length] { length += 1 }
                if length == needle.count { return index }
            }
            return nil
        }
    }
}
