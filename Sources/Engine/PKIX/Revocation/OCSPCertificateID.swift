// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The hash in an OCSP certificate identifier (RFC 6960 § 4.1.1). It only identifies the issuer's name and key.
/// Security doesn't depend on it.
package enum OCSPHash: String, Sendable, Hashable, CaseIterable {
    /// SHA-1, which responders with presigned responses support (RFC 5019 § 2.1.1, RFC 9654 § 1).
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-384, only in responses.
    case sha384
    /// SHA-512, only in responses.
    case sha512

    /// The contents of the OID.
    var oid: [UInt8] {
        switch self {
        case .sha1: [0x2b, 0x0e, 0x03, 0x02, 0x1a]
        case .sha256: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        case .sha384: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02]
        case .sha512: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03]
        }
    }

    func digest(_ bytes: Span<UInt8>, _ range: ByteRange) -> [UInt8] {
        switch self {
        case .sha1: Array(Digests.hash(Insecure.SHA1.self, bytes, range.indices))
        case .sha256: Array(Digests.hash(SHA256.self, bytes, range.indices))
        case .sha384: Array(Digests.hash(SHA384.self, bytes, range.indices))
        case .sha512: Array(Digests.hash(SHA512.self, bytes, range.indices))
        }
    }
}

/// The identifier of a certificate in OCSP: hashes of its issuer's name and key, and its serial number.
struct OCSPCertificateID {
    let hash: OCSPHash
    let issuerNameHash: [UInt8]
    let issuerKeyHash: [UInt8]
    let serialNumber: [UInt8]

    init(_ certificate: Certificate, issuer: Certificate, _ hash: OCSPHash) {
        self.hash = hash
        let fields = certificate.storage.fields
        self.issuerNameHash = hash.digest(certificate.span, fields.issuer)
        self.issuerKeyHash = hash.digest(issuer.span, issuer.storage.fields.spki.key)
        self.serialNumber = certificate.copy(fields.serialNumber)
    }

    /// The `SEQUENCE { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }`.
    var der: [UInt8] {
        DERBytes.value(
            DERTag.sequence,
            DERBytes.value(
                DERTag.sequence, DERBytes.value(DERTag.objectIdentifier, hash.oid), DERBytes.value(DERTag.null, [])),
            DERBytes.value(DERTag.octetString, issuerNameHash), DERBytes.value(DERTag.octetString, issuerKeyHash),
            DERBytes.value(DERTag.integer, serialNumber))
    }

    /// Whether a single response is about this certificate.
    func matches(_ single: OCSPSingleElement, _ bytes: Span<UInt8>) -> Bool {
        single.hash == hash && equals(bytes, single.serialNumber, serialNumber)
            && equals(bytes, single.issuerNameHash, issuerNameHash)
            && equals(bytes, single.issuerKeyHash, issuerKeyHash)
    }
}
