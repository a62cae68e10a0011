// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import ServerTrust
import ServerTrustNIO

/// The transport security of a ``TrustedGRPCTransport``: TLS whose servers are evaluated. There is no other.
public struct TrustedGRPCSecurity: Sendable {
    let tls: ServerTrustTLS

    /// TLS whose servers are evaluated by a configuration.
    /// - Parameters:
    ///   - trust: how servers are evaluated.
    ///   - tls: everything but verification: a client certificate, cipher suites, versions. Its application protocols are replaced by `h2`.
    /// - Throws: `ServerTrustContextError` for trust roots that are named, which belong into `ServerTrustConfiguration.anchors`; NIOSSL's error
    ///   when it can't make a context.
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
