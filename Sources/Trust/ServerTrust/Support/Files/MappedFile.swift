// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A file mapped into memory. The system reads bytes from disk when they are used.
///
/// Programs that write such files for others replace them instead of changing them in place. If an owner truncates a
/// mapped file, a process that reads past the new end is killed. So only files that belong to this process's user or
/// root and that no other user may write to are mapped. Other files are read into memory.
final class MappedFile: ByteStorage {
    /// The start of the mapping, or nil if the bytes were read into memory.
    private let mapping: UInt?
    private let count: Int
    private let bytes: [UInt8]

    /// Maps a file.
    /// - Parameters:
    ///   - maximumSize: the limit in bytes.
    ///   - followsLinks: whether the last part of the path may be a symbolic link. The default is true.
    /// - Throws: ``SystemError`` with `EINVAL` for anything except a regular file, `EFBIG` for a larger file, `ELOOP`
    ///   for a link that isn't followed, or the system's error.
    init(ofFile path: String, maximumSize: Int, followsLinks: Bool = true) throws(SystemError) {
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
    var size: Int { count }

    /// Whether the bytes are mapped instead of read into memory.
    var isMapped: Bool { mapping != nil }

    func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let mapping, let start = unsafe UnsafePointer<UInt8>(bitPattern: mapping) else {
            let view = bytes[...]
            return try body(view.span)
        }
        // The mapping stays until this object is released, which can't happen during the call.
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
