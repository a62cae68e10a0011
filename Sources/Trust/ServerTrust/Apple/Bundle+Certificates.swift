// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
    import Foundation
    import PKIX

    extension Bundle {
        /// Returns every certificate among the bundle's resources (``CertificateFolder``), for pins or anchors.
        ///
        /// ```swift
        /// let evaluator = try PinnedCertificatesTrustEvaluator(certificates: Bundle.main.certificates())
        /// ```
        ///
        /// Files are selected by their extension (`cer`, `crt`, `der`, `pem`) and read by their contents. Type-checked on Linux,
        /// not run on an Apple system.
        /// - Parameters:
        ///   - subdirectory: a folder of the resources; nil for all of them.
        ///   - recursively: whether folders inside it are read as well.
        /// - Returns: at least one.
        /// - Throws: ``CertificateFolderError`` with every problem: files without a certificate, or no certificate file.
        public func certificates(
            inDirectory subdirectory: String? = nil, recursively: Bool = false
        ) throws(CertificateFolderError) -> [Certificate] {
            let resources = resourcePath ?? bundlePath
            return try CertificateFolder.certificates(
                in: subdirectory.map { resources + "/" + $0 } ?? resources, recursively: recursively)
        }

        /// Returns the public key of every certificate among the bundle's resources, for pins; see
        /// ``certificates(inDirectory:recursively:)``.
        ///
        /// ```swift
        /// let evaluator = try PublicKeysTrustEvaluator(keys: Bundle.main.publicKeys())
        /// ```
        /// - Parameters:
        ///   - subdirectory: a folder of the resources; nil for all of them.
        ///   - recursively: whether folders inside it are read as well.
        /// - Returns: at least one; a key that several certificates have occurs for each.
        /// - Throws: ``CertificateFolderError`` with every problem: files without a certificate, or no certificate file.
        public func publicKeys(
            inDirectory subdirectory: String? = nil, recursively: Bool = false
        ) throws(CertificateFolderError) -> [SubjectPublicKeyInfo] {
            try certificates(inDirectory: subdirectory, recursively: recursively).map(\.subjectPublicKeyInfo)
        }
    }
#endif
