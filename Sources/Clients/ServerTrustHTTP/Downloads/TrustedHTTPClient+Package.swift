// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import ServerTrust

extension TrustedHTTPClient {
    /// A response to a request with the entity tag of an earlier response.
    package struct TaggedResponse: Sendable {
        /// The status code. 304 if the resource still has that tag.
        package let status: Int
        /// The body of the response.
        package let body: [UInt8]
        /// The entity tag to send with the next request (RFC 9110 § 8.8.3). Nil if the server sent none, or a malformed
        /// one.
        package let tag: String?
    }

    /// Sends `GET` for a resource, unless the resource still has a known tag.
    /// - Parameters:
    ///   - url: the URL.
    ///   - tag: the tag of an earlier response. Nil, the default, to fetch the resource in any case.
    ///   - timeout: the time limit for the whole exchange, including redirects and the body.
    ///   - maximum: the largest response body to accept, in bytes.
    /// - Throws: the errors of ``execute(_:deadline:bodyTimeout:logger:)``, and `NIOTooManyBytesError` if the body is
    ///   larger than `maximum`.
    package func get(
        url: String, unlessTagged tag: String? = nil, within timeout: Duration, maximum: Int
    ) async throws -> TaggedResponse {
        var request = HTTPClientRequest(url: url)
        if let tag { request.headers.add(name: "if-none-match", value: tag) }
        let response = try await exchange(request, completeBy: .now() + TimeAmount(clamping: timeout)).response
        let body = try await response.body.collect(upTo: maximum)
        let validators = TrustResourceValidators(entityTag: response.headers.first(name: "etag"), modified: nil)
        return TaggedResponse(
            status: Int(response.status.code), body: Array(body.readableBytesView), tag: validators?.entityTag)
    }

    /// Downloads a file with a known size and digest, and continues where an earlier download ended.
    /// - Parameters:
    ///   - url: the URL.
    ///   - path: the path of the file. Its folder must exist.
    ///   - size: the largest size to accept, in bytes.
    ///   - sha256: the digest, in 64 hexadecimal digits.
    ///   - timeout: the longest time for the body.
    /// - Throws: the errors of ``download(_:to:options:timeout:bodyTimeout:logger:)``.
    package func download(
        url: String, to path: String, size: Int, sha256: String, within timeout: Duration
    ) async throws {
        var options = DownloadOptions()
        options.sha256 = sha256
        options.maximumBytes = size
        options.permissions = 0o644
        _ = try await download(
            HTTPClientRequest(url: url), to: path, options: options, bodyTimeout: timeout)
    }
}

#endif
