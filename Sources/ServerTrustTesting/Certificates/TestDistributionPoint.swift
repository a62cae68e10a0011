// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Where a certificate's CRL is to be had (RFC 5280 § 4.2.1.13). In the simplest case a URI: `["http://crl.example.com/1"]`.
public struct TestDistributionPoint: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Different ways to the same CRL.
    public var fullName: [GeneralName]
    /// A common name below the CRL issuer's name, in the place of ``fullName`` (nameRelativeToCRLIssuer); nil for none.
    public var nameRelativeToCRLIssuer: String?
    /// nil for every reason; an empty set is written as such.
    public var reasons: Set<TestRevocationReason>?
    /// Who signs the CRL, where it isn't the certificate's issuer (indirect): the subject of ``CertificateTemplate/crlSigner(_:)``.
    public var crlIssuer: DistinguishedName?

    /// Nothing is checked: a point without name and issuer, which RFC 5280 forbids, is written too.
    public init(
        fullName: [GeneralName] = [], nameRelativeToCRLIssuer: String? = nil,
        reasons: Set<TestRevocationReason>? = nil, crlIssuer: DistinguishedName? = nil
    ) {
        self.fullName = fullName
        self.nameRelativeToCRLIssuer = nameRelativeToCRLIssuer
        self.reasons = reasons
        self.crlIssuer = crlIssuer
    }

    public init(stringLiteral uri: String) { self.init(fullName: [.uri(uri)]) }

    func der() throws -> [UInt8] {
        DERWriter.sequence(
            DERWriter.distributionPointName(
                try fullName.map { try DERWriter.generalName($0) }, relative: nameRelativeToCRLIssuer),
            reasons.map { DERWriter.reasonFlags(1, $0) } ?? [],
            try crlIssuer.map { DERWriter.tagged(2, try DERWriter.generalName(.directoryName($0))) } ?? [])
    }
}
