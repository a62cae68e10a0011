// SPDX-License-Identifier: Apache-2.0

import PKIX

// The building blocks of pages, formatted by the style sheet.

extension HTMLWriter {
    /// Writes a date that is also machine-readable: `2026-11-22 23:45:10 UTC`.
    package mutating func time(_ time: Time) {
        let text = time.description
        let words = text.hasSuffix("Z") ? text.dropLast().replacing("T", with: " ") + " UTC" : text
        element(.time, [.dateTime(text)], text: words)
    }

    /// Writes a word or two with a sign, in the tone's colors.
    package mutating func badge(_ tone: HTMLTone, _ words: String) {
        element(.span, [.tone(tone, "badge")]) { html in
            html.sign(tone)
            html.text(words)
        }
    }

    /// Writes a tone's sign, which screen readers skip. The words next to the sign say the same.
    mutating func sign(_ tone: HTMLTone) {
        element(.span, [.classes("sign"), .decorative], text: tone.sign)
    }

    /// Writes the verdict of a page: a heading with a sign, and sentences below.
    /// - Parameters:
    ///   - title: the heading, which may contain text from servers.
    ///   - content: paragraphs.
    package mutating func banner(
        _ tone: HTMLTone, title: (inout HTMLWriter) -> Void, _ content: (inout HTMLWriter) -> Void
    ) {
        element(.div, [.tone(tone, "banner")]) { html in
            html.sign(tone)
            html.element(.div) { html in
                html.element(.h1, [], title)
                content(&html)
            }
        }
    }

    /// Writes a section that its heading names. Only sections of level 2 are landmarks, because too many landmarks
    /// would be useless.
    /// - Parameter level: the heading's level, 2 to 5.
    package mutating func section(
        _ title: String, id: HTMLIdentifier, level: Int = 2, _ content: (inout HTMLWriter) -> Void
    ) {
        section(Report.Words([.text(title)]), id: id, level: level, content)
    }

    /// Writes a section whose title may contain text from files.
    mutating func section(
        _ title: Report.Words, id: HTMLIdentifier, level: Int, _ content: (inout HTMLWriter) -> Void
    ) {
        let heading = id.part("title")
        element(level == 2 ? .section : .div, level == 2 ? [.id(id), .labelled(by: heading)] : [.id(id)]) { html in
            html.element(.heading(level), [.id(heading)]) { $0.words(title) }
            content(&html)
        }
    }

    /// Writes names with their values. Call ``row(_:_:)`` in `rows` for each pair.
    package mutating func facts(_ rows: (inout HTMLWriter) -> Void) { element(.dl, [.classes("facts")], rows) }

    /// Writes a name and a value within ``facts(_:)``.
    package mutating func row(_ name: String, _ value: (inout HTMLWriter) -> Void) {
        element(.div) { html in
            html.element(.dt, text: name)
            html.element(.dd, [], value)
        }
    }

    /// Writes a section that the reader can expand.
    /// - Parameters:
    ///   - summary: the line that is always visible. It can't contain a heading, link or button.
    ///   - content: the rest.
    package mutating func card(
        id: HTMLIdentifier? = nil, tone: HTMLTone? = nil, isOpen: Bool = false,
        summary: (inout HTMLWriter) -> Void, _ content: (inout HTMLWriter) -> Void
    ) {
        var attributes: [HTMLAttribute] = [.tone(tone, "card")]
        if let id { attributes.append(.id(id)) }
        if isOpen { attributes.append(.open) }
        element(.details, attributes) { html in
            html.element(.summary, [], summary)
            html.element(.div, [.classes("inside")], content)
        }
    }

    /// Writes a table in its own box. On a narrow page the box scrolls, also with the keyboard.
    /// - Parameters:
    ///   - label: the name of the table and of its box.
    ///   - columns: the headings of the columns.
    ///   - numbers: the indices of numeric columns, which are aligned on the right.
    ///   - rows: `tr` elements.
    package mutating func table(
        label: String, columns: [String], numbers: Set<Int> = [], classes: HTMLAttribute = .classes("grid"),
        rows: (inout HTMLWriter) -> Void
    ) {
        scroller(label: label) { html in
            html.element(.table, [classes, .label(label)]) { html in
                html.element(.thead) { html in
                    html.element(.tr) { html in
                        for (place, column) in columns.enumerated() {
                            let isNumber = numbers.contains(place)
                            html.element(
                                .th, isNumber ? [.columnScope, .classes("number")] : [.columnScope], text: column)
                        }
                    }
                }
                html.rows(of: columns, rows)
            }
        }
    }

    /// Writes a box around a table or drawing. The box scrolls within the page and is reachable with the keyboard.
    mutating func scroller(label: String, _ content: (inout HTMLWriter) -> Void) {
        element(.div, [.classes("scroll"), .focusable, .role("group"), .label(label)], content)
    }
}

extension HTMLTag {
    /// The heading tag for a level, 1 to 5.
    static func heading(_ level: Int) -> HTMLTag {
        switch level {
        case ...1: .h1
        case 2: .h2
        case 3: .h3
        case 4: .h4
        default: .h5
        }
    }
}
