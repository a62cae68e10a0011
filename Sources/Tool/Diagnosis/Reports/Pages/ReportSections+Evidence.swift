// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ReportSections {
    func writeRevocation(to html: inout HTMLWriter) {
        guard !report.revocation.isEmpty else { return }
        html.section("Revocation", id: id.part("revocation"), level: level) { html in
            html.table(
                label: "Revocation", columns: ["Certificate", "Status", "Evidence", "Valid from", "Valid until"]
            ) {
                html in
                for entry in report.revocation.prefix(Self.maximumRows) { write(entry, to: &html) }
            }
        }
    }

    private func write(_ entry: TrustReport.RevocationEntry, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.th, [.rowScope, .classes("name")]) { place(entry.place, to: &$0) }
            html.element(.td) { html in
                html.badge(entry.tone, entry.words)
                if !entry.detail.isEmpty {
                    html.element(.div, [.classes("quiet")]) { $0.sentence(entry.detail, maximum: 1200) }
                }
            }
            html.element(.td) { html in
                html.value(entry.sourceWords)
                for note in entry.notes.prefix(16) {
                    html.element(.div, [.classes("quiet")]) {
                        $0.foreign(RevocationTerm.words([note], .note), maximum: 200)
                    }
                }
            }
            html.element(.td, [.classes("date")]) { $0.optionalTime(entry.validFrom) }
            html.element(.td, [.classes("date")]) { $0.optionalTime(entry.validUntil) }
        }
    }

    func writePins(to html: inout HTMLWriter) {
        guard let pins = report.pins else { return }
        html.section("Pins", id: id.part("pins"), level: level) { html in
            if let pin = pins.matched {
                html.element(.p) { html in
                    html.badge(.good, pin.isBackup ? "backup pin matched" : "pin matched")
                    html.text(" ")
                    html.element(.code) { $0.foreign(pin.pin, maximum: 128) }
                    html.text(" is the \(pin.kind == .key ? "key" : "certificate") of ")
                    place(pin.certificate, to: &html)
                }
            } else {
                html.element(.p) { $0.badge(report.isTrusted ? .note : .bad, "no pin matched") }
            }
            list("Pins that would have been accepted", pins.expected, to: &html)
            list("Pins of the path", pins.found, to: &html)
        }
    }

    private func list(_ title: String, _ pins: [String], to html: inout HTMLWriter) {
        guard !pins.isEmpty else { return }
        html.element(.heading(level + 1), text: title)
        html.element(.ul) { html in
            for pin in pins.prefix(24) { html.element(.li) { $0.element(.code) { $0.foreign(pin, maximum: 256) } } }
        }
    }

    func writeOtherPaths(to html: inout HTMLWriter) {
        guard !report.otherPaths.isEmpty else { return }
        html.section(
            report.isTrusted ? "Other valid paths" : "Other paths, refused", id: id.part("others"), level: level
        ) { html in
            html.element(.p, [.classes("quiet")]) { html in
                html.text(
                    report.isTrusted
                        ? "Other clients may use these paths. Their revocation status and pins were not checked."
                        : "The evaluation tried and refused each of these paths. The best path comes first.")
            }
            html.table(label: "Other paths", columns: ["Path", "Certificates", "Reaches an anchor", "Failures"]) {
                html in
                for (index, path) in report.otherPaths.prefix(Self.maximumRows).enumerated() {
                    write(path, number: index + 2, to: &html)
                }
            }
            let count = report.omissions(of: "otherPaths")
            if count > 0 { html.element(.p, text: "\(count) more paths are not shown.") }
        }
    }

    private func write(_ path: TrustReport.Path, number: Int, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.th, [.rowScope], text: "\(number)")
            html.element(.td, [.classes("name")]) { html in
                for (index, member) in path.certificates.prefix(24).enumerated() {
                    guard let certificate = report.certificate(at: member) else { continue }
                    html.element(.div) { html in
                        if index > 0 { html.text("↳ ") }
                        reference(to: certificate, member, to: &html)
                    }
                }
            }
            html.element(.td, text: path.reachesAnchor ? "yes" : "no")
            html.element(.td, [.classes("words")]) { html in
                guard !path.failures.isEmpty else { return html.text("none") }
                for failure in path.failures.prefix(TrustReport.Path.maximumFailures) {
                    html.element(.div) { html in
                        html.element(.code) { $0.foreign(failure.code, maximum: 64) }
                        html.text(" ")
                        html.sentence(failure.message, maximum: 300)
                    }
                }
            }
        }
    }

    func writeFetched(to html: inout HTMLWriter) {
        guard !report.fetched.isEmpty else { return }
        html.section("Fetched", id: id.part("fetched"), level: level) { html in
            html.table(label: "Requests", columns: ["Resource", "Address", "Source", "Problem"]) { html in
                for record in report.fetched.prefix(Self.maximumRows) {
                    html.element(.tr) { html in
                        html.element(.th, [.rowScope], text: record.resource.rawValue)
                        // The certificate supplies the address, so it isn't a link.
                        html.element(.td, [.classes("words")]) { $0.foreign(record.url, maximum: 300) }
                        html.element(.td) { $0.value(record.source?.rawValue) }
                        html.element(.td) { $0.value(record.failure.map { "\($0.reportedName) \($0.detail)" }) }
                    }
                }
            }
        }
    }

    func writeFacts(to html: inout HTMLWriter) {
        guard !report.facts.isEmpty || !report.warnings.isEmpty else { return }
        html.section("Connection and settings", id: id.part("facts"), level: level) { html in
            if !report.warnings.isEmpty {
                html.element(.heading(level + 1), text: "Remarks")
                html.element(.ul) { html in
                    for warning in report.warnings.prefix(Self.maximumRows) {
                        html.element(.li) { $0.sentence(warning, maximum: 1200) }
                    }
                }
            }
            html.element(.div, [.classes("panel")]) { html in
                html.facts { html in
                    for field in report.facts.prefix(Self.maximumRows) { html.row(field, depth: 0) }
                }
            }
        }
    }
}

extension TrustReport.RevocationEntry {
    fileprivate var tone: HTMLTone {
        switch status {
        case "good": .good
        case "revoked": .bad
        case "unobtainable": .caution
        default: .note
        }
    }

    fileprivate var words: String {
        switch status {
        case "good": "not revoked"
        case "revoked": "revoked"
        case "unobtainable": "unknown"
        case "exempt": "exempt"
        default: "not checked"
        }
    }

    fileprivate var sourceWords: String? {
        source.map { RevocationFinding.Source(rawValue: $0)?.title ?? $0 }
    }
}

extension HTMLWriter {
    fileprivate mutating func optionalTime(_ moment: Time?) {
        if let moment { time(moment) } else { value(nil) }
    }
}
