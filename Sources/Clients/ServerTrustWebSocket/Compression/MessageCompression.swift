// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import Decompression
import NIOCore

/// Compresses and decompresses the messages of one WebSocket (RFC 7692 § 7.2). Use it on the event loop.
final class MessageCompression {
    private let parameters: DeflateParameters
    private var inflater: Decompressor?
    private var deflater: Deflater?
    /// Whether the message that is arriving is compressed. Its first frame sets this.
    var isCompressed = false

    /// The smallest message to compress, in bytes. Smaller ones hardly shrink.
    private static let minimumSize = 64
    /// The largest number of times that deflate's data may end within a message.
    private static let maximumRestarts = 16
    /// The end of each message's data, which isn't sent.
    private static let tail: [UInt8] = [0, 0, 0xff, 0xff]

    init(_ parameters: DeflateParameters) { self.parameters = parameters }

    /// Returns a message without its compression. Stops at the limit, whatever the message's compressed size is.
    /// - Parameter limit: the largest size of the result, in bytes.
    /// - Throws: ``WebSocketError``. Don't decompress further messages after an error.
    func inflate(_ message: ByteBuffer, limit: Int) throws(WebSocketError) -> ByteBuffer {
        // Python's zlib doesn't write the byte that an empty message has (RFC 7692 § 7.2.3.6).
        guard message.readableBytes > 0 else { return message }
        var input = message
        input.writeBytes(Self.tail)
        var output = ByteBuffer()
        let step = min(max(4 * message.readableBytes, 256), 64 << 10)
        var restarts = 0
        var isBetweenBlocks = false
        do {
            while true {
                let decompressor = try inflater ?? Decompressor(.deflate)
                inflater = decompressor
                let (taken, written) = try Self.move(&input, &output, room: step) { bytes, space in
                    bytes.isEmpty
                        ? (0, try decompressor.finish(into: space)) : try decompressor.run(bytes, into: space)
                }
                // Without progress, zlib forgets it.
                if taken > 0 || written > 0 { isBetweenBlocks = decompressor.isBetweenBlocks }
                guard output.readableBytes <= limit else {
                    throw WebSocketError(.webSocketTooLarge, detail: "a compressed message")
                }
                if decompressor.isAtBoundary {
                    // A sender may end deflate's data within a message. Other data follows (RFC 7692 § 7.2.3.5).
                    // Each time costs memory, whatever the size of the data.
                    inflater = nil
                    restarts += 1
                    guard input.readableBytes > 0, restarts <= Self.maximumRestarts else {
                        throw Self.damaged("too many ends")
                    }
                } else if written < step, input.readableBytes == 0 {
                    guard isBetweenBlocks else { throw Self.damaged("no end") }
                    break
                } else if taken == 0, written == 0 {
                    throw Self.damaged("no progress")
                }
            }
        } catch let error as WebSocketError {
            throw error
        } catch {
            throw Self.damaged("\(error)")
        }
        if !parameters.serverKeepsContext { inflater = nil }
        return output
    }

    /// Returns a compressed message, or nil if the message should be sent without compression.
    func deflate(_ message: ByteBuffer) -> ByteBuffer? {
        // zlib supports no window of 8 bits. A client may send all messages without compression (RFC 7692 § 6).
        guard (Self.minimumSize...Int(Int32.max)).contains(message.readableBytes),
            let deflater = self.deflater ?? Deflater(windowBits: parameters.clientWindowBits)
        else { return nil }
        self.deflater = parameters.clientKeepsContext ? deflater : nil
        var input = message
        var output = ByteBuffer()
        let step = 16 << 10
        var isFull = true
        while input.readableBytes > 0 || isFull {
            var isGood = false
            let (_, written) = Self.move(&input, &output, room: step) { bytes, space in
                let moved = deflater.run(bytes, into: space)
                isGood = moved != nil
                return moved ?? (0, 0)
            }
            guard isGood else {
                // The receiver's context no longer matches.
                self.deflater = nil
                return nil
            }
            isFull = written == step
        }
        guard output.readableBytesView.suffix(4).elementsEqual(Self.tail) else {
            self.deflater = nil
            return nil
        }
        output.moveWriterIndex(to: output.writerIndex - 4)
        return output
    }

    /// Reads input and writes output in one step.
    /// - Parameters:
    ///   - room: the largest number of bytes to write.
    ///   - step: returns the numbers of bytes read and written.
    private static func move(
        _ input: inout ByteBuffer, _ output: inout ByteBuffer, room: Int,
        by step: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> (taken: Int, written: Int)
    ) rethrows -> (taken: Int, written: Int) {
        var result = (taken: 0, written: 0)
        try output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            try input.readWithUnsafeReadableBytes { bytes in
                result = try step(bytes, UnsafeMutableRawBufferPointer(rebasing: space[..<room]))
                return result.taken
            }
            return result.written
        }
        return result
    }

    private static func damaged(_ detail: String) -> WebSocketError {
        WebSocketError(.webSocketProtocolViolation, detail: "a compressed message: \(detail)")
    }
}

#endif
