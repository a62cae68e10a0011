// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TrustAnchors {
    /// Reads the operating system's anchors now. Call this again in a long-running process to pick up changes of the
    /// store.
    ///
    /// The function looks for the store in this order:
    ///
    /// 1. `SSL_CERT_FILE` (one file) and `SSL_CERT_DIR` (folders, separated by colons), as in OpenSSL. If either is
    ///    set, only the files and folders that they name are read.
    /// 2. The first existing one of the usual bundles, such as `/etc/ssl/certs/ca-certificates.crt` and
    ///    `/etc/pki/tls/certs/ca-bundle.crt`.
    /// 3. If that bundle doesn't exist or contains no certificate, every file in the first of `/etc/ssl/certs`,
    ///    `/etc/pki/tls/certs` and `/system/etc/security/cacerts` that contains a certificate.
    ///
    /// Files, folders and entries that can't be read are skipped and listed in ``warnings``.
    /// - Parameter environment: the variables `SSL_CERT_FILE`, `SSL_CERT_DIR` and `SERVERTRUST_ROOTS_OVERLAY`. The
    ///   default is the process's environment.
    /// - Throws: ``SystemAnchorsError`` with every path that was tried if none contains an anchor. Also throws if the
    ///   list named by the environment can't be read.
    public static func readSystem(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SystemAnchorsError) -> TrustAnchors {
        TrustAnchors(try SystemAnchors(environment: environment))
    }

    /// The files that contain the system's anchors. Empty if these anchors don't include the system's.
    public var files: [String] { system?.files ?? [] }

    /// The unreadable files, folders and entries of the system's store, which are skipped. Empty if these anchors don't include the
    /// system's.
    public var warnings: [CertificateFileError] { system?.warnings ?? [] }
}
