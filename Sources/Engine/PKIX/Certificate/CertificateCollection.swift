// SPDX-License-Identifier: Apache-2.0

/// The certificates from a caIssuers address (RFC 5280 § 4.2.2.1): one certificate in DER, or several in a certs-only
/// CMS message (RFC 5652 § 5, RFC 8551 § 3.8; a `.p7c` file).
///
/// A certs-only message has no signature and doesn't make its certificates trusted. Each certificate is only a
/// candidate.
///
/// The parser deviates from the standards twice. RFC 5280 also allows BER, which this package rejects everywhere. DER
/// requires a sorted set of certificates (X.690 § 11.6), but OpenSSL doesn't sort it, so the parser accepts any order.
package struct CertificateCollection: Sendable, Hashable {
    /// The certificates in the order of the message, without duplicates.
    package let certificates: [Certificate]

    /// The errors of members that aren't valid certificates. They don't affect the other members.
    let unreadable: [DERError]

    /// The largest message that the parser accepts, in bytes. This is the limit for one certificate.
    static let maximumSize = Certificate.maximumSize

    /// The largest number of members that the parser accepts. The largest message in use, cross-certificates of the US
    /// federal bridge, has about 60.
    static let maximumCount = 128

    /// Parses one certificate or one certs-only message in DER.
    /// - Throws: ``DERError`` if the bytes are neither, or exceed a limit. A message with a signature or content isn't
    ///   certs-only.
    package init(der: [UInt8]) throws(DERError) {
        guard der.count <= Self.maximumSize else {
            throw DERError(.limitExceeded(limit: Self.maximumSize), in: "certificates", at: 0)
        }
        let view = der[...]
        guard let members = try Self.members(view.span) else {
            self.certificates = [try Certificate(der: der)]
            self.unreadable = []
            return
        }
        var certificates: [Certificate] = []
        var seen: Set<Certificate> = []
        var unreadable: [DERError] = []
        for member in members {
            do throws(DERError) {
                let certificate = try Certificate(der: Array(der[member.indices]))
                if seen.insert(certificate).inserted { certificates.append(certificate) }
            } catch {
                // Count offsets from the start of the whole message.
                var error = error
                error.offset += member.start
                unreadable.append(error)
            }
        }
        self.certificates = certificates
        self.unreadable = unreadable
    }
}

// MARK: - Reading

extension CertificateCollection {
    /// `id-signedData` (RFC 5652 § 5.1)
    private static let signedData = OID(checkedContents: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02])

    /// Returns the ranges of the certificates in a certs-only message.
    /// - Returns: nil if the bytes aren't a CMS message. A certificate starts with a SEQUENCE, a message with its type.
    private static func members(_ bytes: Span<UInt8>) throws(DERError) -> [ByteRange]? {
        let info = try DERReader(bytes).only(DERTag.sequence, "contentInfo")
        var reader = DERReader(bytes, info.contents)
        guard reader.nextTag == DERTag.objectIdentifier else { return nil }
        let start = reader.position
        let type = try reader.nextObjectIdentifier("contentType")
        let expected = signedData.der[...]
        guard bytesEqual(bytes, type, expected.span, ByteRange(0, expected.count)) else {
            throw DERError(.invalid("not the signed-data of a certs-only message"), in: "contentType", at: start)
        }
        let content = try reader.next(DERTag.contextConstructed(0), "content")
        try reader.finish("contentInfo")
        var inner = reader.inside(content)
        let signed = try inner.nextSequence("signedData")
        try inner.finish("content")
        return try members(inSignedData: signed)
    }

    private static func members(inSignedData reader: consuming DERReader) throws(DERError) -> [ByteRange] {
        let start = reader.position
        // The version is 1 if there are only certificates, and up to 5 with the other members of CertificateSet (RFC
        // 5652 § 5.1).
        guard (1...5).contains(try reader.nextSmallNumber("version")) else {
            throw DERError(.integerOutOfRange, in: "version", at: start)
        }
        try reader.nextEmpty(DERTag.set, "digestAlgorithms")
        var inside = try reader.nextSequence("encapContentInfo")
        _ = try inside.nextObjectIdentifier("eContentType")
        try inside.finish("encapContentInfo")
        var members: [ByteRange] = []
        if let set = try reader.nextIf(DERTag.contextConstructed(0), "certificates") {
            var list = reader.inside(set)
            while !list.isAtEnd {
                let member = try list.next("certificates")
                // The other choices (attribute certificates, PKCS #6) can't be issuers in a path.
                guard member.tag == DERTag.sequence else { continue }
                guard members.count < maximumCount else {
                    throw DERError(.limitExceeded(limit: maximumCount), in: "certificates", at: member.start)
                }
                members.append(member.whole)
            }
        }
        // CRLs come from the addresses in certificates, not from here.
        if let crls = try reader.nextIf(DERTag.contextConstructed(1), "crls") {
            try reader.checkWellFormed(crls, "crls")
        }
        try reader.nextEmpty(DERTag.set, "signerInfos")
        try reader.finish("signedData")
        return members
    }
}

extension DERReader {
    /// Reads a value that must be empty in a message without a signature.
    @_lifetime(self: copy self)
    fileprivate mutating func nextEmpty(_ tag: UInt8, _ field: StaticString) throws(DERError) {
        let element = try next(tag, field)
        guard element.contentCount == 0 else {
            throw DERError(.invalid("not empty, unlike in a certs-only message"), in: field, at: element.content)
        }
    }
}
