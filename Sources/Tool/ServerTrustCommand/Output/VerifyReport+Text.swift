// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

extension VerifyReport {
    /// Returns the verdict, each failure with its remedy, and the paths as a tree. The long text adds every certificate
    /// and all other paths.
    func text(_ palette: Palette) -> String {
        (lines(palette) + tidying(palette)).joined(separator: "\n") + "\n"
    }

    /// Returns the lines of the text.
    func lines(_ palette: Palette) -> [String] {
        var allowance = ReportAllowance()
        var lines = headline(palette) + failures(&allowance, palette) + expiries(palette) + tree(palette)
        lines += isLong ? details(&allowance, palette) : answers(palette)
        lines += agreed(verdict.excused, "excused", &allowance, palette)
        lines += agreed(verdict.reported, "reported", &allowance, palette)
        if let hint = FetchHint.text(verdict.fetched) { lines += ["", palette.hint(hint)] }
        return lines + warnings(&allowance, palette)
    }

    /// Returns a line for each remedy that isn't about a failure.
    func tidying(_ palette: Palette) -> [String] {
        // The findings already mention a near expiry.
        let subjects: [Advice.Subject] = findings?.isEmpty == false ? [.presentedChain] : [.presentedChain, .renewal]
        let tidying = advice.filter { subjects.contains($0.subject) }
        return tidying.isEmpty ? [] : [""] + tidying.map { palette.fix($0.text) }
    }

    // MARK: - The verdict

    private func headline(_ palette: Palette) -> [String] {
        let asked = printable((verdict.referenceName ?? verdict.host)?.description ?? "the chain")
        let isGood = verdict.isTrusted && !isInterrupted
        let endsSoon = isGood && findings?.isEmpty == false
        let outcome = isInterrupted ? "could not be fully checked" : isGood ? "is trusted" : "is not trusted"
        let expiry = endsSoon ? ", but its path expires soon" : ""
        let mark = palette.mark(endsSoon ? .expiring : isGood ? .trusted : .rejected)
        var facts = [connection]
        if let host = verdict.host, let unicode = HostName.unicode(host) {
            facts.append("\(host) stands for \(printable(unicode))")
        }
        if verdict.isTrusted, !isInterrupted, let until = verdict.firstNotAfter {
            facts.append("valid until \(until), \(DaysLeft(until: until, at: verdict.evaluationDate))")
        }
        if verdict.isTrusted, let pin = verdict.matchedPin {
            facts.append(
                "\(pin.isBackup ? "backup pin" : "pin") \(printable(pin.words(on: verdict, sentIn: presented)))")
        }
        if verdict.isTrusted, verdict.assertsExtendedValidation {
            let organization = (verdict.organization ?? "no organization").abridged(toBytes: 1024)
            facts.append("extended validation for \(printable(organization))")
        }
        return [mark + palette.bold("\(asked) \(outcome) at \(verdict.evaluationDate)\(expiry)")]
            + (facts + settings).compactMap(\.self).map { "      " + $0 }
    }

    /// The settings that differ from the defaults, and the checks that weren't performed.
    private var settings: [String?] {
        var changed: [String] = []
        if isLong || verdict.profile != .webPKI { changed.append("profile \(verdict.profile.rawValue)") }
        if verdict.isStrict { changed.append("strict") }
        if isLong || verdict.purpose != .serverAuth { changed.append("purpose \(verdict.purpose.rawValue)") }
        let unchecked = verdict.notChecked.compactMap { check in
            guard check == .revocation, let rest = verdict.certificatesWithoutRevocationStatus else {
                return check.title
            }
            let total = verdict.revocation.count
            return rest.isEmpty ? nil : "revocation of \(rest.count) of \(counted(total, "certificate"))"
        }
        return [
            changed.isEmpty ? nil : changed.joined(separator: ", "),
            unchecked.isEmpty ? nil : "not checked: \(unchecked.joined(separator: ", "))",
        ]
    }

    // MARK: - Failures

    private func failures(_ allowance: inout ReportAllowance, _ palette: Palette) -> [String] {
        var lines: [String] = []
        let shown = allowance.first(of: verdict.failures.filter { !isRepeated($0) }, part: 3, size: Self.size)
        let remedies = shown.kept.map { failure in advice.first { $0.concerns(failure) } }
        // Several failures may share a remedy. It is written only once, after the last of them.
        var lastIndices: [String: Int] = [:]
        for (index, remedy) in remedies.enumerated() {
            if let remedy { lastIndices[remedy.text] = index }
        }
        // Several remedies may share an option.
        var writtenOptions: Set<String> = []
        for (index, failure) in shown.kept.enumerated() {
            lines.append(
                palette.bad("error:") + " \(printable(message(of: failure))) " + palette.faint("[\(failure.code)]"))
            let next = shown.kept.dropFirst(index + 1).first
            let remedy = remedies[index]
            if let remedy, lastIndices[remedy.text] == index {
                lines.append(palette.fix(remedy.text))
                lines += remedy.options.filter { !hasGivenAnchors || $0 != .anchors }.map(\.words)
                    .filter { writtenOptions.insert($0).inserted }.map(palette.hint)
            }
            guard next?.code != failure.code, remedy == nil || isLong else { continue }
            // The explanation of an unknown issuer assumes a missing intermediate. Advice about this chain replaces it,
            // and so does the failure about an issuer that can't be parsed.
            let isExplained = remedy != nil || verdict.failures.contains { $0.code == .issuerUnreadable }
            if failure.code == .unknownIssuer, isExplained { continue }
            if let hint = failure.code.explanation { lines.append(palette.hint(hint)) }
        }
        if shown.omitted > 0 { lines.append("and \(counted(shown.omitted, "more error"))") }
        lines += problems
        return lines.isEmpty ? [] : [""] + lines
    }

    /// Whether a certificate's key has the unsupported algorithm that another line names for its signature.
    private func isRepeated(_ failure: TrustFailure) -> Bool {
        failure.code == .keyAlgorithmUnsupported
            && verdict.failures.contains {
                $0.code == .signatureAlgorithmUnsupported && $0.certificate == failure.certificate
                    && $0.found == failure.found
            }
    }

    /// Returns the message of a failure, with the reasons for a missing revocation status in words.
    private func message(of failure: TrustFailure) -> String {
        var failure = failure
        if let finding = verdict.revocation.first(where: { isFailure($0, failure) }),
            case .unobtainable(let obstacles) = finding.status
        {
            failure.found = .text(RevocationTerm.words(obstacles.prefix(4)))
        }
        return failure.message(on: verdict.path, sentIn: presented)
    }

    private func isFailure(_ finding: RevocationFinding, _ failure: TrustFailure) -> Bool {
        failure.code == .revocationUnavailable && failure.certificate == finding.certificate
    }

    /// Returns the certificates that expire within the time of `--expires-within`, and the remedy.
    private func expiries(_ palette: Palette) -> [String] {
        guard let findings, let first = findings.first else { return [] }
        let renewal = AdviceTable.entry(
            .certificateExpired, role: .leaf, purpose: verdict.purpose, source: .presented)?.text
        let remedy =
            first.failure.certificate == 0 ? renewal : "Ask the CA which certificate replaces the expiring one."
        return [""]
            + findings.map { finding in
                let message = finding.failure.message(on: verdict.path, sentIn: presented)
                return palette.finding("finding", "\(message), \(finding.daysLeft)", finding.failure.code.name)
            } + [remedy].compactMap(\.self).map(palette.fix)
    }

    private func agreed(
        _ failures: [TrustFailure], _ label: String, _ allowance: inout ReportAllowance, _ palette: Palette
    ) -> [String] {
        let shown = allowance.first(of: failures, part: 3, size: Self.size)
        guard !shown.kept.isEmpty else { return [] }
        return [""]
            + shown.kept.map {
                palette.finding(label, $0.message(on: verdict.path, sentIn: presented), $0.code.name)
            } + (shown.omitted > 0 ? ["\(label): \(shown.omitted) more"] : [])
    }

    /// Returns the size of a failure, in bytes.
    private static func size(_ failure: TrustFailure) -> Int {
        failure.message.writtenSize + (failure.code.explanation?.utf8.count ?? 0) + 48
    }

    // MARK: - Paths

    /// Returns the paths as a tree.
    private func tree(_ palette: Palette) -> [String] {
        let tree = PathTree(verdict, presented: presented, width: 78, usesLines: TerminalText.isUTF8).lines()
        guard !tree.isEmpty else { return [] }
        let tried = verdict.rejectedPaths.count > 1 ? "paths tried" : "path tried"
        let title = verdict.isTrusted ? "path" : verdict.reachesAnchor ? tried : "\(tried), but found no anchor"
        return ["", title]
            + tree.map { line in
                let text = "  " + printable(line)
                guard let sign = text.lastIndex(of: "✗") else { return text }
                return text[..<sign] + palette.bad(String(text[sign...]))
            }
    }

    /// Returns a line for each result of a check other than path validation. Each certificate has a line about
    /// revocation, which replaces the warnings about gaps.
    private func answers(_ palette: Palette) -> [String] {
        // A failure already says why there is no status.
        let findings = verdict.revocation.filter { finding in
            !verdict.failures.contains { isFailure(finding, $0) }
        }
        var lines = findings.map { finding in
            guard verdict.path.indices.contains(finding.certificate) else { return Self.answer(finding, palette) }
            let certificate = presented.reference(
                to: verdict.path[finding.certificate], verdict.role(at: finding.certificate))
            return "  \(printable(certificate)): " + Self.answer(finding, palette)
        }
        if let transparency = verdict.transparency { lines.append("  transparency: " + result(transparency, palette)) }
        lines += (verdict.anchor?.lines ?? []).map { "  root: " + printable($0) }
        return (lines.isEmpty ? [] : [""] + lines) + (sent.isEmpty ? [] : [""] + sent)
    }

    /// Returns `not revoked (CRL, until …)`, `REVOKED since …`, or the reason for an unknown status.
    static func answer(_ finding: RevocationFinding, _ palette: Palette) -> String {
        let notes = finding.notes.map { "; \(RevocationTerm.words([$0.name], .note))" }.joined()
        let source =
            finding.source.map { " (\($0.title)\(finding.validUntil.map { ", until \($0)" } ?? "")\(notes))" } ?? ""
        switch finding.status {
        case .good: return palette.good("not revoked") + source
        case .revoked(let date, let reason):
            return palette.bad("REVOKED") + (date.map { " since \($0)" } ?? "")
                + ", reason \(reason?.name ?? "not given")"
                + source
        case .unobtainable(let obstacles):
            return palette.bold("revocation unknown") + ": " + RevocationTerm.words(obstacles)
        case .exempt(let exemption): return palette.bold("revocation not checked") + ": \(exemption.words)"
        case .unchecked: return "revocation not checked"
        }
    }

    // MARK: - Warnings

    /// Returns the verdict's warnings, except those that the text already contains.
    private func warnings(_ allowance: inout ReportAllowance, _ palette: Palette) -> [String] {
        // The lines about revocation contain the gaps of the certificates. A leaf that is its own anchor has no such
        // line.
        let hasGaps = verdict.revocation.contains { if case .unobtainable = $0.status { true } else { false } }
        let announced = Set(announced)
        let texts = verdict.warnings
            .filter { !announced.contains($0) && !(hasGaps && RevocationGap.isWarning($0)) }
            .map { printable($0.abridged(toBytes: 1024)) }
        let shown = allowance.first(of: texts, part: 3) { $0.utf8.count }
        guard !shown.kept.isEmpty else { return [] }
        return [""] + shown.kept.map { palette.bold("warning:") + " \($0)" }
            + (shown.omitted > 0 ? ["warning: \(shown.omitted) more"] : [])
    }
}

extension TrustCheck {
    /// The name for people: `certificate transparency`.
    var title: String { name.wordsOfName }
}
