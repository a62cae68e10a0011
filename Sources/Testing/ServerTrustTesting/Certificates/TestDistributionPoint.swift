// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// A CRL distribution point (RFC 5280 § 4.2.1.13). A string literal is its URI: `["http://crl.example.com/1"]`.
public struct TestDistributionPoint: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The names of the distribution point. All of them refer to the same CRL.
    var fullName: [GeneralName]
    /// A common name below the CRL issuer's name, instead of ``fullName`` (nameRelativeToCRLIssuer), or nil for none.
    var nameRelativeToCRLIssuer: String?
    /// The reasons that the CRL covers, or nil for all. An empty set is written as an empty set.
    var reasons: Set<RevocationReason>?
    /// The signer of an indirect CRL, which is the subject of `CertificateTemplate.crlSigner(_:)`, or nil for the
    /// certificate's issuer.
    var crlIssuer: DistinguishedName?

    /// Creates a distribution point.
    ///
    /// Not checked: whether it has a name or an issuer, which RFC 5280 requires.
    package init(
        fullName: [GeneralName] = [], nameRelativeToCRLIssuer: String? = nil,
        reasons: Set<RevocationReason>? = nil, crlIssuer: DistinguishedName? = nil
    ) {
        self.fullName = fullName
        self.nameRelativeToCRLIssuer = nameRelativeToCRLIssuer
        self.reasons = reasons
        self.crlIssuer = crlIssuer
    }

    /// Creates a distribution point with one URI.
    public init(stringLiteral uri: String) { self.init(fullName: [.uri(uri)]) }

    func der() throws -> [UInt8] {
        DERWriter.sequence(
            DERWriter.distributionPointName(
                try fullName.map { try DERWriter.generalName($0) }, relative: nameRelativeToCRLIssuer),
            reasons.map { DERWriter.reasonFlags(1, $0) } ?? [],
            try crlIssuer.map { DERWriter.tagged(2, try DERWriter.generalName(.directoryName($0))) } ?? [])
    }
}

#endif
