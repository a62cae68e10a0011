// SPDX-License-Identifier: Apache-2.0

/// The directives of a response's `Cache-Control` (RFC 9111 § 5.2).
package struct CacheControl: Sendable, Hashable {
    private struct Directive: Sendable, Hashable {
        /// The name in lower case.
        let name: String
        /// The argument, or nil for a directive without one. Also nil if text follows the end of a quoted argument.
        let argument: String?
    }

    private var directives: [Directive] = []

    /// Whether a quoted text has no end, so that the directives can't be separated.
    package private(set) var isMalformed = false

    /// Parses `Cache-Control` fields.
    /// - Parameter fields: the values of all `Cache-Control` fields, in their order. Each is parsed separately, because
    ///   a quoted text can't continue in the next field.
    package init(_ fields: some Sequence<String>) {
        for field in fields { read(field) }
    }

    package func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Returns the argument of each directive with a name, which must be in lower case. An element is nil if the
    /// directive has no argument.
    func arguments(of name: String) -> [String?] {
        directives.filter { $0.name == name }.map(\.argument)
    }

    /// Splits a field at the commas outside quoted texts.
    private mutating func read(_ field: String) {
        var start = field.unicodeScalars.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in field.unicodeScalars.indices {
            let scalar = field.unicodeScalars[index]
            if scalar == ",", !isQuoted {
                add(field[start..<index])
                start = field.unicodeScalars.index(after: index)
            } else if isEscaped {
                isEscaped = false
            } else if scalar == "\\", isQuoted {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            }
        }
        if isQuoted { isMalformed = true }
        add(field[start...])
    }

    private mutating func add(_ directive: Substring) {
        let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = (parts.first ?? "").withoutOuterSpace.asciiLowercased
        guard !name.isEmpty else { return }
        let argument = parts.count == 2 ? Self.unquoted(parts[1].withoutOuterSpace) : nil
        directives.append(Directive(name: name, argument: argument))
    }

    /// Returns a token unchanged, or a quoted text without its quotes. Keeps escapes, because no supported argument
    /// contains any.
    private static func unquoted(_ argument: Substring) -> String? {
        guard argument.hasPrefix("\"") else { return String(argument) }
        guard argument.utf8.count >= 2, argument.hasSuffix("\"") else { return nil }
        return String(argument.dropFirst().dropLast())
    }
}
