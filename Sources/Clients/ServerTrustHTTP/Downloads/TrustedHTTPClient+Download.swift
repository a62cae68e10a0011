// SPDX-License-Identifier: Apache-2.0

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
    /// The bytes are received into `PATH.part`. The path itself gets a file in one step, when all bytes are there, have the expected digest and
    /// are on the disk; a file of that name is replaced. So no reader sees a part of a file under the path, also after a crash.
    ///
    /// A download that breaks off or is canceled leaves its part and a note about it (`PATH.part.info`) if it can be continued, see
    /// ``DownloadOptions/resumes``; otherwise nothing. Compression isn't asked for. Redirects are followed as for every request, and never from
    /// `https` to `http`.
    ///
    /// Not checked: that a server sends the same bytes under the same entity tag. Only ``DownloadOptions/sha256`` proves that the parts of
    /// different attempts belong together.
    /// - Parameters:
    ///   - request: a `GET` without a body.
    ///   - path: the path of the file; its folder exists.
    ///   - options: limits, digest, permissions and progress.
    ///   - timeout: for the head of the response, redirects included; 60 seconds unless given.
    ///   - bodyTimeout: the longest time from the head to the end of the file; ``TrustedHTTPConfiguration/bodyTimeout`` unless given.
    ///   - logger: gets the messages about the request; nothing is logged unless given.
    /// - Throws: ``DownloadError``; the errors of ``execute(_:deadline:bodyTimeout:logger:)``.
    public func download(
        _ request: HTTPClientRequest, to path: String, options: DownloadOptions = DownloadOptions(),
        timeout: Duration = .seconds(60), bodyTimeout: Duration? = nil, logger: Logger? = nil
    ) async throws -> DownloadedFile {
        let deadline = NIODeadline.now() + TimeAmount(clamping: timeout)
        try Download.check(request, path, options)
        let part = try await NIOThreadPool.singleton.runIfActive {
            try PartialFile(path, permissions: options.permissions)
        }
        let download = Download(request, part, options) {
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
