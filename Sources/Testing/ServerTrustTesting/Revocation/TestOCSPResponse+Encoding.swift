// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import Crypto
import PKIX
import SwiftASN1

extension TestOCSPResponse.Template {
    /// Encodes ResponseData without its version, which is the default.
    func toBeSigned(issuer: TestAuthority, signer: TestIdentity) throws -> [UInt8] {
        let responder =
            switch responderID {
            case .byName: DERWriter.tagged(1, signer.certificate.subject.der)
            case .byKey: DERWriter.tagged(2, DERWriter.octets(signer.key.identifier))
            }
        var list: [[UInt8]] = []
        if let nonce { list.append(DERWriter.ext(ExtensionIdentifiers.ocspNonce, DERWriter.octets(nonce))) }
        list += try extensions.map { try DERWriter.ext($0) }
        return DERWriter.sequence(
            responder, DERWriter.generalizedTime(producedAt),
            DERWriter.sequence(of: try responses.map { try $0.der(issuer: issuer) }),
            list.isEmpty ? [] : DERWriter.tagged(1, DERWriter.sequence(of: list)))
    }
}

extension TestOCSPResponse.SingleResponse {
    fileprivate func der(issuer: TestAuthority) throws -> [UInt8] {
        let timestamps = timestampList.map {
            Extension(identifier: TestTimestamp.inOCSP, isCritical: false, value: DERWriter.octets($0))
        }
        let extensions = try ([timestamps].compactMap { $0 } + extensions).map { try DERWriter.ext($0) }
        return DERWriter.sequence(
            certID(self.issuer ?? issuer), status.der, DERWriter.generalizedTime(thisUpdate),
            nextUpdate.map { DERWriter.tagged(0, DERWriter.generalizedTime($0)) } ?? [],
            extensions.isEmpty ? [] : DERWriter.tagged(1, DERWriter.sequence(of: extensions)))
    }

    /// `SEQUENCE { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }` (RFC 6960 § 4.1.1)
    private func certID(_ issuer: TestAuthority) -> [UInt8] {
        DERWriter.sequence(
            DERWriter.sequence(DERWriter.oid(hash.identifier), DERWriter.null),
            DERWriter.octets(hash.digest(issuer.certificate.subject.der)),
            DERWriter.octets(hash.digest(issuer.key.publicKeyBits)),
            DERWriter.integer(contents: serialNumber))
    }
}

extension TestOCSPResponse.CertificateStatus {
    fileprivate var der: [UInt8] {
        switch self {
        case .good: DERWriter.implicit(0, [])
        case .revoked(let time, let reason):
            DERWriter.tagged(
                1, DERWriter.generalizedTime(time),
                reason.map { DERWriter.tagged(0, DERWriter.enumerated($0.rawValue)) } ?? [])
        case .unknown: DERWriter.implicit(2, [])
        }
    }
}

extension TestOCSPResponse.Hash {
    var identifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: Identifiers.sha1
        case .sha256: Identifiers.sha256
        case .sha384: Identifiers.sha384
        case .sha512: Identifiers.sha512
        }
    }

    func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}

#endif
