// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A parser for files of certificates: PEM with any number of objects and text between them, or one certificate in DER.
public enum CertificateFile {
    /// Returns every certificate in `bytes`, in order. Skips objects of other kinds, such as keys and parameters.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - name: the file's name, for errors.
    /// - Returns: one entry per object, or a single error if there is no certificate at all.
    public static func entries(in bytes: [UInt8], name: String) -> [Result<Certificate, CertificateFileError>] {
        var entries: [Result<Certificate, CertificateFileError>] = []
        do throws(ObjectReader.Failure) {
            for object in try ObjectReader.objects(in: bytes) {
                do throws(CertificateFileError) {
                    let certificate = try certificate(object, file: name, expecting: .certificates)
                    if let certificate { entries.append(.success(certificate)) }
                } catch {
                    entries.append(.failure(error))
                }
            }
        } catch {
            return [.failure(CertificateFileError(error, file: name, expecting: .certificates))]
        }
        guard entries.isEmpty else { return entries }
        return [.failure(CertificateFileError(.certificateFileWithoutCertificate, file: name))]
    }

    /// Returns every certificate in `bytes`, in order. There is at least one.
    /// - Throws: ``CertificateFileError`` for the first entry that can't be read. No entry is dropped silently.
    public static func certificates(in bytes: [UInt8], name: String) throws(CertificateFileError) -> [Certificate] {
        var certificates: [Certificate] = []
        for entry in entries(in: bytes, name: name) { certificates.append(try entry.get()) }
        return certificates
    }

    /// Parses an object.
    /// - Returns: the certificate, or nil if the object is of another kind.
    static func certificate(
        _ object: FoundObject, file: String?, expecting expectation: CertificateFileError.Expectation
    ) throws(CertificateFileError) -> Certificate? {
        guard case .der(let der) = object.contents else {
            throw CertificateFileError(.certificateFileUndecodable, file: file, object, expecting: expectation)
        }
        guard object.kind != .trustedCertificate else {
            throw CertificateFileError(.certificateFileTrustedCertificate, file: file, object, expecting: expectation)
        }
        // Without a label, the first byte decides. A SEQUENCE starts with 0x30, which would be the digit 0 in a text.
        guard object.label == nil ? der.first == TLV.Tag.sequence : object.kind == .certificate else { return nil }
        return try certificate(der, object, file: file, expecting: expectation)
    }

    /// Parses the bytes of an object that must be a certificate.
    static func certificate(
        _ der: [UInt8], _ object: FoundObject, file: String?, expecting expectation: CertificateFileError.Expectation
    ) throws(CertificateFileError) -> Certificate {
        do throws(DERError) {
            return try Certificate(der: der)
        } catch let error {
            throw CertificateFileError(.certificateFileMalformed, file: file, object, expecting: expectation)
                .with { $0.field = error }
        }
    }
}
