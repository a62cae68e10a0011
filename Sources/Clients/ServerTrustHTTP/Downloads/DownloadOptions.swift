// SPDX-License-Identifier: Apache-2.0

/// The settings of a download to a file.
public struct DownloadOptions: Sendable {
    /// The SHA-256 digest that the file has to have, in 64 hexadecimal digits; not checked unless set.
    public var sha256: String?

    /// The largest file, in bytes; no limit unless set. A larger one is refused when its length is known, or when it exceeds the limit.
    public var maximumBytes: Int?

    /// Whether a download that broke off goes on where it ended, in this process or a later one. True unless set.
    ///
    /// It does so only for the same URL, and only if the server names the file's version by a strong entity tag (RFC 9110 § 8.8.3), which is
    /// compared by the server (`If-Range`) and here. Otherwise it begins anew.
    public var resumes = true

    /// The permissions of the file, such as `0o600`; `0o666` less the umask unless set.
    public var permissions: UInt16?

    /// Called on an unspecified thread for each part that was received, in order; the next part waits for it.
    public var progress: (@Sendable (DownloadProgress) -> Void)?

    /// Creates options with the defaults.
    public init() {}
}

/// The state of a download.
public struct DownloadProgress: Sendable, Hashable {
    /// The bytes of the file that are there, those of earlier attempts included.
    public let receivedBytes: Int
    /// The bytes of the whole file; nil if the server doesn't say.
    public let totalBytes: Int?
}
