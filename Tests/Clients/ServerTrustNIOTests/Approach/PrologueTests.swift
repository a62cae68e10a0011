// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

@Suite("Exchanges before TLS", .timeLimit(.minutes(10)))
struct PrologueTests {
    private static let request: [UInt8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]
    /// Two exchanges after a greeting, as in SMTP.
    private static let mail = TLSPrologue(
        .init(sending: [], maximumSize: 512, until: line("220")),
        .init(sending: Array("EHLO client.example\r\n".utf8), maximumSize: 512, until: line("250")),
        .init(sending: Array("STARTTLS\r\n".utf8), maximumSize: 512, until: line("220")))

    private struct Declined: Error {}

    private static func line(_ code: String) -> @Sendable ([UInt8]) throws -> Bool {
        { received in
            let text = String(decoding: received, as: UTF8.self)
            guard text.hasSuffix("\r\n") else { return false }
            guard text.hasPrefix(code) else { throw Declined() }
            return true
        }
    }

    /// Connects and, once TLS is established, sends a request that every HTTP server answers.
    private func connect(
        _ server: LabServer, port: Int, _ prologue: TLSPrologue, through proxy: ConnectionProxy? = nil,
        timeout: Duration = .seconds(30)
    ) async throws -> String {
        var tls = try ServerTrustTLS(server.certificates.configuration)
        tls.handshakeTimeout = timeout
        let host = server.host
        let (channel, handshake) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            to: host, port: port, connectingTo: proxy == nil ? "127.0.0.1" : nil, through: proxy, prologue: prologue,
            serverTrust: tls
        ) { channel, handshake in
            channel.eventLoop.makeCompletedFuture {
                (
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel), handshake
                )
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            _ = try await handshake.get()
            try await outbound.write(ByteBuffer(string: "GET / HTTP/1.1\r\nhost: \(host)\r\n\r\n"))
            for try await part in inbound { return String(buffer: part) }
            return ""
        }
    }

    private func failure(_ body: () async throws -> String) async -> (any Error)? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "TLS starts after the server agrees, and the verdict is the same as without a prologue",
        arguments: [LabScenario.good, .expired])
    func accepted(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let peer = try await ScriptedPeer([.init(bytes: [UInt8(ascii: "S")], after: 8)], leadingTo: server.port)
        if scenario.name == LabScenario.good.name {
            #expect(try await connect(server, port: peer.port, .postgreSQL).hasPrefix("HTTP/1.1 200"))
        } else {
            let error = await failure { try await connect(server, port: peer.port, .postgreSQL) }
            #expect((error as? TrustRefusal)?.headline.code == .certificateExpired)
            #expect(server.counts.requestBytes == 0)
        }
        #expect(peer.received.starts(with: Self.request + [22, 3]))
        await server.stop()
        await peer.stop()
    }

    @Test("A prologue also works through a proxy", arguments: ProxyKind.allCases)
    func throughProxy(kind: ProxyKind) async throws {
        let server = try await LabServer.start(.good)
        let peer = try await ScriptedPeer([.init(bytes: [UInt8(ascii: "S")], after: 8)], leadingTo: server.port)
        let proxy = try await LabProxy.start()
        let answer = try await connect(server, port: peer.port, .postgreSQL, through: kind.proxy(proxy.port))
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(proxy.tunnels.map(\.target) == ["\(server.host):\(peer.port)"])
        await server.stop()
        await peer.stop()
        await proxy.stop()
    }

    /// The answer to the only request, and the expected code.
    static let refusals: [(String, [UInt8], Bool, ErrorCode)] = [
        ("no TLS", Array("N".utf8), false, .connectionStartTLSDeclined),
        ("an error", Array("E\0\0\0\u{8}FATAL".utf8), false, .connectionStartTLSDeclined),
        ("yes and a byte", Array("SX".utf8), false, .connectionStartTLSFailed),
        ("yes and a record", Array("S".utf8) + [22, 3, 3, 0, 1, 0], false, .connectionStartTLSFailed),
        ("garbage", [0], false, .connectionStartTLSFailed), ("the end", [], true, .connectionClosed),
        ("nothing", [], false, .connectionTimedOut),
    ]

    @Test("The client refuses a server that declines TLS or sends extra bytes before it", arguments: refusals)
    func refused(_ row: (name: String, answer: [UInt8], closes: Bool, code: ErrorCode))
        async throws
    {
        let server = try await LabServer.start(.good)
        let peer = try await ScriptedPeer(
            [.init(bytes: row.answer, after: 8, closes: row.closes)], leadingTo: server.port)
        let timeout = Duration.milliseconds(row.code == .connectionTimedOut ? 500 : 60_000)
        let error = await failure { try await connect(server, port: peer.port, .postgreSQL, timeout: timeout) }
        #expect((error as? ConnectionFailure)?.code == row.code, "\(String(describing: error))")
        #expect(peer.received == Self.request)
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop()
        await peer.stop()
    }

    @Test(
        "Unencrypted bytes after the answer to STARTTLS end the connection",
        arguments: ["", "250 injected\r\n"])
    func injection(injected: String) async throws {
        let server = try await LabServer.start(.good)
        let peer = try await ScriptedPeer(
            [
                .init(bytes: Array("220 mail\r\n".utf8), after: 0),
                .init(bytes: Array("250 hello\r\n".utf8), after: 21),
                .init(bytes: Array("220 ready\r\n\(injected)".utf8), after: 10),
            ], leadingTo: server.port)
        if injected.isEmpty {
            #expect(try await connect(server, port: peer.port, Self.mail).hasPrefix("HTTP/1.1 200"))
        } else {
            let error = await failure { try await connect(server, port: peer.port, Self.mail) }
            #expect((error as? ConnectionFailure)?.code == .connectionStartTLSFailed)
            #expect(server.counts.handshakes == 0)
        }
        await server.stop()
        await peer.stop()
    }

    @Test("Cancellation closes a connection whose server stalls before TLS")
    func cancelled() async throws {
        let server = try await LabServer.start(.good)
        let peer = try await ScriptedPeer([])
        let task = Task { try await connect(server, port: peer.port, .postgreSQL, timeout: .seconds(600)) }
        while peer.received.count < Self.request.count { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { _ = try result.get() }
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop()
        await peer.stop()
    }
}
