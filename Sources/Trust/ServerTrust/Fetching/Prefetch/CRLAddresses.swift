// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The addresses of CRLs in certificates and CRLs.
package enum CRLAddresses {
    /// Returns the addresses of a certificate's base CRLs and delta CRLs (RFC 5280 § 4.2.1.13 and § 4.2.1.15), with any
    /// scheme, in order.
    package static func all(of certificate: Certificate) -> [String] {
        addresses(in: certificate.crlDistributionPoints) + addresses(in: certificate.freshestCRL)
    }

    /// Returns the addresses of distribution points that can be fetched.
    static func http(in points: [DistributionPoint]) -> [String] { addresses(in: points).filter(\.isWebAddress) }

    /// The maximum number of points, and of addresses per point. Evaluations use no more, and a server must not
    /// determine how many other servers receive requests.
    private static let maximumCount = 8

    private static func addresses(in points: [DistributionPoint]) -> [String] {
        points.prefix(maximumCount).flatMap { point in
            point.fullName.compactMap { name in
                if case .uniformResourceIdentifier(let url) = name { url } else { nil }
            }.prefix(maximumCount)
        }
    }
}
