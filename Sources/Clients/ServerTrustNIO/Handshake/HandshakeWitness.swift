// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore

/// A handler below TLS that keeps the parts of the server's bytes that explain a failed handshake. It changes nothing,
/// and leaves the pipeline when TLS is established.
final class HandshakeWitness: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private(set) var records = ServerRecords()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        records.read(unwrapInboundIn(data).readableBytesView)
        context.fireChannelRead(data)
    }
}

#endif
