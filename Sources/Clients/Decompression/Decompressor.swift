// SPDX-License-Identifier: Apache-2.0

import CDecompression

/// A decompressor for streams: gzip (RFC 1952) and Zstandard (RFC 8878) with any number of members or frames, zlib (RFC
/// 1950), deflate without a header (RFC 1951), and Brotli (RFC 7932).
package final class Decompressor {
    package enum Format {
        case gzip
        case zstd
        /// Zstandard as HTTP permits it: a frame needs at most 8 MiB of memory for its window (RFC 9659 § 3).
        case zstdBody
        case zlib
        case deflate
        case brotli

        /// Returns the format of a file by its first bytes, or nil if it is neither gzip nor Zstandard. Skippable
        /// Zstandard frames can begin in sixteen ways.
        package static func of(_ start: [UInt8]) -> Format? {
            if start.starts(with: [0x1f, 0x8b]) { return .gzip }
            guard start.count >= 4 else { return nil }
            if start.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return .zstd }
            return start[0] & 0xf0 == 0x50 && start[1...3].elementsEqual([0x2a, 0x4d, 0x18]) ? .zstd : nil
        }

        /// The name, the code in C, and the library. The library is opened at run time. It is nil for zlib, which is
        /// always there.
        private var facts: (name: String, code: servertrust_compression, library: String?) {
            switch self {
            case .gzip: ("gzip", SERVERTRUST_GZIP, nil)
            case .zstd: ("Zstandard", SERVERTRUST_ZSTD, "libzstd")
            case .zstdBody: ("Zstandard", SERVERTRUST_ZSTD_BODY, "libzstd")
            case .zlib: ("zlib", SERVERTRUST_ZLIB, nil)
            case .deflate: ("deflate", SERVERTRUST_DEFLATE, nil)
            case .brotli: ("Brotli", SERVERTRUST_BROTLI, "libbrotlidec")
            }
        }

        package var name: String { facts.name }
        private var library: String? { facts.library }
        fileprivate var code: servertrust_compression { facts.code }

        /// Whether this machine has the library for the format.
        package var isAvailable: Bool { library == nil || (try? Decompressor(self)) != nil }

        fileprivate var problem: Problem {
            Problem(description: "\(name) can't be read: " + (library.map { "\($0) is not installed" } ?? "no memory"))
        }
    }

    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    package let format: Format
    private let handle: OpaquePointer
    /// Whether the input may end here.
    package private(set) var isAtBoundary = false
    /// Whether the input so far ends with a whole block of deflate. False for Zstandard and Brotli.
    package var isBetweenBlocks: Bool { servertrust_decompressor_is_between_blocks(handle) }

    /// - Throws: ``Problem`` if the machine has no library for the format.
    package init(_ format: Format) throws(Problem) {
        guard let handle = servertrust_decompressor_create(format.code) else { throw format.problem }
        self.format = format
        self.handle = handle
    }

    deinit { servertrust_decompressor_destroy(handle) }

    /// Decompresses some of the input.
    /// - Returns: the numbers of bytes read from `input` and written to `output`. If both have room, at least one
    ///   number is above 0.
    package func run(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(Problem) -> (taken: Int, written: Int) {
        guard let source = input.baseAddress, let destination = output.baseAddress else { return (0, 0) }
        var (taken, written) = (0, 0)
        let result = servertrust_decompress(
            handle, source.assumingMemoryBound(to: UInt8.self), input.count, &taken,
            destination.assumingMemoryBound(to: UInt8.self), output.count, &written)
        guard result != SERVERTRUST_DECOMPRESSION_FAILED else {
            throw Problem(description: String(cString: servertrust_decompression_error(handle)))
        }
        isAtBoundary = result == SERVERTRUST_DECOMPRESSION_AT_BOUNDARY
        return (taken, written)
    }

    /// Writes the bytes that need no further input, and returns their number.
    package func finish(into output: UnsafeMutableRawBufferPointer) throws(Problem) -> Int {
        var nothing: UInt8 = 0
        var (written, problem): (Int, Problem?) = (0, nil)
        withUnsafeBytes(of: &nothing) { byte in
            let input = UnsafeRawBufferPointer(start: byte.baseAddress, count: 0)
            do throws(Problem) { written = try run(input, into: output).written } catch { problem = error }
        }
        if let problem { throw problem }
        return written
    }
}

/// A compressor to deflate without a header (RFC 1951). Each piece ends with an empty block, so that the receiver can
/// decompress all of it.
package final class Deflater {
    private let handle: OpaquePointer

    /// Returns nil if zlib doesn't support the window, or has no memory.
    /// - Parameter windowBits: the base-2 logarithm of the window, from 9 to 15.
    package init?(windowBits: Int) {
        guard (9...15).contains(windowBits), let handle = servertrust_deflater_create(Int32(windowBits)) else {
            return nil
        }
        self.handle = handle
    }

    deinit { servertrust_deflater_destroy(handle) }

    /// Compresses some of a piece. The piece is complete when all of it was read and there is room left in `output`.
    /// - Returns: the numbers of bytes read from `input` and written to `output`. Nil if zlib fails.
    package func run(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (taken: Int, written: Int)? {
        guard let source = input.baseAddress, let destination = output.baseAddress else { return (0, 0) }
        var (taken, written) = (0, 0)
        let isGood = servertrust_deflate(
            handle, source.assumingMemoryBound(to: UInt8.self), input.count, &taken,
            destination.assumingMemoryBound(to: UInt8.self), output.count, &written)
        return isGood ? (taken, written) : nil
    }
}
