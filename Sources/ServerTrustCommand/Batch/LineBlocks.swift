// SPDX-License-Identifier: Apache-2.0

import Foundation
import TrustSupport

/// A block of whole lines, or the place of a line that is too long.
enum LineBlock: Sendable {
    case lines(Data)
    case tooLong

    var size: Int {
        switch self {
        case .lines(let data): data.count
        case .tooLong: 0
        }
    }
}

extension Data {
    /// Returns slices of the lines that are not blank, that is, of JSON's white space alone.
    func lines() -> [Data] {
        // `split` reads each byte through several calls and costs more than parsing the JSON.
        let ranges = withUnsafeBytes { bytes in
            var ranges: [Range<Int>] = []
            var position = 0
            while let start = bytes[position...].firstIndex(where: { !Self.isWhiteSpace($0) }) {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                position = start + (rest.firstLineFeed ?? rest.count)
                ranges.append(start..<position)
            }
            return ranges
        }
        return ranges.map { self[startIndex + $0.lowerBound..<startIndex + $0.upperBound] }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var firstLineFeed: Int? {
        guard let baseAddress else { return nil }
        return memchr(baseAddress, Int32(UInt8(ascii: "\n")), count).map { UnsafeRawPointer($0) - baseAddress }
    }
}

/// A reader of blocks of whole lines from a descriptor.
///
/// A block is complete as soon as a read contains the end of a line: a client that waits for each answer gets it, and the blocks
/// of a client that sends without pause have the size of a read.
final class LineBlockReader {
    /// The size of a read in bytes: the capacity of a pipe, and a dozen requests.
    private static let readSize = 64 << 10

    private let descriptor: FileDescriptor
    private let maximumLineSize: Int
    /// Memory that is not initialized: an array would be filled with zeros before each read.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * readSize, alignment: 1)
    /// The number of bytes in ``buffer`` that belong to no block yet.
    private var count = 0
    /// Whether the rest of a line that is too long is being skipped.
    private var isSkipping = false

    init(descriptor: Int32, maximumLineSize: Int) {
        self.descriptor = FileDescriptor(rawValue: descriptor)
        self.maximumLineSize = maximumLineSize
    }

    deinit { buffer.deallocate() }

    /// Returns the next block; nil at the end.
    func next() throws(CommandFailure) -> LineBlock? {
        while true {
            if buffer.count - count < Self.readSize { resize(to: 2 * buffer.count) }
            let start = count
            count += try read()
            guard count > start else {
                defer { count = 0 }
                return count == 0 ? nil : .lines(Data(buffer[..<count]))
            }
            let added = UnsafeRawBufferPointer(rebasing: buffer[start..<count])
            guard let first = added.firstLineFeed, let last = added.lastIndex(of: UInt8(ascii: "\n")) else {
                if isSkipping {
                    count = 0
                } else if count > maximumLineSize {
                    isSkipping = true
                    keep(from: count)
                    return .tooLong
                }
                continue
            }
            let block = LineBlock.lines(Data(buffer[(isSkipping ? start + first : 0)..<(start + last)]))
            isSkipping = false
            keep(from: start + last + 1)
            return block
        }
    }

    /// Moves the remaining bytes to the front, and frees the memory of a giant line.
    private func keep(from start: Int) {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<count])
        buffer.copyMemory(from: rest)
        count = rest.count
        if buffer.count > 1 << 20, count < Self.readSize { resize(to: 2 * Self.readSize) }
    }

    private func resize(to size: Int) {
        let resized = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        resized.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        buffer.deallocate()
        buffer = resized
    }

    private func read() throws(CommandFailure) -> Int {
        do throws(SystemError) {
            return try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        } catch {
            throw CommandFailure("standard input: \(error)")
        }
    }
}
