// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

/// Compression of messages with the extension permessage-deflate (RFC 7692).
public struct WebSocketCompression: Sendable, Hashable {
    /// Whether the client offers the extension.
    let isOffered: Bool
    /// Whether messages may refer to earlier ones.
    let keepsContext: Bool

    /// No compression. The client offers no extension.
    public static let disabled = WebSocketCompression(isOffered: false, keepsContext: false)

    /// Offers compression to the server. See ``TrustedWebSocket/isCompressed`` for the server's choice.
    ///
    /// If the server accepts the offer, both sides may compress messages. The client compresses messages of at least 64
    /// bytes. The size of a compressed message reveals something about its content: don't compress a secret together
    /// with text that an attacker chooses.
    /// - Parameter keepsContext: whether a message may refer to earlier ones. This compresses small messages better, and
    ///   takes about 300 KB of memory for each WebSocket. The default is true.
    public static func deflate(keepsContext: Bool = true) -> WebSocketCompression {
        WebSocketCompression(isOffered: true, keepsContext: keepsContext)
    }
}

#endif
