// SPDX-License-Identifier: Apache-2.0

/// A line on standard error that counts up and vanishes at the end.
struct ProgressLine: Sendable {
    /// Creates a line; nil if standard error is no terminal.
    init?() { guard StandardStream.error.isTerminal else { return nil } }

    /// Shows how many of several steps are done; nothing for a single one.
    func show(_ completed: Int, of total: Int) {
        guard total > 1 else { return }
        let text = completed < total ? "\r\(completed) of \(total) " : "\r\u{1b}[K"
        // Progress is not worth an error.
        try? StandardStream.error.write(Array(text.utf8))
    }

    /// Shows a text in the place of the one before.
    func show(_ text: String) { try? StandardStream.error.write(Array("\r\(text)\u{1b}[K".utf8)) }

    /// Removes the line before other output to the same terminal.
    func clear() { try? StandardStream.error.write(Array("\r\u{1b}[K".utf8)) }
}
