// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import AsyncHTTPClient
import Decompression
import NIOCore
import NIOHTTP1
import ServerTrust

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

/// A content coding that a session decodes (RFC 9110 § 8.4.1).
enum ContentCoding: Sendable, Hashable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// The value of `Accept-Encoding`: the codings that this machine has a library for.
    static let accepted = "gzip, deflate" + (hasBrotli ? ", br" : "") + (hasZstandard ? ", zstd" : "")

    private static let hasBrotli = Decompressor.Format.brotli.isAvailable
    private static let hasZstandard = Decompressor.Format.zstdBody.isAvailable

    /// The largest number of codings of one body, as in libcurl.
    static let maximum = 5

    /// Parses the values of `Content-Encoding`.
    /// - Returns: the codings in the order in which the server applied them. Empty if the body has no coding, or if
    ///   not all of its codings can be decoded. The session doesn't decode such a body.
    static func codings(_ fields: [String]) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in fields.flatMap({ $0.split(separator: ",") }).map({ $0.withoutOuterSpace.asciiLowercased }) {
            switch name {
            case "", "identity": continue
            // § 8.4.1.3: both names mean the same coding.
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            // RFC 7932 § 13, RFC 8878 § 7.2.
            case "br" where hasBrotli: codings.append(.brotli)
            case "zstd" where hasZstandard: codings.append(.zstd)
            default: return []
            }
        }
        return codings.count <= maximum ? codings : []
    }

    /// Whether a response has a body (RFC 9112 § 6.3). If it has none, `Content-Encoding` describes the body of
    /// another response.
    static func hasBody(_ status: HTTPResponseStatus, after method: HTTPMethod) -> Bool {
        method != .HEAD && status.code >= 200 && status != .noContent && status != .notModified
    }

    /// The format, if it doesn't depend on the body's first bytes.
    var format: Decompressor.Format? {
        switch self {
        case .brotli: .brotli
        case .zstd: .zstdBody
        case .gzip, .deflate: nil
        }
    }

    /// Returns the format of a body with the coding `gzip` or `deflate` from its first two bytes.
    ///
    /// Servers confuse these formats. `deflate` means zlib (§ 8.4.1.2), but some servers send it without zlib's
    /// header. No encoder writes raw deflate data whose first byte looks like zlib's: the data would begin with an
    /// empty block whose padding has a bit set.
    /// - Returns: nil if there are fewer bytes.
    func format(_ start: ByteBufferView) -> Decompressor.Format? {
        guard start.count == 2, let first = start.first, let second = start.last else { return nil }
        if first == 0x1f, second == 0x8b { return .gzip }
        // RFC 1950 § 2.2: the method is 8, the window is at most 32 KiB, and the check bits make the number a
        // multiple of 31.
        let isZlib = first & 0x0f == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
        if isZlib { return .zlib }
        return self == .gzip ? .gzip : .deflate
    }
}

/// The reason why a body can't be decoded.
struct ContentDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
    enum Reason: Sendable, Hashable {
        /// The body ends too early.
        case truncated
        /// The bytes don't have the right format, or more bytes follow the end of the data.
        case damaged
    }

    let reason: Reason
    /// A description for people. The wording may change.
    let description: String

    static func truncated(_ name: String) -> ContentDecodingError {
        ContentDecodingError(reason: .truncated, description: "the body ends in the middle of \(name)")
    }

    static func damaged(_ name: String, _ detail: String) -> ContentDecodingError {
        ContentDecodingError(reason: .damaged, description: "the body is damaged (\(name)): \(detail)")
    }
}

#endif
