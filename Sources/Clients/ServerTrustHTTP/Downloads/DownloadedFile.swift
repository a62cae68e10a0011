// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOHTTP1
import ServerTrustNIO

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

#endif
