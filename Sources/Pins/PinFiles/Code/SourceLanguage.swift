// SPDX-License-Identifier: Apache-2.0

import TrustSupport

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
