// SPDX-License-Identifier: Apache-2.0

/// A certificate revocation list (RFC 5280 § 5), parsed, indexed and unverified.
///
/// One list serves any number of threads: its bytes are kept, not copied, and the index takes some 7 bytes an entry.
/// Parsing decides nothing: ``RevocationChecker`` checks issuer, scope, signature and dates.
public final class CertificateRevocationList: Sendable {
    /// The largest CRL that is read, in bytes. The largest of the public web had some 80 MB.
    package static let maximumSize = 256 << 20

    let bytes: ArraySlice<UInt8>
    let fields: CRLFields
    let index: CRLIndex
    let verifiedKeys = VerifiedKeys()

    /// Parses and indexes one CRL in DER.
    ///
    /// A list with a malformed extension, or one that comes twice, is read: it revokes, and vouches for nothing.
    /// - Throws: ``DERError`` naming field and byte: anything that is not strict DER, not a `CertificateList`, names an entry's issuer
    ///   otherwise than by directory name, or is over 256 MiB.
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

    /// The size of the DER in bytes.
    package var size: Int { bytes.count }

    /// The bytes, borrowed from this object.
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(Span(_unsafeElements: bytes.memory), borrowing: self) }
    }

    func copy(_ range: ByteRange) -> [UInt8] { span.copy(range) }
}

extension ArraySlice<UInt8> {
    /// The slice's memory, for an object that keeps the slice unchanged for all of its life and lends the memory for no
    /// longer than that: bytes of an array are one block, which stays in place as long as it is kept and not written
    /// to. (The slice's own `span` ends with the statement that reads the slice out of the object.)
    @unsafe var memory: UnsafeBufferPointer<UInt8> { unsafe withUnsafeBufferPointer { unsafe $0 } }
}

extension CertificateRevocationList: Hashable {
    public static func == (left: CertificateRevocationList, right: CertificateRevocationList) -> Bool {
        left === right || left.hasBytes(right.bytes)
    }

    public func hash(into hasher: inout Hasher) {
        // The signature's last bytes distinguish CRLs; all of them would take milliseconds.
        hasher.combine(bytes.count)
        hasher.combine(tableWord)
    }

    /// Whether these are its bytes; without a comparison if they are the same memory.
    package func hasBytes(_ other: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == other.count else { return false }
        let isSameMemory = unsafe bytes.withUnsafeBufferPointer { left in
            unsafe other.withUnsafeBufferPointer { right in unsafe left.baseAddress == right.baseAddress }
        }
        return isSameMemory
            || bytesEqual(span, ByteRange(0, bytes.count), other.span, ByteRange(0, other.count))
    }

    /// A word of the signature, for tables whose entries are compared byte for byte.
    var tableWord: UInt64 { bytes.count >= 8 ? loadWord(span, bytes.count - 8) : 0 }
}

// MARK: - The fields

extension CertificateRevocationList {
    /// The version: 1 or 2.
    package var version: Int { Int(fields.version) }

    /// The issuer of the CRL.
    public var issuer: DistinguishedName { DistinguishedName(checkedDER: copy(fields.issuer)) }

    /// The date of issue.
    public var thisUpdate: Time { fields.thisUpdate }

    /// The date of the next CRL at the latest; nil if the CRL has none, which RFC 5280 § 5.1.2.5 forbids.
    public var nextUpdate: Time? { fields.nextUpdate }

    /// The `cRLNumber`: the contents of the INTEGER, big-endian; nil if there is none.
    package var number: [UInt8]? { fields.extensions.number.isPresent ? copy(fields.extensions.number) : nil }

    /// The number of the complete CRL that a delta CRL adds to, in the form of ``number``; nil for a complete one.
    package var deltaBaseNumber: [UInt8]? {
        fields.extensions.deltaBase.isPresent ? copy(fields.extensions.deltaBase) : nil
    }

    /// Whether the CRL lists changes alone (RFC 5280 § 5.2.4).
    package var isDelta: Bool { fields.extensions.deltaBase.isPresent }

    /// The scope of the CRL; nil for every certificate of its issuer and every reason.
    package var issuingDistributionPoint: IssuingDistributionPoint? {
        guard let point = fields.extensions.issuingDistributionPoint else { return nil }
        return IssuingDistributionPoint(
            fullName: GeneralName.list(span, point.fullName),
            nameRelativeToCRLIssuer: point.relativeName.isPresent ? copy(point.relativeName) : nil,
            onlyContainsUserCertificates: point.onlyContainsUserCertificates,
            onlyContainsCACertificates: point.onlyContainsCACertificates,
            onlyContainsAttributeCertificates: point.onlyContainsAttributeCertificates,
            onlySomeReasons: point.onlySomeReasons, isIndirect: point.isIndirect)
    }

    /// The places of its delta CRLs (RFC 5280 § 5.2.6); empty if it names none.
    package var freshestCRL: [DistributionPoint] {
        DistributionPoint.list(span, fields.extensions.freshestCRL)
    }

    /// The identifier of the key that the CRL names as its signer's; nil if there is none.
    package var authorityKeyIdentifier: [UInt8]? {
        fields.extensions.keyIdentifier.isPresent ? copy(fields.extensions.keyIdentifier) : nil
    }

    /// The number of entries.
    public var count: Int { index.count }

    /// Returns the entry for a certificate by issuer and serial number (RFC 5280 § 5.3.3); nil if it isn't listed.
    ///
    /// Not checked: whether this CRL covers the certificate at all, and whether it is signed by an authorized signer.
    public func entry(for certificate: Certificate) -> RevokedCertificate? {
        guard let element = element(for: certificate) else { return nil }
        return revoked(element)
    }

    /// All entries in the order of the CRL.
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
    /// The issuer and the date.
    public var description: String { "CRL of \(issuer), \(fields.thisUpdate)" }
}

// MARK: - The signature

extension CertificateRevocationList {
    /// The scheme of the signature; nil for one that isn't verified here. If the algorithm inside is another one than outside, which
    /// § 5.1.1.2 forbids, the signature is too weak to vouch.
    var evidenceScheme: EvidenceScheme? {
        let span = self.span
        let scheme = EvidenceScheme(span, fields.signatureAlgorithm)
        return bytesEqual(span, fields.tbsAlgorithm.whole, span, fields.signatureAlgorithm.whole)
            ? scheme : scheme?.weakened
    }

    /// Whether this key has verified the signature, which is strong; `key` is the SubjectPublicKeyInfo's SHA-256.
    package func isVerified(withKey key: [UInt8]) -> Bool { verifiedKeys.contains(key) }

    /// Whether any key has verified the signature, which is strong.
    package var isVerified: Bool { !verifiedKeys.isEmpty }
}
