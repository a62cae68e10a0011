// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import SessionDelegates

    extension URLSession {
        /// The bytes of a response's body, as they come. As on Apple platforms, which have it in Foundation.
        ///
        /// At most 4 MiB are read ahead of the loop that takes them. An error drops the bytes that wait, except the first 256 KiB. The task is canceled with the last copy of the sequence and its iterators, and
        /// with the Swift task that waits for a byte.
        public struct AsyncBytes: AsyncSequence, Sendable {
            public typealias Element = UInt8

            /// The task that the bytes are from.
            public var task: URLSessionDataTask { source.task }

            fileprivate let source: ByteSource

            public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

            /// Takes one byte after the other. For one loop: the bytes that it has taken no other iterator gets.
            public struct AsyncIterator: AsyncIteratorProtocol {
                fileprivate let source: ByteSource
                /// Bytes that cost no waiting.
                private var piece: [UInt8] = []
                private var position = 0

                fileprivate init(source: ByteSource) { self.source = source }

                /// Returns the next byte; nil at the end.
                /// - Throws: the `URLError` that the task has ended with.
                public mutating func next() async throws -> UInt8? { try await next(isolation: nil) }

                /// Returns the next byte on the caller's actor; nil at the end. A byte that is there already costs no suspension.
                /// - Throws: the `URLError` that the task has ended with.
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

        /// Sends a request, and returns the response when its head is there. The body comes as it is read.
        ///
        /// A session without a server trust policy has all of the body before it returns, as Foundation on Linux doesn't hand it over earlier.
        /// - Parameters:
        ///   - request: the request.
        ///   - delegate: the task's own delegate, asked in the place of the session's.
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
                // Foundation never asks it about the server.
                if state == nil { UncoveredSession.report() }
                task.foundationDelegate = delegate
            }
            state?.addStream(stream, for: task)
            // A task that is canceled before it starts doesn't take it.
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

    /// A task and its stream; ends the task when nothing takes its bytes any more.
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
