// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust

extension TrustedHTTPClient {
    /// The default size limit of a collected body: 64 MiB.
    private static let usualMaximum = 1 << 26

    /// Sends a request with a method, a URL and a body, and collects the body of the response.
    ///
    /// ```swift
    /// let response = try await client.execute(.PUT, url: "https://api.example.com/name", body: .bytes(ByteBuffer(string: "Ada")))
    /// ```
    /// - Parameters:
    ///   - method: the method. The default is `GET`.
    ///   - url: the URL, with `https` or, where it is allowed, `http`.
    ///   - body: the body of the request. The default is nil.
    ///   - deadline: the deadline for the whole exchange, including redirects and the body of the response. The default
    ///     is nil.
    ///   - maxBodySize: the largest response body to accept, in bytes. The default is 64 MiB.
    /// - Returns: the response with its body. Its history is empty.
    /// - Throws: the errors of ``execute(_:deadline:bodyTimeout:logger:)``, and `NIOTooManyBytesError` if the body is
    ///   larger than `maxBodySize`.
    public func execute(
        _ method: HTTPMethod = .GET, url: String, body: HTTPClientRequest.Body? = nil, deadline: NIODeadline? = nil,
        maxBodySize: Int? = nil
    ) async throws -> HTTPClient.Response {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.body = body
        let limits =
            deadline.map { ResponseLimits(head: $0, body: .by($0)) }
            ?? ResponseLimits(head: .distantFuture, body: limit(nil))
        let answer = try await traced(request, limits, nil)
        let response = answer.response
        let delivered = try? RequestTarget(response.history.last?.request.url ?? url)
        return HTTPClient.Response(
            host: delivered.map { "\($0.origin.host)" } ?? "", status: response.status, version: response.version,
            headers: response.headers,
            body: try await response.body.collect(upTo: maxBodySize ?? Self.usualMaximum))
    }

    /// Sends `GET`. See ``execute(_:url:body:deadline:maxBodySize:)``.
    public func get(url: String, deadline: NIODeadline? = nil) async throws -> HTTPClient.Response {
        try await execute(.GET, url: url, deadline: deadline)
    }

    /// Sends `POST`. See ``execute(_:url:body:deadline:maxBodySize:)``.
    public func post(
        url: String, body: HTTPClientRequest.Body? = nil, deadline: NIODeadline? = nil
    ) async throws -> HTTPClient.Response {
        try await execute(.POST, url: url, body: body, deadline: deadline)
    }

    /// Sends `PATCH`. See ``execute(_:url:body:deadline:maxBodySize:)``.
    public func patch(
        url: String, body: HTTPClientRequest.Body? = nil, deadline: NIODeadline? = nil
    ) async throws -> HTTPClient.Response {
        try await execute(.PATCH, url: url, body: body, deadline: deadline)
    }

    /// Sends `PUT`. See ``execute(_:url:body:deadline:maxBodySize:)``.
    public func put(
        url: String, body: HTTPClientRequest.Body? = nil, deadline: NIODeadline? = nil
    ) async throws -> HTTPClient.Response {
        try await execute(.PUT, url: url, body: body, deadline: deadline)
    }

    /// Sends `DELETE`. See ``execute(_:url:body:deadline:maxBodySize:)``.
    public func delete(url: String, deadline: NIODeadline? = nil) async throws -> HTTPClient.Response {
        try await execute(.DELETE, url: url, deadline: deadline)
    }
}

#endif
