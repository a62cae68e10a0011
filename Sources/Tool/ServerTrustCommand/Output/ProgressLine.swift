// SPDX-License-Identifier: Apache-2.0

/// A line on standard error that shows the progress and disappears at the end.
struct ProgressLine: Sendable {
    /// Creates a line. Returns nil if standard error isn't a terminal.
    init?() { guard StandardStream.error.isTerminal else { return nil } }

    /// Shows how many of several steps are complete. Shows nothing for a single step.
    func show(_ completed: Int, of total: Int) {
        guard total > 1 else { return }
        let text = completed < total ? "\r\(completed) of \(total) " : "\r\u{1b}[K"
        // Failing to show progress isn't worth an error.
        try? StandardStream.error.write(Array(text.utf8))
    }

    /// Shows a text instead of the previous one.
    func show(_ text: String) { try? StandardStream.error.write(Array("\r\(text)\u{1b}[K".utf8)) }

    /// Removes the line before other output to the same terminal.
    func clear() { try? StandardStream.error.write(Array("\r\u{1b}[K".utf8)) }
}
