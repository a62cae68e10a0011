// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS

/// What stands between a lab server's socket and its answers.
enum LabPipeline {
    static func configure(
        _ channel: any Channel, _ conduct: LabScenario.Conduct, _ context: NIOSSLContext, _ answer: LabAnswer,
        _ counter: LabCounter
    ) -> EventLoopFuture<Void> {
        do {
            let pipeline = channel.pipeline.syncOperations
            if conduct == .speaksNoTLS {
                try pipeline.addHandler(PlainAnswer())
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            if conduct == .cutsHandshakeOff { try pipeline.addHandler(HandshakeCut()) }
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
            try pipeline.addHandler(RequestBytes(counter))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return channel.configureCommonHTTPServerPipeline { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(
                    Answering(answer, counter, connection: channel, isHTTP2: stream !== channel))
            }
        }
    }

    /// Closes the socket now, without TLS's farewell, for which a peer may be waited for.
    static func abort(_ channel: any Channel) {
        channel.eventLoop.execute {
            // From below the TLS handler, so that it doesn't see the close coming.
            if let context = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
                context.close(promise: nil)
            } else {
                channel.close(promise: nil)
            }
        }
    }
}

/// Counts what comes out of TLS.
private final class RequestBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let counter: LabCounter

    init(_ counter: LabCounter) { self.counter = counter }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytes
        counter.withLockedValue { $0.requestBytes += bytes }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            let tls = try? context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
            let hasCertificate = tls?.peerCertificate != nil
            counter.withLockedValue {
                $0.handshakes += 1
                if hasCertificate { $0.clientCertificates += 1 }
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Refusals are what the lab is for: the peer's alert ends the connection and needs no word.
        context.close(promise: nil)
    }
}

/// Answers each request, over HTTP/1.1 on the connection or over HTTP/2 on a stream of it.
private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: LabAnswer
    private let counter: LabCounter
    private let connection: any Channel
    private let isHTTP2: Bool
    private var head: HTTPRequestHead?
    /// The chunk that waits for its time; it must not outlive the connection.
    private var nextChunk: Scheduled<Void>?

    init(_ answer: LabAnswer, _ counter: LabCounter, connection: any Channel, isHTTP2: Bool) {
        self.answer = answer
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
            if let challenge = answer.challenge,
                !challenge.accepts(head.headers.first(name: "authorization"), method: head.method.rawValue)
            {
                let headers = challenge.headers.map { (name: "www-authenticate", value: $0) }
                send(LabAnswer(status: 401, headers: headers, chunks: ["who is there?\n"]), to: head, context)
            } else {
                send(answer, to: head, context)
            }
        }
    }

    private func send(_ answer: LabAnswer, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        let length = answer.chunks.reduce(0) { $0 + $1.utf8.count } + answer.missingBytes
        headers.add(name: "content-length", value: String(length))
        let head = HTTPResponseHead(
            version: request.version, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        sendChunks(request.method == .HEAD ? [] : answer.chunks[...], of: answer, context)
    }

    private func sendChunks(_ chunks: ArraySlice<String>, of answer: LabAnswer, _ context: ChannelHandlerContext) {
        guard let chunk = chunks.first else { return finish(answer, context) }
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let write: @Sendable () -> Void = {
            let (handler, context) = loopBound.value
            let buffer = context.channel.allocator.buffer(string: chunk)
            context.writeAndFlush(handler.wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
            handler.sendChunks(chunks.dropFirst(), of: answer, context)
        }
        if answer.pause > .nanoseconds(0) {
            nextChunk = context.eventLoop.scheduleTask(in: answer.pause, write)
        } else {
            write()
        }
    }

    private func finish(_ answer: LabAnswer, _ context: ChannelHandlerContext) {
        guard answer.missingBytes == 0 else {
            // The whole connection, so that HTTP/2 is cut off as HTTP/1.1 is.
            connection.close(promise: nil)
            return
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) { nextChunk?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Answers whatever comes, a ClientHello as a rule, in plain HTTP.
private final class PlainAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)))
            .whenComplete { _ in loopBound.value.close(promise: nil) }
    }
}

/// Lets the first bytes of the server's first flight through, and closes.
private final class HandshakeCut: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let length = 60
    private var isCut = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var buffer = unwrapOutboundIn(data)
        guard !isCut, let start = buffer.readSlice(length: min(Self.length, buffer.readableBytes)) else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        isCut = true
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(start)).whenComplete { _ in loopBound.value.close(promise: nil) }
        promise?.succeed()
    }
}
