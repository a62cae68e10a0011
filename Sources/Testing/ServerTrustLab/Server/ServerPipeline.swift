// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS

/// The channel handlers for a lab server's connection.
enum ServerPipeline {
    static func configure(
        _ channel: any Channel, _ behavior: LabScenario.HandshakeBehavior, _ certificates: LabCertificates,
        _ context: NIOSSLContext, _ response: LabResponse, _ counter: LabCounter
    ) -> EventLoopFuture<Void> {
        do {
            let pipeline = channel.pipeline.syncOperations
            switch behavior {
            case .normal: break
            case .closesDuringHandshake: try pipeline.addHandler(HandshakeTruncationHandler())
            case .plainHTTP:
                try pipeline.addHandler(PlainHTTPHandler())
                return channel.eventLoop.makeSucceededVoidFuture()
            case .sends(let flight):
                try pipeline.addHandler(FlightHandler(flight.bytes(certificates.chain), closes: flight.closes))
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
            try pipeline.addHandler(RequestByteCounter(counter))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return channel.configureCommonHTTPServerPipeline { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(
                    ResponseHandler(response, counter, connection: channel, isHTTP2: stream !== channel))
            }
        }
    }
}

/// Counts the decrypted bytes and the handshakes.
private final class RequestByteCounter: ChannelInboundHandler {
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
        // A client that refuses the server sends an alert, which is expected.
        context.close(promise: nil)
    }
}

#endif
