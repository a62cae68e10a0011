// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOTLS

/// Detects the protocol that the server selects in ALPN.
///
/// Add the handler above ``TrustGate``. It removes itself if the server selects HTTP/1.1. Otherwise, it keeps the
/// server's bytes away from async-http-client's handlers, which expect HTTP/1.1, until the connection is closed.
final class ProtocolSelection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Whether the server has selected HTTP/2.
    private(set) var isHTTP2 = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard case .handshakeCompleted(let negotiated) = event as? TLSUserEvent else { return }
        isHTTP2 = negotiated == "h2"
        if !isHTTP2 { context.pipeline.syncOperations.removeHandler(context: context, promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isHTTP2 { context.fireChannelRead(data) }
    }
}

#endif
