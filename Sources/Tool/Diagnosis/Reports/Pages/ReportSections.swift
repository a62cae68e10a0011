// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The sections of a report's page. Empty sections aren't written.
struct ReportSections {
    let report: TrustReport
    let id: HTMLIdentifier
    let level: Int
    /// Whether certificates are shown with only the most common fields and without PEM.
    var isBrief = false

    /// The maximum number of rows in a table, and of fields in a certificate. It also applies to decoded reports.
    static let maximumRows = 128
}

// MARK: - Drawing

extension ReportSections {
    func writeDrawing(to html: inout HTMLWriter) {
        guard !report.columns.isEmpty else { return }
        html.section("Certificates and paths", id: id.part("paths"), level: level) { html in
            html.element(.figure, [.classes("panel", "drawings")]) { html in
                ChainDrawing(report, id: id).write(to: &html)
                html.element(.figcaption) { html in
                    html.element(.ul) { html in
                        for line in legend { html.element(.li, text: line) }
                    }
                }
            }
            html.element(.div, [.classes("extra")]) { html in
                html.card(id: id.part("paths-list"), summary: { $0.text("The drawing as a list") }) { html in
                    ChainList(report).write(to: &html, level: level + 1)
                }
            }
        }
    }
}

extension ReportSections {
    /// The legend of the drawing, and the number of paths that aren't drawn.
    private var legend: [String] {
        let lines = [
            "The numbers count the certificates in the order sent. A certificate that wasn't sent has only its name.",
            "An arrow points to the issuer's certificate.",
            "Double frame: trust anchor.", "Dashed: not sent by the server.", "Faint: sent but not used.",
        ]
        let count = report.otherPaths.count - TrustReport.drawnPaths
        guard count > 0 else { return lines }
        return lines + ["\(count) more path\(count == 1 ? " is" : "s are") listed below."]
    }
}

// MARK: - Next steps

extension ReportSections {
    func writeNextSteps(to html: inout HTMLWriter) {
        guard !report.nextSteps.isEmpty || !report.explanations.isEmpty else { return }
        html.section(report.isTrusted ? "Advice" : "What it means and what to do", id: id.part("steps"), level: level) {
            html in
            for explanation in report.explanations.prefix(Self.maximumRows) { write(explanation, to: &html) }
            list("On the server", .server, to: &html)
            list("On the peer", .peer, to: &html)
            list("On your side", .here, to: &html)
            list("In the client, narrowly, if you can't fix the server", .client, to: &html)
            list("Never", .never, to: &html)
        }
    }

    private func write(_ explanation: TrustReport.Explanation, to html: inout HTMLWriter) {
        html.element(.p) { html in
            html.element(.code) { $0.foreign(explanation.code, maximum: 64) }
            html.text(" ")
            html.prose(explanation.meaning)
        }
        html.card(summary: { $0.text("Usual causes, and how to confirm this failure") }) { html in
            html.element(.p) { $0.prose(explanation.sign) }
            html.element(.ul) { html in
                for cause in explanation.causes.prefix(16) { html.element(.li) { $0.prose(cause) } }
            }
        }
    }

    private func list(_ title: String, _ kind: TrustReport.NextStep.Kind, to html: inout HTMLWriter) {
        let steps = report.nextSteps.filter { $0.kind == kind }.prefix(32)
        guard !steps.isEmpty else { return }
        html.element(.div, kind == .never ? [.classes("never")] : []) { html in
            html.element(.heading(level + 1), text: title)
            html.element(.ul) { html in
                for step in steps {
                    html.element(.li) { html in
                        html.prose(step.text)
                        if let snippet = step.snippet { html.lines(snippet, maximum: 8000) }
                    }
                }
            }
        }
    }
}

// MARK: - Checks

extension ReportSections {
    func writeChecks(to html: inout HTMLWriter) {
        guard !report.checks.isEmpty else { return }
        html.section("Checks", id: id.part("checks"), level: level) { html in
            // Failed checks come first. Within a status the order of the groups applies.
            let order: [TrustReport.Check.Status] = [.failed, .excused, .passed, .notChecked]
            html.table(label: "Checks", columns: ["Check", "Result", "Certificate", "Expected", "Found"]) { html in
                for status in order {
                    for check in report.checks.prefix(Self.maximumRows) where check.status == status {
                        write(check, to: &html)
                    }
                }
            }
            html.element(.p, [.classes("quiet")]) { html in
                html.text(
                    "“Not checked” says nothing about the server: the check was not requested, or not reached.")
            }
        }
    }

    private func write(_ check: TrustReport.Check, to html: inout HTMLWriter) {
        guard !check.failures.isEmpty else {
            return html.element(.tr) { html in
                html.element(.th, [.rowScope, .classes("name")], text: check.title)
                html.element(.td) { $0.badge(check.status.tone, check.status.words) }
                html.element(.td, [.columns(3), .classes("words", "quiet")]) { $0.sentence(check.detail, maximum: 600) }
            }
        }
        for failure in check.failures.prefix(TrustReport.Path.maximumFailures) {
            html.element(.tr) { html in
                html.element(.th, [.rowScope, .classes("name")], text: check.title)
                html.element(.td) { html in
                    html.badge(check.status.tone, check.status.words)
                    html.element(.div) { html in html.element(.code) { $0.foreign(failure.code, maximum: 64) } }
                }
                html.element(.td, [.classes("name")]) { place(failure.place, to: &$0) }
                html.element(.td, [.classes("name")]) { $0.value(failure.expected) }
                html.element(.td, [.classes("name")]) { html in
                    if failure.expected == nil, failure.found == nil {
                        html.sentence(failure.message, maximum: 600)
                    } else {
                        html.value(failure.found)
                    }
                }
            }
        }
    }

    /// Writes the certificate at a position in the path, with a link to its section.
    func place(_ place: Int?, of path: TrustReport.Path? = nil, to html: inout HTMLWriter) {
        guard let place else { return html.text("whole path") }
        let path = path ?? report.path
        guard let index = path.flatMap({ $0.certificates.indices.contains(place) ? $0.certificates[place] : nil }),
            let certificate = report.certificate(at: index)
        else { return html.text("another certificate") }
        reference(to: certificate, index, to: &html)
    }

    /// Writes the name of a certificate as a link to its section, and its number if it was sent.
    func reference(to certificate: TrustReport.CertificateEntry, _ index: Int, to html: inout HTMLWriter) {
        html.element(.a, [.link(.place(certificateID(index)))]) { $0.foreign(certificate.name, maximum: 80) }
        if let origin = certificate.origin { html.text(", \(origin)") }
    }

    func certificateID(_ index: Int) -> HTMLIdentifier { id.part("certificate", index + 1) }
}

extension TrustReport.Check.Status {
    var tone: HTMLTone {
        switch self {
        case .passed: .good
        case .failed: .bad
        case .excused: .caution
        case .notChecked: .note
        }
    }

    var words: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .excused: "excused"
        case .notChecked: "not checked"
        }
    }
}

extension HTMLWriter {
    /// Writes sentences that enclose commands in backquotes.
    package mutating func prose(_ text: String) {
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).prefix(64).enumerated()
        where !part.isEmpty {
            if index.isMultiple(of: 2) {
                sentence(String(part), maximum: 2048)
            } else {
                code(String(part), maximum: 1024)
            }
        }
    }

    /// Writes one side of a comparison, or a dash if the value is missing.
    mutating func value(_ text: String?) {
        guard let text, !text.isEmpty else { return element(.span, [.classes("quiet")], text: "–") }
        sentence(text, maximum: 1200)
    }
}
