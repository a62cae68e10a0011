// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP

@Suite("The guard between async-http-client and the socket")
struct ConnectionGuardTests {
    private func server(trusted: Bool, host: Hostname? = nil) throws -> EvaluatedServer {
        let certificates = try (trusted ? LabScenario.good : .expired).certificates(at: TestAuthority.now)
        let chain = PresentedChain(certificates.chain)
        return EvaluatedServer(
            host: host ?? certificates.host, presentedChain: chain, verdict: certificates.evaluate(chain))
    }

    /// Whether the guard passes on a write after these events.
    private func passes(_ events: [any Sendable], host: Hostname) throws -> Bool {
        let channel = EmbeddedChannel(handler: TrustGate(host: host))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for event in events { channel.pipeline.fireUserInboundEventTriggered(event) }
        do {
            try channel.writeOutbound(IOData.byteBuffer(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n")))
        } catch let error as ConnectionFailure {
            #expect(error.code == .connectionSentTooEarly)
            #expect(!channel.isActive)
            #expect(try channel.readOutbound(as: IOData.self) == nil)
            return false
        }
        return try channel.readOutbound(as: IOData.self) != nil
    }

    @Test("The guard opens only after a trusting verdict for this host, followed by a completed handshake")
    func gate() throws {
        let good = try server(trusted: true)
        let bad = try server(trusted: false)
        let other = try server(trusted: true, host: Hostname("other.lab.test"))
        let handshake = TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil)
        let host = good.host
        #expect(try passes([good, handshake], host: host))
        #expect(try !passes([], host: host))
        #expect(try !passes([good], host: host))
        #expect(try !passes([handshake], host: host))
        #expect(try !passes([handshake, good], host: host))
        #expect(try !passes([bad, handshake], host: host))
        #expect(try !passes([other, handshake], host: host))
        #expect(try !passes([good, bad, handshake], host: host))
    }

    @Test(
        "The guard below TLS lets only TLS records through",
        arguments: [
            ([UInt8](), true), ([22, 3, 1, 0, 5], true), ([20, 3, 3, 0, 1], true), ([21, 3, 3, 0, 2], true),
            ([23, 3, 3, 0, 9], true),
            ([24, 3, 3, 0, 1], false), ([19, 3, 3, 0, 1], false), ([22, 2, 0, 0, 1], false), ([22, 3, 1], false),
            (Array("GET / HTTP/1.1\r\n\r\n".utf8), false), (Array("POST ".utf8), false), ([22], false),
        ])
    func records(bytes: [UInt8], passes: Bool) throws {
        let channel = EmbeddedChannel(handler: RecordsOnly(host: try Hostname("api.lab.test")))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let write = Result { try channel.writeOutbound(ByteBuffer(bytes: bytes)) }
        let out = try channel.readOutbound(as: ByteBuffer.self)
        if passes {
            #expect(throws: Never.self) { try write.get() }
            #expect(out == ByteBuffer(bytes: bytes))
        } else {
            #expect(throws: ConnectionFailure(.connectionSentTooEarly, host: try Hostname("api.lab.test"))) {
                try write.get()
            }
            #expect(out == nil)
            #expect(!channel.isActive)
        }
    }
}
