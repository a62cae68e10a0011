// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrustNIO

/// A web socket that is open, to a server that is trusted.
public struct TrustedWebSocket: Sendable {
    /// The messages of the server, whole. It throws ``WebSocketError`` if the socket ends without a farewell, and ends with one. It can be
    /// iterated once.
    public let messages: NIOAsyncChannelInboundStream<WebSocketMessage>
    /// The subprotocol that the server has chosen; nil for none.
    public let subprotocol: String?
    /// The server, with its verdict.
    public let server: EvaluatedServer

    /// The server's closing frame; nil before it has come. It has come when the messages have ended without `ErrorCode.webSocketCutOff`.
    public var closing: WebSocketClosing? { received.withLock { $0 } }

    let received: Locked<WebSocketClosing?>
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketMessage>

    /// Sends a message; waits while the server doesn't read.
    /// - Throws: an error if the socket is closed.
    public func send(_ message: WebSocketMessage) async throws { try await outbound.write(message) }

    /// Sends a text.
    /// - Throws: an error if the socket is closed.
    public func send(_ text: String) async throws { try await send(.text(text)) }
}
