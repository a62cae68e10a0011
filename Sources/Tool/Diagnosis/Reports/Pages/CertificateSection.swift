// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ReportSections {
    func writeCertificates(to html: inout HTMLWriter) {
        guard !report.certificates.isEmpty else { return }
        html.section("Certificates", id: id.part("certificates"), level: level) { html in
            for (index, certificate) in report.certificates.prefix(Self.maximumRows).enumerated() {
                write(certificate, index, to: &html)
            }
        }
    }

    private func write(_ certificate: TrustReport.CertificateEntry, _ index: Int, to html: inout HTMLWriter) {
        let isCurrent = certificate.notBefore <= report.date && report.date <= certificate.notAfter
        html.card(id: certificateID(index)) { html in
            html.element(.strong) { $0.foreign(certificate.name, maximum: 120) }
            html.badge(.note, certificate.role?.rawValue ?? "not in the path")
            html.badge(.note, certificate.origin ?? "not sent")
            if !isCurrent { html.badge(.bad, report.date > certificate.notAfter ? "expired" : "not valid yet") }
        } _: { html in
            html.facts { summary(of: certificate, to: &$0) }
            guard !isBrief else { return }
            html.certificateText(fields: certificate.fields, pem: certificate.pem)
        }
    }

    private func summary(of certificate: TrustReport.CertificateEntry, to html: inout HTMLWriter) {
        func row(_ label: String, _ value: String, isCode: Bool = false) {
            guard !value.isEmpty else { return }
            html.row(label) { html in
                guard isCode else { return html.foreign(value, maximum: 1024) }
                html.element(.span, [.classes("mono")]) { $0.foreign(value, maximum: 1024) }
            }
        }
        row("Subject", certificate.subject.isEmpty ? "empty" : certificate.subject)
        row("Issuer", certificate.isSelfIssued ? "itself" : certificate.issuer)
        html.row("Valid") { html in
            html.text("\(RemainingTime.words(until: certificate.notAfter, at: report.date)): ")
            html.time(certificate.notBefore)
            html.text(" to ")
            html.time(certificate.notAfter)
        }
        if !certificate.names.isEmpty {
            html.row(certificate.names.count == 1 ? "Name" : "Names (\(certificate.names.count))") { html in
                html.element(.ul) { html in
                    for name in certificate.names.prefix(256) { html.element(.li) { $0.foreign(name, maximum: 256) } }
                }
            }
        }
        row("Key", certificate.key)
        row("Signature", certificate.signature)
        row("Usage", certificate.usage)
        row("Serial number", certificate.serialNumber, isCode: true)
        row("SHA-256", certificate.sha256, isCode: true)
        row("Key pin", certificate.pin, isCode: true)
    }
}

/// The time until a certificate expires, in words.
enum RemainingTime {
    /// Returns `41 days left`, `less than a day left` or `expired 3 days ago`.
    static func words(until end: Time, at now: Time) -> String {
        end >= now ? "\(span(from: now, to: end)) left" : "expired \(span(from: end, to: now)) ago"
    }

    /// Returns `41 days`, `1 day` or `less than a day`.
    static func span(from start: Time, to end: Time) -> String {
        // A decoded report may contain any times.
        let (seconds, isOverflow) = end.secondsSinceEpoch.subtractingReportingOverflow(start.secondsSinceEpoch)
        let days = isOverflow ? Int64.max / 86_400 : seconds / 86_400
        return days == 0 ? "less than a day" : days == 1 ? "1 day" : "\(days) days"
    }
}

extension HTMLWriter {
    /// Writes all fields and the PEM text of an object in expandable sections. Only expanded sections are printed.
    mutating func certificateText(fields: [TrustReport.Field], pem: String?) {
        guard !fields.isEmpty || pem != nil else { return }
        element(.div, [.classes("extra")]) { html in
            if !fields.isEmpty {
                html.card(summary: { $0.text("Every field and extension") }) { html in
                    html.facts { html in
                        for field in fields.prefix(ReportSections.maximumRows) { html.row(field, depth: 0) }
                    }
                }
            }
            if let pem { html.card(summary: { $0.text("PEM") }) { $0.lines(pem, maximum: 24_000) } }
        }
    }

    /// Writes a field and its nested fields.
    /// - Parameter depth: the number of enclosing fields. Fields deeper than 8 are omitted. The descriptions of this
    ///   package are never that deep, but a decoded report may be.
    mutating func row(_ field: TrustReport.Field, depth: Int) {
        row(field.label.isEmpty ? "•" : field.label) { html in
            if let value = field.value { html.sentence(value, maximum: 2048) }
            guard depth < 8, !field.fields.isEmpty else { return }
            let isList = field.fields.allSatisfy { $0.label.isEmpty && $0.fields.isEmpty }
            guard isList else {
                return html.facts { html in
                    for member in field.fields.prefix(512) { html.row(member, depth: depth + 1) }
                }
            }
            html.element(.ul) { html in
                for member in field.fields.prefix(512) {
                    html.element(.li) { $0.foreign(member.value ?? "", maximum: 2048) }
                }
            }
        }
    }
}
