// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import SwiftASN1
import X509

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

    /// Returns the extensions, all of them non-critical.
    func extensions() -> [X509.Certificate.Extension] {
        var list: [X509.Certificate.Extension] = []
        if let crl {
            // DistributionPoint with distributionPoint [0] { fullName [0] GeneralNames }.
            let point = DERWriter.sequence(DERWriter.tagged(0, DERWriter.tagged(0, Self.name(crl))))
            list.append(Self.made([2, 5, 29, 31], DERWriter.sequence(point)))
        }
        if let ocsp {
            let access = DERWriter.sequence(DERWriter.oid(Identifiers.ocspAccess), Self.name(ocsp))
            list.append(Self.made([1, 3, 6, 1, 5, 5, 7, 1, 1], DERWriter.sequence(access)))
        }
        if mustStaple {
            list.append(Self.made([1, 3, 6, 1, 5, 5, 7, 1, 24], DERWriter.sequence(DERWriter.integer(5))))
        }
        return list
    }

    /// Returns uniformResourceIdentifier [6] IA5String.
    private static func name(_ address: RevocationAddress) -> [UInt8] {
        DERWriter.implicit(6, Array(address.url.utf8))
    }

    private static func made(_ identifier: ASN1ObjectIdentifier, _ value: [UInt8]) -> X509.Certificate.Extension {
        .init(oid: identifier, critical: false, value: value[...])
    }
}
