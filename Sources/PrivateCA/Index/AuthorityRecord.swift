// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A certificate that an ``AuthorityFolder`` has issued.
package struct AuthorityRecord: Sendable, Hashable {
    /// Hexadecimal, lower case.
    package let serialNumber: String
    /// The names it is for, in the order in which they were given.
    package let names: [String]
    package let purpose: IssuedPurpose
    package let notBefore: Time
    package let notAfter: Time
    /// Of the certificate, hexadecimal.
    package let sha256: String
    /// The name of its file in `issued`; nil if another certificate has taken its place there.
    package internal(set) var file: String?
    /// nil if it is not revoked.
    package internal(set) var revocation: AuthorityRevocation?
}

/// When and why a certificate was revoked.
package struct AuthorityRevocation: Sendable, Hashable {
    package let time: Time
    package let reason: IssuedRevocationReason
}

/// Why a certificate of an ``AuthorityFolder`` is revoked (RFC 5280 § 5.3.1): the reasons that fit a leaf and can't be taken back.
package enum IssuedRevocationReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// Becomes no reason at all in the CRL, as RFC 5280 would have it.
    case unspecified
    case keyCompromise
    case affiliationChanged
    case superseded
    case cessationOfOperation
    case privilegeWithdrawn

    var code: TestRevocationReason? {
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
