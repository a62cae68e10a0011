// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// Why a certificate was revoked (CRLReason, RFC 5280 § 5.3.1).
public enum TestRevocationReason: Int, Sendable, Hashable, CaseIterable {
    /// RFC 5280 would rather have no reason at all than this one. It has no flag in a distribution point.
    case unspecified = 0
    case keyCompromise = 1
    case cACompromise = 2
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
    /// May be lifted again.
    case certificateHold = 6
    /// In delta CRLs alone: revoked no longer. It has no flag in a distribution point.
    case removeFromCRL = 8
    case privilegeWithdrawn = 9
    case aACompromise = 10

    /// The bit in ReasonFlags (§ 4.2.1.13), whose order is another one at its end.
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
