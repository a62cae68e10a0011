// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import SwiftASN1

/// Parts of a certificate's encoding that swift-certificates doesn't write. They replace the library's own parts, and
/// the issuer signs the certificate again.
///
/// Not checked: whether the parts make sense or fit together.
package struct TestEncoding: Sendable {
    /// The SubjectPublicKeyInfo, or nil for the one from the certificate's key.
    ///
    /// A CA with another SubjectPublicKeyInfo still signs with its own key, so no signature below it verifies.
    package var publicKeyInfo: [UInt8]?

    /// The AlgorithmIdentifier inside the signed part, or nil for the signature's own.
    package var signedAlgorithm: [UInt8]?

    /// The AlgorithmIdentifier next to the signature, or nil for the signature's own.
    var outerAlgorithm: [UInt8]?

    /// Whether dates before 2050 are also written as GeneralizedTime.
    package var usesGeneralizedTime = false

    init() {}

    /// Whether swift-certificates' encoding stays unchanged.
    var isUsual: Bool {
        publicKeyInfo == nil && signedAlgorithm == nil && outerAlgorithm == nil && !usesGeneralizedTime
    }

    /// Sets both algorithms. The issuer's key still signs with its own algorithm, so the certificate names the wrong
    /// one.
    package mutating func nameAlgorithm(_ oid: ASN1ObjectIdentifier, parameters: [UInt8] = []) {
        let identifier = DERWriter.sequence(DERWriter.oid(oid), parameters)
        signedAlgorithm = identifier
        outerAlgorithm = identifier
    }

    /// Returns a certificate with these parts, which its issuer signed again.
    func apply(
        to der: [UInt8], _ template: CertificateTemplate, with algorithm: TestSignatureAlgorithm, by key: TestKey
    ) throws -> [UInt8] {
        guard let tbs = try Self.members(try DER.parse(der)).first else {
            throw TestInputError(text: "", expected: "a certificate")
        }
        var fields = try Self.members(tbs).map { Array($0.encodedBytes) }
        // The algorithm follows the serial number, which a version may precede. Issuer, validity, subject and key
        // follow the algorithm.
        guard let serialNumber = fields.firstIndex(where: { $0.first == 0x02 }), serialNumber + 5 < fields.count else {
            throw TestInputError(text: "", expected: "a certificate")
        }
        fields[serialNumber + 1] = signedAlgorithm ?? algorithm.identifier
        if usesGeneralizedTime {
            fields[serialNumber + 3] = DERWriter.sequence(
                DERWriter.generalizedTime(template.notBefore), DERWriter.generalizedTime(template.notAfter))
        }
        if let publicKeyInfo { fields[serialNumber + 5] = publicKeyInfo }
        let signed = DERWriter.sequence(of: fields)
        return DERWriter.sequence(
            signed, outerAlgorithm ?? algorithm.identifier, DERWriter.bits(try key.sign(signed, algorithm)))
    }

    /// Returns the TBSCertificate of a certificate.
    static func toBeSigned(_ der: [UInt8]) throws -> [UInt8] {
        guard let tbs = try members(try DER.parse(der)).first else {
            throw TestInputError(text: "", expected: "a certificate")
        }
        return Array(tbs.encodedBytes)
    }

    static func members(_ node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let members) = node.content else {
            throw TestInputError(text: "\(node.identifier)", expected: "a SEQUENCE")
        }
        return Array(members)
    }
}

#endif
