// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import GRPCCore
import NIOCore
import NIOHTTP2
import ServerTrust
import ServerTrustNIO

/// Guards gRPC Swift's handler of a stream. Add it as the first handler.
///
/// It ends a call whose response has no valid status. gRPC Swift ends the process for a negative one.
final class ResponseGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload

    private var order = ResponseOrder()
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        do throws(ResponseOrder.Problem) {
            switch unwrapInboundIn(data) {
            case .headers(let head):
                try order.headers(head.headers.first(name: ":status"), isEnd: head.endStream)
            case .data(let body): try order.data(isEnd: body.endStream)
            default: break
            }
        } catch {
            isOver = true
            context.fireErrorCaught(
                RPCError(code: .unavailable, message: "The server's response is malformed: \(error.text)."))
            return context.close(promise: nil)
        }
        context.fireChannelRead(data)
    }
}

extension Channel {
    /// Adds the guards of an HTTP/2 connection below gRPC Swift's handlers. Call it before TLS is added.
    func addFrameFilter() throws {
        try pipeline.syncOperations.addHandler(
            HTTP2FrameFilter { problem, context in
                context.fireErrorCaught(
                    RPCError(code: .unavailable, message: "The server violated HTTP/2: \(problem)."))
                context.closeAtOnce()
            }, position: .first)
    }
}

#endif
