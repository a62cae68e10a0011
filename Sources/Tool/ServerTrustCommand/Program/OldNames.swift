// SPDX-License-Identifier: Apache-2.0

/// The old names of verbs. They work for one more release, and the help doesn't list them. Each use prints the new name
/// on standard error.
enum OldNames {
    /// An old name of a verb.
    struct Row {
        /// The words of the old name.
        var old: [String]
        /// The words that replace them.
        var new: [String]
        /// The new name for people.
        var shown: String

        init(_ old: String, _ new: String, shown: String? = nil) {
            self.old = old.split(separator: " ").map(String.init)
            self.new = new.split(separator: " ").map(String.init)
            self.shown = shown ?? new
        }
    }

    /// The old names. The first match is replaced.
    static let rows: [Row] = [
        Row("pin", "pins make"),
        Row("lint", "pins lint"),
        Row("convert", "pins convert"),
        Row("effective", "pins why"),
        Row("demo", "lab demo"),
        Row("pins keygen", "pins list keygen"),
        Row("pins sign", "pins list sign"),
        Row("pins prepare", "pins list prepare"),
        Row("pins attach", "pins list attach"),
        Row("pins verify", "pins list verify"),
        Row("pins show", "pins list show"),
        Row("roots audit", "roots report"),
        Row("crl prefetch", "cache prefetch"),
        Row("crl", "cache"),
        Row("ct logs", "roots logs"),
        // The reports of `ct verify` and `verify` differ, so the old verb still writes its own report.
        Row("ct verify", "ct verify", shown: "verify --ct-logs FILE"),
        Row("ct", "ct", shown: "verify --ct-logs FILE"),
    ]

    /// Returns the arguments with the new name of the verb, and the row of the old name. The row is nil if the verb's
    /// name is current.
    static func renewed(_ arguments: [String]) -> (arguments: [String], row: Row?) {
        let help = arguments.first == "help" ? ["help"] : []
        let words = Array(arguments.dropFirst(help.count))
        guard let row = rows.first(where: { words.starts(with: $0.old) }) else { return (arguments, nil) }
        return (help + row.new + words.dropFirst(row.old.count), row)
    }

    /// Returns the new names of the verbs that used to be below a verb, by the last word of the old names.
    static func newNames(below path: [String]) -> [String: String] {
        var names: [String: String] = [:]
        for row in rows where Array(row.old.dropLast()) == path && row.old != row.new {
            if let name = row.old.last { names[name] = row.shown }
        }
        return names
    }
}
