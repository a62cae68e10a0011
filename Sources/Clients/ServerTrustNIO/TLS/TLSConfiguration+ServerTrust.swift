// SPDX-License-Identifier: Apache-2.0

import NIOSSL

extension TLSConfiguration {
    /// A client's configuration for connections whose server this package evaluates.
    ///
    /// TLS 1.2 and 1.3. NIOSSL verifies nothing itself, neither path nor name, and loads no roots: that is the callback's part,
    /// which has the last word. To the signature algorithms that BoringSSL offers by itself Ed25519 is added, as OpenSSL and Go
    /// have it.
    /// - Parameter applicationProtocols: the protocols offered in ALPN, the preferred one first; nothing unless given.
    public static func clientForServerTrust(applicationProtocols: [String] = []) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.leaveVerificationToServerTrust()
        configuration.applicationProtocols = applicationProtocols
        return configuration
    }

    /// Makes a client's configuration one that ``ServerTrustTLS`` accepts, and leaves the rest as it is: a client certificate,
    /// cipher suites, protocols, a version above TLS 1.2.
    ///
    /// NIOSSL verifies nothing itself any more: the verification is the verdict's alone.
    /// - Important: with `certificateVerification` set to `.none` there was no verification; with this there is.
    /// - Throws: ``ServerTrustContextError`` for roots that are named; nothing is changed then. Name them in
    ///   `ServerTrustConfiguration.anchors`, and leave `trustRoots` at `.default`.
    public mutating func prepareForServerTrust() throws(ServerTrustContextError) {
        guard !namesTrustRoots else { throw .namedTrustRoots }
        leaveVerificationToServerTrust()
    }

    /// Whether it has roots of its own: others than the system's, or further ones. Dropping them would hold servers against anchors
    /// that the app hasn't chosen.
    package var namesTrustRoots: Bool {
        guard additionalTrustRoots.isEmpty else { return true }
        return switch trustRoots {
        case nil, .default: false
        case .certificates(let certificates): !certificates.isEmpty
        case .file: true
        }
    }

    private mutating func leaveVerificationToServerTrust() {
        if minimumTLSVersion < .tlsv12 { minimumTLSVersion = .tlsv12 }
        // With `.none` the callback's refusal would be ignored; with `.fullVerification` NIOSSL's own host check would run
        // after it, by which a certificate for the socket's address passes under any name.
        certificateVerification = .noHostnameVerification
        // Roots are read into each context and would never be used.
        trustRoots = .certificates([])
        additionalTrustRoots = []
        renegotiationSupport = .none
        if verifySignatureAlgorithms == nil { verifySignatureAlgorithms = Self.signatureAlgorithmsForServerTrust }
    }

    /// BoringSSL's list with Ed25519 added. SHA-1 isn't in it.
    private static let signatureAlgorithmsForServerTrust: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
        .rsaPkcs1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512, .ed25519,
    ]
}

extension TLSVersion {
    fileprivate static func < (left: TLSVersion, right: TLSVersion) -> Bool {
        func rank(_ version: TLSVersion) -> Int {
            switch version {
            case .tlsv1: 0
            case .tlsv11: 1
            case .tlsv12: 2
            case .tlsv13: 3
            }
        }
        return rank(left) < rank(right)
    }
}
