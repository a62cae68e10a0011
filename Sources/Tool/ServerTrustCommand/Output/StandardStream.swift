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
