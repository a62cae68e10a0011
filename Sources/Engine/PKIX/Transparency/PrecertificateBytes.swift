// SPDX-License-Identifier: Apache-2.0

/// The to-be-signed bytes of the precertificate that a log has signed, as slices of the certificate. They are the
/// certificate's bytes without its timestamp extension (RFC 6962 § 3.2).
///
/// All other bytes stay unchanged, regardless of their content. Only the lengths of the three values around the
/// extension are encoded again. If no other extension remains, the field of extensions is removed too.
struct PrecertificateBytes {
    /// The tag and length of the TBSCertificate.
    private let header: [UInt8]
    /// The fields before the extensions.
    private let fields: ByteRange
    /// The tags and lengths of the field of extensions and of the list in it. Empty if no extension remains.
    private let listHeader: [UInt8]
    /// The extensions before the removed one. The next property contains the extensions behind it.
    private let before: ByteRange
    private let behind: ByteRange

    /// Creates the slices for a certificate with embedded timestamps.
    /// - Returns: nil for a certificate without embedded timestamps.
    init?(_ certificate: Certificate) {
        let places = certificate.storage.fields
        guard places.extensions.has(.signedCertificateTimestamps),
            let removed = Self.element(certificate.span, places.extensionList)
        else { return nil }
        var outer = DERReader(certificate.span, places.tbs)
        guard let tbs = try? outer.next(DERTag.sequence, "tbsCertificate") else { return nil }
        var reader = outer.inside(tbs)
        while let tag = reader.nextTag, tag != DERTag.contextConstructed(3) {
            guard (try? reader.next("tbsCertificate")) != nil else { return nil }
        }
        fields = ByteRange(tbs.content, reader.position)
        before = ByteRange(places.extensionList.start, removed.start)
        behind = ByteRange(removed.end, places.extensionList.end)
        let left = before.count + behind.count
        listHeader = left == 0 ? [] : Self.headers(of: left, [DERTag.sequence, DERTag.contextConstructed(3)])
        header = Self.headers(of: fields.count + listHeader.count + left, [DERTag.sequence])
    }

    /// The number of bytes.
    var count: Int { header.count + fields.count + listHeader.count + before.count + behind.count }

    /// Calls `body` with each slice in order.
    func forEachSlice(of certificate: Certificate, _ body: (Span<UInt8>) -> Void) {
        let header = header[...]
        let listHeader = listHeader[...]
        body(header.span)
        body(certificate.span.extracting(fields.indices))
        body(listHeader.span)
        body(certificate.span.extracting(before.indices))
        body(certificate.span.extracting(behind.indices))
    }

    /// Returns the range of the timestamp extension, which appears once.
    private static func element(_ bytes: Span<UInt8>, _ list: ByteRange) -> ByteRange? {
        var reader = DERReader(bytes, list)
        while !reader.isAtEnd, let member = try? reader.nextExtension() {
            if KnownExtension(bytes, member.oid) == .signedCertificateTimestamps {
                return ByteRange(member.start, reader.position)
            }
        }
        return nil
    }

    /// Returns the tags and lengths of values around `count` bytes. `tags` starts with the innermost tag.
    private static func headers(of count: Int, _ tags: [UInt8]) -> [UInt8] {
        tags.reduce(into: [UInt8]()) { headers, tag in
            headers = DERBytes.header(tag, count: headers.count + count) + headers
        }
    }
}
