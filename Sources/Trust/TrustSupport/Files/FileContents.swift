// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The bytes of a file, up to a limit.
package struct FileContents: Sendable {
    /// All bytes; more than the limit, and perhaps not all, of a larger file.
    package let bytes: [UInt8]
    /// The status of the file when it was opened.
    package let status: FileStatus

    /// Reads a file, a pipe or a device up to a limit.
    /// - Parameters:
    ///   - maximumSize: the limit in bytes. Of a larger regular file a byte beyond it is read at least, and of other kinds a block.
    ///   - onlyRegular: whether other kinds than regular files are an error (`EINVAL`), without waiting for a pipe's writer.
    package init(ofFile path: String, maximumSize: Int, onlyRegular: Bool = false) throws(SystemError) {
        let descriptor = try FileDescriptor(opening: path, onlyRegular ? O_RDONLY | O_NONBLOCK : O_RDONLY)
        defer { try? descriptor.close() }
        status = try descriptor.status()
        guard !onlyRegular || status.isRegularFile else { throw SystemError(code: EINVAL) }
        bytes = try descriptor.readAll(maximumSize: maximumSize)
    }
}
