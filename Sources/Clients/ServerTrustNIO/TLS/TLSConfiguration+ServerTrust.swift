// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOSSL
import PKIX

extension TLSConfiguration {
    /// Returns a client configuration for connections whose server this package evaluates.
    ///
    /// It allows TLS 1.2 and 1.3. NIOSSL verifies neither path nor name itself, and loads no roots. The callback
    /// verifies path and name, and makes the decision. The signature algorithms are BoringSSL's defaults plus Ed25519,
    /// which OpenSSL and Go also support.
    /// - Parameter applicationProtocols: the protocols to offer in ALPN, the preferred one first. Empty by default.
    public static func clientForServerTrust(applicationProtocols: [String] = []) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.leaveVerificationToServerTrust()
        configuration.applicationProtocols = applicationProtocols
        return configuration
    }

    /// Changes a client configuration so that ``ServerTrustTLS`` accepts it. Everything else stays the same: client
    /// certificate, cipher suites, protocols, and a version above TLS 1.2.
    ///
    /// NIOSSL no longer verifies anything itself. Only the verdict decides.
    /// - Important: a configuration with `certificateVerification` set to `.none` had no verification. After this call,
    ///   it has one.
    /// - Throws: ``ServerTrustContextError`` if the configuration names roots. It is then unchanged. Name the roots in
    ///   `ServerTrustConfiguration.anchors`, and leave `trustRoots` at `.default`.
    public mutating func prepareForServerTrust() throws(ServerTrustContextError) {
        guard !namesTrustRoots else { throw .namedTrustRoots }
        leaveVerificationToServerTrust()
    }

    /// Whether the configuration names its own roots, either instead of the system's or in addition. Dropping them
    /// would evaluate servers with anchors that you didn't choose.
    package var namesTrustRoots: Bool {
        guard additionalTrustRoots.isEmpty else { return true }
        return switch trustRoots {
        case nil, .default: false
        case .certificates(let certificates): !certificates.isEmpty
        case .file: true
        }
    }

    private mutating func leaveVerificationToServerTrust() {
        if [.tlsv1, .tlsv11].contains(minimumTLSVersion) { minimumTLSVersion = .tlsv12 }
        // With `.none`, NIOSSL would ignore the callback's refusal. With `.fullVerification`, NIOSSL's own host check
        // would run after the callback. That check accepts a certificate for the socket's address under any name.
        certificateVerification = .noHostnameVerification
        // NIOSSL would read these roots into each context without ever using them.
        trustRoots = .certificates([])
        additionalTrustRoots = []
        renegotiationSupport = .none
        if verifySignatureAlgorithms == nil { verifySignatureAlgorithms = Self.signatureAlgorithmsForServerTrust }
    }

    /// BoringSSL's list plus Ed25519. It doesn't contain SHA-1.
    private static let signatureAlgorithmsForServerTrust: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
        .rsaPkcs1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512, .ed25519,
    ]
}

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
