// SPDX-License-Identifier: Apache-2.0

/// One certificate on a CRL (RFC 5280 § 5.1.2.6).
public struct RevokedCertificate: Sendable, Hashable {
    /// The serial number of the certificate.
    public var serialNumber: SerialNumber
    /// The date of the revocation, which may be in the future. The list's date if the entry's can't be read.
    public var revocationDate: Time
    /// The `reasonCode`, or nil if the entry has no reason code, or one that RFC 5280 doesn't define. The certificate
    /// is revoked in either case.
    public var reason: RevocationReason?
    /// The date since which the key is believed to be compromised, or nil if the entry doesn't state it.
    var invalidityDate: Time?
}

/// One certificate on a CRL, as ranges into the CRL.
struct RevokedElement {
    var start: Int
    /// The contents of the INTEGER. Absent if the serial number can't be read.
    var serial = ByteRange.absent
    /// The date of the revocation, or nil if it can't be read.
    var date: Time?
    /// The members of the list of extensions. Absent if the entry has no extensions.
    var extensions = ByteRange.absent
    /// The first problem with the entry's form, except for its extensions. The entry still revokes the certificate with
    /// its serial number.
    var problem: DERError?

    /// Whether this entry weighs more against a certificate than another entry. A revocation weighs more than a hold,
    /// and a hold more than its removal. Of two entries of the same kind, the earlier one weighs more.
    func isWorse(than other: RevokedElement, _ bytes: Span<UInt8>) -> Bool {
        let (own, known) = (weight(bytes), other.weight(bytes))
        guard own == known, let date, let end = other.date else { return own > known }
        return date < end
    }

    private func weight(_ bytes: Span<UInt8>) -> Int {
        guard extensions.isPresent else { return 2 }
        return switch CRLEntryExtensions(parsing: bytes, extensions).reason {
        case RevocationReason.removeFromCRL.rawValue: 0
        case RevocationReason.certificateHold.rawValue: 1
        default: 2
        }
    }
}

/// The extensions of an entry (RFC 5280 § 5.3).
///
/// Every extension is read, whatever their number. A malformed entry still revokes, but without a reason.
struct CRLEntryExtensions {
    /// The number of the reason, even if RFC 5280 doesn't define it. nil if the reason is malformed or an extension is
    /// repeated.
    private(set) var reason: Int?
    private(set) var invalidityDate: Time?
    /// Whether the entry names the issuer of its certificate and of those in the following entries.
    private(set) var namesIssuer = false
    /// The `GeneralNames` without tag and length. Absent if the entry doesn't name an issuer, or the names can't be
    /// read.
    private(set) var certificateIssuer = ByteRange.absent
    /// The contents of the OID of the first critical extension that the engine doesn't process.
    private(set) var unhandledCritical = ByteRange.absent
    /// The first problem with an extension's form, or a repeated extension.
    private(set) var problem: DERError?

    /// The number of extensions among which repetitions of any extension are found. The search is quadratic in it.
    /// Repetitions of the three known extensions are always found.
    static let maximumCount = 16

    init(parsing bytes: Span<UInt8>, _ members: ByteRange) {
        var list = DERReader(bytes, members)
        var count = 0
        var known: UInt8 = 0
        var isRepeated = false
        while !list.isAtEnd {
            count += 1
            let start = list.position
            do throws(DERError) {
                let member = try list.nextExtension()
                guard !isRepetition(member.oid, list, count, ByteRange(members.start, member.start), &known) else {
                    isRepeated = true
                    throw DERError(.duplicate, in: "crlEntryExtensions", at: member.oid.start)
                }
                try read(member, DERReader(bytes, member.value))
            } catch {
                problem = problem ?? error
                // The end of this extension can't be found.
                guard list.position > start else { break }
            }
        }
        if isRepeated { reason = nil }
    }

    /// Whether an extension appeared before.
    /// - Parameter known: the known extensions so far, as bits.
    private func isRepetition(
        _ oid: ByteRange, _ list: borrowing DERReader, _ count: Int, _ earlier: ByteRange, _ known: inout UInt8
    ) -> Bool {
        let bit: UInt8 =
            switch list.certificateExtension(oid) {
            case 21: 1
            case 24: 2
            case 29: 4
            default: 0
            }
        guard bit == 0 else {
            defer { known |= bit }
            return known & bit != 0
        }
        guard count > 1, count <= Self.maximumCount else { return false }
        return (try? list.refuseDuplicate(oid, earlier: earlier, "crlEntryExtensions")) == nil
    }

    private mutating func read(_ member: ExtensionElement, _ value: consuming DERReader) throws(DERError) {
        var value = value
        switch value.certificateExtension(member.oid) {
        case 21:
            let element = try value.next(DERTag.enumerated, "reasonCode")
            reason = try value.smallNumber(element, "reasonCode")
        case 24: invalidityDate = try value.nextTime("invalidityDate").time
        case 29:
            namesIssuer = true
            let names = try value.next(DERTag.sequence, "certificateIssuer")
            try value.inside(names).checkGeneralNames("certificateIssuer", form: .name)
            try value.finish("crlEntryExtensions")
            certificateIssuer = names.contents
        default:
            if member.isCritical, !unhandledCritical.isPresent { unhandledCritical = member.oid }
            return
        }
        try value.finish("crlEntryExtensions")
    }
}

extension DERReader {
    /// Returns the last byte of an OID below id-ce, 2.5.29, or 0 for any other OID.
    func certificateExtension(_ oid: ByteRange) -> UInt8 {
        oid.count == 3 && bytes[oid.start] == 0x55 && bytes[oid.start &+ 1] == 0x1d ? bytes[oid.start &+ 2] : 0
    }

    /// Reads `SEQUENCE { userCertificate INTEGER, revocationDate Time, crlEntryExtensions Extensions OPTIONAL }`
    /// without reading the extensions.
    /// - Throws: ``DERError`` if the end of the entry can't be found. Any other problem is noted in the result.
    @_lifetime(self: copy self)
    mutating func nextRevoked() throws(DERError) -> RevokedElement {
        let element = try next("revokedCertificates")
        var entry = RevokedElement(start: element.start)
        do throws(DERError) {
            guard element.tag == DERTag.sequence else {
                throw element.unexpected(DERTag.sequence, "revokedCertificates")
            }
            try inside(element).read(&entry)
        } catch {
            entry.problem = error
        }
        return entry
    }

    /// Returns the contents of an INTEGER without superfluous leading bytes. Absent for an empty one.
    func shortestInteger(_ element: DERElement) -> ByteRange {
        guard element.contentCount > 0 else { return .absent }
        var start = element.content
        while start &+ 1 < element.end, bytes[start] == (bytes[start &+ 1] < 0x80 ? 0 : 0xff) { start &+= 1 }
        return ByteRange(start, element.end)
    }

    private consuming func read(_ entry: inout RevokedElement) throws(DERError) {
        let serial = try next(DERTag.integer, "userCertificate")
        entry.serial = shortestInteger(serial)
        var problem: DERError?
        do throws(DERError) { try checkInteger(serial, "userCertificate") } catch { problem = error }
        do throws(DERError) { entry.date = try nextTime("revocationDate").time } catch { problem = problem ?? error }
        if !isAtEnd {
            let list = try next(DERTag.sequence, "crlEntryExtensions")
            entry.extensions = list.contents
            guard list.contentCount > 0 else { throw DERError(.empty, in: "crlEntryExtensions", at: list.start) }
            try finish("revokedCertificates")
        }
        if let problem { throw problem }
    }
}
