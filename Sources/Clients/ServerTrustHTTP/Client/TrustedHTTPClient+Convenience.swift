// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import NIOCore
import NIOHTTP1

extension TrustedHTTPClient {
    /// The largest body that is collected unless a request says otherwise: 64 MiB.
    private static let usualMaximum = 1 << 26

    /// Sends a request with a method, a URL and a body, and collects the body of the response.
    ///
    /// ```swift
    /// let response = try await client.execute(.PUT, url: "https://api.example.com/name", body: .bytes(ByteBuffer(string: "Ada")))
    /// ```
    /// - Parameters:
    ///   - method: the method; `GET` unless given.
    ///   - url: the URL, `https` or, where it is allowed, `http`.
    ///   - body: the body of the request; none unless given.
    ///   - deadline: for all of it, redirects and the body of the response included, since it is collected here; none unless given.
    ///   - maxBodySize: the largest body that is accepted, in bytes; 64 MiB unless given.
    /// - Returns: the response with its body; its history is empty.
    /// - Throws: the errors of ``execute(_:deadline:bodyTimeout:logger:)``; `NIOTooManyBytesError` for a larger body.
    public func execute(
        _ method: HTTPMethod = .GET, url: String, body: HTTPClientRequest.Body? = nil, deadline: NIODeadline? = nil,
        maxBodySize: Int? = nil
    ) async throws -> HTTPClient.Response {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.body = body
        let limits =
            deadline.map { ResponseLimits(head: $0, body: .by($0)) }
            ?? ResponseLimits(
                head: .distantFuture, body: configuration.bodyTimeout.map { .within(TimeAmount(clamping: $0)) } ?? .none
            )
        let answer = try await traced(request, limits, nil)
        let response = answer.response
        let delivered = try? RequestTarget(response.history.last?.request.url ?? url)
        return HTTPClient.Response(
            host: delivered.map { "\($0.origin.host)" } ?? "", status: response.status, version: response.version,
            headers: response.headers,
            body: try await response.body.collect(upTo: maxBodySize ?? Self.usualMaximum))
    }

    /// Sends `GET`; see ``execute(_:url:body:deadline:maxBodySize:)``.
    public func get(url: String, deadline: NIODeadline? = nil) async throws -> HTTPClient.Response {
        try await execute(.GET, url: url, deadline: deadline)
    }

    /// Sends `POST`; see ``execute(_:url:body:deadline:maxBodySize:)``.
    public func post(
        url: String, body: HTTPClientRequest.Body? = nil, deadline: NIODeadline? = nil
    ) async throws -> HTTPClient.Response {
        try await execute(.POST, url: url, body: body, deadline: deadline)
    }

    /// Sends `PATCH`; see ``execute(_:url:body:deadline:maxBodySize:)``.
    public func patch(
        url: String, body: HTTPClientRequest.Body? = nil, deadline: NIODeadline? = nil
    ) async throws -> HTTPClient.Response {
        try await execute(.PATCH, url: url, body: body, deadline: deadline)
    }

    /// Sends `PUT`; see ``execute(_:url:body:deadline:maxBodySize:)``.
    public func put(
        url: String, body: HTTPClientRequest.Body? = nil, deadline: NIODeadline? = nil
    ) async throws -> HTTPClient.Response {
        try await execute(.PUT, url: url, body: body, deadline: deadline)
    }

    /// Sends `DELETE`; see ``execute(_:url:body:deadline:maxBodySize:)``.
    public func delete(url: String, deadline: NIODeadline? = nil) async throws -> HTTPClient.Response {
        try await execute(.DELETE, url: url, deadline: deadline)
    }
}

extension TrustedHTTPClient {
    /// Sends `GET` and returns the status code and the body.
    /// - Parameters:
    ///   - url: the URL.
    ///   - timeout: for all of it, redirects and the body included.
    ///   - maximum: the largest body that is accepted, in bytes.
    /// - Throws: as ``execute(_:url:body:deadline:maxBodySize:)``.
    package func get(url: String, within timeout: Duration, maximum: Int) async throws -> (status: Int, body: [UInt8]) {
        let response = try await execute(
            .GET, url: url, deadline: .now() + TimeAmount(clamping: timeout), maxBodySize: maximum)
        return (Int(response.status.code), response.body.map { Array($0.readableBytesView) } ?? [])
    }
}
