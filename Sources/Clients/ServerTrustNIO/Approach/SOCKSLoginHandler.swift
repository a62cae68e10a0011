// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOSOCKS

/// The exchange of user name and password with a SOCKS 5 proxy (RFC 1929), which swift-nio-extras doesn't have.
///
/// The handler is between the socket and `SOCKSClientHandler`. It replaces the greeting of that handler, so that the
/// proxy can select the method. After the exchange, that handler learns that no authentication is required.
final class SOCKSLoginHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State { case greeting, method, login, done }

    private let login: ConnectionProxy.Login
    private var state = State.greeting
    private var received = ByteBuffer()

    init(_ login: ConnectionProxy.Login) { self.login = login }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .greeting = state else { return context.write(data, promise: promise) }
        state = .method
        // RFC 1928 § 3: version 5 and two methods, no authentication and password.
        context.write(wrapOutboundOut(ByteBuffer(bytes: [5, 2, 0, 2])), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var read = unwrapInboundIn(data)
        received.writeBuffer(&read)
        switch state {
        case .greeting, .done: passOn(context)
        case .method:
            guard received.readableBytes >= 2 else { return }
            guard received.readableBytesView.starts(with: [5, 2]) else { return passOn(context) }
            guard received.readableBytes == 2 else { return fail(SOCKSError.UnexpectedRead(), context) }
            received.clear()
            state = .login
            context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        case .login:
            guard received.readableBytes >= 2 else { return }
            // Like libcurl, this ignores the version, because some proxies send another one (§ 2).
            guard received.readableBytes == 2 else { return fail(SOCKSError.UnexpectedRead(), context) }
            guard received.readableBytesView.last == 0 else { return fail(SOCKSLoginRefused(), context) }
            received = ByteBuffer(bytes: [5, 0])
            passOn(context)
        }
    }

    /// Passes the bytes on to `SOCKSClientHandler`, which also finds the errors in them.
    private func passOn(_ context: ChannelHandlerContext) {
        state = .done
        let bytes = received
        received = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(bytes))
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    /// RFC 1929 § 2: version 1, then the lengths and bytes of user name and password.
    private var request: ByteBuffer {
        var request = ByteBuffer(bytes: [1])
        for text in [login.user, login.password] {
            request.writeInteger(UInt8(truncatingIfNeeded: text.utf8.count))
            request.writeString(text)
        }
        return request
    }
}

/// A SOCKS proxy didn't accept the user name and the password.
struct SOCKSLoginRefused: Error {}

#endif
