// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

/// The server's closing frame (RFC 6455 § 5.5.1).
public struct WebSocketClosing: Sendable, Hashable {
    /// The code, such as 1000 for a normal end (RFC 6455 § 7.4). Nil for a frame without a code. Not checked: whether
    /// the code is registered.
    public let code: Int?
    /// The reason in the server's words, at most 123 bytes of UTF-8. Empty for none. It may contain control characters.
    public let reason: String
}

#endif
