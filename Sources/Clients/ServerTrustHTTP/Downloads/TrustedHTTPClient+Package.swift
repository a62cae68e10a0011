// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import ServerTrustFetching

extension TrustedHTTPClient {
    /// A response to a request that has the tag of an earlier one.
    package struct TaggedResponse: Sendable {
        /// The status code; 304 if the resource still is that of the tag.
        package let status: Int
        /// The body.
        package let body: [UInt8]
        /// The entity tag, as it is to be sent again (RFC 9110 § 8.8.3); nil if the server gives none, or one that isn't a tag.
        package let tag: String?
    }

    /// Sends `GET`, for a resource unless it is that of a tag.
    /// - Parameters:
    ///   - url: the URL.
    ///   - tag: the tag of an earlier response; nil for the resource in any case.
    ///   - timeout: for all of it, redirects and the body included.
    ///   - maximum: the largest body that is accepted, in bytes.
    /// - Throws: as ``execute(_:deadline:bodyTimeout:logger:)``; `NIOTooManyBytesError` for a larger body.
    package func get(
        url: String, unlessTagged tag: String?, within timeout: Duration, maximum: Int
    ) async throws -> TaggedResponse {
        var request = HTTPClientRequest(url: url)
        if let tag { request.headers.add(name: "if-none-match", value: tag) }
        let response = try await execute(request, completeBy: .now() + TimeAmount(clamping: timeout))
        let body = try await response.body.collect(upTo: maximum)
        let validators = TrustResourceValidators(entityTag: response.headers.first(name: "etag"), modified: nil)
        return TaggedResponse(
            status: Int(response.status.code), body: Array(body.readableBytesView), tag: validators?.entityTag)
    }

    /// Downloads a file of a known size and digest, and goes on where an earlier download ended.
    /// - Parameters:
    ///   - url: the URL.
    ///   - path: the path of the file; its folder exists.
    ///   - size: the largest size that is accepted, in bytes.
    ///   - sha256: the digest, in 64 hexadecimal digits.
    ///   - timeout: the longest time for the body.
    /// - Throws: as ``download(_:to:options:timeout:bodyTimeout:logger:)``.
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
