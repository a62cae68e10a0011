// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import AsyncHTTPClient
import Dispatch
import Foundation
import NIOCore
import PKIX

/// The body of a task, and whether it can be sent again.
enum RequestBody: Sendable {
    case none
    case data(Data)
    case file(URL)
    /// A body that can only be read once.
    case stream(BodyStream)

    /// The error for a file that is missing or can't be read.
    struct Unreadable: Error {
        let url: URL
    }

    /// Whether the body of a request can be sent again.
    var isReplayable: Bool { if case .stream = self { false } else { true } }

    /// Returns the body of one request and its retries.
    /// - Parameter sent: called with the number of bytes that are being sent, and with their sum in this attempt.
    /// - Throws: ``Unreadable``.
    func clientBody(
        length declared: Int64?, sent: @escaping @Sendable (_ bytes: Int, _ total: Int64) -> Void
    ) throws(Unreadable) -> HTTPClientRequest.Body? {
        switch self {
        case .none: return nil
        case .data(let data):
            guard !data.isEmpty else { return .bytes(ByteBuffer()) }
            let chunks = ChunkedData(data, sent)
            return .stream(chunks, length: .known(Int64(data.count)))
        case .file(let url):
            guard url.isFileURL, let values = try? FileManager.default.attributesOfItem(atPath: url.path),
                let size = (values[.size] as? NSNumber)?.int64Value,
                FileManager.default.isReadableFile(atPath: url.path)
            else { throw Unreadable(url: url) }
            let chunks = StreamChunks(sent) { InputStream(url: url).map { BodyStream($0) } }
            return .stream(chunks, length: .known(size))
        case .stream(let stream):
            return .stream(StreamChunks(sent) { stream }, length: declared.map { .known($0) } ?? .unknown)
        }
    }

    /// The length in bytes, or nil if it isn't known before the body is sent.
    var length: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file(let url):
            ((try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? NSNumber)?.int64Value
        case .stream: nil
        }
    }

    /// The whole body for Digest's `auth-int`, or nil if it can't be read without being consumed, or is a file of
    /// more than 64 MiB.
    var bytes: [UInt8]? {
        switch self {
        case .none: return []
        case .data(let data): return Array(data)
        case .file(let url):
            guard let length, length <= 64 << 20 else { return nil }
            return (try? Data(contentsOf: url)).map { Array($0) }
        case .stream: return nil
        }
    }
}

/// A stream that one reader reads from its beginning.
///
/// Proof of sendability: only code on `queue`, which is serial, uses the stream.
final class BodyStream: @unchecked Sendable {
    private let stream: InputStream
    /// Reading may block on a pipe or a disk.
    private let queue = DispatchQueue(label: "servertrust.body")
    private var isOpen = false

    init(_ stream: InputStream) { self.stream = stream }

    deinit { stream.close() }

    struct Failure: Error {}

    /// Returns the next bytes, or nil at the end.
    func read(atMost count: Int) async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                if !isOpen {
                    stream.open()
                    isOpen = true
                }
                var result = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                    result = buffer.baseAddress.map { stream.read($0, maxLength: count) } ?? 0
                    filled = max(0, result)
                }
                // Don't read `streamError`: on Linux it traps if there is no error.
                if result < 0 {
                    continuation.resume(throwing: Failure())
                } else {
                    continuation.resume(returning: bytes.isEmpty ? nil : bytes)
                }
            }
        }
    }
}

/// A stream in chunks of 64 KiB.
private struct StreamChunks: AsyncSequence, Sendable {
    let sent: @Sendable (Int, Int64) -> Void
    /// Opens the stream for one attempt, or returns nil if it can't be opened.
    let open: @Sendable () -> BodyStream?

    init(_ sent: @escaping @Sendable (Int, Int64) -> Void, open: @escaping @Sendable () -> BodyStream?) {
        self.sent = sent
        self.open = open
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let stream: BodyStream?
        let sent: @Sendable (Int, Int64) -> Void
        var total: Int64 = 0

        mutating func next() async throws -> ByteBuffer? {
            guard let stream else { throw BodyStream.Failure() }
            guard let bytes = try await stream.read(atMost: 1 << 16) else { return nil }
            total += Int64(bytes.count)
            sent(bytes.count, total)
            return ByteBuffer(bytes: bytes)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: open(), sent: sent) }
}

/// Data in chunks of 64 KiB, so that progress can be reported.
private struct ChunkedData: AsyncSequence, Sendable {
    let data: Data
    let sent: @Sendable (Int, Int64) -> Void

    init(_ data: Data, _ sent: @escaping @Sendable (Int, Int64) -> Void) {
        self.data = data
        self.sent = sent
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: Data
        let sent: @Sendable (Int, Int64) -> Void
        var total: Int64 = 0

        mutating func next() async throws -> ByteBuffer? {
            guard !rest.isEmpty else { return nil }
            let chunk = rest.prefix(1 << 16)
            rest = rest.dropFirst(chunk.count)
            total += Int64(chunk.count)
            sent(chunk.count, total)
            return ByteBuffer(bytes: chunk)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: data, sent: sent) }
}
#endif
