// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A certificate that an ``AuthorityFolder`` issued.
package struct AuthorityRecord: Sendable, Hashable {
    /// The serial number in lowercase hexadecimal.
    package let serialNumber: String
    /// The names of the certificate, in the caller's order.
    package let names: [String]
    package let purpose: IssuedPurpose
    package let notBefore: Time
    package let notAfter: Time
    /// The SHA-256 digest of the certificate in hexadecimal.
    package let sha256: String
    /// The name of its file in `issued`, or nil if another certificate replaced the file.
    package internal(set) var file: String?
    /// The revocation, or nil if the certificate isn't revoked.
    package internal(set) var revocation: AuthorityRevocation?
    /// The certificate's addresses for revocation checks, and whether it requires a staple.
    package let revocationPointers: RevocationPointers
    /// The kinds of addresses that were deliberately omitted. A certificate that replaces this one omits them, too.
    let addressesLeftOut: Set<RevocationAddress.Kind>
}

/// The date and reason of a revocation.
package struct AuthorityRevocation: Sendable, Hashable {
    package let time: Time
    package let reason: IssuedRevocationReason
}

/// The reason for a revocation (RFC 5280 § 5.3.1). Only final reasons that apply to a leaf are available.
package enum IssuedRevocationReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// No particular reason. The CRL entry then contains no reason, as RFC 5280 recommends.
    case unspecified
    case keyCompromise
    case affiliationChanged
    case superseded
    case cessationOfOperation
    case privilegeWithdrawn

    var code: RevocationReason? {
        self == .unspecified ? nil : RevocationReason(name: rawValue)
    }
}
