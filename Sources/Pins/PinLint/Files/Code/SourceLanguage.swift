// SPDX-License-Identifier: Apache-2.0

/// A programming language whose source files may contain pins.
package enum SourceLanguage: String, Sendable, Hashable, CaseIterable {
    case kotlin
    case java
    case swift
    case objectiveC = "objective-c"
    /// JavaScript and TypeScript.
    case javaScript = "javascript"

    /// Whether a comment can contain other comments.
    var nestsComments: Bool { self == .kotlin || self == .swift }

    /// Whether a line break ends a statement unless its expression continues.
    var endsStatementsWithLines: Bool { self != .java && self != .objectiveC }

    /// Creates the language for a file name's extension. Returns nil for an unknown extension.
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

    /// Creates the language of a source. If the file's extension is unknown, the contents determine the language.
    init(of bytes: [UInt8], file: String) { self = Self(file: file) ?? Self(guessing: bytes) }

    /// Guesses the language of a source from the words it contains.
    init(guessing bytes: [UInt8]) {
        if bytes.contains(text: "kTSK") {
            self = bytes.contains(text: "@\"") || bytes.contains(text: "@{") ? .objectiveC : .swift
        } else if bytes.contains(text: "initializeSslPinning") || bytes.contains(text: "NSPinnedDomains") {
            self = .javaScript
        } else {
            self =
                bytes.contains(text: "new CertificatePinner")
                    || bytes.contains(text: "import okhttp3.CertificatePinner;")
                ? .java : .kotlin
        }
    }
}
