// SPDX-License-Identifier: Apache-2.0

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
        switch block.label {
        case "PUBLIC KEY": return try origin(of: block.der, as: .publicKey, label: block.label)
        case "RSA PUBLIC KEY": return try origin(of: block.der, as: .rsaPublicKey, label: block.label)
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            return try origin(of: block.der, as: .certificateRequest, label: block.label)
        default: break
        }
        // `CertificateFile` knows the labels of certificates.
        let text = PEM.encode(block.der, label: block.label)
        for entry in CertificateFile.entries(in: Array(text.utf8), name: file) {
            switch entry {
            case .success(let certificate): return .certificate(certificate)
            case .failure(let fileError):
                switch fileError.reason {
                case .malformed(_, let derError):
                    throw misread(block.der, as: .certificate, label: block.label, derError)
                case .opensslTrusted: throw error(.opensslTrusted)
                case .empty, .noCertificate, .pem: break
                }
            }
        }
        if Shape(block.der) == .privateKey { throw error(.privateKey) }
        return nil
    }

    /// Reads an object in DER.
    /// - Returns: nil for bytes that aren't DER of a known kind.
    func origin(of der: [UInt8]) throws(PinSourceError) -> PinSource.Origin? {
        switch Shape(der) {
        // An ECDSA signature is a pair of numbers as well; in PEM the label distinguishes them.
        case .pinnable(.rsaPublicKey): throw error(.unlabelledRSAPublicKey)
        case .pinnable(let kind): return try origin(of: der, as: kind, label: nil)
        case .privateKey: throw error(.privateKey)
        case nil: return nil
        }
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
        switch Shape(der) {
        case .privateKey: error(.privateKey)
        case .pinnable(let found):
            if let label, found != kind {
                error(.mislabelled(label: label, expected: kind, found: found))
            } else {
                error(.malformed(kind, derError))
            }
        case nil: error(.malformed(kind, derError))
        }
    }

    private func error(_ reason: PinSourceError.Reason) -> PinSourceError {
        PinSourceError(file: file, object: object, reason: reason)
    }
}

// MARK: - Errors

/// An error in a file of pin sources, or in one object of it. It never contains bytes of the object.
public struct PinSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of objects that yield a pin. The set is complete.
    package enum Kind: Sendable, Hashable, CustomStringConvertible {
        /// An X.509 certificate (RFC 5280 § 4.1).
        case certificate
        /// A SubjectPublicKeyInfo (RFC 5280 § 4.1.2.7).
        case publicKey
        /// An RSAPublicKey (RFC 8017 § A.1.1).
        case rsaPublicKey
        /// A PKCS #10 request (RFC 2986 § 4).
        case certificateRequest

        /// The name of the kind, for people.
        package var description: String {
            switch self {
            case .certificate: "certificate"
            case .publicKey: "public key"
            case .rsaPublicKey: "RSA public key (PKCS #1)"
            case .certificateRequest: "certificate request"
            }
        }
    }

    /// The reason why a file or object yields no pin. The set is complete.
    package enum Reason: Sendable, Hashable {
        /// The file has no bytes.
        case empty
        /// The file holds no object that yields a pin: the labels of its PEM objects, each once; empty for a file that is neither PEM
        /// nor DER of a known kind.
        case nothingToPin(labels: [String])
        /// A private key, encrypted or not (PKCS #8, SEC 1, PKCS #1, OpenSSH, …).
        case privateKey
        /// A PEM object can't be decoded.
        case pem(PEM.BlockError)
        /// An object that isn't of the kind that its label or shape indicates; without a `DERError` if it is valid DER of another
        /// structure.
        case malformed(Kind, DERError?)
        /// An object of another kind than its label names.
        case mislabelled(label: String, expected: Kind, found: Kind)
        /// OpenSSL's own format, with trust settings that this package does not read.
        case opensslTrusted
        /// An RSAPublicKey in DER, which can't be distinguished from other pairs of numbers.
        case unlabelledRSAPublicKey
        /// A certificate request whose signature its own key does not verify: it was altered or damaged.
        case requestSignatureInvalid
        /// A certificate request whose signature can't be verified: the unsupported signature algorithm, or that of the unsupported key.
        case requestSignatureNotVerifiable(OID)
    }

    /// The file's name as it was given.
    package let file: String
    /// The place among the objects of the file, from 1; nil for an error about the whole file.
    package let object: Int?
    /// The reason.
    package let reason: Reason

    /// One line for people; its wording may change.
    public var description: String {
        let place = object.map { "\(file): object \($0)" } ?? file
        let expected = "expected a certificate, a public key or a certificate request"
        return switch reason {
        case .empty: "\(place): empty, \(expected)"
        case .nothingToPin(let labels):
            labels.isEmpty
                ? "\(place): nothing to pin, \(expected) in PEM or DER"
                : "\(place): nothing to pin but \(listed(labels)), \(expected)"
        case .privateKey:
            "\(place) is a private key, \(expected); keep it in its place, and write its public key to a file of its own with \"openssl pkey -pubout\""
        case .pem(let error): "\(file): \(error)"
        case .malformed(let kind, let error?): "\(place) is not a \(kind): \(error)"
        case .malformed(let kind, nil): "\(place) is not a \(kind), but another structure in DER"
        case .mislabelled(let label, let expected, let found):
            "\(place) is labelled \(label) but is a \(found), expected a \(expected)"
        case .opensslTrusted: "\(place) is a TRUSTED CERTIFICATE of OpenSSL; convert it with \"openssl x509\""
        case .unlabelledRSAPublicKey:
            "\(place) has the form of a PKCS #1 RSA public key, which is ambiguous without a label; convert it with \"openssl rsa -RSAPublicKey_in -inform DER -pubout\""
        case .requestSignatureInvalid:
            "\(place) is a certificate request whose signature its own key does not verify: it was altered or damaged"
        case .requestSignatureNotVerifiable(let algorithm):
            "\(place) is a certificate request whose signature can't be verified here (algorithm \(algorithm)); take its public key with \"openssl req -noout -pubkey\""
        }
    }
}

// MARK: - Kinds of objects

/// The kind of a DER object without a label, by the tags of its first members. The rest isn't checked: truncated or otherwise damaged
/// bytes have a shape as well, so that an error can name the kind.
private enum Shape: Equatable {
    case pinnable(PinSourceError.Kind)
    case privateKey

    init?(_ der: [UInt8]) {
        guard let outer = Member(of: der[...]), outer.tag == Tag.sequence, let first = outer.members.first else {
            return nil
        }
        let tags = outer.members.map(\.tag)
        switch first.tag {
        case Tag.integer where first.contents.elementsEqual([0]) || first.contents.elementsEqual([1]):
            // A version, followed by numbers (RFC 8017 § A.1.2, and OpenSSL's form for DSA), an octet string (RFC 5915 § 3), or
            // an algorithm and an octet string (RFC 5958 § 2).
            switch tags.dropFirst().first {
            case Tag.integer, Tag.octetString: self = .privateKey
            case Tag.sequence where tags.count == 2 || tags[2] == Tag.octetString: self = .privateKey
            default: return nil
            }
        case Tag.integer where tags == [Tag.integer, Tag.integer]:
            self = .pinnable(.rsaPublicKey)
        case Tag.sequence:
            let inner = first.members
            switch inner.first?.tag {
            case Tag.objectIdentifier:
                // An algorithm, followed by the key's bits, or by octets that are an encrypted private key (RFC 5958 § 3).
                switch tags.dropFirst().first {
                case Tag.bitString, nil: self = .pinnable(.publicKey)
                case Tag.octetString: self = .privateKey
                default: return nil
                }
            case Tag.version: self = .pinnable(.certificate)
            case Tag.integer where inner.dropFirst().first?.tag == Tag.sequence:
                // The version and the subject of a request, or the serial number and the algorithm of a v1 certificate. A
                // certificate revocation list is similar to the latter, but its fourth member is a time.
                guard inner.count < 4 || inner[3].tag == Tag.sequence || inner[3].tag == Tag.version else { return nil }
                let isAlgorithm = inner[1].members.first?.tag == Tag.objectIdentifier
                self = .pinnable(isAlgorithm ? .certificate : .certificateRequest)
            default: return nil
            }
        default: return nil
        }
    }

    private enum Tag {
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
        /// `[0]`, EXPLICIT in a certificate and a list of attributes in a request.
        static let version: UInt8 = 0xa0
    }
}

/// One value of DER, whose contents may be truncated. Bytes that `DER.validate(_:maximumDepth:)` has accepted are read without
/// loss.
private struct Member {
    let tag: UInt8
    let contents: ArraySlice<UInt8>

    /// Reads the first value in `bytes`; nil without a complete header.
    init?(of bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let tag = rest.popFirst(), var length = rest.popFirst().map({ Int($0) }) else { return nil }
        if length >= 0x80 {
            let count = length & 0x7f
            guard (1...4).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        self.tag = tag
        self.contents = rest.prefix(length)
    }

    /// The first ten values inside. No structure here needs more to be recognised.
    var members: [Member] {
        var members: [Member] = []
        var rest = contents
        while members.count < 10, let member = Member(of: rest) {
            members.append(member)
            rest = rest[member.contents.endIndex...]
        }
        return members
    }
}

/// Returns the SubjectPublicKeyInfo of an RSAPublicKey: `rsaEncryption` with the parameters NULL, which are never absent (RFC 3279
/// § 2.3.1), and the given bytes. A certificate with the key has the same SubjectPublicKeyInfo, so its pin is equal.
/// - Returns: nil for valid DER that is not two positive numbers (RFC 8017 § A.1.1).
private func publicKeyInfo(ofRSAPublicKey der: [UInt8]) throws(DERError) -> SubjectPublicKeyInfo? {
    try DER.validate(der, maximumDepth: 2)
    guard let numbers = Member(of: der[...]), numbers.tag == 0x30, numbers.members.count == 2,
        numbers.members.allSatisfy({ $0.tag == 0x02 && ($0.contents.first ?? 0x80) < 0x80 && $0.contents != [0] })
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
