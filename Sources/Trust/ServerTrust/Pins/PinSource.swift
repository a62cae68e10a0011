// SPDX-License-Identifier: Apache-2.0

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
    /// - Throws: the ``PinSourceError`` of the first entry without a pin; see ``entries(in:name:)``.
    public static func sources(in bytes: [UInt8], name: String) throws(PinSourceError) -> [PinSource] {
        var sources: [PinSource] = []
        for entry in entries(in: bytes, name: name) { sources.append(try entry.get()) }
        return sources
    }

    /// Returns the sources of pins in `bytes`, as ``sources(in:name:)`` does, with every error in place of the first.
    ///
    /// A private key is always an error, because it was not meant to be handed over. Objects of other kinds (curve parameters, CRLs,
    /// …) are skipped if the file also holds an object that yields a pin or an error, and are an error otherwise.
    /// - Returns: one entry for each object that wasn't skipped; a single error if there was none.
    public static func entries(in bytes: [UInt8], name: String) -> [Result<PinSource, PinSourceError>] {
        guard !bytes.isEmpty else { return [.failure(PinSourceError(file: name, object: nil, reason: .empty))] }
        var entries: [Result<PinSource, PinSourceError>] = []
        var others: [String] = []
        var seen: Set<String> = []
        func read(_ object: Int, _ origin: (ObjectReader) throws(PinSourceError) -> Origin?) -> Bool {
            do throws(PinSourceError) {
                guard let origin = try origin(ObjectReader(file: name, object: object)) else { return false }
                entries.append(.success(PinSource(file: name, object: object, origin: origin)))
            } catch {
                entries.append(.failure(error))
            }
            return true
        }
        if PEM.isPEM(bytes) {
            for (index, block) in PEM.blocks(in: bytes).enumerated() {
                let isKnown = read(index + 1) { reader throws(PinSourceError) in try reader.origin(of: block) }
                if !isKnown, case .success(let block) = block, seen.insert(block.label).inserted {
                    others.append(block.label)
                }
            }
        } else {
            _ = read(1) { reader throws(PinSourceError) in try reader.origin(of: bytes) }
        }
        guard entries.isEmpty else { return entries }
        return [.failure(PinSourceError(file: name, object: nil, reason: .nothingToPin(labels: others)))]
    }
}

/// Reads one object of a file.
private struct ObjectReader {
    let file: String
    let object: Int

    /// Reads a PEM object.
    /// - Returns: nil for an object of another kind.
    func origin(of block: Result<PEM.Block, PEM.BlockError>) throws(PinSourceError) -> PinSource.Origin? {
        switch block {
        case .success(let block):
            guard !isPrivate(block.label) else { throw error(.privateKey) }
            return try origin(of: block)
        case .failure(let pemError):
            throw error(isPrivate(pemError.label) ? .privateKey : .pem(pemError))
        }
    }

    /// Whether the label is that of a private key (RFC 7468 §§ 10 and 11), or OpenSSL's `RSA PRIVATE KEY`, `EC PRIVATE KEY` and so on.
    private func isPrivate(_ label: String) -> Bool { label.contains("PRIVATE KEY") }

    private func origin(of block: PEM.Block) throws(PinSourceError) -> PinSource.Origin? {
        let kind = ObjectKind(label: block.label)
        if let kind, let pinnable = PinSourceError.Kind(kind) {
            return try origin(of: block.der, as: pinnable, label: block.label)
        }
        guard kind != .trustedCertificate else { throw error(.opensslTrusted) }
        guard !isPrivateKey(block.der) else { throw error(.privateKey) }
        return nil
    }

    private func isPrivateKey(_ der: [UInt8]) -> Bool {
        let shape = ObjectKind(shapeOf: der[...])
        return shape == .privateKey || shape == .encryptedPrivateKey
    }

    /// Reads an object in DER.
    /// - Returns: nil for bytes that aren't DER of a known kind.
    func origin(of der: [UInt8]) throws(PinSourceError) -> PinSource.Origin? {
        guard !isPrivateKey(der) else { throw error(.privateKey) }
        guard let kind = ObjectKind(shapeOf: der[...]).flatMap(PinSourceError.Kind.init) else { return nil }
        // An ECDSA signature is a pair of numbers as well; in PEM the label distinguishes them.
        guard kind != .rsaPublicKey else { throw error(.unlabelledRSAPublicKey) }
        return try origin(of: der, as: kind, label: nil)
    }

    /// Reads an object of a known kind.
    /// - Parameter label: the PEM label that names `kind`; nil if the kind follows from the shape of the bytes.
    private func origin(
        of der: [UInt8], as kind: PinSourceError.Kind, label: String?
    ) throws(PinSourceError) -> PinSource.Origin {
        let origin: PinSource.Origin?
        do throws(DERError) {
            origin =
                switch kind {
                case .certificate: .certificate(try Certificate(der: der))
                case .publicKey: .publicKey(try SubjectPublicKeyInfo(der: der))
                case .rsaPublicKey: try publicKeyInfo(ofRSAPublicKey: der).map { .publicKey($0) }
                case .certificateRequest: .certificateRequest(try CertificateRequest(der: der))
                }
        } catch {
            throw misread(der, as: kind, label: label, error)
        }
        guard let origin else { throw misread(der, as: kind, label: label, nil) }
        if case .certificateRequest(let request) = origin {
            switch request.signatureStatus {
            case .valid: break
            case .invalid: throw error(.requestSignatureInvalid)
            // Otherwise a flipped bit in the algorithm's identifier would bypass the check.
            case .notSupported: throw error(.requestSignatureNotVerifiable(request.signatureAlgorithm))
            }
        }
        return origin
    }

    /// Returns the error for bytes that were expected to be of `kind`.
    private func misread(
        _ der: [UInt8], as kind: PinSourceError.Kind, label: String?, _ derError: DERError?
    ) -> PinSourceError {
        if isPrivateKey(der) { return error(.privateKey) }
        let found = ObjectKind(shapeOf: der[...]).flatMap(PinSourceError.Kind.init)
        guard let label, let found, found != kind else { return error(.malformed(kind, derError)) }
        return error(.mislabelled(label: label, expected: kind, found: found))
    }

    private func error(_ reason: PinSourceError.Reason) -> PinSourceError {
        PinSourceError(file: file, object: object, reason: reason)
    }
}

// MARK: - Kinds of objects

extension PinSourceError.Kind {
    /// The kind of an object; nil if it yields no pin.
    fileprivate init?(_ kind: ObjectKind) {
        switch kind {
        case .certificate: self = .certificate
        case .publicKey: self = .publicKey
        case .rsaPublicKey: self = .rsaPublicKey
        case .certificateRequest: self = .certificateRequest
        default: return nil
        }
    }
}

/// Returns the SubjectPublicKeyInfo of an RSAPublicKey: `rsaEncryption` with the parameters NULL, which are never absent (RFC 3279
/// § 2.3.1), and the given bytes. A certificate with the key has the same SubjectPublicKeyInfo, so its pin is equal.
/// - Returns: nil for valid DER that is not two positive numbers (RFC 8017 § A.1.1).
private func publicKeyInfo(ofRSAPublicKey der: [UInt8]) throws(DERError) -> SubjectPublicKeyInfo? {
    try DER.validate(der, maximumDepth: 2)
    guard let numbers = TLV(der[...]), numbers.tag == TLV.Tag.sequence, numbers.members().count == 2,
        numbers.members().allSatisfy({
            $0.tag == TLV.Tag.integer && ($0.contents.first ?? 0x80) < 0x80 && $0.contents != [0]
        })
    else { return nil }
    // 1.2.840.113549.1.1.1 and NULL.
    let algorithm: [UInt8] = [
        0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    return try SubjectPublicKeyInfo(der: value(0x30, algorithm + value(0x03, [0x00] + der)))
}

/// Encodes a value of DER: tag, length in its shortest form (X.690 § 10.1), contents.
private func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    guard contents.count >= 0x80 else { return [tag, UInt8(contents.count)] + contents }
    var length: [UInt8] = []
    var rest = contents.count
    while rest > 0 {
        length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
        rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + contents
}
