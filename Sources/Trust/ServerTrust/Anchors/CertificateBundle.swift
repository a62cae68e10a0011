// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A program's resources with certificates among them: Foundation's `Bundle`.
///
/// ```swift
/// let certificates = try PinnedCertificatesTrustEvaluator(certificates: Bundle.main.certificates())
/// let keys = try PublicKeysTrustEvaluator(keys: Bundle.main.publicKeys())
/// ```
///
/// On Apple platforms `Bundle` conforms with this module, type-checked on Linux and not run on an Apple system. On Linux it conforms with the
/// module SecurityCompatibility: this one does without Foundation, so that programs that don't use it don't link it.
public protocol CertificateBundle {
    /// The folder of the resources; nil if the bundle has none.
    var resourcePath: String? { get }
    /// The folder of the bundle.
    var bundlePath: String { get }
}

extension CertificateBundle {
    /// Returns every certificate among the bundle's resources (``CertificateFolder``), for pins or anchors.
    ///
    /// Files are selected by their extension (`cer`, `crt`, `der`, `pem`) and read by their contents.
    /// - Parameters:
    ///   - subdirectory: a folder of the resources; nil for all of them.
    ///   - recursively: whether folders inside it are read as well.
    /// - Returns: at least one.
    /// - Throws: ``CertificateFileError`` of the first file without a certificate, with all others in ``CertificateFileError/others``; or of a
    ///   bundle without certificate files.
    public func certificates(
        inDirectory subdirectory: String? = nil, recursively: Bool = false
    ) throws(CertificateFileError) -> [Certificate] {
        let resources = resourcePath ?? bundlePath
        return try CertificateFolder.certificates(
            in: subdirectory.map { resources + "/" + $0 } ?? resources, recursively: recursively)
    }

    /// Returns the public key of every certificate among the bundle's resources, for pins; see
    /// ``certificates(inDirectory:recursively:)``.
    /// - Parameters:
    ///   - subdirectory: a folder of the resources; nil for all of them.
    ///   - recursively: whether folders inside it are read as well.
    /// - Returns: at least one; a key that several certificates have occurs for each.
    /// - Throws: ``CertificateFileError`` of the first file without a certificate, with all others in ``CertificateFileError/others``; or of a
    ///   bundle without certificate files.
    public func publicKeys(
        inDirectory subdirectory: String? = nil, recursively: Bool = false
    ) throws(CertificateFileError) -> [SubjectPublicKeyInfo] {
        try certificates(inDirectory: subdirectory, recursively: recursively).map(\.subjectPublicKeyInfo)
    }
}
