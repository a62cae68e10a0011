// SPDX-License-Identifier: Apache-2.0

/// A pin with what it was taken from: the certificate, public key or certificate request of a file.
///
/// ```swift
/// for source in try PinSource.sources(in: bytes, name: "api.pem") {
///     print(source.pin, source.origin)      // sha256/qSxx… certificate request CN=api.example.com,O=Example
/// }
/// ```
public struct PinSource: Sendable, Hashable {
    /// What a pin can be taken from. The set is complete.
    public enum Origin: Sendable, Hashable {
        /// Parsed and unverified: neither dates nor signature were looked at.
        case certificate(Certificate)
        /// A SubjectPublicKeyInfo, or an RSA key of PKCS #1 that was made one.
        case publicKey(SubjectPublicKeyInfo)
        /// A request whose signature was verified.
        case certificateRequest(CertificateRequest)
    }

    /// The file's name as it was given.
    public let file: String
    /// The place among the objects of the file, from 1; objects that were passed over count.
    public let object: Int
    /// What the pin was taken from.
    public let origin: Origin
    /// The pin of its key.
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
    /// One object that was looked at: the pin's source, or why there is none.
    public typealias Entry = Result<PinSource, PinSourceError>

    /// Every pin that can be taken from `bytes`, in order: at least one.
    ///
    /// What is read: PEM with any number of objects and text between them, of which certificates, `PUBLIC KEY` (RFC 7468
    /// § 13), `RSA PUBLIC KEY` (PKCS #1) and `CERTIFICATE REQUEST` with its older name `NEW CERTIFICATE REQUEST` (RFC 7468
    /// § 7) yield pins; or one certificate, SubjectPublicKeyInfo or certificate request in DER.
    ///
    /// Not checked: whether a key is one of its kind (any algorithm can be pinned), and everything about a certificate save
    /// its form.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - name: the file's name, for errors.
    /// - Throws: the first entry's ``PinSourceError`` that yields no pin; see ``entries(in:name:)``.
    public static func sources(in bytes: [UInt8], name: String) throws(PinSourceError) -> [PinSource] {
        var sources: [PinSource] = []
        for entry in entries(in: bytes, name: name) { sources.append(try entry.get()) }
        return sources
    }

    /// As ``sources(in:name:)``, and all errors instead of the first.
    ///
    /// A private key is an error wherever it stands, as nobody who asks for a pin means to hand it over. Other objects (curve
    /// parameters, CRLs, …) are passed over beside one that is read, and are an error alone.
    /// - Returns: one entry an object that wasn't passed over; an error alone if there was none.
    public static func entries(in bytes: [UInt8], name: String) -> [Entry] {
        guard !bytes.isEmpty else { return [.failure(PinSourceError(file: name, object: nil, reason: .empty))] }
        var entries: [Entry] = []
        var others: [String] = []
        var seen: Set<String> = []
        func look(at object: Int, _ origin: (ObjectReader) throws(PinSourceError) -> Origin?) -> Bool {
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
                let isKnown = look(at: index + 1) { reader throws(PinSourceError) in try reader.origin(of: block) }
                if !isKnown, case .success(let block) = block, seen.insert(block.label).inserted {
                    others.append(block.label)
                }
            }
        } else {
            _ = look(at: 1) { reader throws(PinSourceError) in try reader.origin(of: bytes) }
        }
        guard entries.isEmpty else { return entries }
        return [.failure(PinSourceError(file: name, object: nil, reason: .nothingToPin(labels: others)))]
    }
}

/// Reads one object of a file.
private struct ObjectReader {
    let file: String
    let object: Int

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

    /// RFC 7468 §§ 10 and 11, and OpenSSL's `RSA PRIVATE KEY`, `EC PRIVATE KEY` and their like.
    private func isPrivate(_ label: String) -> Bool { label.contains("PRIVATE KEY") }

    private func origin(of block: PEM.Block) throws(PinSourceError) -> PinSource.Origin? {
        switch block.label {
        case "PUBLIC KEY": return try origin(of: block.der, as: .publicKey, label: block.label)
        case "RSA PUBLIC KEY": return try origin(of: block.der, as: .rsaPublicKey, label: block.label)
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            return try origin(of: block.der, as: .certificateRequest, label: block.label)
        default: break
        }
        // Under which labels certificates are written is for `CertificateFile` to know.
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

    /// - Returns: nil for what isn't DER of a kind that is known.
    func origin(of der: [UInt8]) throws(PinSourceError) -> PinSource.Origin? {
        switch Shape(der) {
        // Two numbers in a row are an ECDSA signature just as well; in PEM the label tells.
        case .pinnable(.rsaPublicKey): throw error(.unlabelledRSAPublicKey)
        case .pinnable(let kind): return try origin(of: der, as: kind, label: nil)
        case .privateKey: throw error(.privateKey)
        case nil: return nil
        }
    }

    /// - Parameter label: the PEM label that promises `kind`; nil if the bytes' shape does.
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
            // A flipped bit in the name of the algorithm must not be the way around the check.
            case .notSupported: throw error(.requestSignatureNotVerifiable(request.signatureAlgorithm))
            }
        }
        return origin
    }

    /// Why bytes that should be of `kind` aren't.
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

/// Why a file, or one object of it, yields no pin. Bytes of the object are never repeated.
public struct PinSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What an object can be that yields a pin. The set is complete.
    public enum Kind: Sendable, Hashable, CustomStringConvertible {
        case certificate
        /// A SubjectPublicKeyInfo (RFC 5280 § 4.1.2.7).
        case publicKey
        /// An RSAPublicKey (RFC 8017 § A.1.1).
        case rsaPublicKey
        case certificateRequest

        /// For people.
        public var description: String {
            switch self {
            case .certificate: "certificate"
            case .publicKey: "public key"
            case .rsaPublicKey: "RSA public key (PKCS #1)"
            case .certificateRequest: "certificate request"
            }
        }
    }

    /// What was found. The set is complete.
    public enum Reason: Sendable, Hashable {
        /// No byte at all.
        case empty
        /// Nothing that yields a pin: the labels of the PEM objects that are there instead, each once; empty for a file
        /// that is neither PEM nor DER of a known kind.
        case nothingToPin(labels: [String])
        /// A private key, encrypted or not (PKCS #8, SEC 1, PKCS #1, OpenSSH, …).
        case privateKey
        /// A PEM object that can't be decoded.
        case pem(PEM.BlockError)
        /// The label or the shape of the bytes says that it is of this kind, and it isn't; without a `DERError` if it is
        /// right DER of something else.
        case malformed(Kind, DERError?)
        /// The label promises one kind, and the bytes are of another.
        case mislabelled(label: String, expected: Kind, found: Kind)
        /// OpenSSL's own format, with trust settings that this package does not read.
        case opensslTrusted
        /// An RSAPublicKey in DER, which nothing tells from other pairs of numbers.
        case unlabelledRSAPublicKey
        /// The key in the certificate request does not verify its signature: it was altered or damaged.
        case requestSignatureInvalid
        /// The certificate request is signed with this algorithm, or has a kind of key, that isn't verified here.
        case requestSignatureNotVerifiable(OID)
    }

    /// The file's name as it was given.
    public let file: String
    /// The place among the objects of the file, from 1; nil if it is about the whole file.
    public let object: Int?
    /// What was found.
    public let reason: Reason

    /// One line for people; its wording may change.
    public var description: String {
        let place = object.map { "\(file): object \($0)" } ?? file
        let expected = "expected a certificate, a public key or a certificate request"
        return switch reason {
        case .empty: "\(place): empty, \(expected)"
        case .nothingToPin(let labels):
            labels.isEmpty
                ? "\(place): nothing to pin in it, \(expected) in PEM or DER"
                : "\(place): nothing to pin in it but \(listed(labels)), \(expected)"
        case .privateKey:
            "\(place) is a private key, \(expected); keep it where it is, and write its public key to a file of its own with \"openssl pkey -pubout\""
        case .pem(let error): "\(file): \(error)"
        case .malformed(let kind, let error?): "\(place) is no \(kind): \(error)"
        case .malformed(let kind, nil): "\(place) is no \(kind), but something else in DER"
        case .mislabelled(let label, let expected, let found):
            "\(place) is labelled \(label) and is a \(found), expected a \(expected)"
        case .opensslTrusted: "\(place) is a TRUSTED CERTIFICATE of OpenSSL; convert it with \"openssl x509\""
        case .unlabelledRSAPublicKey:
            "\(place) looks like an RSA public key of PKCS #1, which can't be told for sure without a label; convert it with \"openssl rsa -RSAPublicKey_in -inform DER -pubout\""
        case .requestSignatureInvalid:
            "\(place) is a certificate request whose signature its own key does not verify: it was altered or damaged"
        case .requestSignatureNotVerifiable(let algorithm):
            "\(place) is a certificate request whose signature can't be verified here (algorithm \(algorithm)); take its public key with \"openssl req -noout -pubkey\""
        }
    }
}

// MARK: - Telling objects apart

/// What DER without a label is, told by the tags of its first members. Says nothing about the rest: bytes that are cut off or
/// otherwise damaged have a shape too, so that it can be said of what.
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
            // A version, and then numbers (RFC 8017 § A.1.2, and OpenSSL's for DSA), an octet string (RFC 5915 § 3), or
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
                // An algorithm, and then the key's bits, or octets that are a private key, encrypted (RFC 5958 § 3).
                switch tags.dropFirst().first {
                case Tag.bitString, nil: self = .pinnable(.publicKey)
                case Tag.octetString: self = .privateKey
                default: return nil
                }
            case Tag.version: self = .pinnable(.certificate)
            case Tag.integer where inner.dropFirst().first?.tag == Tag.sequence:
                // The version of a request and the subject, or the serial number of a v1 certificate and an algorithm. A
                // list of revoked certificates looks like the latter, and has a time for its fourth member.
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

/// One value of DER as far as it can be told: its contents may be cut off. Bytes that `DER.validate(_:maximumDepth:)` has
/// accepted are read as they are.
private struct Member {
    let tag: UInt8
    let contents: ArraySlice<UInt8>

    /// The first value in `bytes`.
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

    /// The first of the values inside. Nothing here has more members that tell what it is.
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

/// The SubjectPublicKeyInfo of an RSAPublicKey: `rsaEncryption`, whose parameters are NULL and never absent (RFC 3279
/// § 2.3.1), and the bytes as they are. The pin of a certificate with the key is over exactly these.
/// - Returns: nil for right DER that is not two positive numbers (RFC 8017 § A.1.1).
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

/// A value of DER: tag, length in its shortest form (X.690 § 10.1), contents.
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
