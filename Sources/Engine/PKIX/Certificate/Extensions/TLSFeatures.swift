// SPDX-License-Identifier: Apache-2.0

extension DERReader {
    /// Checks `SEQUENCE OF INTEGER` (RFC 7633 § 4).
    @_lifetime(self: copy self)
    mutating func checkTLSFeatures() throws(DERError) {
        var inner = try nextSequence("tlsFeature")
        while !inner.isAtEnd {
            let start = inner.position
            guard try inner.nextSmallNumber("tlsFeature") <= Int(UInt16.max) else {
                throw DERError(.integerOutOfRange, in: "tlsFeature", at: start)
            }
        }
    }

    /// Checks the framing of an OCTET STRING with a `SignedCertificateTimestampList` in TLS encoding (RFC 6962 § 3.3).
    @_lifetime(self: copy self)
    mutating func checkTimestampList() throws(DERError) {
        let octets = try next(DERTag.octetString, "signedCertificateTimestampList")
        var index = octets.content
        repeat { index = try nextTimestamp(octets.contents, from: index).end } while index < octets.end
    }

    /// Reads the next serialized timestamp of the list in `range`. The list and each timestamp start with a 16-bit
    /// length. `start` is the start of the list, or the end of the previous timestamp.
    func nextTimestamp(_ range: ByteRange, from start: Int) throws(DERError) -> ByteRange {
        let field: StaticString = "signedCertificateTimestampList"
        var index = start
        if index == range.start {
            guard range.count >= 2, bigEndian16(range.start) == range.count - 2 else {
                throw DERError(.invalid("length of the list"), in: field, at: range.start)
            }
            index += 2
        }
        guard range.end - index >= 2, bigEndian16(index) > 0, bigEndian16(index) <= range.end - index - 2 else {
            throw DERError(.invalid("length of a timestamp"), in: field, at: index)
        }
        return ByteRange(index + 2, index + 2 + bigEndian16(index))
    }

    private func bigEndian16(_ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
}

extension Certificate {
    /// The TLS extensions that the server must use (RFC 7633). For example, 5 is `status_request`. Nil if the
    /// certificate doesn't have the extension.
    public var tlsFeatures: [UInt16]? {
        guard storage.fields.extensions.has(.tlsFeature) else { return nil }
        return list(.tlsFeature) { (reader) throws(DERError) in
            UInt16(truncatingIfNeeded: try reader.nextSmallNumber("tlsFeature"))
        }
    }

    /// Whether the server must staple an OCSP response (RFC 7633 § 4.2.3.1).
    package var requiresStaple: Bool { tlsFeatures?.contains(5) ?? false }

    /// Whether the certificate of an OCSP responder is exempt from revocation checking (RFC 6960 § 4.2.2.2.1).
    var hasOCSPNoCheck: Bool { storage.fields.extensions.has(.ocspNoCheck) }

    /// Whether the issuer states that it publishes no revocation information about the certificate (RFC 9608 § 2).
    var hasNoRevAvail: Bool { storage.fields.extensions.has(.noRevAvail) }

    /// The embedded signed certificate timestamps, each serialized as in RFC 6962 § 3.3. Their signatures aren't
    /// checked.
    public var signedCertificateTimestamps: [[UInt8]] {
        guard storage.fields.extensions.has(.signedCertificateTimestamps) else { return [] }
        let span = span
        var reader = DERReader(span, storage.fields.extensions.value(.signedCertificateTimestamps))
        guard let octets = try? reader.next(DERTag.octetString, "signedCertificateTimestampList") else { return [] }
        var timestamps: [[UInt8]] = []
        var index = octets.content
        while index < octets.end, let next = try? reader.nextTimestamp(octets.contents, from: index) {
            timestamps.append(copy(next))
            index = next.end
        }
        return timestamps
    }
}
