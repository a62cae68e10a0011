// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The revocation data that one certificate's status requires beyond the evidence at hand, and the addresses that serve it.
///
/// ```swift
/// var verdict = manager.verdict(on: trust)
/// for need in manager.revocationNeeds(of: trust, after: verdict) { … }   // fetch, add to trust.revocationData
/// verdict = manager.verdict(on: trust)
/// ```
/// The addresses are those in certificates, which may contain any text, and in CRLs that their issuers have signed.
package struct RevocationNeed: Sendable, Hashable {
    /// A certificate's OCSP responders.
    package struct Responders: Sendable, Hashable {
        /// The `http` and `https` addresses in the certificate's order: an answer from one is enough.
        package let urls: [String]
        /// The request without a nonce, so that a response produced in advance matches; create another for one with a nonce.
        package let request: OCSPRequest
    }

    /// The location of a CRL.
    package struct Location: Sendable, Hashable {
        /// The `http` and `https` addresses of one CRL: an answer from one is enough.
        package let urls: [String]
        /// The issuer of the CRL.
        package let issuer: DistinguishedName
        /// The reasons that the CRL covers, bit n being ReasonFlags' bit n; nil for all.
        package let reasons: UInt16?
        /// Whether it is a delta CRL, which is useful only with a complete one.
        package let isDelta: Bool
    }

    /// The certificate's index in the verdict's path.
    package let index: Int
    /// The certificate without an answer.
    package let certificate: Certificate
    /// The issuer's certificate in the verdict's path.
    package let issuer: Certificate
    /// The OCSP responders; nil if the certificate names none, or OCSP is not to be used.
    package let responders: Responders?
    /// The locations of CRLs, all of which are needed to cover every reason; empty if there are none, or CRLs are not to be used. The
    /// certificate's complete CRLs come first, then its delta CRLs, then those that complete CRLs at hand name; at most eight each.
    package let crls: [Location]
    /// Whether CRLs are to be fetched first.
    package let prefersCRLs: Bool
    /// Whether the network may be used; otherwise caches alone (``TrustSettings/allowsRevocationFetching``).
    package let usesNetwork: Bool
}

// MARK: - Addresses in certificates and CRLs

extension RevocationNeed {
    init(
        _ certificate: Certificate, at index: Int, issuer: Certificate, _ rules: RevocationRules,
        lists: [CertificateRevocationList], usesNetwork: Bool
    ) {
        self.index = index
        self.certificate = certificate
        self.issuer = issuer
        self.prefersCRLs = rules.prefersCRLs
        self.usesNetwork = usesNetwork
        let responders = certificate.authorityInformationAccess.filter { $0.method == .ocspAccess }.map(\.location)
        let urls = Self.addresses(responders)
        self.responders =
            rules.usesOCSP && !urls.isEmpty
            ? Responders(urls: urls, request: OCSPRequest(certificate, issuer: issuer)) : nil
        guard rules.usesCRLs else {
            self.crls = []
            return
        }
        let name = certificate.issuer
        let own =
            Self.locations(certificate.crlDistributionPoints, of: name, isDelta: false)
            + Self.locations(certificate.freshestCRL, of: name, isDelta: true)
        var others: [Location] = []
        for list in lists where others.count < Self.maximumCount {
            for location in Self.locations(list.freshestCRL, of: list.issuer, isDelta: true)
            where others.count < Self.maximumCount && !(own + others).contains(where: { $0.urls == location.urls }) {
                others.append(location)
            }
        }
        self.crls = own + others
    }

    /// Returns the locations of distribution points.
    /// - Parameter issuer: the issuer of CRLs whose points name none.
    private static func locations(
        _ points: [DistributionPoint], of issuer: DistinguishedName, isDelta: Bool
    ) -> [Location] {
        points.prefix(maximumCount).compactMap { point in
            let urls = addresses(point.fullName)
            guard !urls.isEmpty else { return nil }
            let named = point.crlIssuer.lazy.compactMap { name -> DistinguishedName? in
                if case .directoryName(let issuer) = name { issuer } else { nil }
            }.first
            return Location(
                urls: urls, issuer: named ?? issuer, reasons: point.reasons, isDelta: isDelta)
        }
    }

    /// Returns whether a certificate names an address of evidence that counts.
    static func hasAddress(_ certificate: Certificate, _ rules: RevocationRules) -> Bool {
        let responders = certificate.authorityInformationAccess.filter { $0.method == .ocspAccess }.map(\.location)
        if rules.usesOCSP, !addresses(responders).isEmpty { return true }
        guard rules.usesCRLs else { return false }
        return !locations(certificate.crlDistributionPoints, of: certificate.issuer, isDelta: false).isEmpty
    }

    /// The largest number of addresses, or points, that is used; honest certificates have fewer.
    private static let maximumCount = 8

    private static func addresses(_ names: [GeneralName]) -> [String] {
        var urls: [String] = []
        for case .uniformResourceIdentifier(let url) in names where urls.count < maximumCount && !urls.contains(url) {
            let scheme = url.prefix(8).lowercased()
            if scheme.hasPrefix("http://") || scheme.hasPrefix("https://") { urls.append(url) }
        }
        return urls
    }
}
