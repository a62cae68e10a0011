// SPDX-License-Identifier: Apache-2.0

/// A message of the argument parser about wrong usage.
enum UsageMessage {
    /// Returns the message, its lines kept, without characters that steer a terminal.
    /// - Parameter arguments: the arguments that may stand in it; line breaks in them don't begin a line.
    static func sanitized(_ message: String, _ arguments: [String]) -> String {
        var message = message
        // A value may be named without its option: `--format=x`.
        let named = arguments.flatMap { [$0] + $0.split(separator: "=", maxSplits: 1).map(String.init) }
        for argument in named.sorted(by: { $0.utf8.count > $1.utf8.count }) where argument.contains(where: \.isNewline)
        {
            message = message.replacing(argument, with: printable(argument))
        }
        return message.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }
            .joined(separator: "\n")
    }
}
