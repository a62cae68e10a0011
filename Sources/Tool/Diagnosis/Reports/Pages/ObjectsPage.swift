// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A page that shows the objects in files and from servers: certificates, keys, requests and revocation data, each
/// expandable. The page contains no verdict.
package struct ObjectsPage {
    /// The objects of one file or server.
    package struct Source {
        /// The name as the user entered it.
        package let name: String
        /// The objects in their order.
        package let objects: [InspectedObject]
        /// Remarks about the file.
        let notes: [String]

        package init(name: String, objects: [InspectedObject], notes: [String]) {
            self.name = name
            self.objects = objects
            self.notes = notes
        }
    }

    /// The relation between two objects, with their names.
    package struct Relation {
        /// The relation.
        let comparison: ObjectComparison
        /// The names of the objects.
        let names: (String, String)

        package init(_ comparison: ObjectComparison, _ names: (String, String)) {
            self.comparison = comparison
            self.names = names
        }
    }

    private let sources: [Source]
    private let relation: Relation?
    private let date: Time
    private let version: String?
    /// The names of logs by their base64 identifiers, empty without a list of logs.
    private let logNames: [String: String]

    /// The maximum size of all fields together, in bytes. Further objects are shown without fields.
    private static let size = 4 << 20
    /// The maximum size of the fields of one object, in bytes.
    private static let objectSize = 256 << 10
    /// The maximum number of objects.
    private static let maximumCount = 2000

    /// - Parameters:
    ///   - date: the date of the page. Remaining days count from this date.
    ///   - version: the version of the program, or nil to omit it.
    package init(
        _ sources: [Source], relation: Relation? = nil, at date: Time, logNames: [String: String] = [:],
        version: String? = nil
    ) {
        self.logNames = logNames
        self.sources = sources
        self.relation = relation
        self.date = date
        self.version = version
    }

    /// Returns the page in UTF-8.
    package func bytes() -> [UInt8] {
        let name = sources.count == 1 ? sources[0].name : "\(sources.count) sources"
        return HTMLPage(title: "Contents of \(name)", kind: "Contents", version: version, date: date) { html in
            html.element(.h1) { html in
                html.text("Contents of ")
                html.foreign(name, maximum: 300)
            }
            html.element(.p, [.classes("quiet")], text: "This page contains no verdict: trust was not evaluated.")
            if let relation { write(relation, to: &html) }
            var left = Self.size
            var count = 0
            for (index, source) in sources.enumerated() where count < Self.maximumCount {
                write(source, HTMLIdentifier("source", index + 1), &left, &count, to: &html)
            }
            let total = sources.reduce(0) { $0 + $1.objects.count }
            if total > count { html.element(.p, text: "\(total - count) more objects are not shown.") }
        }.bytes()
    }

    private func write(
        _ source: Source, _ id: HTMLIdentifier, _ left: inout Int, _ count: inout Int, to html: inout HTMLWriter
    ) {
        let heading = id.part("title")
        html.element(.section, [.id(id), .labelled(by: heading)]) { html in
            html.element(.h2, [.id(heading)]) { html in
                // If there is only one source, the page title already contains its name.
                let count = counted(source.objects.count, "object")
                guard sources.count > 1 else { return html.text(count) }
                html.foreign(source.name, maximum: 300)
                if source.objects.count != 1 { html.text(": \(count)") }
            }
            for note in source.notes.prefix(20) { html.element(.p) { $0.foreign(note, maximum: 600) } }
            for (index, object) in source.objects.enumerated() where count < Self.maximumCount {
                count += 1
                let isOnly = source.objects.count == 1 && sources.count == 1
                write(object, id.part("object", index + 1), isOpen: isOnly, &left, to: &html)
            }
        }
    }

    private func write(
        _ object: InspectedObject, _ id: HTMLIdentifier, isOpen: Bool, _ left: inout Int, to html: inout HTMLWriter
    ) {
        let description = ObjectDescription(object, at: date).naming(logNames)
        var room = min(left, Self.objectSize)
        let before = room
        let fields = TrustReport.Field.fields(description.details, left: &room)
        left -= before - room
        let validity = description.summary.first { $0.label == "validity" }?.value ?? ""
        let isOver = ["EXPIRED", "NOT VALID", "OUT OF DATE"].contains { validity.hasPrefix($0) }
        html.card(id: id, isOpen: isOpen) { html in
            html.text("\(object.place.number) ")
            html.element(.strong) { $0.foreign(description.title, maximum: 200) }
            if isOver {
                html.badge(.bad, "out of date")
            } else if !validity.isEmpty {
                html.text(" ")
                html.element(.span, [.classes("quiet")]) { $0.sentence(validity) }
            }
            if object.problem != nil || !description.problems.isEmpty { html.badge(.caution, "problem") }
        } _: { html in
            for problem in description.problems.prefix(100) {
                html.element(.p) { html in
                    html.badge(.caution, "problem")
                    html.text(" ")
                    html.foreign(problem, maximum: 600)
                }
            }
            if let remedy = description.remedy { html.element(.p) { $0.foreign(remedy, maximum: 600) } }
            html.facts { html in
                for detail in description.summary { html.row(TrustReport.Field(detail.label, detail.value), depth: 0) }
            }
            writeFields(fields, object, to: &html)
        }
    }

    private func writeFields(_ fields: [TrustReport.Field], _ object: InspectedObject, to html: inout HTMLWriter) {
        let isShort = !object.der.isEmpty && object.der.count <= 16 << 10
        let pem = isShort ? object.pemLabel.map { PEM.encode(object.der, label: $0) } : nil
        html.certificateText(fields: fields, pem: pem)
    }

    private func write(_ relation: Relation, to html: inout HTMLWriter) {
        let comparison = relation.comparison
        html.section("Relation", id: HTMLIdentifier("relation")) { html in
            html.element(.p) { html in
                html.badge(
                    comparison.belongTogether ? .good : .bad, comparison.belongTogether ? "related" : "not related")
                html.text(" ")
                html.foreign(comparison.words, maximum: 600)
            }
            html.facts { html in
                html.row("First") { $0.foreign(relation.names.0, maximum: 600) }
                html.row("Second") { $0.foreign(relation.names.1, maximum: 600) }
            }
            guard !comparison.differences.isEmpty else { return }
            html.table(label: "Differences", columns: ["Field", "First", "Second"]) { html in
                for difference in comparison.differences.prefix(ReportSections.maximumRows) {
                    html.element(.tr) { html in
                        html.element(.th, [.rowScope]) { $0.foreign(difference.field, maximum: 64) }
                        html.element(.td, [.classes("words")]) { $0.value(difference.first) }
                        html.element(.td, [.classes("words")]) { $0.value(difference.second) }
                    }
                }
            }
        }
    }
}
