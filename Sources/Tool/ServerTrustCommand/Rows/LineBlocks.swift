// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

extension Data {
    /// Returns slices of the lines that contain anything besides JSON's white space. Each comes with the number of line
    /// ends before it.
    func lines() -> [(line: Data, index: Int)] {
        // `split` makes several calls for each byte, and costs more than parsing the JSON.
        let ranges = withUnsafeBytes { bytes in
            var ranges: [(range: Range<Int>, index: Int)] = []
            var (position, index) = (0, 0)
            while position < bytes.count {
                if Self.isWhiteSpace(bytes[position]) {
                    if bytes[position] == UInt8(ascii: "\n") { index += 1 }
                    position += 1
                    continue
                }
                let start = position
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                position = start + (rest.firstLineFeed ?? rest.count)
                ranges.append((start..<position, index))
            }
            return ranges
        }
        return ranges.map { (self[startIndex + $0.range.lowerBound..<startIndex + $0.range.upperBound], $0.index) }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }
}

extension UnsafeRawBufferPointer {
    var firstLineFeed: Int? {
        guard let baseAddress else { return nil }
        return memchr(baseAddress, Int32(UInt8(ascii: "\n")), count).map { UnsafeRawPointer($0) - baseAddress }
    }

    /// The number of line ends.
    var lineFeeds: Int {
        var (count, rest) = (0, self)
        while let next = rest.firstLineFeed {
            count += 1
            rest = UnsafeRawBufferPointer(rebasing: rest[(next + 1)...])
        }
        return count
    }
}

/// A reader of a file's blocks, one after the other.
protocol BlockReader: AnyObject {
    /// Returns the next block, or nil at the end.
    /// - Throws: ``CommandFailure`` if the file can't be read.
    func next() throws(CommandFailure) -> RowBlock?
}

/// A reader of blocks of complete lines.
///
/// A block is complete as soon as a read contains the end of a line. So a client that waits for each answer receives
/// it, and if a client sends without pauses, blocks are as large as a read.
final class LineBlockReader: BlockReader {
    private var window: StreamWindow
    private let maximumLineSize: Int
    /// The number of bytes in the window that belong to complete lines.
    private var whole = 0
    /// Whether the reader is skipping the rest of a line that is too long.
    private var isSkipping = false
    /// Whether the stream has ended. If a file grew after its end, the second half of a line would otherwise be read as
    /// another line.
    private var hasEnded = false

    init(_ window: StreamWindow, maximumLineSize: Int) {
        self.window = window
        self.maximumLineSize = maximumLineSize
    }

    func next() throws(CommandFailure) -> RowBlock? {
        while true {
            if whole > 0 { return takeLines() }
            guard !hasEnded else { return nil }
            let start = window.count
            guard try window.readMore(to: maximumLineSize) else {
                hasEnded = true
                guard !isSkipping else {
                    isSkipping = false
                    return window.dropAll()
                }
                return window.count > 0 ? window.take(window.count) : nil
            }
            guard let (first, last) = window.lineFeeds(from: start) else {
                if isSkipping {
                    window.skip(window.count)
                } else if window.count > maximumLineSize {
                    isSkipping = true
                    return window.mark(.tooLong, skipping: window.count, isWhole: false)
                }
                continue
            }
            if isSkipping {
                isSkipping = false
                // The first read after the mark starts within the line.
                window.skip(first + 1)
                whole = last - first
                continue
            }
            whole = last + 1
        }
    }

    /// Returns a block with the first complete lines.
    private func takeLines() -> RowBlock {
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<whole])
        var (size, lines) = (0, 0)
        while lines < RowBlock.maximumRows, size < whole,
            let feed = UnsafeRawBufferPointer(rebasing: bytes[size...]).firstLineFeed
        {
            size += feed + 1
            lines += 1
        }
        whole -= size
        return window.take(size)
    }
}
