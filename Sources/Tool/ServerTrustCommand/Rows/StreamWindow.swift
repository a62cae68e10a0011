// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a stream that belong to no block yet, with their place in it.
///
/// The memory grows with the largest row and shrinks after it.
final class StreamWindow {
    private let stream: ByteStream
    /// Memory that is not initialized: an array would be filled with zeros before each read.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * ByteStream.readSize, alignment: 1)
    /// The offset of the first byte in the memory: removing bytes moves it, so that short rows of a large window cost their own size.
    private var start = 0
    /// The number of bytes.
    private(set) var count = 0
    /// The place of the first byte.
    private(set) var position: InputPosition
    /// The name for rows.
    let name: String

    /// - Parameter position: the place of the next byte of `stream`.
    init(_ stream: ByteStream, name: String, at position: InputPosition) {
        self.stream = stream
        self.name = name
        self.position = position
    }

    deinit { buffer.deallocate() }

    /// The bytes.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[start..<(start + count)])
    }

    /// Reads some bytes behind the others.
    /// - Parameter limit: the size of the largest row: at most one byte more is read, so that what is too long doesn't depend on the sizes of reads.
    /// - Returns: false at the end of the stream.
    func readMore(to limit: Int) throws(CommandFailure) -> Bool {
        if buffer.count - start - count < ByteStream.readSize {
            // Bytes are moved when at least as many were removed.
            if start >= max(count, ByteStream.readSize) { move() } else { resize(to: 2 * buffer.count) }
        }
        let free = UnsafeMutableRawBufferPointer(rebasing: buffer[(start + count)...].prefix(max(1, limit + 1 - count)))
        let added = try stream.read(into: free)
        count += added
        return added > 0
    }

    /// Returns the places of the first and the last line end from an index on; nil if there is none.
    func lineFeeds(from start: Int) -> (first: Int, last: Int)? {
        let added = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let first = added.firstLineFeed, let last = added.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        return (start + first, start + last)
    }

    /// Returns the first bytes as a block of lines, and removes them.
    func take(_ size: Int) -> RowBlock {
        let first = position.line + 1
        let data = Data(bytes[..<size])
        skip(size)
        return RowBlock(
            content: .lines(data), name: name, firstLine: first, end: position, bytesRead: stream.bytesRead)
    }

    /// Returns a block without bytes for rows that are read already, and removes the first bytes.
    /// - Parameter isWhole: whether the next byte begins a row.
    func mark(_ content: RowBlock.Content, skipping size: Int, isWhole: Bool, line: Int? = nil) -> RowBlock {
        let first = line ?? position.line + 1
        skip(size)
        return RowBlock(
            content: content, name: name, firstLine: first, end: isWhole ? position : nil, bytesRead: stream.bytesRead)
    }

    /// Removes all bytes, which belong to a line that is skipped; the block has no rows.
    func dropAll() -> RowBlock { mark(.files([]), skipping: count, isWhole: true) }

    /// Gives the place the number of its file.
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
