// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A comparison of the roots in a system's store with the list of a root program.
package struct RootAudit: Sendable {
    /// The status of a store's root in the list. Raw values are stable.
    package enum Standing: String, Sendable, CaseIterable {
        /// The list trusts the root without conditions.
        case trusted
        /// The list trusts the root under conditions.
        case conditional
        /// The list contains the root, but doesn't trust it for TLS.
        case notTrusted
        /// A list that contains every root of its program doesn't contain this root.
        case notListed
        /// The administrator added the root, and it isn't in the list.
        case administratorsOwn
        /// The root isn't in the list, but the list doesn't contain every root of its program.
        case unnamed

        /// Whether the list refuses paths to the root, or some of them.
        package var isFinding: Bool { self == .conditional || self == .notTrusted || self == .notListed }
    }

    /// A root of the store.
    package struct Root: Sendable {
        package let certificate: Certificate
        package let isAdministratorsOwn: Bool
        package let standing: Standing
        /// The alternative sets of constraints. A path must satisfy one of them. Empty unless the root is
        /// ``Standing/conditional``.
        package let alternatives: [AnchorConstraints]
        /// The date after which leaves were distrusted before the root itself was, or nil if the list has no such date.
        package let distrustedAfter: Time?
    }

    /// The roots, in the order of the store.
    package let roots: [Root]

    /// Compares a store with a list.
    /// - Parameter list: the list, or nil to trust every root.
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
        guard conditions.alternatives.contains(where: { $0.purposes?.contains(.serverAuth) ?? true }),
            !conditions.distrustedPurposes.contains(.serverAuth)
        else { return .notTrusted }
        return conditions.isUnconditional ? .trusted : .conditional
    }

    /// Returns the roots with a status.
    package func roots(_ standing: Standing) -> [Root] { roots.filter { $0.standing == standing } }
}
