// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A source of resource files that include certificates, such as Foundation's `Bundle`.
///
/// ```swift
/// let certificates = try PinnedCertificatesTrustEvaluator(certificates: Bundle.main.certificates())
/// let keys = try PublicKeysTrustEvaluator(keys: Bundle.main.publicKeys())
/// ```
///
/// On Apple platforms, this module declares the conformance of `Bundle`. It is type-checked on Linux and hasn't run on
/// an Apple system. On Linux, import the module SecurityCompatibility for the conformance. That way, only programs that
/// use the conformance link Foundation.
public protocol CertificateBundle {
    /// The folder of the resources, or nil if the bundle has none.
    var resourcePath: String? { get }
    /// The folder of the bundle.
    var bundlePath: String { get }
}

extension CertificateBundle {
    /// Returns every certificate in the bundle's resources, to use as pins or anchors. See ``CertificateFolder``.
    ///
    /// The bundle selects files by their extension (`cer`, `crt`, `der`, `pem`) and detects the format from their
    /// contents.
    /// - Parameters:
    ///   - subdirectory: a folder of the resources, or nil to search all of them.
    ///   - recursively: whether to read the folders inside it, too.
    /// - Returns: at least one certificate.
    /// - Throws: ``CertificateFileError`` for the first file without a certificate, with all other errors in
    ///   ``CertificateFileError/others``. Also throws if the bundle contains no certificate files.
    public func certificates(
        inDirectory subdirectory: String? = nil, recursively: Bool = false
    ) throws(CertificateFileError) -> [Certificate] {
        let resources = resourcePath ?? bundlePath
        return try CertificateFolder.certificates(
            in: subdirectory.map { resources + "/" + $0 } ?? resources, recursively: recursively)
    }

    /// Returns the public key of every certificate in the bundle's resources, to use as pins. See
    /// ``certificates(inDirectory:recursively:)``.
    /// - Parameters:
    ///   - subdirectory: a folder of the resources, or nil to search all of them.
    ///   - recursively: whether to read the folders inside it, too.
    /// - Returns: at least one key. A key that several certificates share occurs once for each of them.
    /// - Throws: ``CertificateFileError`` for the first file without a certificate, with all other errors in
    ///   ``CertificateFileError/others``. Also throws if the bundle contains no certificate files.
    public func publicKeys(
        inDirectory subdirectory: String? = nil, recursively: Bool = false
    ) throws(CertificateFileError) -> [SubjectPublicKeyInfo] {
        try certificates(inDirectory: subdirectory, recursively: recursively).map(\.subjectPublicKeyInfo)
    }
}
