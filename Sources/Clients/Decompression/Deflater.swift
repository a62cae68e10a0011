// SPDX-License-Identifier: Apache-2.0

import CDecompression

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
