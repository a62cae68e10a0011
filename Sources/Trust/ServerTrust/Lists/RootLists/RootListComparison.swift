// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The differences between two lists of roots.
package struct RootListComparison: Sendable {
    /// The kind of a difference. Raw values are stable.
    package enum Kind: String, Sendable, CaseIterable {
        /// Only trusted by the second list.
        case added
        /// Only trusted by the first list.
        case removed
        /// Trusted by both lists, under different conditions.
        case changed
    }

    /// The status of a root in a list.
    package enum Standing: Sendable, Hashable {
        /// Not in the list.
        case absent
        /// In the list, but not trusted for TLS.
        case notTrusted
        /// Trusted if a path meets one of the sets.
        case trusted([AnchorConstraints])

        var isTrusted: Bool { if case .trusted = self { true } else { false } }
    }

    /// A difference.
    package struct Change: Sendable {
        package let kind: Kind
        /// The SHA-256 of the certificate.
        package let sha256: [UInt8]
        /// The name of the root in the list or in the certificate. Empty if neither has one.
        package let name: String
        package let before: Standing
        package let after: Standing
    }

    /// Roots by the SHA-256 of their certificates.
    package typealias Roots = [[UInt8]: (name: String, standing: Standing)]

    /// The differences, sorted by kind and name.
    package let changes: [Change]

    /// Compares roots.
    package init(_ first: Roots, _ second: Roots) {
        var changes: [Change] = []
        for digest in Set(first.keys).union(second.keys) {
            let before = first[digest]?.standing ?? .absent
            let after = second[digest]?.standing ?? .absent
            guard before != after, before.isTrusted || after.isTrusted else { continue }
            let kind: Kind = !before.isTrusted ? .added : after.isTrusted ? .changed : .removed
            let names = [second[digest]?.name, first[digest]?.name].compactMap { $0 }
            changes.append(
                Change(
                    kind: kind, sha256: digest, name: names.first { !$0.isEmpty } ?? "", before: before, after: after))
        }
        let order = Kind.allCases
        func key(_ change: Change) -> (Int, String, String) {
            (order.firstIndex(of: change.kind) ?? 0, change.name, Hex.encode(change.sha256))
        }
        // Creates each key once instead of for each comparison.
        self.changes = changes.map { (key: key($0), change: $0) }.sorted { $0.key < $1.key }.map(\.change)
    }
}

extension RootList {
    /// The roots of the list, for a comparison. Excludes certificates that the list only distrusts by name.
    package var comparedRoots: RootListComparison.Roots {
        entries.mapValues { ($0.label, $0.alternatives.isEmpty ? .notTrusted : .trusted($0.alternatives)) }
    }
}
