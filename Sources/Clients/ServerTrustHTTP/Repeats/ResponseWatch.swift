// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Notices the first byte of a response. Stands below the decoder, which keeps the bytes of a head that isn't complete.
final class ResponseWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Whether bytes have come since this was set to false.
    var hasBytes = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasBytes = true
        context.fireChannelRead(data)
    }
}
