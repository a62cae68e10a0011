// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Compares the rules of an app's files for the same hosts.
enum AgreementCheck {
    /// Returns the findings for each pair of files. A rule for any host is compatible with all others.
    static func findings(among scopes: [PinLintContext]) -> [PinFinding] {
        let scopes = scopes.filter { !$0.configuration.rules.contains(where: \.isForAnyHost) }
        var findings: [PinFinding] = []
        for (index, first) in scopes.enumerated() {
            for second in scopes[(index + 1)...] { findings += compare(first, second) }
        }
        return findings
    }

    private static func compare(_ first: PinLintContext, _ second: PinLintContext) -> [PinFinding] {
        let names = first.table.names + second.table.names.filter { !first.table.lists($0) }
        return names.compactMap { name in
            // A name that one of the files doesn't cover belongs to another platform.
            guard first.speaks(of: name), second.speaks(of: name) else { return nil }
            var differences: [String] = []
            var rule: PinRule?
            var other: PinRule?
            for distance in name.distances {
                let hosts = PinHostClass(name, distance)
                let (left, right) = (first.table.rule(for: hosts), second.table.rule(for: hosts))
                guard let difference = difference(left, right) else { continue }
                differences.append("\(hosts) \(difference)")
                rule = rule ?? right
                other = other ?? left
            }
            guard !differences.isEmpty else { return nil }
            let location = rule?.location ?? other?.location ?? SourceLocation(file: second.file)
            return PinFinding(
                .disagreement, nil, at: location, subject: "\(name)",
                "\(first.name(beside: second)) and \(second.name(beside: first)) disagree: "
                    + differences.joined(separator: "; "), fix: nil)
        }
    }

    /// Describes the difference between two rules. Scopes are not compared, as formats have different ones.
    private static func difference(_ left: PinRule?, _ right: PinRule?) -> String? {
        let (first, second) = (left?.mode ?? .unpinned, right?.mode ?? .unpinned)
        guard first == second else { return "is \(first.words) in the first and \(second.words) in the second" }
        let (some, others) = (Set(left?.pins.map(\.key) ?? []), Set(right?.pins.map(\.key) ?? []))
        guard some != others else { return nil }
        let only = some.subtracting(others)
        let onlyOthers = others.subtracting(some)
        let lists = [
            only.isEmpty ? nil : "only the first pins \(list(only))",
            onlyOthers.isEmpty ? nil : "only the second pins \(list(onlyOthers))",
        ]
        return "has different pins: " + lists.compactMap { $0 }.joined(separator: ", ")
    }

    private static func list(_ pins: Set<SPKIPin>) -> String {
        pins.map(\.description).sorted().joined(separator: " and ")
    }
}

extension PinLintContext {
    /// Returns the file's name, with the format if the other context is of the same file.
    fileprivate func name(beside other: PinLintContext) -> String {
        file == other.file ? "\(file) (\(format?.name ?? "?"))" : file
    }

    /// Returns whether a rule covers the name or names below it.
    fileprivate func speaks(of name: Hostname) -> Bool {
        name.distances.contains { table.rule(for: PinHostClass(name, $0)) != nil }
    }
}

extension Hostname {
    fileprivate var distances: [PinHostClass.Distance] {
        if case .dns = kind { PinHostClass.Distance.allCases } else { [.none] }
    }
}

extension PinRule.Mode {
    fileprivate var words: String {
        switch self {
        case .enforced: "pinned"
        case .reportOnly: "reported only"
        case .unpinned: "not pinned"
        }
    }
}
