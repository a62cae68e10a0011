// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The failure of a system call.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32

    /// The text to use instead of the operating system's, or nil to use that.
    private let detail: String?

    package init(code: Int32) {
        self.code = code
        detail = nil
    }

    /// Creates the error for an unexpected kind of file. Its code is `EINVAL`.
    init(found kind: FileStatus.Kind) {
        code = EINVAL
        detail = "is \(kind.rawValue), expected a regular file"
    }

    /// The error of the system call that just failed on this thread.
    package static var last: SystemError { SystemError(code: errno) }

    /// Whether the file or a folder of its path doesn't exist.
    var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

    /// The operating system's text, such as "No such file or directory", or a text about the kind of a file.
    package var description: String { detail ?? String(cString: strerror(code)) }
}
