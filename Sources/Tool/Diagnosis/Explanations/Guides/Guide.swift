// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The guide to a code: an entry of the book. `Book/README.md` describes its texts. An error's guide has only a meaning and
// remedies.

extension Book.Entry {
    /// The meaning of the code: one or two sentences.
    package var meaning: String { self["meaning"] }

    /// The source of the rule: a section of an RFC, the CA/Browser baseline, or this package.
    package var source: String { self["source"] }

    /// The observation that identifies this code and no similar one: one to three sentences.
    package var sign: String { self["sign"] }

    /// The reasons why servers and clients get into this state, the most frequent first.
    package var causes: [String] { all("cause") }

    /// The measures that fix the failure or error, the most frequent first. For a failure, the server's administrator
    /// takes them. If the server isn't at fault, the first text says so and the others say what to fix instead.
    package var remedies: [String] { all("remedy") }

    /// Measures that silence the failure but also remove the protection.
    package var never: [String] { all("never") }

    /// The narrowest change of the client's trust, for a server that you can't fix.
    package var customization: GuideCustomization {
        guard let snippet = Guides.snippets[self["snippet"]] else { return .none(because: self["no-change"]) }
        return .change(self["change"], snippet)
    }

    /// The lines of a snippet, without the indentation of the outermost line.
    package var code: String { all("line").joined(separator: "\n") }
}

/// The narrowest change of the client's trust, or the reason why no change helps.
package enum GuideCustomization: Sendable, Hashable {
    /// A change: a sentence about its effect and its limits, and the snippet with the code for it.
    case change(String, Book.Entry)
    /// No change, with the reason.
    case none(because: String)
}
