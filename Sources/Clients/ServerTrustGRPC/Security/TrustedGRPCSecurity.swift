// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import NIOSSL
import ServerTrust
import ServerTrustNIO

/// The transport security of a ``TrustedGRPCTransport``: always TLS, with every server evaluated.
public struct TrustedGRPCSecurity: Sendable {
    let tls: ServerTrustTLS
    /// Only tests change this property.
    var lookup = NameLookup.shared

    /// TLS with a configuration that evaluates servers.
    /// - Parameters:
    ///   - trust: how to evaluate servers.
    ///   - tls: all TLS settings except verification: client certificate, cipher suites, versions. The transport
    ///     replaces its application protocols with `h2`.
    /// - Throws: `ServerTrustContextError` if `tls` names trust roots, because these belong in
    ///   `ServerTrustConfiguration.anchors`. NIOSSL's error if it can't create a context.
    public static func serverTrust(
        _ trust: ServerTrustConfiguration, tls: TLSConfiguration = .clientForServerTrust()
    ) throws -> TrustedGRPCSecurity {
        var tls = tls
        try tls.prepareForServerTrust()
        tls.applicationProtocols = ["h2"]
        return TrustedGRPCSecurity(
            tls: try ServerTrustTLS(VerdictSource(trust), context: NIOSSLContext(configuration: tls)))
    }
}

#endif
