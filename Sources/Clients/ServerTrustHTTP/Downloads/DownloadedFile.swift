// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import ServerTrustNIO

/// A file that was downloaded whole.
public struct DownloadedFile: Sendable {
    /// The path that was given.
    public let path: String
    /// The size of the file.
    public let byteCount: Int
    /// The SHA-256 digest of the file, in 64 lower-case hexadecimal digits.
    public let sha256: String
    /// The bytes that an earlier attempt had received; 0 for a file that came in one.
    public let resumedBytes: Int
    /// The fields of the last response.
    public let headers: HTTPHeaders
    /// The server of the last response, with its verdict; nil for one in the clear.
    public let server: EvaluatedServer?
}
