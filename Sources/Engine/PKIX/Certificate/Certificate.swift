// SPDX-License-Identifier: Apache-2.0

/// One X.509 certificate (RFC 5280 § 4), parsed and unverified.
///
/// Its DER bytes are its identity: equality and hashing compare them and nothing else. Parsing accepts strict DER only
/// and reads every extension that it knows, so no field of a value of this type proves malformed later; the bytes are
/// kept once and every slice is a range into them. A malformed extension that is not critical and restricts nothing is read as absent.
///
/// Parsing decides nothing about trust: ``PathValidator`` checks signature, dates, names and constraints.
public struct Certificate: Sendable {
    let storage: CertificateStorage

    /// The largest certificate that is read, in bytes. The largest in use (thousands of names) have some 100 KB; a TLS
    /// handshake message can't be longer than 16 MiB in any case (RFC 8446 § 4).
    public static let maximumSize = 1 << 20

    /// Parses one certificate in DER.
    /// - Throws: ``DERError`` naming field and byte: anything that is not strict DER, not a `Certificate`, has a known
    ///   extension that is malformed and critical or restricting, or any extension twice, or is over ``maximumSize``.
    public init(der: [UInt8]) throws(DERError) {
        let view = der[...]
        self.storage = try CertificateStorage(view.span)
    }

    /// Parses one certificate in DER from bytes of the caller; they are copied once.
    /// - Throws: ``DERError`` as ``init(der:)-([UInt8])``.
    package init(der: Span<UInt8>) throws(DERError) {
        self.storage = try CertificateStorage(der)
    }

    init(storage: CertificateStorage) { self.storage = storage }

    /// The bytes, borrowed from this value.
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(storage.span, borrowing: self) }
    }
}

/// The bytes of a certificate and the places of its fields in them.
///
/// The bytes are copied once, into memory of this object's own, so that a view of them is a pointer and a count and
/// costs no reference counting on the many short reads of path building.
@safe
final class CertificateStorage: @unchecked Sendable {
    // Proof of sendability: `base` is written in `init` alone, before another thread has the object, and freed in
    // `deinit`.
    private let base: UnsafeMutablePointer<UInt8>
    let count: Int
    let fields: CertificateFields

    init(_ bytes: Span<UInt8>) throws(DERError) {
        guard bytes.count <= Certificate.maximumSize else {
            throw DERError(.limitExceeded(limit: Certificate.maximumSize), in: "certificate", at: 0)
        }
        self.fields = try CertificateFields(parsing: bytes)
        self.count = bytes.count
        let base = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe base.initialize(from: start, count: source.count) }
        }
        unsafe self.base = base
    }

    deinit { unsafe base.deallocate() }

    /// The bytes, borrowed from this object.
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span(_unsafeStart: base, count: count)
            // `base` lives as long as `self`.
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}

extension Certificate: Hashable {
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.storage === right.storage
            || bytesEqual(left.span, ByteRange(0, left.span.count), right.span, ByteRange(0, right.span.count))
    }

    public func hash(into hasher: inout Hasher) {
        // All bytes: certificates that agree in any chosen part are easily made.
        unsafe span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

// MARK: - The fields

extension Certificate {
    /// The whole certificate as it was given.
    public var der: [UInt8] { copy(ByteRange(0, storage.count)) }

    /// The version: 1, 2 or 3.
    public var version: Int { Int(storage.fields.version) }

    /// The serial number, with all bytes of the encoding.
    public var serialNumber: SerialNumber { SerialNumber(bytes: copy(storage.fields.serialNumber)) }

    /// The subject; may be empty.
    public var subject: DistinguishedName { DistinguishedName(checkedDER: copy(storage.fields.subject)) }

    /// The issuer.
    public var issuer: DistinguishedName { DistinguishedName(checkedDER: copy(storage.fields.issuer)) }

    /// The first second of validity.
    public var notBefore: Time { storage.fields.notBefore }

    /// The last second of validity, itself included (RFC 5280 § 4.1.2.5).
    public var notAfter: Time { storage.fields.notAfter }

    /// The algorithm that the issuer states for its signature.
    package var signatureAlgorithm: OID { OID(checkedContents: copy(storage.fields.signatureAlgorithm.oid)) }

    /// The signed bytes: the whole `tbsCertificate`.
    public var tbsCertificate: [UInt8] { copy(storage.fields.tbs) }

    /// The signature's bytes.
    public var signature: [UInt8] { copy(storage.fields.signature) }

    /// The subject's key: algorithm, parameters and bits as in the certificate.
    public var subjectPublicKeyInfo: SubjectPublicKeyInfo {
        SubjectPublicKeyInfo(checkedDER: copy(storage.fields.spki.whole))
    }

    /// SHA-256 over the bytes of ``subjectPublicKeyInfo``, without a copy of them.
    package var subjectPublicKeyInfoSHA256: [UInt8] { Digests.sha256(span, storage.fields.spki.whole.indices) }

    /// Whether subject and issuer are the same name (RFC 5280 § 7.1). The signature is not checked.
    public var isSelfIssued: Bool {
        namesMatch(span, storage.fields.subject, span, storage.fields.issuer)
    }

    /// Whether subject and issuer are the same name; nil if finding out takes more than `work`, in the units of ``WorkMeter/work``.
    package func isSelfIssued(atMost work: Int) -> Bool? {
        let fields = storage.fields
        if bytesEqual(span, fields.subject, span, fields.issuer) { return true }
        let cost = NormalizedName.cost(span, fields.subject) + NormalizedName.cost(span, fields.issuer)
        return cost <= work ? isSelfIssued : nil
    }

    /// SHA-256 over the whole DER.
    public var sha256: [UInt8] { Digests.sha256(span, 0..<storage.count) }

    /// SHA-1 over the whole DER, the fingerprint by which people still search for certificates; it decides nothing.
    package var sha1Fingerprint: [UInt8] { Digests.insecureSHA1(span) }

    func copy(_ range: ByteRange) -> [UInt8] { span.copy(range) }
}

extension Certificate: CustomStringConvertible {
    /// The subject, or the first alternative name if the subject is empty.
    public var description: String {
        let subject = subject
        guard subject.isEmpty else { return subject.description }
        return subjectAlternativeNames?.first?.printable ?? "serial \(serialNumber)"
    }
}

extension Certificate {
    /// The largest name that failures show, in bytes; of longer ones they show the length. The sender of a megabyte of
    /// name must not have it decoded and copied for every path.
    static let maximumTextSize = 1024

    /// ``description`` for a failure.
    var shortDescription: String {
        let subject = storage.fields.subject
        guard subject.count <= Self.maximumTextSize else { return "a name of \(subject.count) bytes" }
        guard subject.count <= 2 else { return self.subject.description }
        return "serial \(hexPrefix(storage.fields.serialNumber))"
    }

    /// The issuer for a failure.
    var shortIssuer: String {
        let issuer = storage.fields.issuer
        return issuer.count <= Self.maximumTextSize ? self.issuer.description : "a name of \(issuer.count) bytes"
    }

    /// The subject for a report, of at most `maximum` bytes; empty if the subject is.
    package func abridgedSubject(toBytes maximum: Int) -> String {
        let range = storage.fields.subject
        guard range.count <= 4 * Self.maximumTextSize else { return "a name of \(range.count) bytes" }
        return subject.description.abridged(toBytes: maximum)
    }

    /// The issuer for a report, of at most `maximum` bytes.
    package func abridgedIssuer(toBytes maximum: Int) -> String {
        let range = storage.fields.issuer
        guard range.count <= 4 * Self.maximumTextSize else { return "a name of \(range.count) bytes" }
        return issuer.description.abridged(toBytes: maximum)
    }

    /// ``description`` for a report, of at most `maximum` bytes.
    package func abridgedDescription(toBytes maximum: Int) -> String {
        guard storage.fields.subject.count <= 2 else { return abridgedSubject(toBytes: maximum) }
        let names = storage.fields.extensions.value(.subjectAlternativeName)
        guard names.isPresent, names.count <= 4 * Self.maximumTextSize else { return "serial \(abridgedSerialNumber)" }
        return description.abridged(toBytes: maximum)
    }

    /// The serial number for a report; of a long one the first bytes.
    package var abridgedSerialNumber: String { hexPrefix(storage.fields.serialNumber) }

    /// Returns a name of an extension for a failure.
    func shortName(_ name: DERElement) -> String {
        name.contentCount <= Self.maximumTextSize ? generalName(name).printable : "a name of \(name.contentCount) bytes"
    }

    /// Returns the first bytes of a range for a failure.
    func hexPrefix(_ range: ByteRange) -> String {
        let maximum = 32
        let prefix = ByteRange(range.start, min(range.end, range.start + maximum))
        return Hex.encode(copy(prefix)) + (range.count > maximum ? "…" : "")
    }
}

/// A certificate's serial number (RFC 5280 § 4.1.2.2): the contents of its INTEGER, two's complement, big-endian.
public struct SerialNumber: Sendable, Hashable, CustomStringConvertible {
    /// The contents of the INTEGER.
    public let bytes: [UInt8]

    /// Creates a serial number from the contents of an INTEGER.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Hexadecimal, lower case, every byte of the encoding.
    public var description: String { Hex.encode(bytes) }

    /// Whether the number is negative, which RFC 5280 § 4.1.2.2 forbids and certificates in use are.
    package var isNegative: Bool { (bytes.first ?? 0) >= 0x80 }
}

extension Certificate {
    /// The last eight bytes, which belong to the signature: close to random among honest certificates.
    var tail: UInt64 {
        let span = span
        return span.count >= 8 ? loadWord(span, span.count - 8) : 0
    }
}
