// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import SessionDelegates

extension URLSession {
    /// The bytes of a response's body, as they arrive. On Apple platforms this type is part of Foundation.
    ///
    /// The session reads at most 4 MiB ahead of your loop. If an error occurs, the waiting bytes are dropped,
    /// except the first 256 KiB. The task is canceled when the last copy of the sequence and its iterators is
    /// released. Canceling a Swift task that waits for a byte also cancels it.
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8

        /// The task whose body this is.
        public var task: URLSessionDataTask { source.task }

        fileprivate let source: ByteSource

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

        /// An iterator over the bytes. Use it in one loop only: once it has returned a byte, no other iterator gets
        /// that byte.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let source: ByteSource
            /// Bytes that the iterator can return without waiting.
            private var piece: [UInt8] = []
            private var position = 0

            fileprivate init(source: ByteSource) { self.source = source }

            /// Returns the next byte, or nil at the end.
            /// - Throws: the `URLError` that ended the task.
            public mutating func next() async throws -> UInt8? { try await next(isolation: nil) }

            /// Returns the next byte on the caller's actor, or nil at the end. If the byte is already available,
            /// the call doesn't suspend.
            /// - Throws: the `URLError` that ended the task.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
                while position == piece.count {
                    guard let next = try await source.next() else { return nil }
                    piece = Array(next)
                    position = 0
                }
                defer { position += 1 }
                return piece[position]
            }
        }
    }

    /// Sends a request and returns the response as soon as its head has arrived. The body arrives while you read
    /// it.
    ///
    /// A session without a server trust policy receives the whole body before it returns, because Foundation on
    /// Linux doesn't deliver it earlier.
    /// - Parameters:
    ///   - request: the request.
    ///   - delegate: the task's own delegate, which is called instead of the session's.
    /// - Throws: the task's `URLError`.
    public func bytes(
        for request: URLRequest, delegate: (any FoundationNetworking.URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        let stream = ByteStream()
        let state = (configuration as? any TrustedSessionConfiguration)?.state
        let task = dataTask(with: request) { data, response, error in
            if state == nil {
                if let response { stream.respond(response) }
                if let data, !data.isEmpty { stream.add(data) }
            }
            stream.end(error)
        }
        if let delegate {
            // Foundation never asks this delegate about the server.
            if state == nil { UncoveredSession.report() }
            task.foundationDelegate = delegate
        }
        state?.addStream(stream, for: task)
        // Removes the stream of a task that was canceled before it started, because that task doesn't take it.
        defer { _ = state?.takeStream(for: task) }
        let source = ByteSource(task, stream)
        task.resume()
        let response = try await withTaskCancellationHandler {
            try await stream.response()
        } onCancel: {
            task.cancel()
        }
        return (AsyncBytes(source: source), response)
    }

    /// Sends a request as ``bytes(for:delegate:)`` does.
    public func bytes(
        from url: URL, delegate: (any FoundationNetworking.URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }
}

/// A task and its stream. Cancels the task when nothing reads its bytes anymore.
private final class ByteSource: Sendable {
    let task: URLSessionDataTask
    private let stream: ByteStream

    init(_ task: URLSessionDataTask, _ stream: ByteStream) {
        self.task = task
        self.stream = stream
    }

    deinit { task.cancel() }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await stream.next()
        } onCancel: {
            task.cancel()
        }
    }
}
#endif
