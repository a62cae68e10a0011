// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The sections of a report's page. Empty sections aren't written.
struct ReportSections {
    let report: TrustReport
    let id: HTMLIdentifier
    /// Whether certificates are shown with only the most common fields and without PEM.
    var isBrief = false

    /// The maximum number of rows in a table, and of fields in a certificate. It also applies to decoded reports.
    static let maximumRows = 128

    var blocks: [Report.Block] {
        [drawing, nextSteps, certificates, checks, revocation, transparency, anchor, pins, otherPaths, fetched, facts]
    }
}

// MARK: - Drawing

extension ReportSections {
    private var drawing: Report.Block {
        let columns = report.columns
        guard !columns.isEmpty else { return .list([]) }
        return .section(
            "Certificates and paths", id: id.part("paths"),
            [
                .drawing { html in
                    html.element(.figure, [.classes("panel", "drawings")]) { html in
                        ChainDrawing(columns, id: id).write(to: &html)
                        html.element(.figcaption) { $0.words([.items(legend)]) }
                    }
                },
                .box(
                    "extra",
                    [.card("The drawing as a list", id: id.part("paths-list"), columns.flatMap(\.blocks))]),
            ])
    }

    /// The legend of the drawing, and the number of paths that aren't drawn.
    private var legend: [Report.Words] {
        let lines: [Report.Words] = [
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
    private var nextSteps: Report.Block {
        .section(
            report.isTrusted ? "Advice" : "What it means and what to do", id: id.part("steps"),
            report.explanations.prefix(Self.maximumRows).flatMap(meaning)
                + TrustReport.NextStep.Kind.allCases.flatMap(steps))
    }

    private func meaning(of explanation: TrustReport.Explanation) -> [Report.Block] {
        let causes = Report.Block.list(explanation.causes.prefix(16).map { [.prose($0)] })
        return [
            .paragraph([.code(explanation.code), " ", .prose(explanation.meaning)]),
            .card(
                "Usual causes, and how to confirm this failure", [.paragraph([.prose(explanation.sign)]), causes]),
        ]
    }

    private func steps(_ kind: TrustReport.NextStep.Kind) -> [Report.Block] {
        let steps = report.nextSteps.filter { $0.kind == kind }.prefix(32)
        guard !steps.isEmpty else { return [] }
        let blocks: [Report.Block] = [
            .heading(kind.title),
            .list(steps.map { Report.Words([.prose($0.text)] + ($0.snippet.map { [.lines($0)] } ?? [])) }),
        ]
        return kind == .never ? [.box("never", blocks)] : blocks
    }
}

extension TrustReport.NextStep.Kind {
    fileprivate var title: Report.Words {
        switch self {
        case .server: "On the server"
        case .peer: "On the peer"
        case .here: "On your side"
        case .client: "In the client, narrowly, if you can't fix the server"
        case .never: "Never"
        }
    }
}

// MARK: - Certificates

extension ReportSections {
    private var certificates: Report.Block {
        let certificates = report.certificates.prefix(Self.maximumRows).enumerated()
        return .section(
            "Certificates", id: id.part("certificates"),
            certificates.map { index, certificate in
                .card(summary(of: certificate), id: certificateID(index), details(of: certificate))
            })
    }

    private func summary(of certificate: TrustReport.CertificateEntry) -> Report.Words {
        var words: Report.Words = [
            .strong(certificate.name), .badge(.note, certificate.role?.rawValue ?? "not in the path"),
            .badge(.note, certificate.origin ?? "not sent"),
        ]
        if report.date > certificate.notAfter { words = words + [.badge(.bad, "expired")] }
        if report.date < certificate.notBefore { words = words + [.badge(.bad, "not valid yet")] }
        return words
    }

    private func details(of certificate: TrustReport.CertificateEntry) -> [Report.Block] {
        func row(_ name: String, _ text: String, isMono: Bool = false) -> [(name: String, value: Report.Words)] {
            let span: Report.Span = isMono ? .mono(text) : .foreign(text, maximum: 1024)
            return text.isEmpty ? [] : [(name, Report.Words([span]))]
        }
        let left = DaysLeft(until: certificate.notAfter, at: report.date)
        var rows = row("Subject", certificate.subject.isEmpty ? "empty" : certificate.subject)
        rows += row("Issuer", certificate.isSelfIssued ? "itself" : certificate.issuer)
        rows.append(
            ("Valid", ["\(left): ", .time(certificate.notBefore), " to ", .time(certificate.notAfter)]))
        let names = certificate.names.prefix(256).map { Report.Words([.foreign($0, maximum: 256)]) }
        if !names.isEmpty {
            rows.append((names.count == 1 ? "Name" : "Names (\(certificate.names.count))", [.items(names)]))
        }
        rows += row("Key", certificate.key) + row("Signature", certificate.signature)
        rows += row("Usage", certificate.usage)
        rows += row("Serial number", certificate.serialNumber, isMono: true)
        rows += row("SHA-256", certificate.sha256, isMono: true) + row("Key pin", certificate.pin, isMono: true)
        let facts = Report.Block.facts(rows)
        return isBrief ? [facts] : [facts, .encoding(fields: certificate.fields, pem: certificate.pem)]
    }
}

extension Report.Block {
    /// Returns all fields and the PEM text of an object in expandable sections. Only expanded sections are printed.
    static func encoding(fields: [TrustReport.Field], pem: String?) -> Report.Block {
        let shown = Report.Block.fields(Array(fields.prefix(ReportSections.maximumRows)))
        let cards: [Report.Block?] = [
            fields.isEmpty ? nil : .card("Every field and extension", [shown]),
            pem.map { .card("PEM", [.lines($0, maximum: 24_000)]) },
        ]
        return .box("extra", cards.compactMap(\.self))
    }
}

// MARK: - Checks

extension ReportSections {
    private var checks: Report.Block {
        // Failed checks come first. Within a status the order of the groups applies.
        let order: [TrustReport.Check.Status] = [.failed, .excused, .passed, .notChecked]
        let checks = order.flatMap { status in
            report.checks.prefix(Self.maximumRows).filter { $0.status == status }
        }
        return .section(
            "Checks", id: id.part("checks"),
            checks.isEmpty
                ? []
                : [
                    .table(
                        "Checks",
                        [.title("Check"), .plain("Result"), .name("Certificate"), .name("Expected"), .name("Found")],
                        checks.flatMap(rows)),
                    .quiet("“Not checked” says nothing about the server: the check was not requested, or not reached."),
                ])
    }

    private func rows(_ check: TrustReport.Check) -> [[Report.Cell]] {
        let title: Report.Cell = "\(check.title)"
        let badge = Report.Span.badge(check.status.tone, check.status.words)
        guard !check.failures.isEmpty else {
            return [[title, [badge], [.sentence(check.detail, maximum: 600)]]]
        }
        return check.failures.prefix(TrustReport.Path.maximumFailures).map { failure in
            let isComparison = failure.expected != nil || failure.found != nil
            return [
                title, [badge, .line([.code(failure.code)])], place(failure.place),
                [.value(failure.expected)],
                [isComparison ? .value(failure.found) : .sentence(failure.message, maximum: 600)],
            ]
        }
    }

    /// Returns the certificate at a position in the path, with a link to its section.
    func place(_ place: Int?) -> Report.Words {
        guard let place else { return "whole path" }
        guard let path = report.path, path.certificates.indices.contains(place) else { return "another certificate" }
        return reference(to: path.certificates[place]) ?? "another certificate"
    }

    /// Returns the name of a certificate as a link to its section, and its number if it was sent.
    func reference(to index: Int) -> Report.Words? {
        guard let certificate = report.certificate(at: index) else { return nil }
        return [
            .link(certificateID(index), [.foreign(certificate.name, maximum: 80)]),
            .text(certificate.origin.map { ", \($0)" } ?? ""),
        ]
    }

    private func certificateID(_ index: Int) -> HTMLIdentifier { id.part("certificate", index + 1) }
}

extension TrustReport.Check.Status {
    private static let texts: [TrustReport.Check.Status: (tone: HTMLTone, words: String)] = [
        .passed: (.good, "passed"), .failed: (.bad, "failed"), .excused: (.caution, "excused"),
        .notChecked: (.note, "not checked"),
    ]

    fileprivate var tone: HTMLTone { Self.texts[self]?.tone ?? .note }
    fileprivate var words: String { Self.texts[self]?.words ?? rawValue }
}
