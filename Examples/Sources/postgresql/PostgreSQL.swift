// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting

/// The first steps of a PostgreSQL driver: `SSLRequest` in cleartext, TLS with an evaluated server, and the start of a
/// session.
///
/// Without arguments, the server is a stand-in on loopback. `postgresql HOST PORT ROOT.pem [ADDRESS]` connects to a
/// real one.
@main
struct PostgreSQLExample {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.isEmpty else { return try await real(Array(arguments)) }
        let now = Time.now()
        let root = try TestAuthority.root(.authority("Our Root").with { $0.setDates(around: now) })
        let identity = try root.issue(CertificateTemplate.leaf("db.example.com").with { $0.setDates(around: now) })
        let other = try TestAuthority.root(.authority("Their Root").with { $0.setDates(around: now) })
        let host = try Hostname("db.example.com")

        let runs: [(String, StandIn.Answer, Certificate)] = [
            ("a server of our CA", .accepts, root.certificate),
            ("a server of another CA", .accepts, other.certificate),
            ("a server without TLS", .declines, root.certificate),
            ("a server that says more than yes before TLS", .injects, root.certificate),
        ]
        for (name, answer, anchor) in runs {
            let server = try await StandIn.start(identity, answer)
            print("\(name):")
            print("  " + (await start(host, server.port, at: "127.0.0.1", anchor)))
            print("  bytes of a session that arrived: \(server.sessionBytes > 0 ? "some" : "none")")
            await server.stop()
        }
    }

    /// Starts a session with a real server.
    private static func real(_ arguments: [String]) async throws {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[2])))
        let anchor = try CertificateFile.certificates(in: file, name: arguments[2])[0]
        print(
            await start(
                try Hostname(arguments[0]), Int(arguments[1]) ?? 5432,
                at: arguments.count > 3 ? arguments[3] : nil, anchor))
    }

    /// Connects, requests a session, and returns the server's response.
    private static func start(
        _ host: Hostname, _ port: Int, at address: String?, _ anchor: Certificate
    ) async -> String {
        do {
            var trust = ServerTrustConfiguration(
                try ServerTrustManager(evaluators: [host.description: DefaultTrustEvaluator()]))
            trust.anchors = .only([anchor])
            let tls = try ServerTrustTLS(trust)
            let (channel, handshake) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(to: host, port: port, connectingTo: address, prologue: .postgreSQL, serverTrust: tls) {
                    channel, handshake in
                    channel.eventLoop.makeCompletedFuture {
                        let session = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel)
                        return (session, handshake)
                    }
                }
            return try await channel.executeThenClose { messages, requests in
                // Throws unless the server is trusted.
                _ = try await handshake.get()
                try await requests.write(startup(user: "app", database: "app"))
                for try await message in messages { return "trusted; the server \(demand(in: message))" }
                return "trusted; the server ended the session"
            }
        } catch let refusal as TrustRefusal {
            return "refused: \(refusal.headline.code)"
        } catch let error as ConnectionFailure {
            return "no verdict: \(error.code)"
        } catch {
            return "\(error)"
        }
    }

    /// Returns a `StartupMessage`: its length, version 3.0, and the parameters.
    private static func startup(user: String, database: String) -> ByteBuffer {
        var body = ByteBuffer(integer: UInt32(196_608))
        for text in ["user", user, "database", database] { body.writeString(text + "\0") }
        body.writeInteger(UInt8(0))
        var message = ByteBuffer(integer: UInt32(body.readableBytes + 4))
        message.writeBuffer(&body)
        return message
    }

    /// Returns the meaning of the server's first message.
    private static func demand(in message: ByteBuffer) -> String {
        var message = message
        guard let kind: UInt8 = message.readInteger(), message.readBytes(length: 4) != nil else { return "is silent" }
        guard kind == UInt8(ascii: "R"), let method: UInt32 = message.readInteger() else { return "refuses the user" }
        return switch method {
        case 0: "lets the user in"
        case 10: "asks for SCRAM"
        default: "asks for authentication by method \(method)"
        }
    }
}

extension CertificateTemplate {
    fileprivate mutating func setDates(around now: Time) {
        notBefore = now.advanced(by: .days(-1))
        notAfter = now.advanced(by: .days(30))
    }
}

/// A server that supports `SSLRequest` and accepts every user.
private final class StandIn: Sendable {
    enum Answer: Sendable {
        case accepts
        case declines
        /// `S`, followed by a cleartext message that is meant for the session.
        case injects
    }

    private let channel: any Channel
    private let count: NIOLockedValueBox<Int>

    var port: Int { channel.localAddress?.port ?? 0 }
    /// The number of bytes that arrived over TLS.
    var sessionBytes: Int { count.withLockedValue { $0 } }

    private init(_ channel: any Channel, _ count: NIOLockedValueBox<Int>) {
        self.channel = channel
        self.count = count
    }

    static func start(_ identity: TestIdentity, _ answer: Answer) async throws -> StandIn {
        let key = Array(try identity.key.pemRepresentation().utf8)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(try NIOSSLCertificate(bytes: identity.certificate.der, format: .der))],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem))))
        let count = NIOLockedValueBox(0)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Session(context, answer, count))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return StandIn(channel, count)
    }

    func stop() async { try? await channel.close() }
}

private final class Session: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let context: NIOSSLContext
    private let answer: StandIn.Answer
    private let count: NIOLockedValueBox<Int>
    private var isAsked = false

    init(_ context: NIOSSLContext, _ answer: StandIn.Answer, _ count: NIOLockedValueBox<Int>) {
        self.context = context
        self.answer = answer
        self.count = count
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let read = unwrapInboundIn(data)
        guard isAsked else {
            isAsked = true
            let text = ["S", "N", "SR\0\0\0\u{8}\0\0\0\0"][answer == .accepts ? 0 : answer == .declines ? 1 : 2]
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            if answer != .declines {
                try? context.pipeline.syncOperations.addHandler(
                    NIOSSLServerHandler(context: self.context), position: .first)
            }
            return
        }
        count.withLockedValue { $0 += read.readableBytes }
        // AuthenticationOk.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [0x52, 0, 0, 0, 8, 0, 0, 0, 0])), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
