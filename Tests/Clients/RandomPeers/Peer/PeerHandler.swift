// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import NIOTLS

/// The server's side of a connection: follows the script, or answers correctly.
final class PeerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let run: Peer.Run
    private let number: Int
    private let isClear: Bool
    private var requests: RequestReader
    private var acts: [Act] = []
    private var isActing = false
    private var stream: UInt32 = 1
    private var accept = ""

    private init(_ run: Peer.Run, isClear: Bool) {
        self.run = run
        self.isClear = isClear
        number = run.begin()
        requests = RequestReader(isEager: run.script.isEager)
    }

    /// Adds TLS, if any, and the handler.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations, _ run: Peer.Run, _ context: NIOSSLContext?
    ) throws {
        if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
        try pipeline.addHandler(PeerHandler(run, isClear: context == nil))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if isClear, context.channel.isActive { greet(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        if isClear { greet(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let name) = event as? TLSUserEvent else { return }
        requests.isHTTP2 = name == "h2"
        greet(context)
    }

    private func greet(_ context: ChannelHandlerContext) {
        if !run.isGood {
            perform(run.script.greeting, context)
        } else if requests.isHTTP2 {
            write(Frame.settings.bytes(stream: 0), context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        run.note(bytes, number)
        let isGood = run.isGood
        for event in requests.read(bytes) {
            switch event {
            case .request(let stream, let accept):
                self.stream = stream
                self.accept = accept
                if isGood { answer(context) } else { perform(run.nextTurn(), context) }
            case .settings where isGood || run.script.acknowledges:
                write(Frame.acknowledgment.bytes(stream: 0), context)
            case .ping(let payload) where isGood:
                write(Frame(type: 6, flags: 1, payload: payload).bytes(stream: 0), context)
            case .message where !isGood: perform(run.nextTurn(), context)
            case .farewell where isGood: write([0x88, 2, 3, 0xe8], context)
            default: break
            }
        }
    }

    /// Sends a correct answer. Acts that remain from the script are dropped.
    private func answer(_ context: ChannelHandlerContext) {
        acts = []
        let body = run.script.goodBody
        switch run.script.style {
        case .grpc: write(GRPCGrammar.good.flatMap { $0.bytes(stream: stream) }, context)
        case .webSocket:
            let content = Delivery.Content.upgrade(head: WebSocketGrammar.goodHead, rest: WebSocketGrammar.hello)
            write(Delivery(content).bytes(stream: stream, accept: accept), context)
        case .http where requests.isHTTP2:
            let frames: [Frame] = [
                .headers(HPACKGrammar.plain([(":status", "200")]), isLast: false), .data(body, isLast: true),
            ]
            write(frames.flatMap { $0.bytes(stream: stream) }, context)
        case .http: write(Array("HTTP/1.1 200 OK\r\ncontent-length: \(body.count)\r\n\r\n".utf8) + body, context)
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    // MARK: - Acts

    private func perform(_ more: [Act], _ context: ChannelHandlerContext) {
        acts += more
        if !isActing { next(context) }
    }

    private func next(_ context: ChannelHandlerContext) {
        while !acts.isEmpty, context.channel.isActive {
            switch acts.removeFirst() {
            case .send(let delivery): return send(delivery.writes(stream: stream, accept: accept)[...], context)
            case .raw(let bytes):
                let lower = context.pipeline.syncOperations.belowTLS ?? context
                lower.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
            case .pause(let pause): return wait(pause, context) { $0.next($1) }
            case .close(let closing):
                acts = []
                guard closing != .notify else { return context.close(promise: nil) }
                (context.pipeline.syncOperations.belowTLS ?? context).end(closing)
            }
        }
    }

    private func send(_ writes: ArraySlice<(bytes: [UInt8], pause: Int)>, _ context: ChannelHandlerContext) {
        guard let first = writes.first else { return next(context) }
        write(first.bytes, context)
        let rest = writes.dropFirst()
        guard first.pause > 0 else { return send(rest, context) }
        wait(first.pause, context) { $0.send(rest, $1) }
    }

    private func wait(
        _ pause: Int, _ context: ChannelHandlerContext,
        _ then: @escaping @Sendable (PeerHandler, ChannelHandlerContext) -> Void
    ) {
        isActing = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(Int64(pause))) {
            let (handler, context) = bound.value
            handler.isActing = false
            then(handler, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
