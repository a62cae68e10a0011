// SPDX-License-Identifier: Apache-2.0

/// The guide to the code of an error that isn't a failure of a path. The texts follow the rules of ``FailureGuide``.
package struct ErrorGuide: Sendable, Hashable {
    /// The code's name, the same as `ErrorCode.name`. This is a string because targets above this one declare most
    /// codes.
    package let code: String

    /// The meaning of the code: one or two sentences.
    package let meaning: String

    /// The measures that fix the error, the most frequent first.
    package let remedies: [String]

    /// Other names for the code in messages and JSON of the command, besides the result of ``shortName(_:)``.
    let aliases: [String]

    init(_ code: String, aliases: [String] = [], meaning: String, remedies: [String]) {
        self.code = code
        self.aliases = aliases
        self.meaning = meaning
        self.remedies = remedies
    }

    /// Returns the guide to the code with a name, or nil if the name is unknown.
    package static func of(_ code: String) -> ErrorGuide? { byCode[code] }

    /// Returns the guides to the codes that messages and reports of the command call `name`, such as `timedOut` and
    /// `rollback`. Several codes may share a name.
    package static func reported(as name: String) -> [ErrorGuide] {
        all.filter { $0.aliases.contains(name) || shortName($0.code) == name }
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

    /// All guides, in the order of the folders of the targets that declare the codes.
    package static let all: [ErrorGuide] =
        engine + files + lists + trust + evaluation + pins + clients + testing

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
