// SPDX-License-Identifier: Apache-2.0

import PKIX

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file whose bytes are mapped into memory, and read from the disk where they are used.
///
/// Files are replaced, and not changed in place, by programs that write them for others. A file that its owner cuts while it is mapped ends the
/// process that reads beyond its end, so that only files that this process's user or root owns, and that no other user may write, are mapped;
/// others are read into memory.
package final class MappedFile: ByteStorage {
    /// The start of the mapping; nil for bytes that were read.
    private let mapping: UInt?
    private let count: Int
    private let bytes: [UInt8]

    /// Maps a file.
    /// - Parameters:
    ///   - maximumSize: the limit in bytes.
    ///   - followsLinks: whether the last part of the path may be a symbolic link; true unless given.
    /// - Throws: ``SystemError`` with `EINVAL` for anything but a regular file, `EFBIG` for a larger one, `ELOOP` for a link that isn't
    ///   followed, and those of the system.
    package init(ofFile path: String, maximumSize: Int, followsLinks: Bool = true) throws(SystemError) {
        let flags = O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = try FileDescriptor(opening: path, flags)
        defer { try? descriptor.close() }
        let status = try descriptor.status()
        guard status.isRegularFile else { throw SystemError(code: EINVAL) }
        guard status.size <= maximumSize else { throw SystemError(code: EFBIG) }
        guard status.hasTrustedOwner, !status.isWritableByOthers, status.size > 0 else {
            let bytes = try descriptor.readAll(maximumSize: maximumSize)
            guard bytes.count <= maximumSize else { throw SystemError(code: EFBIG) }
            (mapping, count, self.bytes) = (nil, bytes.count, bytes)
            return
        }
        let start = unsafe mmap(nil, status.size, PROT_READ, MAP_PRIVATE, descriptor.rawValue, 0)
        guard let start, unsafe start != MAP_FAILED else { throw .last }
        (mapping, count, bytes) = (UInt(bitPattern: start), status.size, [])
    }

    /// The number of bytes.
    package var size: Int { count }

    /// Whether the bytes are mapped, and not read into memory.
    package var isMapped: Bool { mapping != nil }

    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let mapping, let start = unsafe UnsafePointer<UInt8>(bitPattern: mapping) else {
            let view = bytes[...]
            return try body(view.span)
        }
        // The mapping stays until this object is released, which it isn't during the call.
        let buffer = unsafe UnsafeBufferPointer(start: start, count: count)
        let span = unsafe Span(_unsafeElements: buffer)
        defer { withExtendedLifetime(self) {} }
        return try body(span)
    }

    deinit {
        guard let mapping else { return }
        unsafe munmap(UnsafeMutableRawPointer(bitPattern: mapping), count)
    }
}
