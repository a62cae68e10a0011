// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServerTrust

extension TrustedHTTPClient {
    /// Downloads a file.
    ///
    /// ```swift
    /// var options = DownloadOptions()
    /// options.sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    /// let file = try await client.download(HTTPClientRequest(url: "https://example.com/list.tar"), to: "/var/lib/list.tar", options: options)
    /// ```
    /// The download first writes the bytes to `PATH.part`. After all bytes have arrived, it checks the digest and
    /// flushes the file to disk. Then it renames the file to the path in one step, replacing an existing file. So
    /// readers never see an incomplete file under the path, even after a crash.
    ///
    /// If a download is interrupted or canceled and can be continued (see ``DownloadOptions/resumes``), it leaves the
    /// partial file and a note about it (`PATH.part.info`). Otherwise, it leaves no files. The client doesn't request
    /// compression. It follows redirects as for every request, and never from `https` to `http`.
    ///
    /// Not checked: whether a server sends the same bytes for the same entity tag. Only ``DownloadOptions/sha256``
    /// proves that the parts from different attempts belong together.
    /// - Parameters:
    ///   - request: a `GET` request without a body.
    ///   - path: the path of the file. Its folder must exist.
    ///   - options: limits, digest, permissions and progress.
    ///   - timeout: the time limit for the head of the response, including redirects. The default is 60 seconds.
    ///   - bodyTimeout: the longest time from the head to the end of the file. The default is
    ///     ``TrustedHTTPConfiguration/bodyTimeout``.
    ///   - logger: receives the messages about the request. By default, nothing is logged.
    /// - Throws: ``DownloadError``, and the errors of ``execute(_:deadline:bodyTimeout:logger:)``.
    public func download(
        _ request: HTTPClientRequest, to path: String, options: DownloadOptions = DownloadOptions(),
        timeout: Duration = .seconds(60), bodyTimeout: Duration? = nil, logger: Logger? = nil
    ) async throws -> DownloadedFile {
        let deadline = NIODeadline.now() + TimeAmount(clamping: timeout)
        try Download.check(request, path, options)
        let part = try await NIOThreadPool.singleton.runIfActive {
            try PartialFile(path, permissions: options.permissions)
        }
        let download = Download(request: request, part: part, options: options) {
            try await self.exchange($0, deadline: deadline, bodyTimeout: bodyTimeout, logger: logger)
        }
        do {
            return try await download.run(isDecoding: configuration.decompression.isEnabled)
        } catch {
            part.close(isKept: options.resumes && Download.isResumable(error))
            throw error
        }
    }
}

extension HTTPClient.Decompression {
    fileprivate var isEnabled: Bool { if case .disabled = self { false } else { true } }
}

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
