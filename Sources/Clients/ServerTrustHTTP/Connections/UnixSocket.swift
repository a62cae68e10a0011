// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX

/// Unix socket URLs for async-http-client.
enum UnixSocket {
    /// Returns `http+unix://PATH`. In the path, every byte except letters, digits, `-`, `.`, `_` and `~` is
    /// percent-encoded (RFC 3986 § 2.3).
    static func urlPrefix(of path: String) -> String {
        let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
        return path.utf8.reduce(into: "http+unix://") { text, byte in
            text += unreserved.contains(byte) ? "\(UnicodeScalar(byte))" : "%" + Hex.encode([byte]).uppercased()
        }
    }
}

#endif
