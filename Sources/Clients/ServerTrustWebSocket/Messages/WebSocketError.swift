// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The reason why a web socket didn't open, or ended other than with a farewell.
///
/// A refused server is a `TrustRefusal`; a connection that didn't come to a verdict is a `ConnectionFailure`.
public struct WebSocketError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors; raw values are stable.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The URL can't be read, or isn't one of `wss`.
        case unusableURL
        /// A field or a subprotocol of the request has a character that it can't have, or is one that the client sets itself.
        case unusableField
        /// The server answers with another status than 101, or its answer doesn't fit the request (RFC 6455 § 4.1). No redirect is followed.
        case notUpgraded
        /// The server's answer to the request didn't come in time.
        case timedOut
        /// The server breaks the protocol: a masked frame, a reserved bit, text that isn't UTF-8, a message in the middle of another.
        case protocolViolation
        /// A frame or a message is larger than the client takes.
        case tooLarge
        /// The connection ended without a closing frame: the last messages may be missing.
        case cutOff
        /// The server closed the web socket with a code other than 1000 and 1001.
        case closedWithCode
    }

    /// The kind of error.
    public let reason: Reason
    /// The status of the server's answer, or the code of its closing frame; nil for other reasons.
    public let code: Int?
    /// The server's closing frame, for ``Reason/closedWithCode``; nil for other reasons.
    public let closing: WebSocketClosing?
    /// For people; wording may change.
    package let detail: String

    init(_ reason: Reason, code: Int? = nil, detail: String = "") {
        self.reason = reason
        self.code = code
        self.closing = nil
        self.detail = detail
    }

    init(_ closing: WebSocketClosing) {
        self.reason = .closedWithCode
        self.code = closing.code
        self.closing = closing
        self.detail = closing.reason.escapingUnprintable
    }

    public var description: String {
        reason.rawValue + (code.map { " \($0)" } ?? "") + (detail.isEmpty ? "" : " (\(detail))")
    }
}
