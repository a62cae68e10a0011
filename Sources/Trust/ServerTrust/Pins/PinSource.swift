// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// A pin and its origin: the certificate, public key or certificate request of a file.
///
/// ```swift
/// for source in try PinSource.sources(in: bytes, name: "api.pem") {
///     print(source.pin, source.origin)      // sha256/qSxx… certificate request CN=api.example.com,O=Example
/// }
/// ```
public struct PinSource: Sendable, Hashable {
    /// The kinds of objects that yield a pin. The set is complete.
    public enum Origin: Sendable, Hashable {
        /// A certificate, parsed and unverified: neither its dates nor its signature are checked.
        case certificate(Certificate)
        /// A SubjectPublicKeyInfo, or one that was made of a PKCS #1 RSA key.
        case publicKey(SubjectPublicKeyInfo)
        /// A request whose signature was verified.
        case certificateRequest(CertificateRequest)
    }

    /// The file's name as it was given.
    package let file: String
    /// The place among the objects of the file, from 1; skipped objects count.
    package let object: Int
    /// The object that the pin was taken from.
    public let origin: Origin
    /// The pin of the object's key.
    public let pin: SPKIPin

    private init(file: String, object: Int, origin: Origin) {
        self.file = file
        self.object = object
        self.origin = origin
        self.pin =
            switch origin {
            case .certificate(let certificate): SPKIPin(certificate)
            case .publicKey(let key): SPKIPin(key)
            case .certificateRequest(let request): SPKIPin(request.subjectPublicKeyInfo)
            }
    }
}

extension PinSource.Origin: CustomStringConvertible {
    /// One line for people; its wording may change.
    public var description: String {
        switch self {
        case .certificate(let certificate): "certificate \(certificate)"
        case .publicKey(let key): "public key of algorithm \(key.algorithm)"
        case .certificateRequest(let request): "certificate request \(request)"
        }
    }
}

// MARK: - Reading a file

extension PinSource {
    /// Returns the source of every pin that `bytes` yields, in order: at least one.
    ///
    /// The file is PEM with any number of objects and text between them, or one object in DER. In PEM, these objects yield pins:
    /// certificates, `PUBLIC KEY` (RFC 7468 § 13), `RSA PUBLIC KEY` (PKCS #1) and `CERTIFICATE REQUEST`, also under its older name
    /// `NEW CERTIFICATE REQUEST` (RFC 7468 § 7). In DER, it is a certificate, a SubjectPublicKeyInfo or a certificate request.
    ///
    /// Not checked: whether a key fits its algorithm (keys of any algorithm can be pinned), and everything about a certificate
    /// beside its form.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - name: the file's name, for errors.
    /// - Throws: the ``CertificateFileError`` of the first entry without a pin; see ``entries(in:name:)``.
    public static func sources(in bytes: [UInt8], name: String) throws(CertificateFileError) -> [PinSource] {
        var sources: [PinSource] = []
        for entry in entries(in: bytes, name: name) { sources.append(try entry.get()) }
        return sources
    }

    /// Returns the sources of pins in `bytes`, as ``sources(in:name:)`` does, with every error in place of the first.
    ///
    /// A private key is always an error, because it was not meant to be handed over. Objects of other kinds (curve parameters, CRLs,
    /// …) are skipped if the file also holds an object that yields a pin or an error, and are an error otherwise.
    /// - Returns: one entry for each object that wasn't skipped; a single error if there was none.
    public static func entries(in bytes: [UInt8], name: String) -> [Result<PinSource, CertificateFileError>] {
        let objects: [FoundObject]
        do throws(ObjectReader.Failure) {
            objects = try ObjectReader.objects(in: bytes)
        } catch {
            return [.failure(CertificateFileError(error, file: name, expecting: .pinSources))]
        }
        var entries: [Result<PinSource, CertificateFileError>] = []
        var others: [String] = []
        var seen: Set<String> = []
        for object in objects {
            do throws(CertificateFileError) {
                if let origin = try PinnedObject(file: name, object: object).origin() {
                    entries.append(.success(PinSource(file: name, object: object.number, origin: origin)))
                } else if let label = object.label, seen.insert(label).inserted {
                    others.append(label)
                }
            } catch {
                entries.append(.failure(error))
            }
        }
        guard entries.isEmpty else { return entries }
        return [
            .failure(
                CertificateFileError(.certificateFileWithoutCertificate, file: name, expecting: .pinSources)
                    .with { $0.labels = others })
        ]
    }
}

/// An object of a file that may yield a pin.
private struct PinnedObject {
    let file: String
    let object: FoundObject

    /// Reads the object.
    /// - Returns: nil for an object of another kind.
    func origin() throws(CertificateFileError) -> PinSource.Origin? {
        guard object.kind?.isPrivate != true else { throw error(.certificateFilePrivateKey) }
        guard case .der(let der) = object.contents else { throw error(.certificateFileUndecodable) }
        if let kind = object.kind, kind.isPinnable {
            // An ECDSA signature is a pair of numbers as well; in PEM the label distinguishes them.
            guard kind != .rsaPublicKey || object.label != nil else { throw error(.certificateFileUnlabelledKey) }
            return try origin(of: der, as: kind)
        }
        guard object.kind != .trustedCertificate else { throw error(.certificateFileTrustedCertificate) }
        // A private key under the label of another kind.
        guard ObjectKind(shapeOf: der[...])?.isPrivate != true else { throw error(.certificateFilePrivateKey) }
        return nil
    }

    /// Reads an object of a kind that yields a pin.
    private func origin(of der: [UInt8], as kind: ObjectKind) throws(CertificateFileError) -> PinSource.Origin? {
        let parsed: ParsedObject?
        do throws(ParsedObject.Refusal) {
            parsed = try ParsedObject(der: der, as: kind)
        } catch {
            throw misread(error)
        }
        switch parsed {
        case .certificate(let certificate): return .certificate(certificate)
        case .publicKey(let key): return .publicKey(key)
        case .certificateRequest(let request):
            switch request.signatureStatus {
            case .valid: return .certificateRequest(request)
            case .invalid: throw error(.certificateFileRequestInvalid)
            // Otherwise a flipped bit in the algorithm's identifier would bypass the check.
            case .notSupported:
                throw error(.certificateFileRequestNotVerifiable)
                    .with { $0.signatureAlgorithm = request.signatureAlgorithm }
            }
        case .certificateRevocationList, .ocspRequest, .ocspResponse, nil: return nil
        }
    }

    /// Returns the error for bytes that aren't what their label or shape says.
    private func misread(_ refusal: ParsedObject.Refusal) -> CertificateFileError {
        let shape = refusal.shape
        guard shape?.isPrivate != true else { return error(.certificateFilePrivateKey) }
        let isOther = object.label != nil && shape != refusal.kind && shape?.isPinnable == true
        return error(isOther ? .certificateFileMislabelled : .certificateFileMalformed).with {
            $0.kind = refusal.kind
            $0.found = isOther ? shape : nil
            $0.field = isOther ? nil : refusal.error
        }
    }

    private func error(_ code: ErrorCode) -> CertificateFileError {
        CertificateFileError(code, file: file, object, expecting: .pinSources)
    }
}

extension ObjectKind {
    /// Whether objects of the kind yield a pin.
    fileprivate var isPinnable: Bool {
        switch self {
        case .certificate, .publicKey, .rsaPublicKey, .certificateRequest: true
        default: false
        }
    }
}
