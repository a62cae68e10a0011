// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOTLS
import PKIX

@testable import ServerTrustLab

/// An HTTP/2 server on loopback that answers each frame of a client with scripted bytes, whether or not the protocol
/// allows them.
package final class FramePeer: Sendable {
    /// A client's frame.
    package struct Frame: Sendable {
        package static let data: UInt8 = 0
        package static let headers: UInt8 = 1
        package static let settings: UInt8 = 4

        /// The number of the connection, from 0.
        package let connection: Int
        package let type: UInt8
        package let flags: UInt8
        package let stream: UInt8
        /// The number of the request on the connection, from 0. It counts heads of requests.
        package let request: Int

        /// Whether the frame is the head of a request.
        package var isHead: Bool { type == Self.headers }
        /// Whether the frame ends the client's side of its stream.
        package var isEnd: Bool { type <= 1 && flags & 1 == 1 }
    }

    /// Returns the answer to a frame. The connection is closed after it if the flag is set.
    package typealias Answer = @Sendable (Frame) -> (bytes: [UInt8], closes: Bool)

    private let channel: any Channel
    private let state: Locked<(frames: [Frame], connections: Int, open: Int)>

    package var port: Int { channel.localAddress?.port ?? 0 }
    /// The frames of all clients, in order of arrival.
    package var frames: [Frame] { state.withLock { $0.frames } }
    package var connections: Int { state.withLock { $0.connections } }
    package var openConnections: Int { state.withLock { $0.open } }

    /// - Parameters:
    ///   - greeting: the bytes after the TLS handshake of each connection.
    ///   - answer: the answers.
    package init(
        _ certificates: LabCertificates, greeting: [UInt8] = frame(Frame.settings), _ answer: @escaping Answer
    ) async throws {
        let state = Locked<(frames: [Frame], connections: Int, open: Int)>(([], 0, 0))
        self.state = state
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                let number = state.withLock { state in
                    state.connections += 1
                    state.open += 1
                    return state.connections - 1
                }
                channel.closeFuture.whenComplete { _ in state.withLock { $0.open -= 1 } }
                return channel.eventLoop.makeCompletedFuture {
                    try certificates.addServerTLS(to: channel.pipeline.syncOperations)
                    try channel.pipeline.syncOperations.addHandler(
                        FrameHandler(number, greeting: greeting, answer) { frame in
                            state.withLock { $0.frames.append(frame) }
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    package func stop() async { try? await channel.close() }

    /// Returns a frame (RFC 9113 § 4.1).
    package static func frame(
        _ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []
    ) -> [UInt8] {
        let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
        return length + [type, flags, 0, 0, 0, stream] + payload
    }
}

private final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let number: Int
    private let greeting: [UInt8]
    private let answer: FramePeer.Answer
    private let note: (FramePeer.Frame) -> Void
    private var received: [UInt8] = []
    private var hasPreface = false
    private var requests = 0

    init(
        _ number: Int, greeting: [UInt8], _ answer: @escaping FramePeer.Answer,
        _ note: @escaping (FramePeer.Frame) -> Void
    ) {
        self.number = number
        self.greeting = greeting
        self.answer = answer
        self.note = note
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: greeting)), promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Array(buffer: unwrapInboundIn(data))
        if !hasPreface {
            guard received.count >= Self.preface.count else { return }
            received.removeFirst(Self.preface.count)
            hasPreface = true
        }
        while received.count >= 9 {
            let length = 9 + Int(received[0]) << 16 + Int(received[1]) << 8 + Int(received[2])
            guard received.count >= length else { return }
            if received[3] == FramePeer.Frame.headers { requests += 1 }
            let frame = FramePeer.Frame(
                connection: number, type: received[3], flags: received[4], stream: received[8],
                request: requests - 1)
            received.removeFirst(length)
            let (bytes, closes) = answer(frame)
            note(frame)
            let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)))
            if closes { written.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
