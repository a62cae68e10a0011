// SPDX-License-Identifier: Apache-2.0

/// A certificate revocation list (RFC 5280 § 5), parsed, indexed and unverified. Make one, share it, use it from any number of
/// threads: the bytes it was made of are kept as they are, not copied, and the index takes some 7 bytes an entry.
///
/// Parsing decides nothing: issuer, scope, signature and dates are looked at by ``RevocationChecker``.
public final class CertificateRevocationList: Sendable {
    /// The largest CRL that is read, in bytes. The largest of the public web had some 80 MB.
    public static let maximumSize = 256 << 20

    let bytes: ArraySlice<UInt8>
    let fields: CRLFields
    let index: CRLIndex
    /// Keys that are known to verify the signature, as the SubjectPublicKeyInfo's SHA-256. Hashing megabytes once is enough.
    private let verifiers = Locked<[[UInt8]]>([])

    /// Parses and indexes one CRL in DER.
    /// - Throws: ``DERError`` naming field and byte: anything that is not strict DER, not a `CertificateList`, has an extension twice
    ///   or a known one that is malformed, names an entry's issuer otherwise than by directory name, or is over ``maximumSize``.
    public init(der: [UInt8]) throws(DERError) {
        guard der.count <= Self.maximumSize else {
            throw DERError(.limitExceeded(limit: Self.maximumSize), in: "certificateList", at: 0)
        }
        let bytes = der[...]
        let span = bytes.span
        self.fields = try CRLFields(parsing: span)
        self.index = try CRLIndex(parsing: span, fields)
        self.bytes = bytes
    }

    /// The whole CRL as it was given.
    public var der: [UInt8] { Array(bytes) }

    /// Of the DER, in bytes.
    public var size: Int { bytes.count }

    /// SHA-256 over the whole DER.
    public var sha256: [UInt8] { Digests.sha256(span, 0..<bytes.count) }

    /// The bytes, for as long as this object is looked at.
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(Span(_unsafeElements: bytes.memory), borrowing: self) }
    }

    func copy(_ range: ByteRange) -> [UInt8] { span.copy(range) }
}

extension ArraySlice<UInt8> {
    /// The slice's memory, for an object that keeps the slice unchanged for all of its life and shows the memory for no longer
    /// than that: bytes of an array are one block, which stays where it is as long as it is kept and not written to. (The slice's
    /// own `span` ends with the statement that reads the slice out of the object.)
    @unsafe var memory: UnsafeBufferPointer<UInt8> { unsafe withUnsafeBufferPointer { unsafe $0 } }
}

extension CertificateRevocationList: Hashable {
    public static func == (left: CertificateRevocationList, right: CertificateRevocationList) -> Bool {
        left === right || left.hasBytes(right.bytes)
    }

    public func hash(into hasher: inout Hasher) {
        // The signature's last bytes tell CRLs apart; all of them would take milliseconds.
        hasher.combine(bytes.count)
        hasher.combine(tableWord)
    }

    /// Whether these are its bytes; at once if they stand in the same memory.
    package func hasBytes(_ other: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == other.count else { return false }
        let isSameMemory = unsafe bytes.withUnsafeBufferPointer { left in
            unsafe other.withUnsafeBufferPointer { right in unsafe left.baseAddress == right.baseAddress }
        }
        return isSameMemory
            || bytesEqual(span, ByteRange(0, bytes.count), other.span, ByteRange(0, other.count))
    }

    /// For tables whose entries are compared byte for byte.
    var tableWord: UInt64 { bytes.count >= 8 ? loadWord(span, bytes.count - 8) : 0 }
}

// MARK: - The fields

extension CertificateRevocationList {
    /// 1 or 2.
    public var version: Int { Int(fields.version) }

    public var issuer: DistinguishedName { DistinguishedName(checkedDER: copy(fields.issuer)) }

    public var thisUpdate: Time { fields.thisUpdate }

    /// When there will be another one at the latest; nil if it doesn't say, which RFC 5280 § 5.1.2.5 forbids.
    public var nextUpdate: Time? { fields.nextUpdate }

    /// `cRLNumber`: the contents of the INTEGER, big-endian; nil if there is none.
    public var number: [UInt8]? { fields.extensions.number.isPresent ? copy(fields.extensions.number) : nil }

    /// The number of the complete CRL that a delta CRL adds to, as ``number``; nil for a complete one.
    public var deltaBaseNumber: [UInt8]? {
        fields.extensions.deltaBase.isPresent ? copy(fields.extensions.deltaBase) : nil
    }

    /// Whether it lists changes alone (RFC 5280 § 5.2.4).
    public var isDelta: Bool { fields.extensions.deltaBase.isPresent }

    /// What it covers; nil for every certificate of its issuer and every reason.
    public var issuingDistributionPoint: IssuingDistributionPoint? {
        guard let point = fields.extensions.issuingDistributionPoint else { return nil }
        return IssuingDistributionPoint(
            fullName: GeneralName.list(span, point.fullName),
            nameRelativeToCRLIssuer: point.relativeName.isPresent ? copy(point.relativeName) : nil,
            onlyContainsUserCertificates: point.onlyContainsUserCertificates,
            onlyContainsCACertificates: point.onlyContainsCACertificates,
            onlyContainsAttributeCertificates: point.onlyContainsAttributeCertificates,
            onlySomeReasons: point.onlySomeReasons, isIndirect: point.isIndirect)
    }

    /// Where its delta CRLs are found (RFC 5280 § 5.2.6); empty if it doesn't say.
    public var freshestCRL: [DistributionPoint] {
        DistributionPoint.list(span, fields.extensions.freshestCRL)
    }

    /// The key identifier of the key that it says it is signed with; nil if there is none.
    public var authorityKeyIdentifier: [UInt8]? {
        fields.extensions.keyIdentifier.isPresent ? copy(fields.extensions.keyIdentifier) : nil
    }

    /// How many entries it has.
    public var count: Int { index.count }

    /// The entry for a certificate by issuer and serial number (RFC 5280 § 5.3.3); nil if it isn't listed.
    ///
    /// Not checked: whether this CRL speaks about the certificate at all, and whether it is to be believed.
    public func entry(for certificate: Certificate) -> RevokedCertificate? {
        guard let element = element(for: certificate) else { return nil }
        return revoked(element)
    }

    /// All entries in its order, as they stand there.
    public var entries: [RevokedCertificate] { index.elements(span).map(revoked) }

    func element(for certificate: Certificate) -> RevokedElement? {
        let fields = certificate.storage.fields
        return index.entry(
            span, crlIssuer: self.fields.issuer, of: certificate.span, fields.serialNumber, issuer: fields.issuer)
    }

    private func revoked(_ element: RevokedElement) -> RevokedCertificate {
        let extensions =
            element.extensions.isPresent
            ? try? CRLEntryExtensions(parsing: span, element.extensions) : nil
        return RevokedCertificate(
            serialNumber: SerialNumber(bytes: copy(element.serial)), revocationDate: element.date,
            reason: extensions?.reason.flatMap(RevocationReason.init(rawValue:)),
            invalidityDate: extensions?.invalidityDate)
    }
}

extension CertificateRevocationList: CustomStringConvertible {
    /// Issuer and date.
    public var description: String { "CRL of \(issuer), \(fields.thisUpdate)" }
}

// MARK: - The signature

extension CertificateRevocationList {
    /// How it is signed, if that is a way that counts and the same inside and outside (§ 5.1.1.2).
    var signatureScheme: SignatureScheme? {
        let span = self.span
        guard bytesEqual(span, fields.tbsAlgorithm.whole, span, fields.signatureAlgorithm.whole),
            case .supported(let scheme) = SignatureScheme.read(span, fields.signatureAlgorithm)
        else { return nil }
        return scheme
    }

    /// Whether this key was seen to verify the signature; `key` is the SubjectPublicKeyInfo's SHA-256.
    package func isKnownToVerify(with key: [UInt8]) -> Bool { verifiers.withLock { $0.contains(key) } }

    func remember(verifiedBy key: [UInt8]) {
        verifiers.withLock { keys in
            // More keys than this verify no honest CRL.
            if keys.count < 8, !keys.contains(key) { keys.append(key) }
        }
    }
}
