// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@testable import ServerTrustTesting

/// A server's certificates, with an optional OCSP staple, and its clients' settings.
struct StapledServer: Sendable {
    /// The staples that a server can send.
    enum Staple: String, Sendable, CaseIterable {
        case none, good, revoked, expired, ofOtherCertificate, bySomeoneElse, forged, tryLater, malformed
    }

    let root: TestAuthority
    let issuer: TestAuthority
    let leaf: TestIdentity
    let certificates: LabCertificates
    /// The bytes of each staple except `none`. A server that parses only the outermost layer accepts all of them.
    let staples: [Staple: [UInt8]]

    init(mustStaple: Bool = false) throws {
        root = try .root()
        issuer = try root.intermediate()
        leaf = try issuer.issue(.leaf("api.lab.test").with { $0.mustStaple = mustStaple })
        certificates = try LabScenario.custom(
            host: "api.lab.test", leaf: leaf, others: [issuer.certificate], anchors: [root.certificate]
        ).certificates(at: TestAuthority.now)
        var staples: [Staple: [UInt8]] = [:]
        for staple in Staple.allCases { staples[staple] = try Self.der(staple, issuer, leaf) }
        self.staples = staples
    }

    private static func der(_ staple: Staple, _ issuer: TestAuthority, _ leaf: TestIdentity) throws -> [UInt8]? {
        switch staple {
        case .none: nil
        case .good: try issuer.ocspResponse { $0.add(leaf.certificate) }.der
        case .revoked: try issuer.ocspResponse { $0.add(leaf.certificate, .revoked) }.der
        case .expired:
            try issuer.ocspResponse {
                $0.producedAt = TestAuthority.now.advanced(by: -20 * 86_400)
                $0.add(leaf.certificate) {
                    $0.thisUpdate = TestAuthority.now.advanced(by: -20 * 86_400)
                    $0.nextUpdate = TestAuthority.now.advanced(by: -10 * 86_400)
                }
            }.der
        case .ofOtherCertificate:
            try issuer.ocspResponse { $0.add(try issuer.issue(.leaf("other.lab.test")).certificate) }.der
        case .bySomeoneElse:
            try TestAuthority.root(.authority("Someone Else")).ocspResponse { $0.add(leaf.certificate) }.der
        case .forged:
            try Self.flippingLastBit(of: issuer.ocspResponse { $0.add(leaf.certificate) }.der)
        case .tryLater: TestOCSPResponse.error(.tryLater).der
        // A successful basic response that contains three bytes of junk.
        case .malformed:
            [0x30, 0x17, 0x0a, 1, 0, 0xa0, 0x12, 0x30, 0x10, 6, 9, 0x2b, 6, 1, 5, 5, 7, 0x30, 1, 1, 4, 3, 1, 2, 3]
        }
    }

    /// Returns a response with a wrong signature, which is at the end.
    private static func flippingLastBit(of response: [UInt8]) -> [UInt8] {
        response.dropLast() + response.suffix(1).map { $0 ^ 1 }
    }

    /// Starts `openssl s_server` with a staple.
    func openssl(_ staple: Staple, _ more: [String] = [], files: [String: [UInt8]] = [:]) async throws -> Peer {
        guard let der = staples[staple] else { return try await Peer.openssl(certificates, more, files: files) }
        return try await Peer.openssl(
            certificates, ["-status_file", "staple.der"] + more, files: files.merging(["staple.der": der]) { $1 })
    }

    /// Returns the settings of a client that relies on the handshake: no CRL, no responder, and a transport that
    /// evaluates the staple.
    func trust(_ revocation: RevocationPolicy.Mode) throws -> ServerTrustConfiguration {
        var trust = certificates.configuration
        trust.manager = try ServerTrustManager(evaluators: ["api.lab.test": DefaultTrustEvaluator()], memory: nil)
        trust.revocation.mode = revocation
        trust.revocation.scope = .leaf
        return trust
    }

    /// Connects with NIO and returns the server with its verdict, whether trusted or not.
    func evaluate(_ port: Int, _ trust: ServerTrustConfiguration, _ version: TLSVersion) async throws -> EvaluatedServer
    {
        var configuration = TLSConfiguration.clientForServerTrust()
        configuration.minimumTLSVersion = version
        configuration.maximumTLSVersion = version
        let tls = try ServerTrustTLS(
            VerdictSource(trust), context: NIOSSLContext(configuration: configuration), handshakeTimeout: .seconds(60))
        let evaluated = Locked<EvaluatedServer?>(nil)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            to: certificates.host, port: port, connectingTo: "127.0.0.1", serverTrust: tls
        ) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Listener(evaluated))
                return channel
            }
        }
        try await channel.closeFuture.get()
        guard let found = evaluated.withLock({ $0 }) else { throw ChannelError.eof }
        return found
    }

    /// Stores the server, and closes the connection when TLS is established.
    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let evaluated: Locked<EvaluatedServer?>

        init(_ evaluated: Locked<EvaluatedServer?>) { self.evaluated = evaluated }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let server = event as? EvaluatedServer {
                evaluated.withLock { $0 = server }
            } else {
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

extension TLSVersion: @retroactive CustomTestStringConvertible {
    public var testDescription: String { self == .tlsv12 ? "TLS 1.2" : "TLS 1.3" }
}
