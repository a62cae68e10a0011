// SPDX-License-Identifier: Apache-2.0

@_exported import PKIX
import TrustSupport

/// Certificates out of a file's bytes: PEM with any number of objects and text between them, or one certificate in DER.
public enum CertificateFile {
    /// Returns every certificate in `bytes`, in order. Objects of other kinds (keys, parameters) are skipped.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - name: the file's name, for errors.
    /// - Returns: one entry an object; an error alone if there is no certificate at all.
    public static func entries(in bytes: [UInt8], name: String) -> [Result<Certificate, CertificateFileError>] {
        guard PEM.isPEM(bytes) else {
            guard !bytes.isEmpty else { return [.failure(CertificateFileError(file: name, reason: .empty))] }
            // A SEQUENCE starts with 0x30, which as text would be the digit 0.
            guard bytes[0] == 0x30 else { return [.failure(CertificateFileError(file: name, reason: .noCertificate))] }
            do throws(DERError) {
                return [.success(try Certificate(der: bytes))]
            } catch {
                return [.failure(CertificateFileError(file: name, reason: .malformed(object: 1, error)))]
            }
        }
        var entries: [Result<Certificate, CertificateFileError>] = []
        for (index, result) in PEM.blocks(in: bytes).enumerated() {
            switch result {
            case .failure(let error): entries.append(.failure(CertificateFileError(file: name, reason: .pem(error))))
            case .success(let block):
                let kind = ObjectKind(label: block.label)
                if kind == .trustedCertificate {
                    entries.append(
                        .failure(CertificateFileError(file: name, reason: .opensslTrusted(object: index + 1))))
                    continue
                }
                guard kind == .certificate else { continue }
                do throws(DERError) {
                    entries.append(.success(try Certificate(der: block.der)))
                } catch {
                    entries.append(
                        .failure(CertificateFileError(file: name, reason: .malformed(object: index + 1, error))))
                }
            }
        }
        return entries.isEmpty ? [.failure(CertificateFileError(file: name, reason: .noCertificate))] : entries
    }

    /// Returns every certificate in `bytes`, in order; at least one.
    /// - Throws: the first entry's ``CertificateFileError`` that can't be read; nothing is left out silently.
    public static func certificates(in bytes: [UInt8], name: String) throws(CertificateFileError) -> [Certificate] {
        var certificates: [Certificate] = []
        for entry in entries(in: bytes, name: name) { certificates.append(try entry.get()) }
        return certificates
    }
}

/// An error in a file of certificates, or in one object of it.
public struct CertificateFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why a file or object yields no certificate. The set is complete.
    package enum Reason: Sendable, Hashable {
        /// The file has no bytes.
        case empty
        /// The file holds no PEM certificate, and its bytes can't be DER.
        case noCertificate
        /// A PEM object can't be decoded.
        case pem(PEM.BlockError)
        /// The bytes of an object are not a certificate; the object's place in the file, from 1.
        case malformed(object: Int, DERError)
        /// An object in OpenSSL's own format, with trust settings that this package does not read.
        case opensslTrusted(object: Int)
    }
    /// The file's name as it was given.
    package let file: String
    /// The reason.
    package let reason: Reason

    /// Creates an error.
    package init(file: String, reason: Reason) {
        self.file = file
        self.reason = reason
    }

    /// One line for people; its wording may change.
    public var description: String {
        switch reason {
        case .empty: "\(file): empty, expected a certificate in PEM or DER"
        case .noCertificate: "\(file): contains no certificate, expected PEM (-----BEGIN CERTIFICATE-----) or DER"
        case .pem(let error): "\(file): \(error)"
        case .malformed(let object, let error): "\(file): object \(object) is not a certificate: \(error)"
        case .opensslTrusted(let object):
            "\(file): object \(object) is a TRUSTED CERTIFICATE of OpenSSL; convert it with \"openssl x509\""
        }
    }
}
