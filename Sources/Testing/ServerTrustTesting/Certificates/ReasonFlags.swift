// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import SwiftASN1

extension RevocationReason {
    /// The bit in ReasonFlags (§ 4.2.1.13). The last bits are in a different order.
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
    static func reasonFlags(_ number: UInt, _ reasons: Set<RevocationReason>) -> [UInt8] {
        implicit(number, namedBits(reasons.compactMap(\.flag)))
    }

    /// `[0] DistributionPointName` with a `fullName [0]`, or with a `nameRelativeToCRLIssuer [1]` of one common name.
    /// Explicit, because it is a CHOICE.
    static func distributionPointName(_ names: [[UInt8]], relative: String? = nil) -> [UInt8] {
        if let relative {
            let value = primitive(.utf8String, Array(relative.utf8))
            return tagged(0, tagged(1, sequence(oid(Identifiers.commonName), value)))
        }
        return names.isEmpty ? [] : tagged(0, constructed(.init(tagWithNumber: 0, tagClass: .contextSpecific), names))
    }
}

#endif
