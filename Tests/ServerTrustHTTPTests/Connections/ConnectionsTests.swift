import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP

@Suite("What connections are known")
struct ConnectionsTests {
    private let certificates: LabCertificates
    private let origin: RequestTarget.Authority

    init() throws {
        certificates = try LabScenario.good.certificates(at: .now())
        origin = try RequestTarget("https://api.lab.test").authority
    }

    private func connections() throws -> Connections {
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        return try Connections(
            VerdictSource(certificates.configuration), context: context, anonymousContext: context,
            handshakeTimeout: .seconds(60))
    }

    @Test("a verdict of rules that were replaced before its connection is listed lists none")
    func replacedBeforeListing() async throws {
        let connections = try connections()
        let chain = PresentedChain(certificates.chain)
        let server = EvaluatedServer(
            host: certificates.host, presentedChain: chain, verdict: certificates.verdict(on: chain))
        _ = await connections.reevaluate(by: nil)

        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPResponseDecoder()))
        #expect(try !connections.register(server, channel, origin, since: 0))
        #expect(connections.count == 0 && connections.isIdle(origin))
        #expect(throws: (any Error).self) { try channel.pipeline.syncOperations.handler(type: Exchanges.self) }

        #expect(try connections.register(server, channel, origin, since: 1))
        #expect(connections.count == 1)
        _ = try channel.finish(acceptAlreadyClosed: true)
        #expect(connections.count == 0)
    }

    @Test("a verdict may take as long as the handshake")
    func evaluationTimeout() throws {
        let tls = try connections().tls(isAnonymous: false)
        #expect(tls.handshakeTimeout == .seconds(60))
        #expect(tls.evaluationTimeout == .seconds(60))
    }
}
