// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ReportSections {
    var revocation: Report.Block {
        .section(
            "Revocation", id: id.part("revocation"),
            [
                .table(
                    "Revocation",
                    [
                        .title("Certificate"), .plain("Status"), .plain("Evidence"), .date("Valid from"),
                        .date("Valid until"),
                    ],
                    report.revocation.prefix(Self.maximumRows).map(row))
            ])
    }

    private func row(_ entry: TrustReport.RevocationEntry) -> [Report.Cell] {
        let detail = entry.detail.isEmpty ? [] : [Report.Span.note([.sentence(entry.detail)])]
        let notes = entry.notes.prefix(16).map {
            Report.Span.note([.foreign(RevocationTerm.words([$0], .note), maximum: 200)])
        }
        return [
            place(entry.place), Report.Words([.badge(entry.tone, entry.words)] + detail),
            Report.Words([.value(entry.sourceWords)] + notes), cell(entry.validFrom), cell(entry.validUntil),
        ]
    }

    private func cell(_ time: Time?) -> Report.Cell { [time.map { .time($0) } ?? .value(nil)] }

    /// The leaf's signed certificate timestamps (SCTs) as a table.
    var transparency: Report.Block {
        guard let finding = report.transparency else { return .list([]) }
        let result = Report.Block.paragraph(
            [.badge(finding.tone, finding.badge), " The certificate ", .foreign(finding.sentence, maximum: 600), "."])
        let list = finding.listWords.map { Report.Span.foreign("Names and states are from the \($0).") }
        let table = Report.Block.table(
            "Signed certificate timestamps",
            [
                .title("Log"), .name("Operator"), .name("State, origin"), .date("Date"), .plain("Signature"),
                .words("Counts"),
            ], finding.timestamps.prefix(Self.maximumRows).map(row))
        let isNone = finding.timestamps.isEmpty
        return .section(
            "Certificate Transparency", id: id.part("transparency"),
            [
                result, table,
                isNone
                    ? .paragraph("No signed certificate timestamps (SCTs) came with the certificate.")
                    : .quiet(["An SCT is a log's promise to publish the certificate. ", list ?? ""]),
            ])
    }

    private func row(_ timestamp: TransparencyFinding.Timestamp) -> [Report.Cell] {
        [
            [.foreign(timestamp.logName)], [.value(timestamp.operatorName)],
            [.value(timestamp.state), .note([.foreign(timestamp.origin, maximum: 64)])], [.time(timestamp.time)],
            [.badge(timestamp.signature.tone, timestamp.signature.words)],
            [.text(timestamp.reason.map { "no: \($0.words)" } ?? "yes")],
        ]
    }

    /// The root lists that apply to the anchor, and the limits that the path met.
    var anchor: Report.Block {
        .section(
            "Conditions on the root", id: id.part("anchor"),
            [
                .list(
                    (report.anchor?.lines ?? []).map { [.foreign(ReportText.capitalized($0), maximum: 600)] })
            ])
    }

    var pins: Report.Block {
        guard let pins = report.pins else { return .list([]) }
        func list(_ title: Report.Words, _ pins: [String]) -> [Report.Block] {
            pins.isEmpty ? [] : [.heading(title), .list(pins.prefix(24).map { [.code($0)] })]
        }
        let result: Report.Words
        if let pin = pins.matched {
            result =
                [
                    .badge(.good, pin.isBackup ? "backup pin matched" : "pin matched"), " ", .code(pin.pin),
                    " is the \(pin.kind == .key ? "key" : "certificate") of ",
                ] + place(pin.certificate)
        } else {
            result = [.badge(report.isTrusted ? .note : .bad, "no pin matched")]
        }
        return .section(
            "Pins", id: id.part("pins"),
            [.paragraph(result)] + list("Pins that would have been accepted", pins.expected)
                + list("Pins of the path", pins.found))
    }

    var otherPaths: Report.Block {
        guard !report.otherPaths.isEmpty else { return .list([]) }
        let rows = report.otherPaths.prefix(Self.maximumRows).enumerated().map { row($1, number: $0 + 2) }
        var blocks: [Report.Block] = [
            .quiet(
                report.isTrusted
                    ? "Other clients may use these paths. Their revocation status and pins were not checked."
                    : "The evaluation tried and refused each of these paths. The best path comes first."),
            .table(
                "Other paths",
                [.head("Path"), .name("Certificates"), .plain("Reaches an anchor"), .words("Failures")], rows),
        ]
        let omitted = report.omissions(of: "otherPaths")
        if omitted > 0 { blocks.append(.paragraph("\(omitted) more paths are not shown.")) }
        return .section(
            report.isTrusted ? "Other valid paths" : "Other paths, refused", id: id.part("others"), blocks)
    }

    private func row(_ path: TrustReport.Path, number: Int) -> [Report.Cell] {
        let members = path.certificates.prefix(24).enumerated().compactMap { index, member in
            reference(to: member).map { Report.Span.line(index > 0 ? "↳ " + $0 : $0) }
        }
        let failures = path.failures.prefix(TrustReport.Path.maximumFailures).map {
            Report.Span.line([.code($0.code), " ", .sentence($0.message, maximum: 300)])
        }
        return [
            "\(number)", Report.Words(members), path.reachesAnchor ? "yes" : "no",
            failures.isEmpty ? "none" : Report.Words(failures),
        ]
    }

    var fetched: Report.Block {
        .section(
            "Fetched", id: id.part("fetched"),
            [
                .table(
                    "Requests", [.head("Resource"), .words("Address"), .plain("Source"), .plain("Problem")],
                    report.fetched.prefix(Self.maximumRows).map { record in
                        // The certificate supplies the address, so it isn't a link.
                        [
                            "\(record.resource.rawValue)", [.foreign(record.url)], [.value(record.source?.rawValue)],
                            [.value(record.failure.map { "\($0.reportedName) \($0.detail)" })],
                        ]
                    })
            ])
    }

    var facts: Report.Block {
        let warnings = report.warnings.prefix(Self.maximumRows).map { Report.Words([.sentence($0)]) }
        return .section(
            "Connection and settings", id: id.part("facts"),
            (warnings.isEmpty ? [] : [.heading("Remarks"), .list(warnings)])
                + [.box("panel", [.fields(Array(report.facts.prefix(Self.maximumRows)))])])
    }
}

extension TrustReport.RevocationEntry {
    private static let texts: [String: (tone: HTMLTone, words: String)] = [
        "good": (.good, "not revoked"), "revoked": (.bad, "revoked"), "unobtainable": (.caution, "unknown"),
        "exempt": (.note, "exempt"),
    ]

    fileprivate var tone: HTMLTone { Self.texts[status]?.tone ?? .note }
    fileprivate var words: String { Self.texts[status]?.words ?? "not checked" }
    fileprivate var sourceWords: String? {
        source.map { RevocationFinding.Source(rawValue: $0)?.title ?? $0 }
    }
}

extension TransparencyFinding {
    fileprivate var tone: HTMLTone { status == .complies ? .good : status.isChecked ? .bad : .note }

    fileprivate var badge: String {
        status == .complies ? "complies" : status.isChecked ? "does not comply" : "not checked"
    }

    fileprivate var sentence: String {
        guard !status.isChecked else { return words }
        return "was not compared with the policy\(words.dropFirst("not checked".count))"
    }
}

extension TransparencyFinding.Timestamp.Signature {
    fileprivate var tone: HTMLTone { self == .valid ? .good : self == .invalid ? .bad : .note }
    fileprivate var words: String { self == .valid ? "valid" : self == .invalid ? "invalid" : "unknown log" }
}
