// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import PKIX
import ServerTrustNIO

/// An open WebSocket to a trusted server.
public struct TrustedWebSocket: Sendable {
    /// The complete messages from the server.
    ///
    /// The sequence ends normally after a closing frame from the server with the code 1000 or 1001, or without a code.
    /// Otherwise, it throws ``WebSocketError``, or `TrustRefusal` if the rules changed and now refuse the server. You can
    /// iterate it once.
    public let messages: NIOAsyncChannelInboundStream<WebSocketMessage>
    /// The subprotocol that the server has chosen, or nil for none.
    public let subprotocol: String?
    /// Whether the server has accepted the client's offer of compression.
    public let isCompressed: Bool
    /// The server, with its verdict.
    public let server: EvaluatedServer

    /// The server's closing frame, or nil before it has arrived. It has arrived when the messages end without
    /// `ErrorCode.webSocketCutOff`.
    public var closing: WebSocketClosing? { received.withLock { $0 } }

    let received: Locked<WebSocketClosing?>
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketMessage>

    /// Sends a message. Waits while the server isn't reading.
    /// - Throws: an error if the WebSocket is closed.
    public func send(_ message: WebSocketMessage) async throws { try await outbound.write(message) }

    /// Sends a text message.
    /// - Throws: an error if the WebSocket is closed.
    public func send(_ text: String) async throws { try await send(.text(text)) }
}

#endif
