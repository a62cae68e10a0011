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
}

// MARK: - Text

extension EffectiveReport {
    func text(_ palette: Palette) -> String {
        entries.map { $0.lines(palette).joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }
}

extension EffectiveReport.Entry {
    fileprivate func lines(_ palette: Palette) -> [String] {
        let (mark, outcome) =
            switch effective.outcome {
            case .pinned: (palette.good("OK") + "    ", "pinned")
            case .unknown: (palette.bad("UNKNOWN") + "  ", "perhaps pinned")
            case .reported: (palette.bad("FAIL") + "  ", "reported, but not pinned")
            case .notPinned: (palette.bad("FAIL") + "  ", "not pinned")
            case .refused: (palette.bad("FAIL") + "  ", "refused")
            }
        let headline = "\(effective.host) is \(outcome) by \(printable(source.file)) at \(effective.time)"
        var rows = [("format", source.format?.name ?? "unknown")]
        if let why { rows.append(("why", why)) }
        rows += effective.applied.map { ("rule", printable(description(of: $0))) }
        rows += pinRows(palette)
        if let rule = effective.rule, !rule.pins.isEmpty { rows.append(("expiry", expiry(of: rule))) }
        let anchors = effective.anchors.isEmpty ? [PinAnchorSource.system] : effective.anchors
        rows.append(("anchors", "\(Self.list(anchors)) (\(effective.anchorsOrigin.rawValue))"))
        if !effective.debugAnchors.isEmpty {
            rows.append(("", "when debugging also \(Self.list(effective.debugAnchors))"))
        }
        let reports = effective.rule?.reportURIs ?? []
        let uris = reports.isEmpty ? ["none"] : Array(reports.prefix(Self.maximum))
        for (index, uri) in uris.enumerated() { rows.append((index == 0 ? "reports" : "", printable(uri))) }
        rows += effective.settings.prefix(Self.maximum).map { setting, origin in
            (printable(setting.key), "\(printable(setting.value)) (\(origin.rawValue))")
        }
        if let trustKitMeaning { rows.append(("trustkit", trustKitMeaning)) }
        rows += effective.near.map { near in
            ("near", printable("\(place(near.rule.location)), \(near.explanation(for: effective.host))"))
        }
        if effective.furtherNear > 0 { rows.append(("near", "and \(effective.furtherNear) more")) }
        // The outcome depends on parts that were not read, so they come first.
        let odd = oddities
        let shown = odd.filter { $0.code == .pinFileNotLiteral } + odd.filter { $0.code != .pinFileNotLiteral }
        rows += shown.prefix(Self.maximum).map { problem in
            ("odd", printable("\(place(problem.location)): \(problem.detail) [\(problem.shortCode)]"))
        }
        if shown.count > Self.maximum { rows.append(("odd", "and \(shown.count - Self.maximum) more")) }
        var lines = [mark + palette.bold(headline)]
        for (label, text) in rows {
            let start = label.count < 9 ? label.padded(to: 9) : label + "  "
            lines.append("      " + start + text)
        }
        return lines
    }

    /// The maximum number of pins, settings and problems to show.
    private static let maximum = 50

    private static func list(_ anchors: [PinAnchorSource]) -> String {
        printable(anchors.prefix(maximum).map(\.description).joined(separator: ", "))
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

    /// The reason in words, or nil for pins in force.
    private var why: String? {
        if effective.outcome == .unknown { return "parts of the file are unknown and may apply to the host" }
        return switch effective.reason {
        case .inForce: nil
        case .reportOnly: "the rule reports servers without a pin, but refuses none"
        case .noPin: "the rule for the host has no pins, so the default evaluation applies"
        case .expired: "the pins have expired"
        case .noRule where configuration.unlistedHosts == .refused:
            "no rule matches the host, and hosts without a rule are refused"
        case .noRule: "no rule matches the host, so the default evaluation applies"
        case .noAnchor: "there are no anchors, so every server is refused"
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

    private func pinRows(_ palette: Palette) -> [(String, String)] {
        guard let rule = effective.rule, !rule.pins.isEmpty else { return [("pins", "none")] }
        var rows: [(String, String)] = []
        let standIns = configuration.standIns
        for scope in rule.scopes {
            let pins = rule.pins.filter { $0.scope == scope }
            rows.append((rows.isEmpty ? "pins" : "and", "one of these, \(scope.place)"))
            for pin in pins.prefix(Self.maximum) {
                if let location = pin.location, standIns.contains(location) {
                    rows.append(("", printable("\(place(location))  not a pin: see \"odd\" below")))
                    continue
                }
                let remark = EffectivePins.remark(on: pin).map { "  " + palette.bold(printable($0)) } ?? ""
                let role = pin.role == .backup ? "  backup" : ""
                let comment = pin.comment.map { palette.faint("  # " + printable(clipped($0))) } ?? ""
                rows.append(("", printable("\(place(pin.location))  \(pin.value)") + role + remark + comment))
            }
            if pins.count > Self.maximum { rows.append(("", "and \(pins.count - Self.maximum) more")) }
        }
        return rows
    }

    private func expiry(of rule: PinRule) -> String {
        guard let expiry = rule.expiry else { return "none" }
        let left = DaysLeft(until: expiry.time, at: effective.time)
        let then = expiry.onExpiry == .failOpen ? "not pinned (\(owner)'s behavior)" : "refused"
        return "\(expiry.time), \(left); then \(then)"
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
