// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Detects the first byte of a response. Add the handler below the decoder, which retains the bytes of an incomplete
/// head.
final class ResponseWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Whether bytes have arrived since this was last set to false.
    var hasBytes = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasBytes = true
        context.fireChannelRead(data)
    }
}
