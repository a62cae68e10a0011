// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// The roots of a system's store against the list of a root program.
package struct RootAudit: Sendable {
    /// The standing of a root of the store in the list. Raw values are stable.
    package enum Standing: String, Sendable, CaseIterable {
        /// Trusted without conditions.
        case trusted
        /// Trusted under conditions.
        case conditional
        /// In the list, and not trusted for TLS.
        case notTrusted
        /// Not in a list that has every root of its program.
        case notListed
        /// Not in the list, and the administrator's own.
        case administratorsOwn
        /// Not in a list that doesn't have every root.
        case unnamed

        /// Whether paths to the root are refused, or may be.
        package var isFinding: Bool { self == .conditional || self == .notTrusted || self == .notListed }
    }

    /// A root of the store.
    package struct Root: Sendable {
        package let certificate: Certificate
        package let isAdministratorsOwn: Bool
        package let standing: Standing
        /// The sets of constraints of which a path has to meet one; empty unless the root is ``Standing/conditional``.
        package let alternatives: [AnchorConstraints]
        /// The date after which leaves were distrusted before the root was; nil if the list has none.
        package let distrustedAfter: Time?
    }

    /// The roots in the order of the store.
    package let roots: [Root]

    /// Compares a store with a list.
    /// - Parameter list: the list; nil for none, so that every root is trusted.
    package init(_ system: SystemAnchors, against list: RootList?) {
        roots = system.store.anchors.map { anchor in
            let certificate = anchor.certificate
            let isOwn = system.administratorsOwn.contains(certificate)
            let conditions = list?.conditions(for: certificate, unlistedIsDistrusted: true)
            let standing = Self.standing(conditions, isOwn: isOwn, hasList: list != nil)
            return Root(
                certificate: certificate, isAdministratorsOwn: isOwn, standing: standing,
                alternatives: standing == .conditional ? conditions?.alternatives ?? [] : [],
                distrustedAfter: standing == .notTrusted ? list?.entries[certificate.sha256]?.distrustedAfter : nil)
        }
    }

    private static func standing(_ conditions: AnchorConditions?, isOwn: Bool, hasList: Bool) -> Standing {
        guard let conditions else { return hasList ? .unnamed : .trusted }
        guard conditions.isListed else { return isOwn ? .administratorsOwn : .notListed }
        if conditions.alternatives.isEmpty { return .notTrusted }
        return conditions.isUnconditional ? .trusted : .conditional
    }

    /// The roots of a standing.
    package func roots(_ standing: Standing) -> [Root] { roots.filter { $0.standing == standing } }
}
