// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import TrustSupport

/// The report of `servertrust verify`, for people and for programs.
struct VerifyReport {
    let verdict: TrustVerdict
    /// Whether the connection ended early behind the chain. The headline then says so, and nothing of trust.
    var isInterrupted = false
    /// The remedies on the server, written before the explanation of a failure.
    var serverAdvice: [ServerAdvice] = []
    /// The certificates that end soon; nil if that isn't checked.
    var findings: [ExpiryFinding]?
    /// The verdict's warnings that its reader gets in another way, such as on standard error; the text leaves them out.
    var announced: [String] = []
}

// MARK: - Text

extension VerifyReport {
    /// Returns the verdict, the path, all failures of the best candidate, and the headlines of the others.
    func text(_ palette: Palette) -> String {
        var lines: [String] = []
        let asked = printable((verdict.referenceName ?? verdict.host)?.description ?? "the chain")
        let isGood = verdict.isTrusted && !isInterrupted
        let mark = isGood ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
        let outcome = isInterrupted ? "could not be checked to the end" : isGood ? "is trusted" : "is not trusted"
        lines.append(mark + palette.bold("\(asked) \(outcome) at \(verdict.evaluationDate)"))
        lines.append(
            "      result \(verdict.result.rawValue), profile \(verdict.profile.rawValue)"
                + "\(verdict.isStrict ? " strict" : ""), purpose \(verdict.purpose.rawValue), "
                + "not checked: \(verdict.notChecked.map(\.name).joined(separator: ", "))")
        if let host = verdict.host, let unicode = HostName.unicode(host) {
            lines.append("      \(host) stands for \(printable(unicode))")
        }
        lines += facts
        lines.append("")
        lines.append(
            verdict.isTrusted ? "path" : verdict.reachesAnchor ? "best path" : "best path (ends without an anchor)")
        for (index, certificate) in verdict.path.enumerated() { lines += describe(certificate, at: index, palette) }
        lines += TransparencyTable.anchorLines(verdict) + TransparencyTable.lines(verdict, palette)
        var allowance = ReportAllowance()
        let shown = allowance.first(of: verdict.failures, part: 3, size: Self.size)
        if !shown.kept.isEmpty { lines.append("") }
        for (index, failure) in shown.kept.enumerated() {
            lines.append(
                palette.bad("error:") + " \(printable(failure.message)) " + palette.faint("[\(failure.code)]"))
            // Several certificates may fail for the same reason; the remedy is written once.
            let next = shown.kept.dropFirst(index + 1).first
            guard next?.code != failure.code else { continue }
            if let advice = serverAdvice.first(where: { $0.subject == .failure(failure.code) }) {
                lines.append("fix:   \(printable(advice.text))")
                // Its explanation assumes a server that forgot to send a certificate; the advice is about this chain.
                if failure.code == .unknownIssuer { continue }
            }
            lines.append("hint:  \(failure.code.explanation)")
        }
        if shown.omitted > 0 { lines.append("and \(shown.omitted) more errors") }
        if let findings, !findings.isEmpty { lines += [""] + findings.map { $0.line(palette) } }
        let excused = allowance.first(of: verdict.excused, part: 3, size: Self.size)
        if !excused.kept.isEmpty { lines.append("") }
        for failure in excused.kept {
            lines.append(
                palette.bold("excused:") + " \(printable(failure.message)) " + palette.faint("[\(failure.code)]"))
        }
        if excused.omitted > 0 { lines.append("excused: \(excused.omitted) more") }
        let reported = allowance.first(of: verdict.reported, part: 3, size: Self.size)
        if !reported.kept.isEmpty { lines.append("") }
        for failure in reported.kept {
            lines.append(
                palette.bold("reported:") + " \(printable(failure.message)) " + palette.faint("[\(failure.code)]"))
        }
        if reported.omitted > 0 { lines.append("reported: \(reported.omitted) more") }
        let fetched = allowance.first(of: verdict.fetched.map { printable($0.description) }, part: 3) { $0.utf8.count }
        if !fetched.kept.isEmpty { lines += ["", "fetched"] }
        lines += fetched.kept.map { "  " + $0 }
        if fetched.omitted > 0 { lines.append("  and \(fetched.omitted) more") }
        if let hint = FetchHint.text(verdict.fetched) { lines.append("hint:  \(printable(hint))") }
        lines += warnings(&allowance, palette)
        if !verdict.isTrusted { lines += summary(of: verdict.rejectedPaths.dropFirst(), palette) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the verdict's warnings, except those that the text has already.
    private func warnings(_ allowance: inout ReportAllowance, _ palette: Palette) -> [String] {
        // The lines of the path have the gaps of its certificates. A leaf that is its own anchor has no such line.
        let hasGaps = verdict.revocation.contains { if case .unobtainable = $0.status { true } else { false } }
        let texts = verdict.warnings
            .filter { !announced.contains($0) && !(hasGaps && RevocationGap.isWarning($0)) }
            .map { printable($0.abridged(toBytes: 1024)) }
        let shown = allowance.first(of: texts, part: 3) { $0.utf8.count }
        guard !shown.kept.isEmpty else { return [] }
        return [""] + shown.kept.map { palette.bold("warning:") + " \($0)" }
            + (shown.omitted > 0 ? ["warning: \(shown.omitted) more"] : [])
    }

    /// Returns the size of a failure in bytes.
    private static func size(_ failure: TrustFailure) -> Int {
        failure.message.writtenSize + failure.code.explanation.utf8.count + 48
    }

    /// The lines of a trusted verdict beside its path.
    private var facts: [String] {
        guard verdict.isTrusted else { return [] }
        var facts: [String] = []
        if let until = verdict.validUntil, !isInterrupted {
            facts.append("      holds until \(until), \(DaysLeft(until: until, at: verdict.evaluationDate))")
        }
        if let pin = verdict.matchedPin {
            facts.append(
                "      \(pin.isBackup ? "backup pin" : "pin") \(pin.pin) matches certificate \(pin.certificate)")
        }
        if verdict.assertsExtendedValidation {
            facts.append(
                "      extended validation for \(printable((verdict.organization ?? "no organisation").abridged(toBytes: 1024)))"
            )
        }
        return facts
    }

    private func describe(_ certificate: Certificate, at index: Int, _ palette: Palette) -> [String] {
        let role = verdict.role(at: index).rawValue
        let label = "  \(index) \(role)".padded(to: 17)
        let indent = String(repeating: " ", count: 17)
        let size = ReportAllowance.nameSize(verdict.path.count)
        var lines = [label + palette.bold(printable(certificate.abridgedDescription(toBytes: size)))]
        lines.append(indent + "issuer  \(printable(certificate.abridgedIssuer(toBytes: size)))")
        let daysLeft = DaysLeft(until: certificate.notAfter, at: verdict.evaluationDate)
        lines.append(indent + "valid   \(certificate.notBefore) to \(certificate.notAfter), \(daysLeft)")
        lines.append(
            indent + palette.faint("sha256  \(Hex.encode(certificate.sha256.prefix(8)))…  pin \(SPKIPin(certificate))"))
        if let finding = verdict.revocation.first(where: { $0.certificate == index }) {
            lines.append(indent + "revoked " + Self.answer(finding, palette))
        }
        return lines
    }

    /// Returns `no (CRL, until …)`, `YES since …`, or the reason for an unknown status.
    private static func answer(_ finding: RevocationFinding, _ palette: Palette) -> String {
        let notes = finding.notes.map { "; \(RevocationTerm.words([$0.name], .note))" }.joined()
        let source =
            finding.source.map { " (\($0.title)\(finding.validUntil.map { ", until \($0)" } ?? "")\(notes))" } ?? ""
        switch finding.status {
        case .good: return palette.good("no") + source
        case .revoked(let date, let reason):
            return palette.bad("YES") + (date.map { " since \($0)" } ?? "") + ", reason \(reason?.name ?? "not given")"
                + source
        case .unobtainable(let obstacles):
            return palette.bold("unknown") + ": " + RevocationTerm.words(obstacles.map(\.name), .obstacle)
        case .exempt(let exemption): return palette.bold("not checked") + ": \(exemption.words)"
        case .unchecked: return "not asked"
        }
    }

    /// Returns a line for each rejected path but the best, with its length, its end and its first failure.
    private func summary(of others: ArraySlice<RejectedPath>, _ palette: Palette) -> [String] {
        guard !others.isEmpty else { return [] }
        let shown = others.prefix(5)
        var lines = ["", others.count == 1 ? "1 other path was rejected" : "\(others.count) other paths were rejected"]
        for path in shown {
            let headline = path.failures.first
            let end = path.certificates.last.map { printable($0.abridgedDescription(toBytes: 256)) } ?? ""
            lines.append(
                "  \(path.certificates.count) certificates to \(end): \(printable(headline?.message ?? "")) "
                    + palette.faint("[\(headline?.code.name ?? "")]"))
        }
        if others.count > shown.count {
            lines.append("  and \(others.count - shown.count) more; --format json has more of them")
        }
        return lines
    }
}

// MARK: - JSON

extension VerifyReport {
    /// Returns an array of one verdict, in the shape in which the library writes it.
    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return JSONWriter.escaping(try encoder.encode([VerifyRecord(report: self)])) + [0x0a]
    }
}

/// The JSON of a report: the verdict's keys, and those of the command beside them.
private struct VerifyRecord: Encodable {
    private enum CodingKeys: String, CodingKey { case findings }

    let report: VerifyReport

    func encode(to encoder: any Encoder) throws {
        try VerdictRecord(verdict: report.verdict).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(report.findings, forKey: .findings)
    }
}
