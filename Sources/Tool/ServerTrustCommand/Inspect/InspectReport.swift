// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import ServerTrust

/// The report of `servertrust inspect`, for people and programs.
struct InspectReport {
    /// The extent of an object's text.
    enum Extent {
        /// One line.
        case short
        /// The lines that most users need.
        case usual
        /// Every field.
        case long
    }
    var extent = Extent.usual
    /// The names of the facts to show. Empty for all.
    var fields: [String] = []
    /// Whether the JSON contains the DER of each object.
    var includesDER = false
    /// The time from which to count days.
    let time: Time
    /// The names of logs by their IDs in base64. Empty without a list of logs.
    var logNames: [String: String] = [:]

    /// The width of texts, for terminals with 80 columns.
    private static let width = 80
    /// The width of labels.
    private static let labelWidth = 10
}

// MARK: - Text

extension InspectReport {
    /// Returns the text for a source.
    /// - Parameter isOnly: whether this is the only source.
    func text(_ source: InspectedSource, isOnly: Bool, _ palette: Palette) -> String {
        guard fields.isEmpty else { return values(source) }
        if extent == .short { return lines(source, isOnly: isOnly) }
        var text = palette.bold(printable(source.name))
        if source.objects.count > 1 { text += ": \(source.objects.count) objects" }
        text += "\n"
        if let failure = source.handshakeFailure {
            text +=
                palette.bad("error:") + " \(printable(failure.message)) " + palette.faint("[\(failure.code)]") + "\n"
        }
        for note in source.notes { text += palette.faint("note: \(printable(note))") + "\n" }
        for (index, object) in source.objects.enumerated() {
            if index > 0 { text += "\n" }
            text += block(object, isOnly: source.objects.count == 1, palette)
        }
        return text
    }

    private func block(_ object: InspectedObject, isOnly: Bool, _ palette: Palette) -> String {
        let description = ObjectDescription(object, at: time).naming(logNames)
        let number = isOnly ? "" : "\(object.place.number)"
        let margin = String(repeating: " ", count: 3)
        var text = Self.lines(
            description.title, after: number.padded(to: 2) + (number.count < 2 ? " " : ""), indent: 3, palette.bold)
        let indent = 3 + Self.labelWidth
        for detail in description.summary {
            let value = detail.value ?? ""
            let label = margin + palette.faint(detail.label.padded(to: Self.labelWidth))
            text += Self.lines(value, after: label, indent: indent) { detail.isOutOfDate ? palette.bad($0) : $0 }
        }
        // A field that is missing early causes problems in all later fields, too.
        let problems = description.problems
        let shown = extent == .long ? problems[...] : problems.prefix(Self.maximumProblems)
        for problem in shown {
            text += Self.lines(problem, after: margin + palette.bad("problem") + "   ", indent: indent)
        }
        if shown.count < problems.count {
            text += margin + "and \(counted(problems.count - shown.count, "more problem")): --long\n"
        }
        if let remedy = description.remedy { text += margin + "hint:     " + printable(remedy) + "\n" }
        guard extent == .long else { return text }
        return text + "\n" + Self.tree(description.details, indent: 3, palette)
    }

    /// Returns a text in lines, the first after a label and the others below it.
    /// - Parameter indent: the width of the label.
    private static func lines(
        _ text: String, after label: String, indent: Int, _ paint: (String) -> String = { $0 }
    ) -> String {
        folded(text, width: max(24, width - indent)).enumerated().map { index, line in
            (index == 0 ? label : String(repeating: " ", count: indent)) + paint(line) + "\n"
        }.joined()
    }

    /// The maximum number of problems to show for an object, unless the text is long.
    private static let maximumProblems = 4

    /// Returns details as an indented list. This program creates the details and so limits their depth.
    private static func tree(_ details: [Detail], indent: Int, _ palette: Palette) -> String {
        var text = ""
        let labelWidth = min(24, (details.map(\.label.count).max() ?? 0) + 2)
        for detail in details {
            let spaces = String(repeating: " ", count: indent)
            let gap = detail.label.isEmpty ? 0 : max(2, labelWidth - detail.label.count)
            let label = detail.label.isEmpty ? "" : palette.faint(detail.label)
            if let value = detail.value {
                let start = spaces + label + String(repeating: " ", count: gap)
                text += lines(value, after: start, indent: indent + detail.label.count + gap)
            } else {
                text += spaces + label + "\n"
            }
            text += below(detail, indent: indent + 2, palette)
        }
        return text
    }

    /// Returns the lines below a detail. A list of short values takes one line.
    private static func below(_ detail: Detail, indent: Int, _ palette: Palette) -> String {
        let members = detail.members
        let isList = members.allSatisfy { $0.label.isEmpty && $0.members.isEmpty && ($0.value?.count ?? 0) < 32 }
        guard isList, !members.isEmpty, members[0].value?.hasPrefix("  ") == false, detail.label != "asn1" else {
            return tree(members, indent: indent, palette)
        }
        let text = members.compactMap(\.value).joined(separator: ", ")
        return folded(text, width: width - indent).map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
    }

    /// Splits a text into lines of at most `width` characters. Breaks at a space in the second half of a line, or else
    /// inside a word.
    static func folded(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var rest = text[...]
        while rest.count > width {
            let line = rest.prefix(width + 1)
            let space = line.lastIndex(of: " ").flatMap {
                line.distance(from: line.startIndex, to: $0) > width / 2 ? $0 : nil
            }
            lines.append(String(rest[..<(space ?? line.index(before: line.endIndex))]))
            rest = rest[(space.map { line.index(after: $0) } ?? line.index(before: line.endIndex))...]
        }
        return lines + [String(rest)]
    }

    /// Returns a line for each object. With several sources, each line starts with the name of its source.
    private func lines(_ source: InspectedSource, isOnly: Bool) -> String {
        source.objects.map { object in
            let prefix = isOnly ? "" : printable(source.name) + ": "
            let number = source.objects.count > 1 ? "\(object.place.number) " : ""
            return prefix + number + ObjectDescription(object, at: time).line + "\n"
        }.joined()
    }

    /// Returns the chosen facts: the values of a single fact, or a line with name and values for each of several facts.
    private func values(_ source: InspectedSource) -> String {
        var text = ""
        for object in source.objects {
            let description = ObjectDescription(object, at: time)
            for field in fields {
                let values = Self.values(of: field, description)
                if fields.count == 1 {
                    text += values.map { $0 + "\n" }.joined()
                } else {
                    text += "\(field): \(values.joined(separator: ", "))\n"
                }
            }
            if fields.count > 1, object.place.number < source.objects.count { text += "\n" }
        }
        return text
    }

    private static func values(of field: String, _ description: ObjectDescription) -> [String] {
        switch field {
        case "kind": [description.kind]
        case "title": [description.title]
        default: description.facts.first { $0.name == field }?.texts ?? []
        }
    }

    /// Returns the relation of two objects, and the facts that differ.
    func text(_ comparison: ObjectsPage.Relation, _ palette: Palette) -> String {
        let (result, names) = (comparison.result, comparison.names)
        let mark = result.belongTogether ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
        var text = "\n" + mark + palette.bold(printable(result.words)) + "\n"
        text += "      first  \(printable(names.0))\n      second \(printable(names.1))\n"
        guard !result.differences.isEmpty else { return text }
        text += "\n" + palette.bold("differences") + "\n"
        for difference in result.differences {
            for (label, value) in [(difference.field, "- " + difference.first), ("", "+ " + difference.second)] {
                text += Self.lines(value, after: "   " + label.padded(to: 24), indent: 27)
            }
        }
        return text
    }

    // MARK: Page

    /// Returns the page for the sources and the relation of two objects.
    func html(_ sources: [InspectedSource], _ comparison: ObjectsPage.Relation?) -> [UInt8] {
        let shown = sources.map { source in
            (
                name: source.name, objects: source.objects,
                notes: [source.handshakeFailure?.message].compactMap(\.self) + source.notes
            )
        }
        return ObjectsPage(
            shown, relation: comparison, at: time, logNames: logNames, version: ToolVersion.current
        ).bytes()
    }
}

/// The output format of `servertrust inspect`.
enum InspectFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people. Its wording may change.
    case text
    /// JSON for programs: an array whose elements have a `schemaVersion`.
    case json
    /// A page for people, with every field.
    case html
    /// The objects in PEM, one after the other.
    case pem
    /// One object, in DER.
    case der
    /// The ASN.1 values, one per line.
    case asn1
}
