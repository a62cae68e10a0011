// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A group of rules that a report shows as one check.
enum CheckGroup: String, CaseIterable {
    case presented, rule, handshake, anchor, signatures, algorithms, validity, authority, length, purpose, identity,
        constraints
    case policies, extensions, strict, revocation, staple, pins, authorities, attributes, deniedCertificates,
        custom, budget, transparency

    /// Returns the group of a failure, or ``custom`` for the codes of an app's evaluators.
    init(_ code: TrustFailure.Code) {
        if code.isStrictOnly {
            self = .strict
        } else if code.name.hasSuffix("BudgetExceeded") {
            self = .budget
        } else {
            self = Self.groups[code] ?? .custom
        }
    }

    /// The title and the codes of each check.
    private static let texts = Book(packed: PackedBook.checks)

    private static let groups: [TrustFailure.Code: CheckGroup] = {
        let rows = allCases.flatMap { group in (texts[group.rawValue]?.codes ?? []).map { ($0, group) } }
        return Dictionary(rows) { first, _ in first }
    }()

    /// The title of the check.
    var title: String { Self.texts[rawValue]?["title"] ?? rawValue }

    /// The verdict's check for this group, if any.
    var check: TrustCheck? {
        switch self {
        case .signatures, .anchor, .algorithms, .validity, .authority, .length, .constraints, .policies, .extensions,
            .strict:
            .path
        case .purpose: .purpose
        case .identity: .identity
        case .revocation: .revocation
        case .staple: .staple
        case .pins: .pins
        case .authorities: .authorities
        case .attributes: .attributes
        case .deniedCertificates: .deniedCertificates
        case .custom: .custom
        case .transparency: .certificateTransparency
        case .presented, .rule, .handshake, .budget: nil
        }
    }
}
