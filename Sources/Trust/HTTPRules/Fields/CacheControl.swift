// SPDX-License-Identifier: Apache-2.0

/// The directives of a response's `Cache-Control` (RFC 9111 § 5.2).
package struct CacheControl: Sendable, Hashable {
    private struct Directive: Sendable, Hashable {
        /// In lower case.
        let name: String
        /// nil for a directive without one, and for a quoted text that nothing else may follow and something does.
        let argument: String?
    }

    private var directives: [Directive] = []

    /// Whether a quoted text has no end, so that the directives can't be separated.
    package private(set) var isMalformed = false

    /// - Parameter fields: the values of all `Cache-Control` fields, in their order. Each is read by itself: a quoted text ends in
    ///   the field that it began in.
    package init(_ fields: some Sequence<String>) {
        for field in fields { read(field) }
    }

    package func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// The arguments of every directive of that name, which is given in lower case; nil for one that has none.
    package func arguments(of name: String) -> [String?] {
        directives.filter { $0.name == name }.map(\.argument)
    }

    /// Cuts at the commas that stand outside of quoted texts.
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

    /// A token as it stands, a quoted text without its quotes. Escapes stay: no argument that is read here has any.
    private static func unquoted(_ argument: Substring) -> String? {
        guard argument.hasPrefix("\"") else { return String(argument) }
        guard argument.utf8.count >= 2, argument.hasSuffix("\"") else { return nil }
        return String(argument.dropFirst().dropLast())
    }
}
