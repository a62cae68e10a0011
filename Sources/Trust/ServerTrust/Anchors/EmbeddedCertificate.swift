// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Certificate {
    /// Parses a certificate that is embedded in a program's code as text.
    ///
    /// The text is either base64 of the certificate's DER, with spaces, tabs and line breaks anywhere, or PEM with this
    /// certificate as its only object.
    ///
    /// ```swift
    /// let root = try Certificate(base64: """
    ///     MIIBszCCAVmgAwIBAgIUQ5…
    ///     """)
    /// ```
    ///
    /// Not checked: whether the certificate is valid, now or later. An embedded certificate expires without notice, so
    /// check its ``/PKIX/Certificate/notAfter`` in a test.
    /// - Throws: ``CertificateFileError`` that describes the actual content of the text.
    public init(base64 text: String) throws(CertificateFileError) {
        let objects: [FoundObject]
        do throws(ObjectReader.Failure) {
            objects = try ObjectReader.objects(in: Array(text.utf8), .base64)
        } catch {
            throw CertificateFileError(error, file: nil, expecting: .text)
        }
        func others() -> CertificateFileError {
            CertificateFileError(.certificateFileOtherObjects, file: nil, expecting: .text)
                .with { $0.labels = objects.compactMap(\.label) }
        }
        // A second object next to the certificate is a mistake. It might even be a private key.
        guard objects.count == 1, let object = objects.first else { throw others() }
        do throws(CertificateFileError) {
            if object.label == nil, case .der(let der) = object.contents {
                self = try CertificateFile.certificate(der, object, file: nil, expecting: .text)
            } else if let certificate = try CertificateFile.certificate(object, file: nil, expecting: .text) {
                self = certificate
            } else {
                throw others()
            }
        } catch let error {
            throw error.code == .certificateFileTrustedCertificate ? others() : error
        }
    }
}
