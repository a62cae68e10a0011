// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore

/// A complete WebSocket message.
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, which is UTF-8 on the wire.
    case text(String)
    /// Bytes.
    case binary(ByteBuffer)
}

#endif
