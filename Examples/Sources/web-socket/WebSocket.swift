// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import PKIX
import ServerTrust
import ServerTrustTesting
import ServerTrustWebSocket

/// A WebSocket client that evaluates its server for the host: once with a server that has the pinned key, and once with
/// a server that has another key of the same CA.
///
/// The servers are real and on loopback. Their certificates are created in memory.
@main
struct WebSocketExample {
    static func main() async throws {
        let now = Time.now()
        let root = try TestAuthority.root(.authority("Our Root").with { $0.setDates(around: now) })
        let leaf = CertificateTemplate.leaf("feed.example.com").with { $0.setDates(around: now) }
        let ours = try root.issue(leaf)
        let another = try root.issue(leaf)

        var trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [
                "feed.example.com": SPKIPinsTrustEvaluator(
                    try SPKIPinSet(pins: [SPKIPin(ours.certificate)], backup: [SPKIPin(root.certificate)]), scope: .leaf
                )
            ]))
        trust.anchors = .only([root.certificate])

        for (name, identity) in [("the pinned key", ours), ("another key of the same CA", another)] {
            let server = try await EchoServer.start(identity)
            print("a server with \(name):")
            print("  " + (await ask(server.port, trust)))
            print("  requests that arrived: \(server.requests)")
            await server.stop()
        }
    }

    /// Sends a message and returns the answer.
    private static func ask(_ port: Int, _ trust: ServerTrustConfiguration) async -> String {
        do {
            let client = try TrustedWebSocketClient(trust: trust)
            // If you connect by name, leave `connectingTo:` out.
            let url = "wss://feed.example.com:\(port)/news"
            return try await client.withConnection(to: url, connectingTo: "127.0.0.1") { socket in
                try await socket.send("hello")
                for try await message in socket.messages {
                    if case .text(let text) = message { return "answer: \(text)" }
                }
                return "no answer"
            }
        } catch let refusal as TrustRefusal {
            return "refused: \(refusal.headline.code)"
        } catch {
            return "\(error)"
        }
    }
}

extension CertificateTemplate {
    fileprivate mutating func setDates(around now: Time) {
        notBefore = now.advanced(by: .days(-1))
        notAfter = now.advanced(by: .days(30))
    }
}

/// A server that sends every message back.
private final class EchoServer: Sendable {
    private let channel: any Channel
    private let count: NIOLockedValueBox<Int>

    var port: Int { channel.localAddress?.port ?? 0 }
    /// The number of WebSocket requests.
    var requests: Int { count.withLockedValue { $0 } }

    private init(_ channel: any Channel, _ count: NIOLockedValueBox<Int>) {
        self.channel = channel
        self.count = count
    }

    static func start(_ identity: TestIdentity) async throws -> EchoServer {
        let key = Array(try identity.key.pemRepresentation().utf8)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(try NIOSSLCertificate(bytes: identity.certificate.der, format: .der))],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem))))
        let count = NIOLockedValueBox(0)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOWebSocketServerUpgrader(
                        shouldUpgrade: { channel, _ in
                            count.withLockedValue { $0 += 1 }
                            return channel.eventLoop.makeSucceededFuture([:])
                        },
                        upgradePipelineHandler: { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                try channel.pipeline.syncOperations.addHandler(Echo())
                            }
                        })
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.configureHTTPServerPipeline(
                        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return EchoServer(channel, count)
    }

    func stop() async { try? await channel.close() }
}

private final class Echo: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let answer = WebSocketFrame(fin: true, opcode: frame.opcode, data: frame.unmaskedData)
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        if frame.opcode == .connectionClose { context.close(promise: nil) }
    }

    // A client that refuses the server ends the handshake with an alert.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
