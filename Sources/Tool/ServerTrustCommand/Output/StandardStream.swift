// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// Standard output or standard error. A write either writes all bytes or throws.
enum StandardStream: Int32 {
    /// The result.
    case output = 1
    /// Diagnostics.
    case error = 2

    /// Whether the stream is a terminal.
    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all of `bytes` immediately.
    /// - Throws: ``OutputClosed`` if the reader has closed the stream, ``CommandFailure`` for any other error.
    func write(_ bytes: [UInt8]) throws {
        do throws(SystemError) { try FileDescriptor(rawValue: rawValue).writeAll(bytes) } catch {
            throw error.code == EPIPE ? OutputClosed() as any Error : CommandFailure("cannot write: \(error)")
        }
    }

    /// Writes `text` and a line feed.
    func writeLine(_ text: String) throws { try write(Array(text.utf8) + [UInt8(ascii: "\n")]) }
}

/// The error of writing to a stream after its reader has closed it.
struct OutputClosed: Error {}

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
