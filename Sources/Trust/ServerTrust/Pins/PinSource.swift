// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A pin and its origin: the certificate, public key or certificate request of a file.
///
/// ```swift
/// for source in try PinSource.sources(in: bytes, name: "api.pem") {
///     print(source.pin, source.origin)      // sha256/qSxx… certificate request CN=api.example.com,O=Example
/// }
/// ```
public struct PinSource: Sendable, Hashable {
    /// The kinds of objects that contain a key to pin. This set is complete.
    public enum Origin: Sendable, Hashable {
        /// A certificate, parsed but not verified. Neither its dates nor its signature are checked.
        case certificate(Certificate)
        /// A SubjectPublicKeyInfo, or a PKCS #1 RSA key that was converted to one.
        case publicKey(SubjectPublicKeyInfo)
        /// A request whose signature was verified.
        case certificateRequest(CertificateRequest)
    }

    /// The file's name as passed by the caller.
    let file: String
    /// The position among the objects of the file, counted from 1. Skipped objects count.
    package let object: Int
    /// The object that contains the pinned key.
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
    /// One readable line. The wording may change.
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
    /// Returns the pin of every certificate, public key and certificate request in `bytes`, in order. There is at least
    /// one.
    ///
    /// The file is PEM with any number of objects and text between them, or one object in DER. In PEM, the function
    /// accepts certificates, `PUBLIC KEY` (RFC 7468 § 13), `RSA PUBLIC KEY` (PKCS #1) and `CERTIFICATE REQUEST`, also
    /// under its older name `NEW CERTIFICATE REQUEST` (RFC 7468 § 7). In DER, it accepts a certificate, a
    /// SubjectPublicKeyInfo or a certificate request.
    ///
    /// Not checked: whether a key fits its algorithm (you can pin keys of any algorithm), and anything about a
    /// certificate except its syntax.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - name: the file's name, for errors.
    /// - Throws: ``CertificateFileError`` for the first entry without a pin. See ``entries(in:name:)``.
    public static func sources(in bytes: [UInt8], name: String) throws(CertificateFileError) -> [PinSource] {
        var sources: [PinSource] = []
        for entry in entries(in: bytes, name: name) { sources.append(try entry.get()) }
        return sources
    }

    /// Returns the same pins as ``sources(in:name:)``, with every error instead of only the first.
    ///
    /// A private key is always an error, because you didn't mean to share it. Objects of other kinds (curve parameters,
    /// CRLs, …) are skipped if the file also contains an object that yields a pin or an error. Otherwise they are an
    /// error.
    /// - Returns: one entry for each object that wasn't skipped, or a single error if all were skipped.
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

    /// Parses the object.
    /// - Returns: the origin of a pin, or nil for an object of another kind.
    func origin() throws(CertificateFileError) -> PinSource.Origin? {
        guard object.kind?.isPrivate != true else { throw error(.certificateFilePrivateKey) }
        guard case .der(let der) = object.contents else { throw error(.certificateFileUndecodable) }
        if let kind = object.kind, kind.isPinnable {
            // An ECDSA signature is also a pair of numbers. In PEM, the label distinguishes the two.
            guard kind != .rsaPublicKey || object.label != nil else { throw error(.certificateFileUnlabelledKey) }
            return try origin(of: der, as: kind)
        }
        guard object.kind != .trustedCertificate else { throw error(.certificateFileTrustedCertificate) }
        // The object is a private key under the label of another kind.
        guard ObjectKind(shapeOf: der[...])?.isPrivate != true else { throw error(.certificateFilePrivateKey) }
        return nil
    }

    /// Parses an object of a kind that yields a pin.
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

    /// Returns the error for bytes that don't match their label or structure.
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
