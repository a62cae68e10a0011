// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust

/// The guides to codes, from the book.
///
/// ```swift
/// for remedy in Guides.of(failure.code)?.remedies ?? [] { print(remedy) }
/// ```
/// The texts are for people and may change. They are plain text in full sentences without line breaks. Commands are in
/// backquotes, as in `nginx -s reload`. Escape the texts like any other text on a web page.
package enum Guides {
    /// The guides to the failure codes of the library and the command.
    package static let failures = Book(packed: PackedBook.failures)

    /// The guides to all other error codes, in the order of the folders of the targets that declare them.
    package static let errors = {
        var book = Book(packed: PackedBook.errors)
        book.fill(from: PinLintBook.pinFiles)
        return book
    }()

    /// The guides to causes that only other tools report, such as a key that doesn't belong to its certificate.
    package static let causes = Book(packed: PackedBook.causes)

    /// The snippets in guides: Swift code that customizes trust as narrowly as possible.
    ///
    /// Every snippet is a region of `Examples/Sources/explain-snippets`, which CI compiles.
    static let snippets = Book(packed: PackedBook.snippets)

    /// Returns the guide to a failure code, or nil for codes of other packages.
    package static func of(_ code: TrustFailure.Code) -> Book.Entry? { failures[code.name] }

    /// Returns the guides to the errors that messages and reports of the command call `name`, such as `timedOut` and
    /// `rollback`. Several codes may share a name.
    package static func errors(reportedAs name: String) -> [Book.Entry] {
        errors.entries.filter { $0.all("alias").contains(name) || shortName($0.name) == name }
    }

    /// Returns the code's name without the prefix for its kind, as in messages about connections, fetches and pins, or
    /// nil for other codes.
    private static func shortName(_ code: String) -> String? {
        guard let prefix = ["connection", "fetch", "pinFile", "pinList"].first(where: code.hasPrefix) else {
            return nil
        }
        let rest = code.dropFirst(prefix.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }
}

// The guide to a code: an entry of the book. `Book/README.md` describes its texts. An error's guide has only a meaning and
// remedies.

extension Book.Entry {
    /// The failure codes that the entry lists.
    var codes: [TrustFailure.Code] { self["codes"].split(separator: " ").compactMap { .named(String($0)) } }

    /// The message of a failure with this code, with the values of an example.
    package var example: String { self["example"] }

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
