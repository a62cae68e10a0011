// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

// A floor under the lists: hosts that an app pins in any case. A list that would loosen one of them is refused as a whole, and the list in
// force stays, so its pins do.
//
// The alternative, to put the built-in pins in the place of the list's, would lock users out of a host whose key has changed twice since the
// build. The list in force is the newest one that is known to pin the host, and its pins are at most as old as the refused list.

/// Finds hosts that a configuration doesn't pin, or not firmly.
struct AlwaysPinnedHosts: Sendable {
    let patterns: [HostPattern]

    /// Checks that each host of the patterns has an enforced rule with pins that neither end unpinned nor are overridden by an anchor.
    /// - Throws: ``PinListError`` (`ErrorCode.pinListHostUnpinned`) for the first host that doesn't.
    func check(_ configuration: PinConfiguration) throws(PinListError) {
        guard !patterns.isEmpty else { return }
        let table = PinTable(configuration)
        for pattern in patterns {
            for row in Self.rows(of: pattern, in: table) {
                guard let reason = Self.looseness(of: table.rule(for: row), in: configuration) else { continue }
                throw PinListError(
                    .pinListHostUnpinned, "\(clipped(row.wordsForRow)) \(reason), and the app always pins \(pattern)",
                    expected: .text(pattern.description), found: .text(clipped(row.wordsForRow)))
            }
        }
    }

    /// Returns the rows that together make up a pattern: those of its own name, and those of listed names below it.
    private static func rows(of pattern: HostPattern, in table: PinTable) -> [HostPattern] {
        switch pattern.kind {
        case .exact: [pattern]
        case .oneLabel:
            [pattern]
                + table.names.filter { $0.labels(below: pattern.subject) == 1 }.map { HostPattern($0) }
        case .anyDepth:
            pattern.allOfName
                + table.names.filter { ($0.labels(below: pattern.subject) ?? 0) > 0 }.flatMap(\.rows)
        }
    }

    /// Returns the reason why a rule doesn't pin its hosts for good; nil if it does.
    private static func looseness(of rule: PinRule?, in configuration: PinConfiguration) -> String? {
        guard let rule else { return "has no rule" }
        switch rule.mode {
        case .unpinned: return "is exempt from pinning"
        case .reportOnly: return "has pins that are reported and not enforced"
        case .enforced: break
        }
        if let expiry = rule.expiry, expiry.onExpiry == .failOpen {
            return "is not pinned any more after \(expiry.time)"
        }
        let anchors = rule.anchors.isEmpty ? configuration.anchors : rule.anchors
        if let anchor = anchors.first(where: \.overridesPins) {
            return "needs no pin under an anchor: \(clipped("\(anchor)"))"
        }
        return nil
    }
}

extension PinList {
    /// Checks that the list pins hosts as an app requires that always pins them (``BuiltInPinList``).
    /// - Throws: ``PinListError`` (`ErrorCode.pinListHostUnpinned`) for the first host that it doesn't pin, or not firmly.
    package func check(alwaysPinned patterns: [HostPattern]) throws(PinListError) {
        try AlwaysPinnedHosts(patterns: patterns).check(configuration)
    }
}
