// SPDX-License-Identifier: Apache-2.0

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
        var text = ""
        let title = Self.folded(description.title, width: Self.width - 3)
        for (index, line) in title.enumerated() {
            text += (index == 0 ? number.padded(to: 2).appending(number.count < 2 ? " " : "") : margin)
            text += palette.bold(line) + "\n"
        }
        for detail in description.summary {
            let isBad = detail.label == "validity" && Self.isAlarming(detail.value ?? "")
            for (index, line) in Self.folded(detail.value ?? "", width: Self.width - 3 - Self.labelWidth).enumerated() {
                let label = (index == 0 ? detail.label : "").padded(to: Self.labelWidth)
                text += margin + palette.faint(label) + (isBad ? palette.bad(line) : line) + "\n"
            }
        }
        // A field that is missing early causes problems in all later fields, too.
        let problems = description.problems
        let shown = extent == .long ? problems[...] : problems.prefix(Self.maximumProblems)
        for problem in shown {
            for (index, line) in Self.folded(problem, width: Self.width - 3 - Self.labelWidth).enumerated() {
                text += margin + (index == 0 ? palette.bad("problem") + "   " : String(repeating: " ", count: 10))
                text += line + "\n"
            }
        }
        if shown.count < problems.count {
            text += margin + "and \(counted(problems.count - shown.count, "more problem")): --long\n"
        }
        if let remedy = description.remedy { text += margin + "hint:     " + printable(remedy) + "\n" }
        guard extent == .long else { return text }
        return text + "\n" + Self.tree(description.details, indent: 3, palette)
    }

    /// The maximum number of problems to show for an object, unless the text is long.
    private static let maximumProblems = 4

    private static func isAlarming(_ validity: String) -> Bool {
        ["EXPIRED", "NOT VALID", "OUT OF DATE"].contains { validity.hasPrefix($0) }
    }

    /// Returns details as an indented list. This program creates the details and so limits their depth.
    private static func tree(_ details: [Detail], indent: Int, _ palette: Palette) -> String {
        var text = ""
        let labelWidth = min(24, (details.map(\.label.count).max() ?? 0) + 2)
        for detail in details {
            let label = detail.label.isEmpty ? "" : palette.faint(detail.label)
            let gap = detail.label.isEmpty ? 0 : max(2, labelWidth - detail.label.count)
            let offset = detail.label.isEmpty ? 0 : detail.label.count + gap
            let room = max(24, width - indent - offset)
            let lines = detail.value.map { folded($0, width: room) } ?? []
            let spaces = String(repeating: " ", count: indent)
            text += spaces + label + (lines.isEmpty ? "" : String(repeating: " ", count: gap) + lines[0]) + "\n"
            for line in lines.dropFirst() { text += spaces + String(repeating: " ", count: offset) + line + "\n" }
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
    func text(_ comparison: ObjectComparison, _ names: (String, String), _ palette: Palette) -> String {
        let mark = comparison.belongTogether ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
        var text = "\n" + mark + palette.bold(printable(comparison.words)) + "\n"
        text += "      first  \(printable(names.0))\n      second \(printable(names.1))\n"
        guard !comparison.differences.isEmpty else { return text }
        text += "\n" + palette.bold("differences") + "\n"
        for difference in comparison.differences {
            let room = Self.width - 3 - 24
            let lines =
                Self.folded("- " + difference.first, width: room) + Self.folded("+ " + difference.second, width: room)
            for (index, line) in lines.enumerated() {
                text += "   " + (index == 0 ? difference.field : "").padded(to: 24) + line + "\n"
            }
        }
        return text
    }
}
