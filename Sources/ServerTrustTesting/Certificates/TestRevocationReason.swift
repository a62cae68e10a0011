// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The reason of a revocation (CRLReason, RFC 5280 § 5.3.1).
public enum TestRevocationReason: Int, Sendable, Hashable, CaseIterable {
    /// No particular reason. RFC 5280 recommends to leave the reason out instead. It has no flag in a distribution point.
    case unspecified = 0
    /// The subject's key is compromised.
    case keyCompromise = 1
    /// The CA's key is compromised.
    case cACompromise = 2
    /// The subject's name or other information has changed.
    case affiliationChanged = 3
    /// Another certificate replaces it.
    case superseded = 4
    /// It is no longer needed.
    case cessationOfOperation = 5
    /// On hold; a later CRL may lift it.
    case certificateHold = 6
    /// No longer revoked; in delta CRLs alone. It has no flag in a distribution point.
    case removeFromCRL = 8
    /// A privilege in the certificate was withdrawn.
    case privilegeWithdrawn = 9
    /// The attribute authority's key is compromised.
    case aACompromise = 10

    /// The bit in ReasonFlags (§ 4.2.1.13), whose order differs at its end.
    var flag: Int? {
        switch self {
        case .unspecified, .removeFromCRL: nil
        case .privilegeWithdrawn: 7
        case .aACompromise: 8
        default: rawValue
        }
    }
}

extension DERWriter {
    /// `[n] ReasonFlags`
    static func reasonFlags(_ number: UInt, _ reasons: Set<TestRevocationReason>) -> [UInt8] {
        implicit(number, namedBits(reasons.compactMap(\.flag)))
    }

    /// `[0] DistributionPointName`, explicit as it is a CHOICE, of a `fullName [0]` or a `nameRelativeToCRLIssuer [1]` of one
    /// common name.
    static func distributionPointName(_ names: [[UInt8]], relative: String? = nil) -> [UInt8] {
        if let relative {
            let value = primitive(.utf8String, Array(relative.utf8))
            return tagged(0, tagged(1, sequence(oid(Identifiers.commonName), value)))
        }
        return names.isEmpty ? [] : tagged(0, constructed(.init(tagWithNumber: 0, tagClass: .contextSpecific), names))
    }
}
