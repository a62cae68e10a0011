// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

extension VerifyReport {
    /// Returns each certificate of the path in full, what the server sent, the SCTs, the fetched resources and the
    /// other paths.
    func details(_ allowance: inout ReportAllowance, _ palette: Palette) -> [String] {
        var lines = verdict.path.isEmpty ? [] : ["", "certificates"]
        for (index, certificate) in verdict.path.enumerated() { lines += describe(certificate, at: index, palette) }
        lines += presentedOrder() + sent
        let conditions = verdict.anchor?.lines ?? []
        if !conditions.isEmpty { lines += ["", "root"] + conditions.map { "  " + printable($0) } }
        lines += verdict.transparency.map { timestamps($0, palette) } ?? []
        let fetched = allowance.first(of: verdict.fetched.map { printable($0.description) }, part: 3) { $0.utf8.count }
        if !fetched.kept.isEmpty { lines += ["", "fetched"] + fetched.kept.map { "  " + $0 } }
        if fetched.omitted > 0 { lines.append("  and \(fetched.omitted) more") }
        return verdict.isTrusted ? lines : lines + summary(of: verdict.rejectedPaths.dropFirst(), palette)
    }

    /// Returns the result of Certificate Transparency.
    func result(_ finding: TransparencyFinding, _ palette: Palette) -> String {
        let words = printable(finding.words)
        return finding.status.isChecked && finding.status != .complies ? palette.bad(words) : words
    }

    /// Returns the result, the list of logs, and a line for each SCT.
    private func timestamps(_ finding: TransparencyFinding, _ palette: Palette) -> [String] {
        let maximum = 32
        var lines = ["", "transparency", "  " + result(finding, palette)]
        if let list = finding.listWords { lines.append("  " + palette.faint(printable(list))) }
        for timestamp in finding.timestamps.prefix(maximum) {
            let facts = [timestamp.operatorName, timestamp.state, timestamp.origin].compactMap { $0 }
            lines.append(
                "  " + (timestamp.reason == nil ? palette.good("yes") : palette.bad("no") + " ")
                    + " \(timestamp.time)  " + printable(timestamp.logName)
                    + palette.faint(" (\(printable(facts.joined(separator: ", "))))"))
            if let reason = timestamp.reason { lines.append("        " + reason.words) }
        }
        if finding.timestamps.isEmpty { lines.append("  no SCT came with the certificate") }
        let others = finding.timestamps.count - maximum
        return others > 0 ? lines + ["  and \(others) more"] : lines
    }

    private func describe(_ certificate: Certificate, at index: Int, _ palette: Palette) -> [String] {
        let role = verdict.role(at: index).rawValue
        let label = "  \(role)".padded(to: 17)
        let origin = presented.place(of: certificate).map(CertificateReference.origin) ?? "not sent"
        let indent = String(repeating: " ", count: 17)
        let size = ReportAllowance.nameSize(verdict.path.count)
        var lines = [label + palette.bold(printable(certificate.abridgedDescription(toBytes: size)))]
        lines.append(indent + "issuer  \(printable(certificate.abridgedIssuer(toBytes: size)))")
        lines.append(indent + origin)
        let daysLeft = DaysLeft(until: certificate.notAfter, at: verdict.evaluationDate)
        lines.append(indent + "valid   \(certificate.notBefore) to \(certificate.notAfter), \(daysLeft)")
        lines.append(
            indent + palette.faint("sha256  \(Hex.encode(certificate.sha256.prefix(8)))…  pin \(SPKIPin(certificate))"))
        if let finding = verdict.revocation.first(where: { $0.certificate == index }) {
            lines.append(indent + Self.answer(finding, palette))
        }
        return lines
    }

    /// Returns the presented certificates in the peer's order, each with its number and its role in the path.
    private func presentedOrder() -> [String] {
        var lines = ["", "presented"]
        let certificates = presented.certificates
        let size = ReportAllowance.nameSize(certificates.count)
        for (index, certificate) in certificates.prefix(VerifyReport.maximumPresented).enumerated() {
            let role = verdict.path.firstIndex(of: certificate).map { verdict.role(at: $0).rawValue } ?? "not used"
            lines.append(
                "  \(presented.place(ofReadable: index) + 1) \(role)".padded(to: 17)
                    + printable(certificate.abridgedDescription(toBytes: size)))
        }
        if certificates.count > VerifyReport.maximumPresented {
            lines.append("  and \(certificates.count - VerifyReport.maximumPresented) more")
        }
        let unreadable = presented.unreadable
        lines += unreadable.prefix(VerifyReport.maximumPresented).map {
            "  \($0.index + 1) unreadable".padded(to: 17) + printable("\($0.error)")
        }
        if unreadable.count > VerifyReport.maximumPresented {
            lines.append("  \(unreadable.count - VerifyReport.maximumPresented) more can't be read")
        }
        return lines
    }

    /// Returns a line for each rejected path except the best one, with its length, its end and its first failure.
    ///
    /// A line contains only the names of certificates.
    private func summary(of others: ArraySlice<RejectedPath>, _ palette: Palette) -> [String] {
        guard !others.isEmpty else { return [] }
        let shown = others.prefix(5)
        var lines = [
            "",
            others.count == 1 ? "1 other path was rejected" : "\(others.count) other paths were rejected",
        ]
        for path in shown {
            let headline = path.failures.first
            let names = path.certificates.prefix(8).map { $0.abridgedDescription(toBytes: 96) }
            let failed = headline?.certificate.flatMap {
                path.certificates.indices.contains($0) ? path.certificates[$0] : nil
            }
            let subject = failed.map { " at \($0.abridgedDescription(toBytes: 96))" } ?? ""
            lines.append(
                "  " + printable(names.joined(separator: " -> ") + ":")
                    + " \(palette.bad(headline?.code.name ?? ""))" + printable(subject))
        }
        if others.count > shown.count {
            lines.append("  and \(others.count - shown.count) more; --format json has more of them")
        }
        return lines
    }
}
