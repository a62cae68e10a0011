// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint
import ServerTrust
import ServerTrustPins

/// The report of `servertrust pins why`, for people and programs.
///
/// ```
/// OK    api.example.com is pinned by network_security_config.xml at 2026-11-22T09:30:00Z
///       format   android
///       rule     line 3, **.example.com: the host is 1 label below example.com
///       pins     one of these, anywhere in the validated path
///                line 6   sha256/…
///                line 7   sha256/…  never matches: the SHA-256 of nothing
///       expiry   2027-03-31T00:00:00Z, 128 days left; then not pinned (Android's behavior)
///       anchors  system (default)
///       reports  none
///       cleartextTrafficPermitted  false (file)
///       near     line 12, www.example.com, another name of the same domain
/// ```
struct EffectiveReport {
    /// The effect of a file on one host, in one of the file's formats.
    struct Entry {
        let source: PinLintSource
        let configuration: PinConfiguration
        let effective: EffectivePins

        var owner: String { source.format?.owner ?? "its owner" }
    }

    let entries: [Entry]

    /// Whether pins are in force for every host in every format.
    var isPinned: Bool { entries.allSatisfy { $0.effective.outcome == .pinned } }

    /// Whether the outcome is unknown for a host in a format, because the file doesn't say enough.
    var isUnknown: Bool { entries.contains { $0.effective.outcome == .unknown } }

    func written(as format: OutputFormat) -> [UInt8] {
        switch format {
        case .text: Array(text(Palette.forStandardOutput()).utf8)
        case .json: json()
        }
    }
}

// MARK: - Text

extension EffectiveReport {
    func text(_ palette: Palette) -> String {
        entries.map { $0.lines(palette).joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }
}

extension EffectiveReport.Entry {
    fileprivate func lines(_ palette: Palette) -> [String] {
        let mark =
            switch effective.outcome {
            case .pinned: palette.good("OK") + "    "
            case .unknown: palette.bad("UNKNOWN") + "  "
            case .reported, .notPinned, .refused: palette.bad("FAIL") + "  "
            }
        var lines = [
            mark
                + palette.bold(
                    "\(effective.host) is \(outcome) by \(printable(source.file)) at \(effective.time)")
        ]
        lines += row("format", source.format?.name ?? "unknown")
        lines += reasonLines
        lines += effective.applied.flatMap { row("rule", printable(description(of: $0))) }
        lines += pinLines(palette)
        lines += expiryLines
        lines += anchorLines
        lines += reportLines
        for (setting, origin) in effective.settings.prefix(Self.maximum) {
            lines += row(printable(setting.key), "\(printable(setting.value)) (\(origin.rawValue))")
        }
        if let meaning = trustKitMeaning { lines += row("trustkit", meaning) }
        for near in effective.near {
            lines += row(
                "near",
                printable("\(place(near.rule.location)), \(near.explanation(for: effective.host))"))
        }
        if effective.furtherNear > 0 { lines += row("near", "and \(effective.furtherNear) more") }
        // The outcome depends on parts that were not read, so they come first.
        let odd = oddities
        let shown = odd.filter { $0.code == .pinFileNotLiteral } + odd.filter { $0.code != .pinFileNotLiteral }
        for problem in shown.prefix(Self.maximum) {
            lines += row("odd", printable("\(place(problem.location)): \(problem.detail) [\(problem.shortCode)]"))
        }
        if shown.count > Self.maximum { lines += row("odd", "and \(shown.count - Self.maximum) more") }
        return lines
    }

    /// The maximum number of pins, settings and problems to show.
    fileprivate static let maximum = 50

    private func row(_ label: String, _ text: String) -> [String] {
        ["      " + (label.count < 9 ? label.padded(to: 9) : label + "  ") + text]
    }

    private var outcome: String {
        switch effective.outcome {
        case .pinned: "pinned"
        case .reported: "reported, but not pinned"
        case .notPinned: "not pinned"
        case .refused: "refused"
        case .unknown: "perhaps pinned"
        }
    }

    /// The parts that were not read, and the odd problems of rules that apply or nearly apply.
    ///
    /// For a host without a rule, also the entries that pin nothing.
    var oddities: [PinFileProblem] {
        let paths = (effective.applied.map(\.rule) + effective.near.map(\.rule)).compactMap(\.location?.keyPath)
        return configuration.oddities.filter { problem in
            let path = problem.location.keyPath
            if problem.code == .pinFileNotLiteral { return true }
            // An entry that pins nothing belongs to no rule, and may have been meant for this host.
            if [.pinFileNothingPinned, .pinFileMisplacedKey].contains(problem.code), effective.applied.isEmpty {
                return true
            }
            return paths.contains { path == $0 || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
        }
    }

    /// The reason for programs. For an unknown outcome, the reason comes from the parts that were not read.
    var reason: String {
        effective.outcome == .unknown ? ErrorCode.pinFileNotLiteral.inPinFile : effective.reason.rawValue
    }

    private var reasonLines: [String] {
        if effective.outcome == .unknown {
            return row("why", "parts of the file are unknown and may apply to the host")
        }
        return switch effective.reason {
        case .inForce: []
        case .reportOnly: row("why", "the rule reports servers without a pin, but refuses none")
        case .noPin: row("why", "the rule for the host has no pins, so the default evaluation applies")
        case .expired: row("why", "the pins have expired")
        case .noRule:
            row(
                "why",
                configuration.unlistedHosts == .refused
                    ? "no rule matches the host, and hosts without a rule are refused"
                    : "no rule matches the host, so the default evaluation applies")
        case .noAnchor: row("why", "there are no anchors, so every server is refused")
        }
    }

    private func description(of applied: EffectivePins.Applied) -> String {
        let match =
            switch applied.match {
            case .anyHost: "for any host"
            case .exact: "\(applied.hosts?.description ?? ""): the host itself"
            case .below(let count):
                "\(applied.hosts?.description ?? ""): the host is \(counted(count, "label")) below \(applied.hosts?.name.description ?? "")"
            }
        return "\(place(applied.rule.location)), \(match)"
    }

    /// Returns `line 12`, or the key path in a file without lines.
    fileprivate func place(_ location: PinFileLocation?) -> String {
        guard let location else { return "in code" }
        if let line = location.line { return "line \(line)" }
        return location.keyPath.isEmpty ? "the file" : location.keyPath
    }

    private func pinLines(_ palette: Palette) -> [String] {
        guard let rule = effective.rule, !rule.pins.isEmpty else { return row("pins", "none") }
        var lines: [String] = []
        let standIns = configuration.standIns
        for scope in rule.scopes {
            let pins = rule.pins.filter { $0.scope == scope }
            let label = lines.isEmpty ? "pins" : "and"
            lines += row(label, "one of these, \(scope.place)")
            for pin in pins.prefix(Self.maximum) {
                if let location = pin.location, standIns.contains(location) {
                    lines += row("", printable("\(place(location))  not a pin: see \"odd\" below"))
                    continue
                }
                let remark = EffectivePins.remark(on: pin).map { "  " + palette.bold(printable($0)) } ?? ""
                let role = pin.role == .backup ? "  backup" : ""
                let comment = pin.comment.map { palette.faint("  # " + printable(clipped($0))) } ?? ""
                lines += row("", printable("\(place(pin.location))  \(pin.value)") + role + remark + comment)
            }
            if pins.count > Self.maximum { lines += row("", "and \(pins.count - Self.maximum) more") }
        }
        return lines
    }

    private var expiryLines: [String] {
        guard let rule = effective.rule, !rule.pins.isEmpty else { return [] }
        guard let expiry = rule.expiry else { return row("expiry", "none") }
        let left = DaysLeft(until: expiry.time, at: effective.time)
        let then = expiry.onExpiry == .failOpen ? "not pinned (\(owner)'s behavior)" : "refused"
        return row("expiry", "\(expiry.time), \(left); then \(then)")
    }

    private var anchorLines: [String] {
        let anchors = effective.anchors.isEmpty ? [PinAnchorSource.system] : effective.anchors
        let shown = anchors.prefix(Self.maximum).map(\.description).joined(separator: ", ")
        var lines = row("anchors", "\(printable(shown)) (\(effective.anchorsOrigin.rawValue))")
        if !effective.debugAnchors.isEmpty {
            let debug = effective.debugAnchors.prefix(Self.maximum).map(\.description).joined(separator: ", ")
            lines += row("", "when debugging also \(printable(debug))")
        }
        return lines
    }

    private var reportLines: [String] {
        let uris = effective.rule?.reportURIs ?? []
        return uris.isEmpty
            ? row("reports", "none")
            : uris.prefix(Self.maximum).enumerated().flatMap {
                row($0.offset == 0 ? "reports" : "", printable($0.element))
            }
    }

    /// The meaning of `trustkit-config` in an Android file, or nil for other files.
    private var trustKitMeaning: String? {
        guard source.format == .android, effective.outcome == .pinned,
            let enforces = effective.settings.first(where: { $0.setting.key == "trustkit-config@enforcePinning" }),
            enforces.setting.value == "false"
        else { return nil }
        return "TrustKit only reports, but Android still enforces the pins"
    }
}

extension PinScope {
    /// The place of the pinned keys, in words.
    fileprivate var place: String {
        switch self {
        case .leaf: "in the server's certificate"
        case .authority: "in a CA's certificate of the validated path"
        case .anywhere: "anywhere in the validated path"
        }
    }
}
