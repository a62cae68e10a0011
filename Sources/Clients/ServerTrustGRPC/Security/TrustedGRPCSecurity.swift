// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import NIOSSL
import PKIX
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

/// The reason why the transport can't connect to a target: it can't evaluate the target's servers for one host.
public struct TrustedGRPCTargetError: TrustError, Hashable {
    /// The machine-readable kind of error.
    public let code: ErrorCode
    /// The name in the target or the authority, or nil if there isn't one.
    public let name: String?

    package init(_ code: ErrorCode, name: String? = nil) {
        self.code = code
        self.name = name
    }

    public var message: String {
        let name = name ?? ""
        return switch code {
        case .grpcHostMissing: "the target doesn't name a host; pass the host to evaluate its servers for"
        case .grpcHostDiffers:
            "the target or the authority names \"\(name)\"; expected the host to evaluate servers for"
        default: "\"\(name)\" isn't a valid host name"
        }
    }
}

/// The codes of ``TrustedGRPCTargetError``.
extension ErrorCode {
    /// The target is an address, and you didn't pass a host.
    package static let grpcHostMissing = ErrorCode("grpcHostMissing")
    /// The target or the authority names a different host than the one to evaluate servers for.
    package static let grpcHostDiffers = ErrorCode("grpcHostDiffers")
    /// The target's name isn't a valid host name.
    package static let grpcHostUnreadable = ErrorCode("grpcHostUnreadable")
}

#endif
