// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX

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
