// SPDX-License-Identifier: Apache-2.0

/// The reason why a TLS context can't be used with server trust: a server could get past the verdict.
public enum ServerTrustContextError: String, Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// `certificateVerification` is `.none` or `.optionalVerification`: NIOSSL goes on when the server is refused, or when it
    /// shows no certificate.
    case refusalIgnored
    /// `certificateVerification` is `.fullVerification`: NIOSSL's own host check runs as well, and refuses or accepts by rules of
    /// its own.
    case hostCheckedTwice
    /// A pre-shared key is set: a server that has it shows no certificate, and there is nothing to evaluate.
    case preSharedKey
    /// Renegotiation is allowed: NIOSSL asks about the first chain of a connection and takes any later one.
    case renegotiation
    /// TLS below 1.2 is allowed.
    case outdatedVersion
    /// `trustRoots` or `additionalTrustRoots` name roots: NIOSSL's verification, which would use them, is replaced, and servers
    /// would be held against other anchors than these.
    case namedTrustRoots

    public var description: String {
        switch self {
        case .refusalIgnored:
            "the TLS context ignores refusals; expected certificateVerification .noHostnameVerification, as TLSConfiguration.clientForServerTrust() has it"
        case .hostCheckedTwice:
            "the TLS context runs NIOSSL's own host check; expected certificateVerification .noHostnameVerification, as TLSConfiguration.clientForServerTrust() has it"
        case .preSharedKey: "the TLS context has a pre-shared key, with which servers show no certificate"
        case .renegotiation: "the TLS context allows renegotiation; expected renegotiationSupport .none"
        case .namedTrustRoots:
            "the TLS configuration names trust roots, which are not used; expected ServerTrustConfiguration.anchors to name them, and trustRoots .default or no certificates"
        case .outdatedVersion: "the TLS context allows TLS below 1.2; expected minimumTLSVersion .tlsv12 or .tlsv13"
        }
    }
}
