// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a stream that don't belong to a block yet, with their position in the stream.
///
/// The memory grows with the largest row, and shrinks after it.
final class StreamWindow {
    private let stream: ByteStream
    /// Uninitialized memory: an array would be filled with zeros before each read.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * ByteStream.readSize, alignment: 1)
    /// The offset of the first byte in the memory. Removing bytes only moves this offset, so a short row in a large
    /// window costs no more than its own size.
    private var start = 0
    /// The number of bytes in the window.
    private(set) var count = 0
    /// The position of the first byte.
    private(set) var position: InputPosition
    /// The name of the file, for names of rows.
    let name: String

    /// - Parameter position: the position of the next byte of `stream`.
    init(_ stream: ByteStream, name: String, at position: InputPosition) {
        self.stream = stream
        self.name = name
        self.position = position
    }

    deinit { buffer.deallocate() }

    /// The bytes in the window.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[start..<(start + count)])
    }

    /// Reads some bytes and appends them to the window.
    /// - Parameter limit: the maximum size of a row. At most one more byte is read, so that the sizes of reads don't
    ///   affect which rows are too long.
    /// - Returns: false at the end of the stream.
    func readMore(to limit: Int) throws(CommandFailure) -> Bool {
        if buffer.count - start - count < ByteStream.readSize {
            // Moves the bytes only after at least as many have been removed.
            if start >= max(count, ByteStream.readSize) { move() } else { resize(to: 2 * buffer.count) }
        }
        let free = UnsafeMutableRawBufferPointer(rebasing: buffer[(start + count)...].prefix(max(1, limit + 1 - count)))
        let added = try stream.read(into: free)
        count += added
        return added > 0
    }

    /// Returns the indexes of the first and the last line end from an index on, or nil if there isn't one.
    func lineFeeds(from start: Int) -> (first: Int, last: Int)? {
        let added = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let first = added.firstLineFeed, let last = added.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        return (start + first, start + last)
    }

    /// Returns the first bytes as a block of lines, and removes them.
    func take(_ size: Int) -> RowBlock { mark(.lines(Data(bytes[..<size])), skipping: size, isWhole: true) }

    /// Returns a block without bytes for rows that have already been read, and removes the first bytes.
    /// - Parameter isWhole: whether the next byte begins a row.
    func mark(_ content: RowBlock.Content, skipping size: Int, isWhole: Bool) -> RowBlock {
        let first = position.line + 1
        skip(size)
        return RowBlock(
            content: content, name: name, firstLine: first, end: isWhole ? position : nil, bytesRead: stream.bytesRead)
    }

    /// Removes all bytes, because they belong to a skipped line. Returns a block without rows.
    func dropAll() -> RowBlock { mark(.lines(Data()), skipping: count, isWhole: true) }

    /// Sets the file index of the position.
    func moveTo(file: Int) { position.file = file }

    /// Removes the first bytes, and frees the memory of a giant row.
    func skip(_ size: Int) {
        position.offset += size
        position.line += UnsafeRawBufferPointer(rebasing: bytes[..<size]).lineFeeds
        start += size
        count -= size
        if count == 0 { start = 0 }
        if buffer.count > 1 << 20, count < ByteStream.readSize { resize(to: 2 * ByteStream.readSize) }
    }

    private func move() {
        buffer.copyMemory(from: bytes)
        start = 0
    }

    private func resize(to size: Int) {
        let resized = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        resized.copyMemory(from: bytes)
        buffer.deallocate()
        buffer = resized
        start = 0
    }
}
