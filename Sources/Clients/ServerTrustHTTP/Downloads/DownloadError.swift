// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The reason why a download didn't become a file. A file of the name that was there before is unchanged.
public struct DownloadError: TrustError, Hashable {
    /// The kind of error, for programs.
    public let code: ErrorCode
    /// The path that was given.
    public let path: String
    /// The status of the response, for `ErrorCode.downloadStatus`.
    public let status: UInt?
    /// For people; wording may change.
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
    /// The request has another method than `GET`, a body, or the fields `Range` or `If-Range`, which are the download's own.
    package static let downloadUnusableRequest = ErrorCode("downloadUnusableRequest")
    /// The expected digest isn't 64 hexadecimal digits.
    package static let downloadMalformedChecksum = ErrorCode("downloadMalformedChecksum")
    /// Another download to the path is under way, in this process or another one.
    package static let downloadInUse = ErrorCode("downloadInUse")
    /// The server answered with another status than 200, or 206 for the rest of a file.
    public static let downloadStatus = ErrorCode("downloadStatus")
    /// The file is larger than allowed.
    public static let downloadTooLarge = ErrorCode("downloadTooLarge")
    /// The response ended before the file was whole: the server ended it, or the connection broke. The next download goes on there, if the
    /// server allows it. A limit of time that passes is async-http-client's error, as for other requests.
    public static let downloadIncomplete = ErrorCode("downloadIncomplete")
    /// The response had more bytes than its head announced.
    package static let downloadTooManyBytes = ErrorCode("downloadTooManyBytes")
    /// The file has another digest than expected. Its bytes were discarded.
    public static let downloadChecksumMismatch = ErrorCode("downloadChecksumMismatch")
    /// A file could not be made, written or renamed, or another user owns or can change the partial file. If the disk is full, the next
    /// download goes on with what was received before.
    package static let downloadFileSystem = ErrorCode("downloadFileSystem")
}
