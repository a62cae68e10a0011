// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The revocation data that one certificate's status requires in addition to the available evidence, and the addresses
/// that serve it.
///
/// ```swift
/// var verdict = manager.evaluate(trust)
/// for need in manager.revocationNeeds(of: trust, after: verdict) { … }   // fetch, add to trust.revocationData
/// verdict = manager.evaluate(trust)
/// ```
/// The addresses come from certificates, which may contain any text, and from CRLs that their issuers signed.
package struct RevocationNeed: Sendable, Hashable {
    /// A certificate's OCSP responders.
    struct Responders: Sendable, Hashable {
        /// The `http` and `https` addresses in the certificate's order. An answer from one is enough.
        let urls: [String]
        /// The request, without a nonce so that a response produced in advance matches. Create another request if you
        /// need a nonce.
        let request: OCSPRequest
    }

    /// The location of a CRL.
    struct Location: Sendable, Hashable {
        /// The `http` and `https` addresses of one CRL. An answer from one is enough.
        let urls: [String]
        /// The issuer of the CRL.
        let issuer: DistinguishedName
        /// The reasons that the CRL covers, or nil for all. Bit n is bit n of ReasonFlags.
        let reasons: UInt16?
        /// Whether it is a delta CRL, which is useful only together with a complete one.
        let isDelta: Bool
    }

    /// The index of the finding's certificate in the verdict's path.
    package let index: Int
    /// The certificates from ``certificate`` to the anchor: a part of the verdict's path, or a signer of evidence and
    /// the path above it.
    let path: [Certificate]
    /// Whether ``certificate`` signs evidence and is outside the verdict's path.
    let isSigner: Bool
    /// Whether the status is open. Otherwise a fetched CRL says that it is good, and the delta CRLs that this CRL names
    /// may change it.
    let isOpen: Bool
    /// The certificate whose status is needed.
    var certificate: Certificate { path[0] }
    /// The issuer's certificate.
    var issuer: Certificate { path[1] }
    /// The OCSP responders, or nil if the certificate names none or the policy doesn't use OCSP.
    let responders: Responders?
    /// The locations of CRLs. Covering every reason takes all of them. Empty if there aren't any, or the policy doesn't
    /// use CRLs.
    ///
    /// The certificate's complete CRLs come first, then its delta CRLs, then the delta CRLs that available complete
    /// CRLs name. Each group has at most eight. If the status isn't open, only the last group is included.
    let crls: [Location]
    /// Whether fetching starts with CRLs.
    let prefersCRLs: Bool
    /// Whether the network may be used, or only caches (`RevocationPolicy.fetching`).
    let usesNetwork: Bool
}

// MARK: - Addresses in certificates and CRLs

extension RevocationNeed {
    /// Creates a need for the evidence that can settle an open status.
    /// - Parameters:
    ///   - lists: the available complete CRLs whose references to delta CRLs are followed.
    ///   - responder: whether the certificate is an OCSP responder's. OCSP isn't used for its own status.
    init(
        _ path: [Certificate], at index: Int, _ policy: RevocationPolicy, lists: [CertificateRevocationList],
        signer: OpenSigner? = nil
    ) {
        let certificate = path[0]
        let responders = certificate.authorityInformationAccess.filter { $0.method == .ocspAccess }.map(\.location)
        let urls = policy.usesOCSP && signer?.isResponder != true ? Self.addresses(responders) : []
        let own =
            policy.usesCRLs
            ? Self.locations(certificate.crlDistributionPoints, of: certificate.issuer, isDelta: false)
                + Self.locations(certificate.freshestCRL, of: certificate.issuer, isDelta: true) : []
        self.init(
            index: index, path: path, isSigner: signer != nil, isOpen: true,
            responders: urls.isEmpty
                ? nil : Responders(urls: urls, request: OCSPRequest(certificate, issuer: path[1])),
            crls: policy.usesCRLs ? own + Self.deltas(of: lists, beside: own) : [], prefersCRLs: policy.prefersCRLs,
            usesNetwork: policy.fetching)
    }

    /// Creates a need for the delta CRLs that fetched lists name, for a status that the lists have settled.
    init(
        updating lists: [CertificateRevocationList], of path: [Certificate], at index: Int, _ policy: RevocationPolicy
    ) {
        self.init(
            index: index, path: path, isSigner: false, isOpen: false, responders: nil,
            crls: policy.usesCRLs ? Self.deltas(of: lists, beside: []) : [], prefersCRLs: policy.prefersCRLs,
            usesNetwork: policy.fetching)
    }

    /// Returns the locations of the delta CRLs that complete CRLs name (RFC 5280 § 5.2.6), without the known ones.
    private static func deltas(of lists: [CertificateRevocationList], beside known: [Location]) -> [Location] {
        var found: [Location] = []
        for list in lists where found.count < maximumCount {
            for location in locations(list.freshestCRL, of: list.issuer, isDelta: true)
            where found.count < maximumCount && !(known + found).contains(where: { $0.urls == location.urls }) {
                found.append(location)
            }
        }
        return found
    }

    /// Returns the locations of distribution points.
    /// - Parameter issuer: the CRL issuer for points that don't name one.
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

    /// Returns whether a certificate names an address for a kind of evidence that counts.
    static func hasAddress(_ certificate: Certificate, _ policy: RevocationPolicy) -> Bool {
        let responders = certificate.authorityInformationAccess.filter { $0.method == .ocspAccess }.map(\.location)
        if policy.usesOCSP, !addresses(responders).isEmpty { return true }
        guard policy.usesCRLs else { return false }
        return !locations(certificate.crlDistributionPoints, of: certificate.issuer, isDelta: false).isEmpty
    }

    /// The maximum number of addresses, and of points, that are used. Honest certificates have fewer.
    private static let maximumCount = 8

    private static func addresses(_ names: [GeneralName]) -> [String] {
        var urls: [String] = []
        for case .uniformResourceIdentifier(let url) in names where urls.count < maximumCount && !urls.contains(url) {
            if url.isWebAddress { urls.append(url) }
        }
        return urls
    }
}

extension String {
    /// Whether the text begins like an `http` or `https` address, in any case. Other addresses, such as `ldap`, aren't
    /// fetched.
    package var isWebAddress: Bool {
        let scheme = prefix(8).lowercased()
        return scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
    }
}
