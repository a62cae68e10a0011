// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP

@Suite("The list of open connections")
struct ConnectionsTests {
    private let certificates: LabCertificates
    private let key: ConnectionKey

    init() throws {
        certificates = try LabScenario.good.certificates(at: .now())
        key = ConnectionKey(try RequestTarget("https://api.lab.test").origin)
    }

    private func connections() throws -> Connections {
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        return try Connections(
            VerdictSource(certificates.configuration),
            contexts: TLSContexts(
                usual: context, anonymous: context, exploring: context, exploringAnonymous: context),
            handshakeTimeout: .seconds(60))
    }

    @Test("The client doesn't list a connection if its rules were replaced after the verdict")
    func replacedBeforeListing() async throws {
        let connections = try connections()
        let chain = PresentedChain(certificates.chain)
        func server() -> EvaluatedServer {
            EvaluatedServer(
                host: certificates.host, presentedChain: chain, verdict: certificates.evaluate(chain),
                revision: connections.source.revision)
        }
        let old = server()
        _ = await connections.reevaluate(by: nil)

        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPResponseDecoder()))
        #expect(try !connections.register(old, channel, key))
        #expect(connections.count == 0 && connections.isIdle(key))
        #expect(throws: (any Error).self) {
            try channel.pipeline.syncOperations.handler(type: ResponseTaggingHandler.self)
        }

        #expect(try connections.register(server(), channel, key))
        #expect(connections.count == 1)
        _ = try channel.finish(acceptAlreadyClosed: true)
        #expect(connections.count == 0)
    }

    @Test("A connection can end while two responses are in progress", arguments: [[0, 1], [1, 0]])
    func twoOnTheirWay(order: [Int]) throws {
        let connections = try connections()
        let chain = PresentedChain(certificates.chain)
        let server = EvaluatedServer(
            host: certificates.host, presentedChain: chain, verdict: certificates.evaluate(chain),
            revision: connections.source.revision)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPResponseDecoder()))
        #expect(try connections.register(server, channel, key))
        var heads: [HTTPHeaders] = []
        for _ in 0..<2 {
            try channel.writeOutbound(
                HTTPClientRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")))
            try channel.writeOutbound(HTTPClientRequestPart.end(nil))
            try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"))
            while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
                if case .head(let head) = part { heads.append(head.headers) }
            }
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
        #expect(connections.count == 0 && heads.count == 2)
        for index in order {
            let delivery = connections.deliver(HTTPClientResponse(headers: heads[index]))
            #expect(delivery?.number == index + 1)
            #expect(delivery?.isComplete == true)
            #expect(delivery?.server == server)
        }
        // Both responses were delivered, so the connection is forgotten.
        #expect(connections.deliver(HTTPClientResponse(headers: heads[0])) == nil)
    }

    @Test("An evaluation can take as long as the handshake")
    func evaluationTimeout() throws {
        let connections = try connections()
        let tls = try connections.tls(connections.source, isAnonymous: false)
        #expect(tls.handshakeTimeout == .seconds(60))
        #expect(tls.evaluationTimeout == .seconds(60))
    }
}
