// SPDX-License-Identifier: Apache-2.0

/// A certificate's statements about its revocation: the addresses of a CRL and an OCSP responder, and whether a
/// staple is required.
package struct RevocationPointers: Sendable, Hashable {
    /// The address of the CRL (cRLDistributionPoints, RFC 5280 § 4.2.1.13), if any.
    package var crl: RevocationAddress?
    /// The address of the OCSP responder (authorityInfoAccess, RFC 5280 § 4.2.2.1), if any.
    package var ocsp: RevocationAddress?
    /// Whether servers must staple an OCSP response (tlsFeature with status_request, RFC 7633).
    package var mustStaple: Bool

    package init(crl: RevocationAddress? = nil, ocsp: RevocationAddress? = nil, mustStaple: Bool = false) {
        self.crl = crl
        self.ocsp = ocsp
        self.mustStaple = mustStaple
    }
}
