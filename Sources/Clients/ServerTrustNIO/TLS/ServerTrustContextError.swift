// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import PKIX

/// The reason why a TLS context can't be used with server trust. Servers could bypass the verdict with it.
public struct ServerTrustContextError: TrustError, Hashable {
    /// The machine-readable kind of error.
    public let code: ErrorCode
    public let message: String

    private init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// `certificateVerification` is `.none` or `.optionalVerification`. NIOSSL would continue after a refusal, or
    /// without a certificate.
    package static let refusalIgnored = Self(
        ErrorCode("tlsRefusalIgnored"),
        "the TLS context ignores refusals; expected certificateVerification .noHostnameVerification, as in TLSConfiguration.clientForServerTrust()"
    )
    /// `certificateVerification` is `.fullVerification`. NIOSSL would also run its own host check, which has different
    /// rules.
    package static let hostCheckedTwice = Self(
        ErrorCode("tlsHostCheckedTwice"),
        "the TLS context runs NIOSSL's own host check; expected certificateVerification .noHostnameVerification, as in TLSConfiguration.clientForServerTrust()"
    )
    package static let preSharedKey = Self(
        .tlsPreSharedKey,
        "the TLS context has a pre-shared key, so servers send no certificate; expected none")
    package static let renegotiation = Self(
        .tlsRenegotiation,
        "the TLS context allows renegotiation; expected renegotiationSupport .none")
    package static let outdatedVersion = Self(
        .tlsOutdatedVersion,
        "the TLS context allows TLS below 1.2; expected minimumTLSVersion .tlsv12 or .tlsv13")
    package static let namedTrustRoots = Self(
        .tlsTrustRootsNamed,
        "the TLS configuration names trust roots, which are not used; expected ServerTrustConfiguration.anchors to name them, and trustRoots .default or no certificates"
    )
}

/// The codes of ``ServerTrustContextError`` that other errors have, too.
extension ErrorCode {
    /// The configuration has a pre-shared key. A server with the key sends no certificate, so there is nothing to
    /// evaluate.
    package static let tlsPreSharedKey = ErrorCode("tlsPreSharedKey")
    /// The configuration allows renegotiation. NIOSSL only verifies the first chain of a connection, and accepts any
    /// later one.
    package static let tlsRenegotiation = ErrorCode("tlsRenegotiation")
    /// The configuration allows TLS versions below 1.2.
    package static let tlsOutdatedVersion = ErrorCode("tlsOutdatedVersion")
    /// `trustRoots` or `additionalTrustRoots` name roots. Only NIOSSL's own verification would use them, and this
    /// package replaces that verification. It would evaluate servers with anchors other than these.
    package static let tlsTrustRootsNamed = ErrorCode("tlsTrustRootsNamed")
}

#endif
