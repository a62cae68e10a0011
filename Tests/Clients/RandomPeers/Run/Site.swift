// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import PKIX
import ServerTrust
import ServerTrustTesting
import TrustScenes

/// The certificates of `peer.test`, and the TLS contexts of all peers.
struct Site: Sendable {
    static let host = "peer.test"

    let anchor: Certificate
    /// The configuration of clients that trust the peers.
    let trust: ServerTrustConfiguration
    /// The configuration of clients whose pins refuse the peers.
    let refusing: ServerTrustConfiguration
    let proxyContext: NIOSSLContext
    private let contexts: [String: NIOSSLContext]

    init() throws {
        let now = Time.now()
        let root = try TestAuthority.root(CertificateTemplate.authority("Random Root").valid(around: now))
        let leaf = try root.issue(CertificateTemplate.leaf(Self.host, "127.0.0.1").valid(around: now))
        anchor = root.certificate
        func configuration(_ evaluator: any TrustEvaluator) throws -> ServerTrustConfiguration {
            let rules: [String: any TrustEvaluator] = [Self.host: evaluator, "127.0.0.1": DefaultTrustEvaluator()]
            var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: rules, memory: nil))
            trust.anchors = .only([root.certificate])
            return trust
        }
        trust = try configuration(DefaultTrustEvaluator())
        refusing = try configuration(TrustScene.otherPins())
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: leaf.certificate.der, format: .der))],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(try leaf.key.pemRepresentation().utf8), format: .pem)))
        proxyContext = try NIOSSLContext(configuration: tls)
        var contexts: [String: NIOSSLContext] = [:]
        for cover in [Script.Cover.tls12, .tls13] {
            for protocols in [[], ["h2"], ["http/1.1"], ["h2", "http/1.1"]] {
                tls.applicationProtocols = protocols
                tls.maximumTLSVersion = cover == .tls12 ? .tlsv12 : nil
                contexts[Self.key(cover, protocols)] = try NIOSSLContext(configuration: tls)
            }
        }
        self.contexts = contexts
    }

    private static func key(_ cover: Script.Cover, _ protocols: [String]) -> String { "\(cover) \(protocols)" }

    /// Returns the context of a script's server, or nil for a server in the clear.
    func context(_ script: Script) throws -> NIOSSLContext? {
        guard script.cover != .clear else { return nil }
        return contexts[Self.key(script.cover, script.protocols)]
    }
}
