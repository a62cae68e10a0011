// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression

extension HTTPClientResponse {
    /// Names the limit in the body's error if the decoded body exceeds it. The inner client's error doesn't.
    mutating func name(_ decompression: HTTPClient.Decompression, url: String) {
        guard case .enabled(let limit) = decompression, headers.contains(name: "content-encoding") else { return }
        body = .stream(LimitedBody(body: body, limit: limit, url: url))
    }
}

/// A body whose error says which limit the decoded bytes exceed.
private struct LimitedBody: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let limit: NIOHTTPDecompression.DecompressionLimit
    let url: String

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: HTTPClientResponse.Body.AsyncIterator
        let limit: NIOHTTPDecompression.DecompressionLimit
        let url: String

        mutating func next() async throws -> ByteBuffer? {
            do { return try await body.next() } catch NIOHTTPDecompression.DecompressionError.limit {
                // The limit is a private member, for example `ratio(20)`.
                let value = Mirror(reflecting: limit).children.first.map { "\($0.value)" } ?? "\(limit)"
                throw TrustedHTTPError(.decompressionLimitExceeded, url: url, detail: "the limit is \(value)")
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), limit: limit, url: url)
    }
}

#endif
