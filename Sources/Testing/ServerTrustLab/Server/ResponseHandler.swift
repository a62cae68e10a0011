// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import NIOHTTP1

/// Sends the response to each request, over HTTP/1.1 on the connection or over HTTP/2 on one of its streams.
final class ResponseHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let response: LabResponse
    private let counter: LabCounter
    private let connection: any Channel
    private let isHTTP2: Bool
    private var head: HTTPRequestHead?
    /// A delayed chunk. It is canceled with the connection.
    private var nextChunk: Scheduled<Void>?

    init(_ response: LabResponse, _ counter: LabCounter, connection: any Channel, isHTTP2: Bool) {
        self.response = response
        self.counter = counter
        self.connection = connection
        self.isHTTP2 = isHTTP2
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            counter.withLockedValue {
                $0.requests += 1
                if isHTTP2 { $0.http2Requests += 1 }
            }
        case .body: break
        case .end:
            guard let head else { return }
            self.head = nil
            if let challenge = response.challenge,
                !challenge.accepts(head.headers.first(name: "authorization"), method: head.method.rawValue)
            {
                let headers = challenge.headers.map { (name: "www-authenticate", value: $0) }
                send(LabResponse(status: 401, headers: headers, chunks: ["who is there?\n"]), to: head, context)
            } else {
                send(response, to: head, context)
            }
        }
    }

    private func send(_ response: LabResponse, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
        let length = response.chunks.reduce(0) { $0 + $1.utf8.count } + response.missingBytes
        headers.add(name: "content-length", value: String(length))
        let head = HTTPResponseHead(
            version: request.version, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        sendChunks(request.method == .HEAD ? [] : response.chunks[...], of: response, context)
    }

    private func sendChunks(_ chunks: ArraySlice<String>, of response: LabResponse, _ context: ChannelHandlerContext) {
        guard let chunk = chunks.first else { return finish(response, context) }
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let write: @Sendable () -> Void = {
            let (handler, context) = loopBound.value
            let buffer = context.channel.allocator.buffer(string: chunk)
            context.writeAndFlush(handler.wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
            handler.sendChunks(chunks.dropFirst(), of: response, context)
        }
        if response.pause > .nanoseconds(0) {
            nextChunk = context.eventLoop.scheduleTask(in: response.pause, write)
        } else {
            write()
        }
    }

    private func finish(_ response: LabResponse, _ context: ChannelHandlerContext) {
        guard response.missingBytes == 0 else {
            // Closes the whole connection, so that HTTP/2 is cut off like HTTP/1.1.
            connection.close(promise: nil)
            return
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) { nextChunk?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

#endif
