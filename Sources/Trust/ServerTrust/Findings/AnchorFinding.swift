// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Where a path's anchor comes from, the root lists that apply to it, and the conditions that decided whether it is
/// trusted.
public struct AnchorFinding: Sendable, Hashable, Codable {
    /// A limit on the leaf's date of issuance, and the date that met it.
    package struct Limit: Sendable, Hashable, Codable {
        /// The limit's date.
        package let date: Time
        /// The side of ``date`` on which the certificate must have been issued.
        package let side: IssuanceLimit.Side
        /// The date of issuance that the engine compared.
        package let issued: Time
        /// The source of ``issued``: the certificate's notBefore, or timestamps of logs.
        package let clock: IssuanceLimit.Clock
        /// Whether notBefore replaced the timestamps because no usable list of logs was available.
        package let isStandIn: Bool
    }

    /// Whether the anchor belongs to a root program. True for an anchor of the system's store that the administrator
    /// didn't add, and for one that a complete list names.
    public let isPublic: Bool
    /// The root lists that apply to the anchor, such as `Mozilla, 2026-06-13`.
    public let lists: [String]
    /// The limits on the date of issuance that the path met.
    package let limits: [Limit]
    /// Whether the root lists let the path assert extended validation. True if they don't name policies.
    let permitsExtendedValidation: Bool
}

extension AnchorFinding {
    /// Creates the finding for the anchor of a validated path. Returns nil for a path that the operating system
    /// validated.
    init?(_ path: ValidatedPath) {
        guard let facts = path.anchorFacts else { return nil }
        permitsExtendedValidation =
            facts.conditions.allSatisfy { $0.extendedValidationPolicies == nil } || path.assertsExtendedValidation
        isPublic = facts.isPublic
        lists = facts.conditions.prefix(Self.maximumCount).map { $0.source.abridged(toBytes: 200) }
        limits = facts.decisions.prefix(Self.maximumCount).compactMap { decision in
            decision.date.map {
                Limit(
                    date: decision.limit.date.clamped, side: decision.limit.side, issued: $0.clamped,
                    clock: decision.clock, isStandIn: decision.isStandIn)
            }
        }
    }

    /// The maximum number of lists, and of limits. The lists' authors control both numbers.
    private static let maximumCount = 16

    /// The finding's size in a record, in bytes, with room for indentation.
    var writtenSize: Int { lists.reduce(200) { $0 + $1.writtenSize + 20 } + limits.count * 240 }
}

extension Time {
    /// The nearest date that RFC 3339 can represent.
    fileprivate var clamped: Time { min(max(self, .earliest), .latest) }
}

extension AnchorFinding: CustomStringConvertible {
    /// One line for people. The wording may change.
    public var description: String {
        let origin = isPublic ? "public" : "private"
        let conditions = limits.map { limit in
            "issued \(limit.issued) by \(limit.clock == .timestamps ? "timestamps" : "notBefore"), "
                + "\(limit.side == .notAfter ? "trusted until" : "trusted after") \(limit.date)"
        }
        return ([origin] + lists.map(DistinguishedName.printable) + conditions).joined(separator: "; ")
    }
}
