// SPDX-License-Identifier: Apache-2.0

/// Properties of timestamps that must hold for any bytes, for fuzzing.
@_spi(Fuzzing)
public enum TransparencyFuzzing {
    /// Returns a contradiction in a parsed list of timestamps, or nil if there isn't one or the bytes aren't a list.
    public static func contradiction(inTimestamps bytes: [UInt8]) -> String? {
        guard let list = try? TimestampList(tls: bytes) else { return nil }
        let read = list.timestamps.count + list.otherVersions + list.malformed
        guard (1...TimestampList.maximumCount).contains(read) else { return "\(read) items" }
        guard (read + list.omitted) * 3 + 2 <= bytes.count else { return "more items than bytes" }
        guard list.timestamps.allSatisfy({ $0.logID.count == 32 }) else { return "a log without an identifier" }
        let value = DERBytes.header(DERTag.octetString, count: bytes.count) + bytes
        return (try? TimestampList(extensionValue: value)) == list ? nil : "parsed differently in an extension"
    }

    /// Returns a contradiction in the bytes of a certificate's precertificate, or nil if there isn't one or the
    /// certificate has no timestamps.
    public static func contradiction(in certificate: Certificate) -> String? {
        guard let slices = PrecertificateBytes(certificate) else {
            return certificate.embeddedTimestamps == nil ? nil : "timestamps without a precertificate"
        }
        var tbs: [UInt8] = []
        slices.forEachSlice(of: certificate) { slice in
            for index in slice.indices { tbs.append(slice[index]) }
        }
        guard tbs.count == slices.count else { return "\(tbs.count) bytes, announced as \(slices.count)" }
        let signature = Array(certificate.der[certificate.storage.fields.tbs.end...])
        let whole = DERBytes.header(DERTag.sequence, count: tbs.count + signature.count) + tbs + signature
        guard let precertificate = try? Certificate(der: whole) else { return "bytes that aren't a TBSCertificate" }
        guard precertificate.embeddedTimestamps == nil else { return "timestamps in a precertificate" }
        let isSame =
            precertificate.serialNumber == certificate.serialNumber && precertificate.issuer == certificate.issuer
            && precertificate.subject == certificate.subject && precertificate.notBefore == certificate.notBefore
            && precertificate.notAfter == certificate.notAfter
            && precertificate.subjectPublicKeyInfo == certificate.subjectPublicKeyInfo
            && precertificate.subjectAlternativeNames == certificate.subjectAlternativeNames
        return isSame ? nil : "another certificate"
    }
}
