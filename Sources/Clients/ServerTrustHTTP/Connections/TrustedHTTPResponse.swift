// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression
import NIOSSL
import PKIX
import ServerTrustNIO

/// The time limits for the parts of a response.
struct ResponseLimits: Sendable {
    /// The time limit for a response's body.
    enum Body: Sendable {
        case none
        /// The time is counted from the head of the response.
        case within(TimeAmount)
        case by(NIODeadline)
    }

    /// The deadline for the head of the last hop's response.
    var head: NIODeadline
    var body: Body
}

/// A response and the server that sent it.
public struct TrustedHTTPResponse: Sendable {
    /// The response as async-http-client returns it. Its history contains every hop.
    public var response: HTTPClientResponse
    let connection: Connection
    /// The number of the response on its connection.
    let number: Int
    /// The time when the client began to send the request, or nil unless
    /// ``TrustedHTTPConfiguration/timesRequests`` is set.
    package let sent: NIODeadline?
    /// Whether the whole response had arrived when its head reached the request.
    let isComplete: Bool

    /// The server at the other end of the connection, with its verdict. Nil if the connection is in the clear.
    public var server: EvaluatedServer? { connection.server }
}

// The connection, and its use for this response.
extension TrustedHTTPResponse {
    /// Whether the connection served an earlier request.
    package var isReused: Bool { number > 1 }
    /// The time when the connection was ready for its first request.
    package var established: NIODeadline { connection.established }
    /// The server's address, or the proxy's if there is a proxy.
    package var remoteAddress: SocketAddress? { connection.remoteAddress }
    package var localAddress: SocketAddress? { connection.localAddress }
    /// The version of TLS to the server, or nil if the connection is in the clear.
    package var tlsVersion: TLSVersion? { connection.tlsVersion }
}

extension TrustedHTTPResponse {
    /// Ends the response if its body isn't complete in time. Call it once, when the head has arrived.
    mutating func limitBody(_ limit: ResponseLimits.Body) {
        // Most bodies are complete by now, so there's no need to wake the event loop.
        guard !isComplete else { return }
        switch limit {
        case .none: break
        case .within(let time):
            let hasExpired = Locked(false)
            connection.end(number, at: .now() + time, hasExpired)
            // Parts of the body may still wait to be read.
            response.readBody { body in
                guard !hasExpired.withLock({ $0 }) else { throw HTTPClientError.deadlineExceeded }
                return try await body.next()
            }
        case .by(let deadline): connection.end(number, at: deadline)
        }
    }

    /// Reads the rest of a small body, so that the client can reuse the connection.
    mutating func drain(by deadline: NIODeadline) async {
        limitBody(.by(deadline))
        guard let length = response.headers.first(name: "content-length").flatMap({ Int($0) }), length <= 1 << 14
        else { return }
        // If reading fails, the connection is gone and nothing is lost.
        _ = try? await response.body.collect(upTo: length)
    }
}

extension HTTPClientResponse {
    /// Replaces the reading of the body.
    /// - Parameter read: returns the next bytes, or nil at the end.
    mutating func readBody(
        with read: @escaping @Sendable (inout HTTPClientResponse.Body.AsyncIterator) async throws -> ByteBuffer?
    ) { body = .stream(ObservedBody(body: body, read: read)) }
}

/// A body that a closure reads.
private struct ObservedBody: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let read: @Sendable (inout HTTPClientResponse.Body.AsyncIterator) async throws -> ByteBuffer?

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: HTTPClientResponse.Body.AsyncIterator
        let read: @Sendable (inout HTTPClientResponse.Body.AsyncIterator) async throws -> ByteBuffer?

        mutating func next() async throws -> ByteBuffer? { try await read(&body) }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body.makeAsyncIterator(), read: read) }
}

extension HTTPClientResponse {
    /// Names the limit in the body's error if the decoded body exceeds it. The inner client's error doesn't.
    mutating func name(_ decompression: HTTPClient.Decompression, url: String) {
        guard case .enabled(let limit) = decompression, headers.contains(name: "content-encoding") else { return }
        readBody { body in
            do { return try await body.next() } catch NIOHTTPDecompression.DecompressionError.limit {
                // The limit is a private member, for example `ratio(20)`.
                let value = Mirror(reflecting: limit).children.first.map { "\($0.value)" } ?? "\(limit)"
                throw TrustedHTTPError(.decompressionLimitExceeded, url: url, detail: "the limit is \(value)")
            }
        }
    }
}

extension Error {
    /// Whether the error means that a connection or a stream ended or broke in the middle of an exchange.
    package var isCutOff: Bool {
        switch self {
        case let error as HTTPClientError: error == .remoteConnectionClosed || error == .uncleanShutdown
        case let error as HTTPParserError: error == .invalidEOFState
        case is IOError, is ChannelError, is NIOSSLError, is BoringSSLError, is any NIOHTTP2Error,
            is HTTP2ConnectionError:
            true
        default: false
        }
    }
}

#endif
