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
