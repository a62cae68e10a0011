// SPDX-License-Identifier: Apache-2.0

import Foundation
import TrustSupport

/// Standard output or standard error: every byte is written, or the failure is told.
enum StandardStream: Int32 {
    /// The answer.
    case output = 1
    /// Everything else that is said.
    case error = 2

    /// Whether a person looks at it.
    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all of `bytes` now.
    /// - Throws: ``ReaderIsGone`` if nobody reads any more, ``CommandFailure`` for any other failure.
    func write(_ bytes: [UInt8]) throws {
        do throws(SystemError) { try FileDescriptor(rawValue: rawValue).writeAll(bytes) } catch {
            throw error.code == EPIPE ? ReaderIsGone() as any Error : CommandFailure("cannot write: \(error)")
        }
    }

    /// Writes `text` and a line feed.
    func writeLine(_ text: String) throws { try write(Array(text.utf8) + [UInt8(ascii: "\n")]) }
}

/// Whoever read standard output has closed it.
struct ReaderIsGone: Error {}
