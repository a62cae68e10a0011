// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The reason why a TLS context can't be used with server trust: a server could get past the verdict.
public struct ServerTrustContextError: TrustError, Hashable {
    /// The kind of error, for programs.
    public let code: ErrorCode
    public let message: String

    private init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    package static let refusalIgnored = Self(
        .tlsRefusalIgnored,
        "the TLS context ignores refusals; expected certificateVerification .noHostnameVerification, as TLSConfiguration.clientForServerTrust() has it"
    )
    package static let hostCheckedTwice = Self(
        .tlsHostCheckedTwice,
        "the TLS context runs NIOSSL's own host check; expected certificateVerification .noHostnameVerification, as TLSConfiguration.clientForServerTrust() has it"
    )
    package static let preSharedKey = Self(
        .tlsPreSharedKey,
        "the TLS context has a pre-shared key, with which servers show no certificate")
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

/// The codes of ``ServerTrustContextError``.
extension ErrorCode {
    /// `certificateVerification` is `.none` or `.optionalVerification`: NIOSSL goes on when the server is refused, or when it
    /// shows no certificate.
    package static let tlsRefusalIgnored = ErrorCode("tlsRefusalIgnored")
    /// `certificateVerification` is `.fullVerification`: NIOSSL's own host check runs as well, and refuses or accepts by rules of
    /// its own.
    package static let tlsHostCheckedTwice = ErrorCode("tlsHostCheckedTwice")
    /// A pre-shared key is set: a server that has it shows no certificate, and there is nothing to evaluate.
    package static let tlsPreSharedKey = ErrorCode("tlsPreSharedKey")
    /// Renegotiation is allowed: NIOSSL asks about the first chain of a connection and takes any later one.
    package static let tlsRenegotiation = ErrorCode("tlsRenegotiation")
    /// TLS below 1.2 is allowed.
    package static let tlsOutdatedVersion = ErrorCode("tlsOutdatedVersion")
    /// `trustRoots` or `additionalTrustRoots` name roots: NIOSSL's verification, which would use them, is replaced, and servers
    /// would be held against other anchors than these.
    package static let tlsTrustRootsNamed = ErrorCode("tlsTrustRootsNamed")
}
