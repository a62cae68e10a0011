// SPDX-License-Identifier: Apache-2.0

/// Access to internal parts for the fuzz targets, which are in a separate package.
@_spi(Fuzzing)
public enum FuzzedTimestamps {
    /// Returns the identifiers of the logs in a list of timestamps, the numbers of its unreadable and unread items, the
    /// largest number that is read, and whether the value of an extension with these bytes is the same list. nil if the
    /// bytes aren't a list.
    public static func timestamps(
        tls bytes: [UInt8]
    ) -> (logIDs: [[UInt8]], unreadable: Int, omitted: Int, maximumCount: Int, isSameInExtension: Bool)? {
        guard let list = try? TimestampList(tls: bytes) else { return nil }
        let value = DERBytes.header(DERTag.octetString, count: bytes.count) + bytes
        return (
            list.timestamps.map(\.logID), list.otherVersions + list.malformed, list.omitted, TimestampList.maximumCount,
            (try? TimestampList(extensionValue: value)) == list
        )
    }

    /// Returns a certificate with the TBSCertificate of its precertificate, in DER, and the announced and the real size
    /// of that TBSCertificate. nil for a certificate without embedded timestamps.
    public static func precertificate(
        of certificate: Certificate
    ) -> (der: [UInt8], announcedSize: Int, size: Int)? {
        guard let slices = PrecertificateBytes(certificate) else { return nil }
        var tbs: [UInt8] = []
        slices.forEachSlice(of: certificate) { slice in
            for index in slice.indices { tbs.append(slice[index]) }
        }
        let signature = certificate.der[certificate.storage.fields.tbs.end...]
        let der = DERBytes.header(DERTag.sequence, count: tbs.count + signature.count) + tbs + signature
        return (der, slices.count, tbs.count)
    }

    /// Whether a certificate has readable embedded timestamps.
    public static func hasTimestamps(_ certificate: Certificate) -> Bool { certificate.embeddedTimestamps != nil }
}
