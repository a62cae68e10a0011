// SPDX-License-Identifier: Apache-2.0

/// A parsed but unverified X.509 certificate (RFC 5280 § 4).
///
/// Equality and hashing compare only the DER bytes. The parser accepts only strict DER and parses every extension that
/// it knows, so a parsed field is never found malformed later. The certificate stores its bytes once, and fields are
/// ranges in them. If a malformed extension isn't critical and restricts nothing, the parser treats it as absent.
///
/// Parsing doesn't make a certificate trusted. ``PathValidator`` checks signature, dates, names and constraints.
public struct Certificate: Sendable {
    let storage: CertificateStorage

    /// The largest certificate that the parser accepts, in bytes. The largest certificates in use (thousands of names)
    /// have about 100 KB. A TLS handshake message has at most 16 MiB (RFC 8446 § 4).
    public static let maximumSize = 1 << 20

    /// Parses one certificate in DER.
    /// - Throws: ``DERError`` with field and byte, if the bytes aren't strict DER, aren't a `Certificate`, exceed
    ///   ``maximumSize``, contain an extension twice, or contain a malformed known extension that is critical or
    ///   restricting.
    public init(der: [UInt8]) throws(DERError) {
        let view = der[...]
        self.storage = try CertificateStorage(view.span)
    }

    /// Parses one certificate in DER from the caller's bytes, and copies them once.
    /// - Throws: ``DERError`` like ``init(der:)-([UInt8])``.
    init(der: Span<UInt8>) throws(DERError) {
        self.storage = try CertificateStorage(der)
    }

    /// The bytes, borrowed from this value.
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(storage.span, borrowing: self) }
    }
}

/// The bytes of a certificate and the ranges of its fields.
///
/// The object copies the bytes once into its own memory. A view of them is only a pointer and a count, so the many
/// short reads of path building need no reference counting.
@safe
final class CertificateStorage: @unchecked Sendable {
    // This type is sendable because only `init` writes `base`, before other threads have the object, and `deinit` frees
    // it.
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
        // Hashes all bytes, because it is easy to create certificates that agree in any chosen part.
        unsafe span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

// MARK: - The fields

extension Certificate {
    /// The whole certificate in its original encoding.
    public var der: [UInt8] { copy(ByteRange(0, storage.count)) }

    /// The version: 1, 2 or 3.
    public var version: Int { Int(storage.fields.version) }

    /// The serial number, with all bytes of the encoding.
    public var serialNumber: SerialNumber { SerialNumber(bytes: copy(storage.fields.serialNumber)) }

    /// The subject, possibly empty.
    public var subject: DistinguishedName { DistinguishedName(checkedDER: copy(storage.fields.subject)) }

    /// The issuer.
    public var issuer: DistinguishedName { DistinguishedName(checkedDER: copy(storage.fields.issuer)) }

    /// The first second of validity.
    public var notBefore: Time { storage.fields.notBefore }

    /// The last second of validity, inclusive (RFC 5280 § 4.1.2.5).
    public var notAfter: Time { storage.fields.notAfter }

    /// The signature algorithm that the issuer states.
    package var signatureAlgorithm: OID { OID(checkedContents: copy(storage.fields.signatureAlgorithm.oid)) }

    /// The signed bytes, which are the whole `tbsCertificate`.
    public var tbsCertificate: [UInt8] { copy(storage.fields.tbs) }

    /// The signature's bytes.
    public var signature: [UInt8] { copy(storage.fields.signature) }

    /// The subject's key: algorithm, parameters and key bits as the certificate encodes them.
    public var subjectPublicKeyInfo: SubjectPublicKeyInfo {
        SubjectPublicKeyInfo(checkedDER: copy(storage.fields.spki.whole))
    }

    /// The SHA-256 digest of ``subjectPublicKeyInfo``, computed without copying its bytes.
    package var subjectPublicKeyInfoSHA256: [UInt8] { Digests.sha256(span, storage.fields.spki.whole.indices) }

    /// Whether subject and issuer are the same name (RFC 5280 § 7.1). Doesn't check the signature.
    public var isSelfIssued: Bool {
        namesMatch(span, storage.fields.subject, span, storage.fields.issuer)
    }

    /// Whether subject and issuer are the same name. Nil if the comparison takes more than `work`, in the units of
    /// ``WorkMeter/work``.
    package func isSelfIssued(atMost work: Int) -> Bool? {
        let fields = storage.fields
        if bytesEqual(span, fields.subject, span, fields.issuer) { return true }
        let cost = NormalizedName.cost(span, fields.subject) + NormalizedName.cost(span, fields.issuer)
        return cost <= work ? isSelfIssued : nil
    }

    /// The SHA-256 digest of the whole DER encoding.
    public var sha256: [UInt8] { Digests.sha256(span, 0..<storage.count) }

    /// The SHA-1 digest of the whole DER encoding. People still search for certificates by this fingerprint, but no
    /// check uses it.
    var sha1Fingerprint: [UInt8] { Digests.insecureSHA1(span) }

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
    /// The largest name that failures show, in bytes. For a longer name, they show its length. Otherwise a sender could
    /// make the engine decode and copy a megabyte of name for every path.
    static let maximumTextSize = 1024

    /// The ``description`` for a failure.
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

    /// The subject for a report, shortened to `maximum` bytes. Empty if the subject is empty.
    package func abridgedSubject(toBytes maximum: Int) -> String {
        let range = storage.fields.subject
        guard range.count <= 4 * Self.maximumTextSize else { return "a name of \(range.count) bytes" }
        return subject.description.abridged(toBytes: maximum)
    }

    /// The issuer for a report, shortened to `maximum` bytes.
    package func abridgedIssuer(toBytes maximum: Int) -> String {
        let range = storage.fields.issuer
        guard range.count <= 4 * Self.maximumTextSize else { return "a name of \(range.count) bytes" }
        return issuer.description.abridged(toBytes: maximum)
    }

    /// The ``description`` for a report, shortened to `maximum` bytes.
    package func abridgedDescription(toBytes maximum: Int) -> String {
        guard storage.fields.subject.count <= 2 else { return abridgedSubject(toBytes: maximum) }
        let names = storage.fields.extensions.value(.subjectAlternativeName)
        guard names.isPresent, names.count <= 4 * Self.maximumTextSize else { return "serial \(abridgedSerialNumber)" }
        return description.abridged(toBytes: maximum)
    }

    /// The serial number for a report. A long number is shortened to its first bytes.
    package var abridgedSerialNumber: String { hexPrefix(storage.fields.serialNumber) }

    /// Returns a name from an extension for a failure.
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

/// A certificate's serial number (RFC 5280 § 4.1.2.2): the contents of its INTEGER, in big-endian two's complement.
public struct SerialNumber: Sendable, Hashable, CustomStringConvertible {
    /// The contents of the INTEGER.
    public let bytes: [UInt8]

    /// The bytes of the encoding in lowercase hexadecimal.
    public var description: String { Hex.encode(bytes) }

    /// Whether the number is negative. RFC 5280 § 4.1.2.2 forbids this, but some certificates in use have negative
    /// numbers.
    var isNegative: Bool { (bytes.first ?? 0) >= 0x80 }
}

extension Certificate {
    /// The last eight bytes. They belong to the signature, so they are nearly random among honest certificates.
    var tail: UInt64 {
        let span = span
        return span.count >= 8 ? loadWord(span, span.count - 8) : 0
    }
}
