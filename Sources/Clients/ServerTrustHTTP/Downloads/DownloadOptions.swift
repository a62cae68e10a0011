// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

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

#endif
