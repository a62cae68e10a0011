// SPDX-License-Identifier: Apache-2.0

/// The reason why a download didn't become a file. A file of the name that was there before is unchanged.
public struct DownloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors; raw values are stable.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The request has another method than `GET`, a body, or the fields `Range` or `If-Range`, which are the download's own.
        case unusableRequest
        /// The expected digest isn't 64 hexadecimal digits.
        case malformedChecksum
        /// Another download to the path is under way, in this process or another one.
        case inUse
        /// The server answered with another status than 200, or 206 for the rest of a file.
        case status
        /// The file is larger than allowed.
        case tooLarge
        /// The response ended before the file was whole: the server ended it, or the connection broke. The next download goes on there, if the
        /// server allows it. A limit of time that passes is async-http-client's error, as for other requests.
        case incomplete
        /// The response had more bytes than its head announced.
        case tooManyBytes
        /// The file has another digest than expected. Its bytes were discarded.
        case checksumMismatch
        /// A file could not be made, written or renamed, or another user owns or can change the partial file. If the disk is full, the next
        /// download goes on with what was received before.
        case fileSystem
    }

    /// The kind of error.
    public let reason: Reason
    /// The path that was given.
    public let path: String
    /// The status of the response, for ``Reason/status``.
    public let status: UInt?
    /// For people; wording may change.
    package let detail: String

    init(_ reason: Reason, path: String, status: UInt? = nil, detail: String = "") {
        self.reason = reason
        self.path = path
        self.status = status
        self.detail = detail
    }

    public var description: String { "\(path): \(reason.rawValue)" + (detail.isEmpty ? "" : " (\(detail))") }
}
