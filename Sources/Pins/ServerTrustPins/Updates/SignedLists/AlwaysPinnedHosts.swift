// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The hosts that an app always pins, regardless of the lists. If a list would loosen one of these pins, the whole list
// is refused, and the current list stays in force with its pins.
//
// Using the built-in pins instead would lock users out of a host whose key has changed twice since the build. The list
// in force is the newest one that is known to pin the host. Its pins are at most as old as the pins in the refused
// list.

/// Finds hosts that a configuration doesn't pin, or doesn't pin firmly.
struct AlwaysPinnedHosts: Sendable {
    let patterns: [HostPattern]

    /// Checks that each host that the patterns match has an enforced rule with pins. These pins may neither end
    /// unpinned nor be overridden by an anchor.
    /// - Throws: ``PinListError`` (`ErrorCode.pinListHostUnpinned`) for the first host that fails this check.
    func check(_ configuration: PinConfiguration) throws(PinListError) {
        guard !patterns.isEmpty else { return }
        let table = PinTable(configuration)
        for pattern in patterns {
            for row in Self.rows(of: pattern, in: table) {
                guard let reason = Self.looseness(of: table.rule(for: row), in: configuration) else { continue }
                throw PinListError(
                    .pinListHostUnpinned, "\(clipped(row.wordsForRow)) \(reason), but the app always pins \(pattern)",
                    expected: .text(pattern.description), found: .text(clipped(row.wordsForRow)))
            }
        }
    }

    /// Returns the rows that together cover a pattern: the rows with its own name, and the rows of listed names below it.
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

    /// Returns the reason why a rule doesn't pin its hosts permanently, or nil if it does.
    private static func looseness(of rule: PinRule?, in configuration: PinConfiguration) -> String? {
        guard let rule else { return "has no rule" }
        switch rule.mode {
        case .unpinned: return "is exempt from pinning"
        case .reportOnly: return "has pins that are only reported, not enforced"
        case .enforced: break
        }
        if let expiry = rule.expiry, expiry.onExpiry == .failOpen {
            return "is no longer pinned after \(expiry.time)"
        }
        let anchors = rule.anchors.isEmpty ? configuration.anchors : rule.anchors
        if let anchor = anchors.first(where: \.overridesPins) {
            return "needs no pin under an anchor: \(clipped("\(anchor)"))"
        }
        return nil
    }
}

extension PinList {
    /// Checks that the list pins the hosts that an app always pins (``BuiltInPinList``).
    /// - Throws: ``PinListError`` (`ErrorCode.pinListHostUnpinned`) for the first host that the list doesn't pin, or
    ///   doesn't pin firmly.
    package func check(alwaysPinned patterns: [HostPattern]) throws(PinListError) {
        try AlwaysPinnedHosts(patterns: patterns).check(configuration)
    }
}
