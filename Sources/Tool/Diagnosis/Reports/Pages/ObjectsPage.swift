// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A page that shows the objects in files and from servers: certificates, keys, requests and revocation data, each
/// expandable. The page contains no verdict.
package struct ObjectsPage {
    /// The objects of one file or server in their order, with its name as the user entered it and remarks about it.
    package typealias Source = (name: String, objects: [InspectedObject], notes: [String])

    /// The relation between two objects, with their names.
    package struct Relation {
        /// The relation.
        package let result: ObjectComparison
        /// The names of the objects, with their sources.
        package let names: (String, String)

        package init(_ result: ObjectComparison, _ names: (String, String)) {
            self.result = result
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
        var blocks = relation.map(self.blocks) ?? []
        var left = Self.size
        var count = 0
        for (index, source) in sources.enumerated() where count < Self.maximumCount {
            blocks.append(section(source, HTMLIdentifier("source", index + 1), &left, &count))
        }
        let total = sources.reduce(0) { $0 + $1.objects.count }
        if total > count { blocks.append(.paragraph("\(total - count) more objects are not shown.")) }
        return HTMLPage(title: "Contents of \(name)", kind: "Contents", version: version, date: date) { html in
            html.write([.heading(["Contents of ", .foreign(name, maximum: 300)])], level: 1)
            html.write([.quiet("This page contains no verdict: trust was not evaluated.")] + blocks)
        }.bytes()
    }

    private func section(
        _ source: Source, _ id: HTMLIdentifier, _ left: inout Int, _ count: inout Int
    ) -> Report.Block {
        // If there is only one source, the page title already contains its name.
        let number = counted(source.objects.count, "object")
        let name: Report.Words = [
            .foreign(source.name, maximum: 300), .text(source.objects.count == 1 ? "" : ": \(number)"),
        ]
        var blocks = source.notes.prefix(20).map { Report.Block.paragraph([.foreign($0, maximum: 600)]) }
        if source.objects.isEmpty { blocks.append(.quiet("No object was found.")) }
        for (index, object) in source.objects.enumerated() where count < Self.maximumCount {
            count += 1
            let isOnly = source.objects.count == 1 && sources.count == 1
            blocks.append(card(object, id.part("object", index + 1), isOpen: isOnly, &left))
        }
        return .section(sources.count > 1 ? name : "\(number)", id: id, blocks)
    }

    private func card(
        _ object: InspectedObject, _ id: HTMLIdentifier, isOpen: Bool, _ left: inout Int
    ) -> Report.Block {
        let description = ObjectDescription(object, at: date).naming(logNames)
        var room = min(left, Self.objectSize)
        let before = room
        let fields = TrustReport.Field.fields(description.details, left: &room)
        left -= before - room
        let validity = description.summary.first { $0.label == "validity" }
        var summary: Report.Words = ["\(object.place.number) ", .strong(description.title)]
        if validity?.isOutOfDate == true {
            summary = summary + [.badge(.bad, "out of date")]
        } else if let words = validity?.value {
            summary = summary + [" ", .quiet([.sentence(words, maximum: 400)])]
        }
        if object.problem != nil || !description.problems.isEmpty {
            summary = summary + [.badge(.caution, "problem")]
        }
        let problems = description.problems.prefix(100).map { problem in
            Report.Block.paragraph([.badge(.caution, "problem"), " ", .foreign(problem, maximum: 600)])
        }
        let remedy = description.remedy.map { Report.Block.paragraph([.foreign($0, maximum: 600)]) }
        let isShort = !object.der.isEmpty && object.der.count <= 16 << 10
        let pem = isShort ? object.pemLabel.map { PEM.encode(object.der, label: $0) } : nil
        let facts = description.summary.map { TrustReport.Field($0.label, $0.value) }
        return .card(
            summary, id: id, isOpen: isOpen,
            problems + [remedy].compactMap(\.self) + [.fields(facts), .encoding(fields: fields, pem: pem)])
    }

    private func blocks(_ relation: Relation) -> [Report.Block] {
        let comparison = relation.result
        let badge = Report.Span.badge(
            comparison.belongTogether ? .good : .bad, comparison.belongTogether ? "related" : "not related")
        return [
            .section(
                "Relation", id: HTMLIdentifier("relation"),
                [
                    .paragraph([badge, " ", .foreign(comparison.words, maximum: 600)]),
                    .facts([
                        ("First", [.foreign(relation.names.0, maximum: 600)]),
                        ("Second", [.foreign(relation.names.1, maximum: 600)]),
                    ]),
                    .table(
                        "Differences", [.head("Field"), .words("First"), .words("Second")],
                        comparison.differences.prefix(ReportSections.maximumRows).map {
                            [[.foreign($0.field, maximum: 64)], [.value($0.first)], [.value($0.second)]]
                        }),
                ])
        ]
    }
}
