// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import NIOSSL
import PKIX
import ServerTrustTesting

/// TLS settings for servers and clients.
enum LabTLS {
    static func serverContext(
        _ certificates: LabCertificates, _ options: LabServer.Options, _ clients: ClientAuthority?
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try certificates.chain.map { .certificate(try $0.forNIOSSL()) },
            privateKey: try certificates.key.forNIOSSL())
        configuration.setVersions(options.versions)
        configuration.applicationProtocols = options.protocols
        configuration.shutdownTimeout = .seconds(1)
        if let clients {
            configuration.trustRoots = .certificates([try clients.authority.certificate.forNIOSSL()])
            configuration.certificateVerification =
                options.clientCertificates == .required ? .noHostnameVerification : .optionalVerification
        }
        return try NIOSSLContext(configuration: configuration)
    }

    /// Returns the context for a client that verifies certificates in its own callback.
    static func clientContext(_ versions: LabServer.TLSVersions, _ identity: TestIdentity?) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.setVersions(versions)
        // With `.none`, NIOSSL ignores the callback's refusal. With `.fullVerification`, it adds its own host check.
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates([])
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .seconds(1)
        // BoringSSL's list, plus Ed25519.
        configuration.verifySignatureAlgorithms = [
            .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
            .rsaPkcs1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512, .ed25519,
        ]
        if let identity {
            configuration.certificateChain = [.certificate(try identity.certificate.forNIOSSL())]
            configuration.privateKey = try identity.key.forNIOSSL()
        }
        return try NIOSSLContext(configuration: configuration)
    }
}

extension TLSConfiguration {
    fileprivate mutating func setVersions(_ versions: LabServer.TLSVersions) {
        minimumTLSVersion = versions == .tls13 ? .tlsv13 : .tlsv12
        maximumTLSVersion = versions == .tls12 ? .tlsv12 : .tlsv13
    }
}

extension Certificate {
    fileprivate func forNIOSSL() throws -> NIOSSLCertificate { try NIOSSLCertificate(bytes: der, format: .der) }
}

extension TestKey {
    fileprivate func forNIOSSL() throws -> NIOSSLPrivateKeySource {
        .privateKey(try NIOSSLPrivateKey(bytes: Array(pemRepresentation().utf8), format: .pem))
    }
}

#endif
