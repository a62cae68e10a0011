// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustTesting

@testable import ServerTrustLab

extension LabCertificates {
    /// Returns new certificates for `localhost` that are valid now, with a new root, for a proxy that uses TLS.
    /// - Parameter change: the changes to the leaf's template.
    package static func localhost(_ change: (inout CertificateTemplate) -> Void = { _ in }) throws -> LabCertificates {
        let now = Time.now()
        let root = try TestAuthority.root(CertificateTemplate.authority("Proxy Root").valid(around: now))
        var template = CertificateTemplate.leaf("localhost").valid(around: now)
        change(&template)
        return try LabScenario.custom(
            host: "localhost", leaf: root.issue(template), others: [], anchors: [root.certificate]
        ).certificates(at: now)
    }

    /// Returns the rules for a client that reaches this scenario's server through a proxy on `localhost`.
    /// - Parameter anchors: the anchors of the proxy.
    package func configuration(throughProxyWith anchors: [Certificate]) throws -> ServerTrustConfiguration {
        var configuration = self.configuration
        configuration.manager = try ServerTrustManager(
            rules: [
                host.description: client.rule ?? .enforced(DefaultTrustEvaluator()),
                "localhost": .enforced(DefaultTrustEvaluator()),
            ], memory: nil)
        configuration.anchors = .only(self.anchors + anchors)
        return configuration
    }

    /// Adds TLS with these certificates to a server's pipeline.
    func addServerTLS(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let context = try LabTLS.serverContext(self, LabServer.Options(), nil)
        try pipeline.addHandler(NIOSSLServerHandler(context: context))
    }
}
