// SPDX-License-Identifier: Apache-2.0

import Foundation

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
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Foundation.write(rawValue, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN: waitUntilReady(rawValue, POLLOUT)
                case EPIPE: throw ReaderIsGone()
                default: throw CommandFailure("cannot write: \(String(cString: strerror(errno)))")
                }
            }
        }
    }

    /// Writes `text` and a line feed.
    func writeLine(_ text: String) throws { try write(Array(text.utf8) + [UInt8(ascii: "\n")]) }
}

/// Waits until a descriptor that somebody has made non-blocking is ready for `events`.
func waitUntilReady(_ descriptor: Int32, _ events: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = poll(&request, 1, -1)
}

/// Whoever read standard output has closed it.
struct ReaderIsGone: Error {}
