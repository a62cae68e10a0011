// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustNIO

// async-http-client assumes plain HTTP. Two handlers ensure that its bytes never leave the process unencrypted, one on
// each side of TLS. Each handler is sufficient, so the protection doesn't depend on async-http-client.

/// A handler above TLS that blocks all writes until TLS is established and the verdict is good.
///
/// It removes itself once it allows writes, because every later request would pass through it for nothing.
final class TrustGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    private let host: Hostname
    private var isTrusted = false
    private var isOpen = false

    init(host: Hostname) { self.host = host }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let server as EvaluatedServer: isTrusted = server.host == host && server.verdict.isTrusted
        case TLSUserEvent.handshakeCompleted: isOpen = isTrusted
        default: break
        }
        context.fireUserInboundEventTriggered(event)
        if isOpen { context.pipeline.syncOperations.removeHandler(context: context, promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOpen else { return context.refuseToSend(promise, host) }
        context.write(data, promise: promise)
    }
}

/// A handler below TLS that blocks everything except TLS records (RFC 8446 § 5.1, RFC 5246 § 6.2.1).
final class RecordsOnly: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private let host: Hostname

    init(host: Hostname) { self.host = host }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard Self.beginsRecord(unwrapOutboundIn(data)) else { return context.refuseToSend(promise, host) }
        context.write(data, promise: promise)
    }

    /// Whether the bytes begin with the head of a record.
    ///
    /// NIOSSL writes whole records, one or several at a time, so each write begins with a head.
    private static func beginsRecord(_ bytes: ByteBuffer) -> Bool {
        guard bytes.readableBytes > 0 else { return true }
        guard bytes.readableBytes >= 5, let type: UInt8 = bytes.getInteger(at: bytes.readerIndex),
            let major: UInt8 = bytes.getInteger(at: bytes.readerIndex + 1)
        else { return false }
        // Types 20 to 23 are change_cipher_spec, alert, handshake and application_data.
        return (20...23).contains(type) && major == 3
    }
}

extension ChannelHandlerContext {
    fileprivate func refuseToSend(_ promise: EventLoopPromise<Void>?, _ host: Hostname) {
        let error = ConnectionFailure(.connectionSentTooEarly, host: host)
        promise?.fail(error)
        fireErrorCaught(error)
        close(promise: nil)
    }
}

/// Detects the protocol that the server selects in ALPN.
///
/// Add the handler above ``TrustGate``. It removes itself if the server selects HTTP/1.1. Otherwise, it keeps the
/// server's bytes away from async-http-client's handlers, which expect HTTP/1.1, until the connection is closed.
final class ProtocolSelection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Whether the server has selected HTTP/2.
    private(set) var isHTTP2 = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard case .handshakeCompleted(let negotiated) = event as? TLSUserEvent else { return }
        isHTTP2 = negotiated == "h2"
        if !isHTTP2 { context.pipeline.syncOperations.removeHandler(context: context, promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isHTTP2 { context.fireChannelRead(data) }
    }
}

#endif
