// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TrustAnchors {
    /// Reads the operating system's anchors now. A process that runs for months follows changes of the store in this way.
    ///
    /// The store is found through the environment first, then at the default paths of the distributions:
    ///
    /// 1. `SSL_CERT_FILE` (one file) and `SSL_CERT_DIR` (folders, separated by colons), as in OpenSSL. If either is set, the files and
    ///    folders that they name are the whole store. A variable that names an unreadable file or folder is an error.
    /// 2. The first existing one of the usual bundles, such as `/etc/ssl/certs/ca-certificates.crt` and
    ///    `/etc/pki/tls/certs/ca-bundle.crt`.
    /// 3. If none exists, every file in the first of `/etc/ssl/certs`, `/etc/pki/tls/certs` and `/system/etc/security/cacerts` that yields a
    ///    certificate.
    ///
    /// Entries that can't be read are left out and listed in ``warnings``.
    /// - Parameter environment: the variables `SSL_CERT_FILE`, `SSL_CERT_DIR` and `SERVERTRUST_ROOTS_OVERLAY`; the process's environment by
    ///   default.
    /// - Throws: ``SystemAnchorsError`` with every path that was tried, if no anchor was found, and for a list of the environment that can't
    ///   be read.
    public static func readSystem(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SystemAnchorsError) -> TrustAnchors {
        TrustAnchors(try SystemAnchors(environment: environment))
    }

    /// The files from which the system's anchors were read; empty without the system's anchors.
    public var files: [String] { system?.files ?? [] }

    /// The entries of the system's store that can't be read, and are left out; empty without the system's anchors.
    public var warnings: [CertificateFileError] { system?.warnings ?? [] }
}
