// SPDX-License-Identifier: Apache-2.0

/// A certificate revocation list (RFC 5280 § 5), parsed and indexed but not verified.
///
/// Any number of threads can use one list. The list keeps its bytes without copying them, and the index takes about 7
/// bytes per entry, or 8 in an indirect CRL. Parsing only checks the format. ``RevocationChecker`` checks the issuer, scope, signature and
/// dates.
public final class CertificateRevocationList: Sendable {
    /// The largest CRL that the parser accepts, in bytes. The budget of an evaluation limits what it hashes, 256 MiB. The
    /// largest CRL seen on the public web had about 80 MB.
    package static let maximumSize = Int(Int32.max)

    let bytes: ArraySlice<UInt8>
    let fields: CRLFields
    let index: CRLIndex
    let verifiedKeys = VerifiedKeys()

    /// Parses and indexes one CRL in DER.
    ///
    /// The parser accepts a list with a malformed entry, field or extension. Such a list can revoke the certificates in
    /// its readable entries but can't show that a certificate is good. An entry is readable if its serial number is.
    /// - Throws: ``DERError`` with field and byte if the bytes aren't a `CertificateList`, its signature, issuer or
    ///   `thisUpdate` can't be read, or the bytes exceed 2 GiB.
    public init(der: [UInt8]) throws(DERError) {
        guard der.count <= Self.maximumSize else {
            throw DERError(.limitExceeded(limit: Self.maximumSize), in: "certificateList", at: 0)
        }
        let bytes = der[...]
        let span = bytes.span
        self.fields = try CRLFields(parsing: span)
        self.index = CRLIndex(parsing: span, fields)
        self.bytes = bytes
    }

    /// The bytes of the CRL as you passed them.
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
    /// The memory of the slice. Use it only in an object that keeps the slice unchanged for its whole life and lends
    /// the memory for no longer than that. An array's bytes are one block, which stays in place while the array is kept
    /// and not written to. (The slice's own `span` ends with the statement that reads the slice from the object.)
    @unsafe var memory: UnsafeBufferPointer<UInt8> { unsafe withUnsafeBufferPointer { unsafe $0 } }
}

extension CertificateRevocationList: Hashable {
    public static func == (left: CertificateRevocationList, right: CertificateRevocationList) -> Bool {
        left === right || left.hasBytes(right.bytes)
    }

    public func hash(into hasher: inout Hasher) {
        // The last bytes of the signature distinguish CRLs. Hashing all bytes would take milliseconds.
        hasher.combine(bytes.count)
        hasher.combine(tableWord)
    }

    /// Whether the CRL has these bytes. If both share the same memory, nothing is compared.
    package func hasBytes(_ other: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == other.count else { return false }
        let isSameMemory = unsafe bytes.withUnsafeBufferPointer { left in
            unsafe other.withUnsafeBufferPointer { right in unsafe left.baseAddress == right.baseAddress }
        }
        return isSameMemory
            || bytesEqual(span, ByteRange(0, bytes.count), other.span, ByteRange(0, other.count))
    }

    /// A hash of the issuer's name, in any encoding.
    var issuerHash: UInt64 {
        let span = self.span
        return nameHash(span, fields.issuer)
    }

    /// A word of the signature, for tables that compare their entries byte for byte.
    var tableWord: UInt64 { bytes.count >= 8 ? loadWord(span, bytes.count - 8) : 0 }
}

// MARK: - The fields

extension CertificateRevocationList {
    /// The version: 1 or 2.
    var version: Int { Int(fields.version) }

    /// The issuer of the CRL.
    public var issuer: DistinguishedName { DistinguishedName(checkedDER: copy(fields.issuer)) }

    /// The date of issue.
    public var thisUpdate: Time { fields.thisUpdate }

    /// The latest date for the next CRL, or nil if the CRL doesn't state it, which RFC 5280 § 5.1.2.5 forbids.
    public var nextUpdate: Time? { fields.nextUpdate }

    /// The contents of the `cRLNumber` INTEGER, big-endian, or nil if the CRL has no number.
    var number: [UInt8]? { fields.extensions.number.isPresent ? copy(fields.extensions.number) : nil }

    /// The number of the complete CRL that this delta CRL is based on, in the form of ``number``, or nil for a complete
    /// CRL.
    var deltaBaseNumber: [UInt8]? {
        fields.extensions.deltaBase.isPresent ? copy(fields.extensions.deltaBase) : nil
    }

    /// Whether the CRL lists only changes (RFC 5280 § 5.2.4).
    package var isDelta: Bool { fields.extensions.deltaBase.isPresent }

    /// The scope of the CRL, or nil if it covers every certificate of its issuer and every reason.
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

    /// The distribution points of the delta CRLs (RFC 5280 § 5.2.6). Empty if the CRL names none.
    package var freshestCRL: [DistributionPoint] {
        DistributionPoint.list(span, fields.extensions.freshestCRL)
    }

    /// The identifier of the signer's key as stated in the CRL, or nil if the CRL doesn't state it.
    var authorityKeyIdentifier: [UInt8]? {
        fields.extensions.keyIdentifier.isPresent ? copy(fields.extensions.keyIdentifier) : nil
    }

    /// The first problem with the form of an entry, a field or an extension. A list with a problem can only revoke.
    var problem: DERError? { fields.problem ?? index.problem }

    /// The number of entries, including those that can't be read.
    public var count: Int { index.count }

    /// Returns the entry for a certificate by issuer and serial number (RFC 5280 § 5.3.3), or nil if the CRL doesn't
    /// list it.
    ///
    /// Not checked: whether this CRL covers the certificate at all, and whether an authorized signer has signed it.
    public func entry(for certificate: Certificate) -> RevokedCertificate? {
        entry(for: certificate) { _ in true }
    }

    /// All readable entries in the order of the CRL.
    public var entries: [RevokedCertificate] { index.elements(span).map(revoked) }

    /// Returns the entry for a certificate.
    /// - Parameter pay: Charges for the work of reading an indirect CRL, in hashed bytes. If it returns false, the search
    ///   ends.
    func entry(for certificate: Certificate, paying pay: (_ hashedBytes: Int) -> Bool) -> RevokedCertificate? {
        let fields = certificate.storage.fields
        return index.entry(
            span, crlIssuer: self.fields.issuer, of: certificate.span, fields.serialNumber, issuer: fields.issuer,
            paying: pay
        ).map(revoked)
    }

    private func revoked(_ element: RevokedElement) -> RevokedCertificate {
        let extensions =
            element.extensions.isPresent ? CRLEntryExtensions(parsing: span, element.extensions) : nil
        return RevokedCertificate(
            serialNumber: SerialNumber(bytes: copy(element.serial)), revocationDate: element.date ?? thisUpdate,
            reason: extensions?.reason.flatMap(RevocationReason.init(rawValue:)),
            invalidityDate: extensions?.invalidityDate)
    }
}

extension CertificateRevocationList: CustomStringConvertible {
    /// The issuer and the date of issue.
    public var description: String { "CRL of \(issuer), \(fields.thisUpdate)" }
}

// MARK: - The signature

extension CertificateRevocationList {
    /// The scheme of the signature, or nil if the engine doesn't verify that scheme. If the inner algorithm differs
    /// from the outer one, which § 5.1.1.2 forbids, the signature counts as weak: the list can only revoke.
    var evidenceScheme: EvidenceScheme? {
        let span = self.span
        let scheme = EvidenceScheme(span, fields.signatureAlgorithm)
        return bytesEqual(span, fields.tbsAlgorithm.whole, span, fields.signatureAlgorithm.whole)
            ? scheme : scheme?.weakened
    }

    /// Whether this key has verified the signature and the signature is strong. `key` is the SHA-256 of the
    /// SubjectPublicKeyInfo.
    package func isVerified(withKey key: [UInt8]) -> Bool { verifiedKeys.contains(key) }

    /// Whether any key has verified the signature and the signature is strong.
    package var isVerified: Bool { !verifiedKeys.isEmpty }
}
