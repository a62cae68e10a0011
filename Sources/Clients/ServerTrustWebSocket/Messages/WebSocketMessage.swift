// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import PKIX
import ServerTrust

/// A complete WebSocket message.
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, which is UTF-8 on the wire.
    case text(String)
    /// Bytes.
    case binary(ByteBuffer)
}

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

/// The server's closing frame (RFC 6455 § 5.5.1).
public struct WebSocketClosing: Sendable, Hashable {
    /// The code, such as 1000 for a normal end (RFC 6455 § 7.4). Nil for a frame without a code. Not checked: whether
    /// the code is registered.
    public let code: Int?
    /// The reason in the server's words, at most 123 bytes of UTF-8. Empty for none. It may contain control characters.
    public let reason: String
}

/// The reason why a WebSocket didn't open, or didn't end normally.
///
/// Other errors have other types: `TrustRefusal` for a refused server, and `ConnectionFailure` for a connection that
/// ends without a verdict.
public struct WebSocketError: TrustError, Hashable {
    /// The machine-readable kind of error.
    public let code: ErrorCode
    /// The status of the server's response, or the code of its closing frame. Nil for other reasons.
    public let number: Int?
    /// The server's closing frame, for `ErrorCode.webSocketClosedWithCode`. Nil for other reasons.
    public let closing: WebSocketClosing?
    /// A human-readable detail. Its wording may change.
    package let detail: String

    package init(_ code: ErrorCode, number: Int? = nil, detail: String = "") {
        self.code = code
        self.number = number
        self.closing = nil
        self.detail = detail
    }

    package init(_ closing: WebSocketClosing) {
        self.code = .webSocketClosedWithCode
        self.number = closing.code
        self.closing = closing
        self.detail = closing.reason.escapingUnprintable
    }

    public var message: String {
        code.name + (number.map { " \($0)" } ?? "") + (detail.isEmpty ? "" : " (\(detail))")
    }
}

/// The codes of ``WebSocketError``.
extension ErrorCode {
    /// The URL can't be parsed, or its scheme isn't `wss`.
    package static let webSocketUnusableURL = ErrorCode("webSocketUnusableURL")
    /// A field or a subprotocol in the request contains a character that isn't allowed, or the client sets the field
    /// itself.
    package static let webSocketUnusableField = ErrorCode("webSocketUnusableField")
    /// The server's status isn't 101, or its response doesn't match the request (RFC 6455 § 4.1). The client doesn't
    /// follow redirects.
    public static let webSocketNotUpgraded = ErrorCode("webSocketNotUpgraded")
    /// The server didn't answer the request, or a ping, in time.
    public static let webSocketTimedOut = ErrorCode("webSocketTimedOut")
    /// The server broke the protocol, for example with a masked frame, a reserved bit, text that isn't UTF-8, a
    /// message in the middle of another, or a compressed message that can't be read.
    package static let webSocketProtocolViolation = ErrorCode("webSocketProtocolViolation")
    /// A frame or a message is larger than the client accepts.
    public static let webSocketTooLarge = ErrorCode("webSocketTooLarge")
    /// The connection ended without a closing frame, so the last messages may be missing.
    public static let webSocketCutOff = ErrorCode("webSocketCutOff")
    /// The server closed the WebSocket with a code other than 1000 and 1001.
    public static let webSocketClosedWithCode = ErrorCode("webSocketClosedWithCode")
}

#endif
