// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a file, up to a limit.
package struct FileContents: Sendable {
    /// All bytes. For a file above the limit, more bytes than the limit, but perhaps not all of them.
    package let bytes: [UInt8]
    /// The status of the file when it was opened.
    let status: FileStatus

    /// Reads a file, a pipe or a device up to a limit.
    /// - Parameters:
    ///   - maximumSize: the limit in bytes. Of a larger regular file, the initializer reads at least one byte more. Of
    ///     other kinds, it reads whole blocks.
    ///   - onlyRegular: whether anything except a regular file is an error (`EINVAL`). If true, opening doesn't wait
    ///     for a pipe's writer.
    package init(ofFile path: String, maximumSize: Int, onlyRegular: Bool = false) throws(SystemError) {
        let descriptor = try FileDescriptor(opening: path, onlyRegular ? O_RDONLY | O_NONBLOCK : O_RDONLY)
        defer { try? descriptor.close() }
        status = try descriptor.status()
        guard !onlyRegular || status.isRegularFile else { throw SystemError(code: EINVAL) }
        bytes = try descriptor.readAll(maximumSize: maximumSize)
    }
}
