// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import AsyncHTTPClient
import Decompression
import NIOCore
import NIOHTTP1

extension HTTPClientResponse {
    /// Replaces the body with the decoded body, if there is a body and its codings can be decoded. The header
    /// fields don't change.
    ///
    /// Reading the body throws ``ContentDecodingError`` if it is damaged or cut off. A body without any bytes is
    /// empty, not cut off.
    /// - Parameter method: the method of the request.
    mutating func decodeBody(after method: HTTPMethod) {
        guard ContentCoding.hasBody(status, after: method) else { return }
        for coding in ContentCoding.codings(headers["content-encoding"]).reversed() {
            body = .stream(DecodedBody(body: body, coding: coding))
        }
    }
}

/// A body with one of its content codings removed, in pieces of at most 64 KiB.
private struct DecodedBody: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let coding: ContentCoding

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var body: HTTPClientResponse.Body.AsyncIterator
        fileprivate let decoder: BodyDecoder

        mutating func next() async throws -> ByteBuffer? {
            var hasAdded = false
            while true {
                if let piece = try decoder.next() { return piece }
                if hasAdded {
                    // A few bytes of nested codings can expand to terabytes that decode to nothing, without any
                    // network traffic. This check gives time limits and other tasks a turn.
                    try Task.checkCancellation()
                    await Task.yield()
                }
                guard let bytes = try await body.next() else {
                    try decoder.end()
                    return nil
                }
                decoder.add(bytes)
                hasAdded = true
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), decoder: BodyDecoder(coding))
    }
}

/// A decoder that decodes the available bytes. A small piece can decode to a thousand times its size. So the caller
/// takes one piece of output at a time, and stops when it has enough.
private final class BodyDecoder {
    private let coding: ContentCoding
    /// nil until the body's first bytes are available.
    private var decompressor: Decompressor?
    private var input = ByteBuffer()
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
    /// Whether the decompressor may have more output without more input.
    private var isFull = false

    init(_ coding: ContentCoding) { self.coding = coding }

    deinit { output.deallocate() }

    /// Adds bytes. Call this method when ``next()`` has returned nil.
    func add(_ bytes: ByteBuffer) {
        // At most one byte from the start of the body is left.
        guard input.readableBytes > 0 else { return input = bytes }
        input.writeImmutableBuffer(bytes)
    }

    /// - Returns: the next decoded bytes, or nil if the decoder needs more input.
    func next() throws -> ByteBuffer? {
        guard let decompressor = try started() else { return nil }
        while input.readableBytes > 0 || (isFull && !decompressor.isAtBoundary) {
            let (taken, written) = try run(decompressor)
            isFull = written == output.count
            if written > 0 { return ByteBuffer(bytes: UnsafeRawBufferPointer(rebasing: output[..<written])) }
            guard taken > 0 || input.readableBytes == 0 else {
                throw ContentDecodingError.damaged(decompressor.format.name, "no progress")
            }
        }
        return nil
    }

    /// - Throws: ``ContentDecodingError`` if the body can't end here.
    func end() throws {
        guard let decompressor else {
            guard input.readableBytes == 0 else { throw ContentDecodingError.truncated("\(coding)") }
            return
        }
        guard decompressor.isAtBoundary else { throw ContentDecodingError.truncated(decompressor.format.name) }
    }

    private func started() throws -> Decompressor? {
        if let decompressor { return decompressor }
        let start = input.readableBytesView.prefix(2)
        guard !start.isEmpty, let format = coding.format ?? coding.format(start) else { return nil }
        do throws(Decompressor.Problem) { decompressor = try Decompressor(format) } catch {
            throw ContentDecodingError.damaged(format.name, error.description)
        }
        return decompressor
    }

    private func run(_ decompressor: Decompressor) throws -> (taken: Int, written: Int) {
        do {
            guard input.readableBytes > 0 else { return (0, try decompressor.finish(into: output)) }
            var result = (taken: 0, written: 0)
            try input.readWithUnsafeReadableBytes { bytes in
                result = try decompressor.run(bytes, into: output)
                return result.taken
            }
            return result
        } catch let problem as Decompressor.Problem {
            throw ContentDecodingError.damaged(decompressor.format.name, problem.description)
        }
    }
}
#endif
