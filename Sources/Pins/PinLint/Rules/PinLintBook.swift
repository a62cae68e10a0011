// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The texts of this target in the book.
package enum PinLintBook {
    /// The guides to the codes of problems in pin files. Lint rules and `servertrust explain` show them.
    package static let pinFiles = Book(packed: PackedBook.pinFiles)

    /// The texts and severities of the lint rules, except the rules for codes of problems.
    package static let rules = Book(packed: PackedBook.rules)

    /// Known pins that lock users out.
    static let knownPins = Book(packed: PackedBook.knownPins)
}
