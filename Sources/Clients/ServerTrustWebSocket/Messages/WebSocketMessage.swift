// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A message of a web socket, whole.
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, which is UTF-8 on the wire.
    case text(String)
    /// Bytes.
    case binary(ByteBuffer)
}
