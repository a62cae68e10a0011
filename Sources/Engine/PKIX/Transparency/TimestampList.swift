// SPDX-License-Identifier: Apache-2.0

/// The timestamps of one `SignedCertificateTimestampList` (RFC 6962 § 3.3).
package struct TimestampList: Sendable, Hashable {
    /// The maximum number of items that are read to verify them. Certificates from public CAs have two to six. Further
    /// items are only counted.
    static let maximumCount = 32

    /// The readable timestamps, in order.
    package private(set) var timestamps: [SignedCertificateTimestamp] = []

    /// The number of items with another version, which a client skips (RFC 6962 § 3.3).
    package private(set) var otherVersions = 0

    /// The number of items that aren't timestamps.
    package private(set) var malformed = 0

    /// The number of items beyond ``maximumCount``.
    package private(set) var omitted = 0

    /// Parses a list in the encoding of TLS, as in a handshake.
    /// - Throws: ``DERError`` for an empty list, an empty item, or lengths that contradict each other.
    package init(tls bytes: [UInt8]) throws(DERError) {
        let view = bytes[...]
        try self.init(DERReader(view.span), ByteRange(0, bytes.count))
    }

    /// Parses the value of the extension in certificates and OCSP responses: an OCTET STRING around the list.
    /// - Throws: ``DERError`` under the same conditions as ``init(tls:)``, or if the value isn't exactly one OCTET
    ///   STRING.
    init(extensionValue bytes: [UInt8]) throws(DERError) {
        let view = bytes[...]
        let octets = try DERReader(view.span).only(DERTag.octetString, "signedCertificateTimestampList")
        try self.init(DERReader(view.span), octets.contents)
    }

    init(_ reader: borrowing DERReader, _ range: ByteRange, limit: Int = maximumCount) throws(DERError) {
        var index = range.start
        repeat {
            let item = try reader.nextTimestamp(range, from: index)
            index = item.end
            add(reader.bytes, item, limit)
        } while index < range.end
    }

    private mutating func add(_ bytes: Span<UInt8>, _ item: ByteRange, _ limit: Int) {
        guard timestamps.count + otherVersions + malformed < limit else {
            omitted += 1
            return
        }
        do throws(SignedCertificateTimestamp.Unreadable) {
            timestamps.append(try SignedCertificateTimestamp(bytes.copy(item)))
        } catch .version {
            otherVersions += 1
        } catch {
            malformed += 1
        }
    }
}

extension Certificate {
    /// The timestamps embedded in the certificate, or nil if the certificate has no such extension.
    package var embeddedTimestamps: TimestampList? { embeddedTimestamps(limit: TimestampList.maximumCount) }

    /// All timestamps embedded in the certificate, for a use that verifies none of them.
    var allEmbeddedTimestamps: [SignedCertificateTimestamp] {
        embeddedTimestamps(limit: .max)?.timestamps ?? []
    }

    private func embeddedTimestamps(limit: Int) -> TimestampList? {
        let value = storage.fields.extensions.value(.signedCertificateTimestamps)
        guard value.isPresent else { return nil }
        var reader = DERReader(span, value)
        // The certificate parser has already checked the OCTET STRING and the list.
        guard let octets = try? reader.next(DERTag.octetString, "signedCertificateTimestampList") else { return nil }
        return try? TimestampList(reader, octets.contents, limit: limit)
    }
}
