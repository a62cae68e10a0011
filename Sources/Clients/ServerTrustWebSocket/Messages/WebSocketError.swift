// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// The reason why a web socket didn't open, or ended other than with a farewell.
///
/// A refused server is a `TrustRefusal`; a connection that didn't come to a verdict is a `ConnectionFailure`.
public struct WebSocketError: TrustError, Hashable {
    /// The kind of error, for programs.
    public let code: ErrorCode
    /// The status of the server's answer, or the code of its closing frame; nil for other reasons.
    public let number: Int?
    /// The server's closing frame, for `ErrorCode.webSocketClosedWithCode`; nil for other reasons.
    public let closing: WebSocketClosing?
    /// For people; wording may change.
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
    /// The URL can't be read, or isn't one of `wss`.
    package static let webSocketUnusableURL = ErrorCode("webSocketUnusableURL")
    /// A field or a subprotocol of the request has a character that it can't have, or is one that the client sets itself.
    package static let webSocketUnusableField = ErrorCode("webSocketUnusableField")
    /// The server answers with another status than 101, or its answer doesn't fit the request (RFC 6455 § 4.1). No redirect is followed.
    public static let webSocketNotUpgraded = ErrorCode("webSocketNotUpgraded")
    /// The server's answer to the request didn't come in time.
    public static let webSocketTimedOut = ErrorCode("webSocketTimedOut")
    /// The server breaks the protocol: a masked frame, a reserved bit, text that isn't UTF-8, a message in the middle of another.
    package static let webSocketProtocolViolation = ErrorCode("webSocketProtocolViolation")
    /// A frame or a message is larger than the client takes.
    public static let webSocketTooLarge = ErrorCode("webSocketTooLarge")
    /// The connection ended without a closing frame: the last messages may be missing.
    public static let webSocketCutOff = ErrorCode("webSocketCutOff")
    /// The server closed the web socket with a code other than 1000 and 1001.
    public static let webSocketClosedWithCode = ErrorCode("webSocketClosedWithCode")
}
