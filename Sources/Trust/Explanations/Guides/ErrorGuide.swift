// SPDX-License-Identifier: Apache-2.0

/// The guide to the code of an error that isn't a failure of a path. Texts follow the rules of ``FailureGuide``.
package struct ErrorGuide: Sendable, Hashable {
    /// The code's name, as `ErrorCode.name` has it. The targets that declare most codes lie above this one.
    package let code: String

    /// The meaning of the code: one or two sentences.
    package let meaning: String

    /// The measures that end the error, the most frequent first.
    package let remedies: [String]

    /// Other names under which the command and its JSON report the code, beside the one that ``shortName(_:)`` returns.
    package let aliases: [String]

    init(_ code: String, aliases: [String] = [], meaning: String, remedies: [String]) {
        self.code = code
        self.aliases = aliases
        self.meaning = meaning
        self.remedies = remedies
    }

    /// Returns the guide to a code by its name; nil for an unknown one.
    package static func of(_ code: String) -> ErrorGuide? { byCode[code] }

    /// Returns the guides to the codes that messages and reports of the command name `name`, as `timedOut` and `rollback`. Several may share
    /// the name.
    package static func reported(as name: String) -> [ErrorGuide] {
        all.filter { $0.aliases.contains(name) || shortName($0.code) == name }
    }

    /// Returns the code's name without the word for its kind, as messages of connections, fetches and pins have it; nil for other codes.
    private static func shortName(_ code: String) -> String? {
        guard let prefix = ["connection", "fetch", "pinFile", "pinList"].first(where: code.hasPrefix) else {
            return nil
        }
        let rest = code.dropFirst(prefix.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    /// All guides, ordered by the folders of the targets that declare the codes.
    package static let all: [ErrorGuide] =
        engine + files + lists + trust + evaluation + pins + clients + testing

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
