// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX
import ServerTrust

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
