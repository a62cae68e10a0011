// SPDX-License-Identifier: Apache-2.0

/// A usage error of the argument parser.
enum UsageMessage {
    /// Returns the message with its lines, but without characters that control a terminal.
    /// - Parameter arguments: the arguments that the message may contain. A line break in an argument doesn't begin a
    ///   new line.
    static func sanitized(_ message: String, _ arguments: [String]) -> String {
        // Bytes, because Swift's characters include the combining marks that follow.
        var message = Array(message.utf8)
        // The message may contain a value without its option: `--format=x`.
        let named = arguments.flatMap { [$0] + $0.split(separator: "=", maxSplits: 1).map(String.init) }
        for argument in named.sorted(by: { $0.utf8.count > $1.utf8.count }) where argument.contains(where: \.isNewline)
        {
            message = message.replacing(Array(argument.utf8), with: Array(printable(argument).utf8))
        }
        return message.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { printable(String(decoding: $0, as: UTF8.self)) }.joined(separator: "\n")
    }
}
