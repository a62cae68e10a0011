import Foundation
import ServerTrust

/// The answer of `servertrust verify`, for people and for programs.
struct VerifyReport {
    let verdict: TrustVerdict
    /// What to do on the server, told before what else there is to know about a failure.
    var serverAdvice: [ServerAdvice] = []
}

// MARK: - Text

extension VerifyReport {
    /// Verdict, path, everything that is wrong with the best candidate, and the headlines of the others.
    func text(_ palette: Palette) -> String {
        var lines: [String] = []
        let asked = printable((verdict.referenceName ?? verdict.host)?.description ?? "the chain")
        let mark = verdict.isTrusted ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
        lines.append(
            mark
                + palette.bold(
                    "\(asked) is \(verdict.isTrusted ? "" : "not ")trusted at \(verdict.evaluationDate)"))
        lines.append(
            "      result \(verdict.result.rawValue), profile \(verdict.profile.rawValue)"
                + "\(verdict.isStrict ? " strict" : ""), purpose \(verdict.purpose.rawValue), "
                + "not checked: \(verdict.notChecked.map(\.name).joined(separator: ", "))")
        lines += facts
        lines.append("")
        lines.append(
            verdict.isTrusted ? "path" : verdict.reachesAnchor ? "best path" : "best path (ends without an anchor)")
        for (index, certificate) in verdict.path.enumerated() { lines += describe(certificate, at: index, palette) }
        if !verdict.failures.isEmpty { lines.append("") }
        for (index, failure) in verdict.failures.enumerated() {
            lines.append(
                palette.bad("error:") + " \(printable(failure.message)) " + palette.faint("[\(failure.code)]"))
            // Several certificates may fail for the same reason; what to do about it is said once.
            let next = verdict.failures.dropFirst(index + 1).first
            guard next?.code != failure.code else { continue }
            if let advice = serverAdvice.first(where: { $0.subject == .failure(failure.code) }) {
                lines.append("fix:   \(printable(advice.text))")
            }
            lines.append("hint:  \(failure.code.explanation)")
        }
        if !verdict.excused.isEmpty { lines.append("") }
        for failure in verdict.excused {
            lines.append(
                palette.bold("excused:") + " \(printable(failure.message)) " + palette.faint("[\(failure.code)]"))
        }
        if !verdict.isTrusted { lines += summary(of: verdict.rejectedPaths.dropFirst(), palette) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What a trusted verdict says beyond its path.
    private var facts: [String] {
        guard verdict.isTrusted else { return [] }
        var facts: [String] = []
        if let until = verdict.validUntil { facts.append("      holds until \(until)") }
        if let pin = verdict.matchedPin {
            facts.append(
                "      \(pin.isBackup ? "backup pin" : "pin") \(pin.pin) matches certificate \(pin.certificate)")
        }
        if verdict.assertsExtendedValidation {
            facts.append("      extended validation for \(printable(verdict.organization ?? "no organisation"))")
        }
        return facts
    }

    private func describe(_ certificate: Certificate, at index: Int, _ palette: Palette) -> [String] {
        let role = verdict.role(at: index).rawValue
        let label = "  \(index) \(role)".padded(to: 17)
        let indent = String(repeating: " ", count: 17)
        var lines = [label + palette.bold(printable(certificate.description))]
        lines.append(indent + "issuer  \(printable(certificate.issuer.description))")
        lines.append(indent + "valid   \(certificate.notBefore) to \(certificate.notAfter)")
        lines.append(
            indent + palette.faint("sha256  \(Hex.encode(certificate.sha256.prefix(8)))…  pin \(SPKIPin(certificate))"))
        return lines
    }

    /// Others than the best, a line each, with the certificates by subject and what is wrong first of all.
    private func summary(of others: ArraySlice<RejectedPath>, _ palette: Palette) -> [String] {
        guard !others.isEmpty else { return [] }
        let shown = others.prefix(5)
        var lines = ["", others.count == 1 ? "1 other path was rejected" : "\(others.count) other paths were rejected"]
        for path in shown {
            let headline = path.failures.first
            let end = path.certificates.last.map { printable($0.description) } ?? ""
            lines.append(
                "  \(path.certificates.count) certificates to \(end): \(printable(headline?.message ?? "")) "
                    + palette.faint("[\(headline?.code.name ?? "")]"))
        }
        if others.count > shown.count {
            lines.append("  and \(others.count - shown.count) more; --format json has them all")
        }
        return lines
    }
}

// MARK: - JSON

extension VerifyReport {
    /// An array of one verdict, in the shape in which the library writes it.
    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode([verdict])) + [0x0a]
    }
}
