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

    /// Creates the body that a task was created with. Returns nil if the delegate provides it.
    init?(_ body: URLSessionTaskInternals.Body) {
        switch body {
        case .none: self = .none
        case .data(let data): self = .data(data)
        case .file(let url): self = .file(url)
        case .stream(let stream): self = .stream(BodyStream(stream))
        case .delegates: return nil
        }
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
            return .stream(Chunks(sent: sent) { .data(data) }, length: .known(Int64(data.count)))
        case .file(let url):
            guard url.isFileURL, let values = try? FileManager.default.attributesOfItem(atPath: url.path),
                let size = (values[.size] as? NSNumber)?.int64Value,
                FileManager.default.isReadableFile(atPath: url.path)
            else { throw Unreadable(url: url) }
            let chunks = Chunks(sent: sent) { InputStream(url: url).map { .stream(BodyStream($0)) } }
            return .stream(chunks, length: .known(size))
        case .stream(let stream):
            return .stream(Chunks(sent: sent) { .stream(stream) }, length: declared.map { .known($0) } ?? .unknown)
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

/// A body in chunks of 64 KiB, so that progress can be reported.
private struct Chunks: AsyncSequence, Sendable {
    enum Source {
        case data(Data)
        case stream(BodyStream)

        mutating func next() async throws -> ByteBuffer? {
            switch self {
            case .data(let rest):
                let chunk = rest.prefix(1 << 16)
                self = .data(rest.dropFirst(chunk.count))
                return chunk.isEmpty ? nil : ByteBuffer(bytes: chunk)
            case .stream(let stream): return try await stream.read(atMost: 1 << 16).map { ByteBuffer(bytes: $0) }
            }
        }
    }

    let sent: @Sendable (_ bytes: Int, _ total: Int64) -> Void
    /// Opens the body for one attempt, or returns nil if it can't be opened.
    let open: @Sendable () -> Source?

    struct AsyncIterator: AsyncIteratorProtocol {
        var source: Source?
        let sent: @Sendable (_ bytes: Int, _ total: Int64) -> Void
        var total: Int64 = 0

        mutating func next() async throws -> ByteBuffer? {
            guard source != nil else { throw BodyStream.Failure() }
            guard let chunk = try await source?.next() else { return nil }
            total += Int64(chunk.readableBytes)
            sent(chunk.readableBytes, total)
            return chunk
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: open(), sent: sent) }
}
#endif
