// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A certificate that an ``AuthorityFolder`` has issued.
package struct AuthorityRecord: Sendable, Hashable {
    /// The serial number in hexadecimal, lower case.
    package let serialNumber: String
    /// The names of the certificate, in the order given.
    package let names: [String]
    package let purpose: IssuedPurpose
    package let notBefore: Time
    package let notAfter: Time
    /// The SHA-256 digest of the certificate in hexadecimal.
    package let sha256: String
    /// The name of its file in `issued`; nil if another certificate has replaced it there.
    package internal(set) var file: String?
    /// The revocation; nil if the certificate is not revoked.
    package internal(set) var revocation: AuthorityRevocation?
    /// The addresses of evidence, and the demand for a staple, that the certificate has.
    package let revocationPointers: RevocationPointers
    /// The kinds of addresses that it goes without by choice, so that a certificate that replaces it does too.
    let addressesLeftOut: Set<RevocationAddress.Kind>
}

/// The date and reason of a revocation.
package struct AuthorityRevocation: Sendable, Hashable {
    package let time: Time
    package let reason: IssuedRevocationReason
}

/// The reason of a revocation (RFC 5280 § 5.3.1), of those for a leaf that are final.
package enum IssuedRevocationReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// No particular reason; the CRL then has none, as RFC 5280 recommends.
    case unspecified
    case keyCompromise
    case affiliationChanged
    case superseded
    case cessationOfOperation
    case privilegeWithdrawn

    var code: RevocationReason? {
        switch self {
        case .unspecified: nil
        case .keyCompromise: .keyCompromise
        case .affiliationChanged: .affiliationChanged
        case .superseded: .superseded
        case .cessationOfOperation: .cessationOfOperation
        case .privilegeWithdrawn: .privilegeWithdrawn
        }
    }
}
