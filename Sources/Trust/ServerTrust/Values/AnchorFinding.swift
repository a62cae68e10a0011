// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The origin of a path's anchor, the lists of roots that apply to it, and the conditions that decided.
public struct AnchorFinding: Sendable, Hashable, Codable {
    /// A limit on the date on which the leaf was issued, and the date that met it.
    package struct Limit: Sendable, Hashable, Codable {
        /// The limit's date.
        package let date: Time
        /// The side of ``date`` on which issuance has to be.
        package let side: IssuanceLimit.Side
        /// The date of issuance that was compared.
        package let issued: Time
        /// The clock that ``issued`` is of: the certificate's notBefore, or the timestamps of logs.
        package let clock: IssuanceLimit.Clock
        /// Whether notBefore stood in for timestamps, as no usable list of logs is at hand.
        package let isStandIn: Bool
    }

    /// Whether the anchor is a root program's: of the system's store and not its administrator's own, or named by a complete list.
    public let isPublic: Bool
    /// The lists of roots that apply to the anchor: `Mozilla, 2026-06-13`.
    public let lists: [String]
    /// The limits on the date of issuance that the path has met.
    package let limits: [Limit]
    /// Whether the lists of roots let the path assert extended validation; true where they don't name policies.
    package let permitsExtendedValidation: Bool
}

extension AnchorFinding {
    /// Creates the finding for the anchor of a validated path; nil for a path that the operating system has validated.
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

    /// The largest number of lists, and of limits; the authors of lists control both.
    private static let maximumCount = 16

    /// The size of the finding in a record in bytes, with room for indentation.
    var writtenSize: Int { lists.reduce(200) { $0 + $1.writtenSize + 20 } + limits.count * 240 }
}

extension Time {
    /// The nearest date that RFC 3339 can write.
    fileprivate var clamped: Time { min(max(self, .earliest), .latest) }
}

extension AnchorFinding: CustomStringConvertible {
    /// One line for people; its wording may change.
    public var description: String {
        let origin = isPublic ? "public" : "private"
        let conditions = limits.map { limit in
            "issued \(limit.issued) by \(limit.clock == .timestamps ? "timestamps" : "notBefore"), "
                + "\(limit.side == .notAfter ? "trusted until" : "trusted after") \(limit.date)"
        }
        return ([origin] + lists.map(DistinguishedName.printable) + conditions).joined(separator: "; ")
    }
}
