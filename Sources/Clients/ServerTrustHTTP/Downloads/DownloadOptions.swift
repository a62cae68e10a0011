// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOHTTP1
import PKIX
import ServerTrustNIO

/// The settings of a download to a file.
public struct DownloadOptions: Sendable {
    /// The SHA-256 digest that the file must have, in 64 hexadecimal digits. By default, the digest isn't checked.
    public var sha256: String?

    /// The size limit of the file, in bytes. The default is no limit.
    ///
    /// The download fails as soon as the server announces a larger size or the received bytes exceed the limit.
    public var maximumBytes: Int?

    /// Whether an interrupted download continues where it ended, in this process or in a later one. The default is
    /// true.
    ///
    /// A download only continues for the same URL, and only if the server identifies the file's version with a strong
    /// entity tag (RFC 9110 § 8.8.3). Both the server (`If-Range`) and the client compare the tag. Otherwise, the
    /// download starts again.
    public var resumes = true

    /// The permissions of the file, such as `0o600`. The default is `0o666` minus the umask.
    public var permissions: UInt16?

    /// A closure to call for each received part, in order, on an unspecified thread. The client delivers the next part
    /// after the closure returns.
    public var progress: (@Sendable (DownloadProgress) -> Void)?

    /// Creates options with the defaults.
    public init() {}
}

/// The state of a download.
public struct DownloadProgress: Sendable, Hashable {
    /// The number of bytes received so far, including earlier attempts.
    public let receivedBytes: Int
    /// The size of the whole file in bytes. Nil if the server doesn't send it.
    public let totalBytes: Int?
}

/// A completely downloaded file.
public struct DownloadedFile: Sendable {
    /// The path that you passed.
    public let path: String
    /// The size of the file in bytes.
    public let byteCount: Int
    /// The SHA-256 digest of the file, in 64 lower-case hexadecimal digits.
    public let sha256: String
    /// The number of bytes from earlier attempts. 0 if one attempt downloaded the whole file.
    public let resumedBytes: Int
    /// The header fields of the last response.
    public let headers: HTTPHeaders
    /// The server of the last response, with its verdict. Nil if the connection was in the clear.
    public let server: EvaluatedServer?
}

/// The reason why a download didn't produce a file. An existing file with that name is unchanged.
public struct DownloadError: TrustError, Hashable {
    /// The machine-readable kind of error.
    public let code: ErrorCode
    /// The path that you passed.
    public let path: String
    /// The status of the response, for `ErrorCode.downloadStatus`.
    public let status: UInt?
    /// A human-readable detail. Its wording may change.
    package let detail: String

    package init(_ code: ErrorCode, path: String, status: UInt? = nil, detail: String = "") {
        self.code = code
        self.path = path
        self.status = status
        self.detail = detail
    }

    public var message: String { "\(path): \(code.name)" + (detail.isEmpty ? "" : " (\(detail))") }
}

/// The codes of ``DownloadError``.
extension ErrorCode {
    /// The request has a method other than `GET`, a body, or one of the fields `Range` and `If-Range`, which the
    /// download sets itself.
    package static let downloadUnusableRequest = ErrorCode("downloadUnusableRequest")
    /// The expected digest isn't 64 hexadecimal digits.
    package static let downloadMalformedChecksum = ErrorCode("downloadMalformedChecksum")
    /// Another download to the path is running in this or another process.
    package static let downloadInUse = ErrorCode("downloadInUse")
    /// The server's status is neither 200 nor, for the rest of a file, 206.
    public static let downloadStatus = ErrorCode("downloadStatus")
    /// The file is larger than allowed.
    public static let downloadTooLarge = ErrorCode("downloadTooLarge")
    /// The response ended before the file was complete, because the server ended it or the connection broke.
    ///
    /// The next download continues from that point if the server allows it. If a time limit passes, async-http-client
    /// throws its own error, as for other requests.
    public static let downloadIncomplete = ErrorCode("downloadIncomplete")
    /// The response contained more bytes than its head announced.
    package static let downloadTooManyBytes = ErrorCode("downloadTooManyBytes")
    /// The file's digest isn't the expected one. The download discarded the bytes.
    public static let downloadChecksumMismatch = ErrorCode("downloadChecksumMismatch")
    /// The download couldn't create, write or rename a file, or another user owns or can change the partial file.
    ///
    /// If the disk is full, the next download continues with the bytes received so far.
    package static let downloadFileSystem = ErrorCode("downloadFileSystem")
}

#endif
