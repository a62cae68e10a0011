// SPDX-License-Identifier: Apache-2.0

import PKIX

// Presets for the most common cases. Each preset is an ordinary configuration that you can change afterwards.

extension ServerTrustConfiguration {
    /// The configuration for servers of the public web: the system's roots, and default evaluation for every host.
    ///
    /// Not checked: revocation. A CRL, OCSP response or filter that the client already has still refuses a revoked
    /// certificate. To check revocation, use `publicWeb(revocation:)` of ServerTrustHTTP, which fetches.
    public static var publicWeb: ServerTrustConfiguration {
        ServerTrustConfiguration(ServerTrustManager())
    }

    /// Returns ``publicWeb`` with the conditions that a root program sets for its roots, such as a distrust date.
    /// - Parameter conditions: the list of the root program. A complete list also refuses the system's roots that are
    ///   missing from it, except those that an administrator added.
    public static func publicWeb(conditions: RootList) -> ServerTrustConfiguration {
        var configuration = publicWeb
        configuration.anchors = .system.applying(conditions)
        return configuration
    }

    /// Returns a configuration for servers with certificates of your private CA. Its roots are the only anchors, for
    /// every host.
    /// - Parameter roots: the roots. With an empty list, every server is refused.
    public static func privateCA(roots: [Certificate]) -> ServerTrustConfiguration {
        var configuration = publicWeb
        configuration.anchors = .only(roots)
        return configuration
    }

    /// Returns ``privateCA(roots:)`` with the roots of a file.
    ///
    /// ```swift
    /// let trust = try ServerTrustConfiguration.privateCA(rootsFile: "/etc/example/staging-roots.pem")
    /// ```
    /// - Parameter path: the path of a file with the roots in PEM, or one root in DER.
    /// - Throws: ``CertificateFileError`` with every certificate that can't be read.
    public static func privateCA(rootsFile path: String) throws(CertificateFileError) -> ServerTrustConfiguration {
        privateCA(roots: try CertificateFile.certificates(contentsOfFile: path))
    }

    /// Returns a configuration that accepts named hosts only if their validated path contains one of these keys. All
    /// other hosts are refused.
    ///
    /// ```swift
    /// let trust = try ServerTrustConfiguration.pinned(
    ///     ["sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="],
    ///     backup: ["sha256/iie1VXtL7HzAMF+/PVPR9xzT80kQxdZeJ+zduCB3uj0="],
    ///     for: ["api.example.com"])
    /// ```
    /// - Parameters:
    ///   - pins: the keys in use, as `sha256/` and base64: the SHA-256 digest of the SubjectPublicKeyInfo (RFC 7469 §
    ///     2.4).
    ///   - backup: keys that you keep for an emergency. At least one of them must not be among `pins`.
    ///   - hosts: the patterns of the hosts (see ``HostPattern``). With an empty list, every host is refused.
    /// - Throws: ``SPKIPinSetError`` for malformed pins or a missing backup. ``ServerTrustManagerError`` for patterns
    ///   that are malformed or appear twice.
    public static func pinned(
        _ pins: [String], backup: [String], for hosts: [String]
    ) throws -> ServerTrustConfiguration {
        let evaluator = try SPKIPinsTrustEvaluator(pins: pins, backup: backup)
        return ServerTrustConfiguration(try ServerTrustManager(evaluator, hosts: hosts))
    }

    /// Returns a configuration for development. Named hosts may present this certificate, or a certificate that it
    /// issued. All other hosts are refused.
    ///
    /// Dates, names and purpose are still checked, so the certificate must name the host.
    /// - Parameters:
    ///   - certificate: the self-signed certificate of the server, or the root of a CA for development.
    ///   - hosts: the patterns of the hosts (see ``HostPattern``). With an empty list, every host is refused.
    /// - Throws: ``ServerTrustManagerError`` for patterns that are malformed or appear twice.
    public static func development(
        trusting certificate: Certificate, for hosts: [String]
    ) throws(ServerTrustManagerError) -> ServerTrustConfiguration {
        var configuration = ServerTrustConfiguration(
            try ServerTrustManager(DefaultTrustEvaluator(), hosts: hosts))
        configuration.anchors = .only([certificate])
        return configuration
    }
}
