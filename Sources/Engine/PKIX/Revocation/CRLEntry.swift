// SPDX-License-Identifier: Apache-2.0

/// One certificate on a CRL (RFC 5280 § 5.1.2.6).
public struct RevokedCertificate: Sendable, Hashable {
    /// The serial number of the certificate.
    public var serialNumber: SerialNumber
    /// The date of the revocation, which may be in the future.
    public var revocationDate: Time
    /// The `reasonCode`, or nil if the entry has no reason code, or one that RFC 5280 doesn't define. The certificate
    /// is revoked in either case.
    public var reason: RevocationReason?
    /// The date since which the key is believed to be compromised, or nil if the entry doesn't state it.
    package var invalidityDate: Time?
}

/// One certificate on a CRL, as ranges into the CRL.
struct RevokedElement {
    var start: Int
    /// The contents of the INTEGER.
    var serial: ByteRange
    var date: Time
    /// The members of the list of extensions. Absent if the entry has no extensions.
    var extensions: ByteRange

    /// Whether this entry weighs more against a certificate than another entry. A revocation weighs more than a hold,
    /// and a hold more than its removal. Of two entries of the same kind, the earlier one weighs more.
    func isWorse(than other: RevokedElement, _ bytes: Span<UInt8>) -> Bool {
        let (own, known) = (weight(bytes), other.weight(bytes))
        return own == known ? date < other.date : own > known
    }

    private func weight(_ bytes: Span<UInt8>) -> Int {
        // An entry with unreadable extensions counts as a revocation without a reason.
        guard extensions.isPresent, let reason = (try? CRLEntryExtensions(parsing: bytes, extensions))?.reason else {
            return 2
        }
        return switch reason {
        case RevocationReason.removeFromCRL.rawValue: 0
        case RevocationReason.certificateHold.rawValue: 1
        default: 2
        }
    }
}

/// The extensions of an entry (RFC 5280 § 5.3).
struct CRLEntryExtensions {
    /// The number of the reason, even if RFC 5280 doesn't define it.
    private(set) var reason: Int?
    private(set) var invalidityDate: Time?
    /// The `GeneralNames` without tag and length.
    private(set) var certificateIssuer = ByteRange.absent
    /// The contents of the OID of the first critical extension that the engine doesn't process.
    private(set) var unhandledCritical = ByteRange.absent
    /// Whether the reason or the invalidity date is malformed, or an extension appears twice. Such an entry still
    /// revokes, but without a reason.
    private(set) var isMalformed = false

    /// The largest number of extensions. Three are defined. The search for duplicates is quadratic in this number.
    static let maximumCount = 16

    init(parsing bytes: Span<UInt8>, _ members: ByteRange) throws(DERError) {
        let field: StaticString = "crlEntryExtensions"
        var list = DERReader(bytes, members)
        var count = 0
        while !list.isAtEnd {
            count += 1
            guard count <= Self.maximumCount else {
                throw DERError(.limitExceeded(limit: Self.maximumCount), in: field, at: list.position)
            }
            let member = try list.nextExtension()
            if count > 1, Self.isRepeated(member.oid, list, ByteRange(members.start, member.start)) {
                (isMalformed, reason) = (true, nil)
                continue
            }
            var value = DERReader(bytes, member.value)
            let isCertificateExtension =
                member.oid.count == 3 && bytes[member.oid.start] == 0x55 && bytes[member.oid.start &+ 1] == 0x1d
            switch isCertificateExtension ? bytes[member.oid.start &+ 2] : 0 {
            case 21:
                guard let found = Self.reason(value) else {
                    isMalformed = true
                    continue
                }
                reason = found
                continue
            case 24:
                guard let date = try? value.nextTime("invalidityDate").time, value.isAtEnd else {
                    isMalformed = true
                    continue
                }
                invalidityDate = date
                continue
            case 29:
                let names = try value.next(DERTag.sequence, "certificateIssuer")
                try value.inside(names).checkGeneralNames("certificateIssuer", form: .name)
                certificateIssuer = names.contents
            default:
                if member.isCritical, !unhandledCritical.isPresent { unhandledCritical = member.oid }
                continue
            }
            try value.finish(field)
        }
    }

    private static func isRepeated(_ oid: ByteRange, _ list: borrowing DERReader, _ earlier: ByteRange) -> Bool {
        (try? list.refuseDuplicate(oid, earlier: earlier, "crlEntryExtensions")) == nil
    }

    /// Returns the number of a `reasonCode`, or nil if it is malformed.
    private static func reason(_ value: consuming DERReader) -> Int? {
        var value = value
        guard let element = try? value.next(DERTag.enumerated, "reasonCode"), value.isAtEnd else { return nil }
        return try? value.smallNumber(element, "reasonCode")
    }
}

extension DERReader {
    /// Reads `SEQUENCE { userCertificate INTEGER, revocationDate Time, crlEntryExtensions Extensions OPTIONAL }`
    /// without reading the extensions.
    @_lifetime(self: copy self)
    mutating func nextRevoked() throws(DERError) -> RevokedElement {
        let element = try next(DERTag.sequence, "revokedCertificates")
        var inner = inside(element)
        let serial = try inner.next(DERTag.integer, "userCertificate")
        try inner.checkInteger(serial, "userCertificate")
        let date = try inner.nextTime("revocationDate").time
        var extensions = ByteRange.absent
        if !inner.isAtEnd {
            let list = try inner.next(DERTag.sequence, "crlEntryExtensions")
            guard list.contentCount > 0 else { throw DERError(.empty, in: "crlEntryExtensions", at: list.start) }
            extensions = list.contents
            try inner.finish("revokedCertificates")
        }
        return RevokedElement(start: element.start, serial: serial.contents, date: date, extensions: extensions)
    }
}
