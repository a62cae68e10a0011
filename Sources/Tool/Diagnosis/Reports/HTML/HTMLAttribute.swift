// SPDX-License-Identifier: Apache-2.0

/// An attribute with its value. Callers choose from fixed names, and no attribute accepts a script, a style or an
/// address from a caller.
package struct HTMLAttribute: Sendable, Hashable {
    let name: String
    let value: String
    /// The maximum number of scalars in the value. The rest is cut.
    var maximum = HTMLText.maximumLength

    private init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    // MARK: - Every element

    package static func id(_ identifier: HTMLIdentifier) -> HTMLAttribute {
        HTMLAttribute("id", identifier.description)
    }

    /// Classes of the style sheet.
    package static func classes(_ names: StaticString...) -> HTMLAttribute {
        HTMLAttribute("class", names.map(\.description).joined(separator: " "))
    }

    /// The class of a tone, if any, together with other classes.
    package static func tone(_ tone: HTMLTone?, _ names: StaticString...) -> HTMLAttribute {
        HTMLAttribute("class", (names.map(\.description) + [tone?.rawValue].compactMap(\.self)).joined(separator: " "))
    }

    /// The name for screen readers, which can be any text.
    package static func label(_ text: String) -> HTMLAttribute { HTMLAttribute("aria-label", text) }

    package static func labelled(by identifier: HTMLIdentifier) -> HTMLAttribute {
        HTMLAttribute("aria-labelledby", identifier.description)
    }

    static func described(by identifier: HTMLIdentifier) -> HTMLAttribute {
        HTMLAttribute("aria-describedby", identifier.description)
    }

    static func role(_ role: StaticString) -> HTMLAttribute { HTMLAttribute("role", role.description) }

    /// Marks an element that screen readers skip because the text next to it says the same.
    static let decorative = HTMLAttribute("aria-hidden", "true")
    static let focusable = HTMLAttribute("tabindex", "0")
    static let hidden = HTMLAttribute("hidden", "")

    // MARK: - Particular elements

    static let open = HTMLAttribute("open", "")
    package static func link(_ link: HTMLLink) -> HTMLAttribute { HTMLAttribute("href", link.address) }
    static func dateTime(_ text: String) -> HTMLAttribute { HTMLAttribute("datetime", text) }
    static let columnScope = HTMLAttribute("scope", "col")
    package static let rowScope = HTMLAttribute("scope", "row")
    static func columns(_ count: Int) -> HTMLAttribute { HTMLAttribute("colspan", String(count)) }

    /// The heading of a cell's column. Narrow windows show this heading above the cell.
    static func columnLabel(_ text: String) -> HTMLAttribute { HTMLAttribute("data-label", text) }
    static let radioType = HTMLAttribute("type", "radio")
    static let searchType = HTMLAttribute("type", "search")
    static let checked = HTMLAttribute("checked", "")
    static func group(_ name: StaticString) -> HTMLAttribute { HTMLAttribute("name", name.description) }
    static func labels(_ identifier: HTMLIdentifier) -> HTMLAttribute {
        HTMLAttribute("for", identifier.description)
    }

    /// The sort key of a row or cell, for the sorting script.
    static func order(_ number: Int64) -> HTMLAttribute { HTMLAttribute("data-order", String(number)) }

    /// The sort order of a column: `text` or `number`.
    static func sorts(_ kind: StaticString) -> HTMLAttribute { HTMLAttribute("data-sorts", kind.description) }

    /// The outcome of a row or section, for the filter.
    package static func outcome(_ outcome: TrustReport.Outcome) -> HTMLAttribute {
        HTMLAttribute("data-outcome", outcome.rawValue)
    }

    /// The text that the search field compares. It may come from any source.
    package static func name(_ text: String) -> HTMLAttribute { HTMLAttribute("data-name", text) }

    /// Marks the box with the search field. The script shows this box.
    static let search = HTMLAttribute("data-search", "")

    // MARK: - Drawings

    /// A numeric attribute of a drawing, with one of ``DrawingNumber``'s names.
    static func number(_ name: DrawingNumber, _ value: Double) -> HTMLAttribute {
        HTMLAttribute(name.rawValue, decimal(value))
    }

    /// A position in percent of the drawing's width, for drawings that are as wide as their container.
    static func percent(_ name: DrawingNumber, _ value: Double) -> HTMLAttribute {
        HTMLAttribute(name.rawValue, decimal(value) + "%")
    }

    static func viewBox(width: Double, height: Double) -> HTMLAttribute {
        HTMLAttribute("viewBox", "0 0 \(decimal(width)) \(decimal(height))")
    }

    /// The lines of a `path`, straight or curved, in the units of the view box.
    static func path(_ steps: [PathStep]) -> HTMLAttribute {
        var attribute = HTMLAttribute("d", steps.map(\.text).joined(separator: " "))
        attribute.maximum = .max
        return attribute
    }

    /// The alignment of text relative to its point: `start`, `middle` or `end`.
    static func anchor(_ place: StaticString) -> HTMLAttribute {
        HTMLAttribute("text-anchor", place.description)
    }

    static let drawingNamespace = HTMLAttribute("xmlns", "http://www.w3.org/2000/svg")

    /// Returns a number with at most two decimal places, or 0 for NaN and infinite values.
    private static func decimal(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let hundredths = Int64((value * 100).rounded())
        guard hundredths % 100 != 0 else { return String(hundredths / 100) }
        let fraction = String(abs(hundredths % 100) + 100).dropFirst()
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(fraction)"
    }

    /// The attributes of drawings that have a numeric value.
    enum DrawingNumber: String, Sendable {
        case x, y, x1, y1, x2, y2, rx, width, height
    }

    /// A step of a line.
    enum PathStep: Sendable, Hashable {
        case move(Double, Double)
        case line(Double, Double)
        /// A cubic curve with its two control points.
        case curve(Double, Double, Double, Double, Double, Double)
        case close

        var text: String {
            switch self {
            case .move(let x, let y): "M\(decimal(x)) \(decimal(y))"
            case .line(let x, let y): "L\(decimal(x)) \(decimal(y))"
            case .curve(let x1, let y1, let x2, let y2, let x, let y):
                "C\(decimal(x1)) \(decimal(y1)) \(decimal(x2)) \(decimal(y2)) \(decimal(x)) \(decimal(y))"
            case .close: "Z"
            }
        }
    }
}

/// The meaning of a badge or banner. Each tone has its own sign in addition to its color, so the color isn't the only
/// hint.
package enum HTMLTone: String, CaseIterable, Sendable {
    case good, bad, caution, note

    /// A sign with the same meaning in black and white.
    var sign: String {
        switch self {
        case .good: "✓"
        case .bad: "✗"
        case .caution: "!"
        case .note: "i"
        }
    }
}

/// The elements of a report. `script`, `style`, `meta` and all elements that load resources are missing. Only
/// ``HTMLPage`` writes the first three.
package enum HTMLTag: String, CaseIterable, Sendable {
    case header, main, footer, nav, section
    case h1, h2, h3, h4, h5
    case p, div, span, strong, code, pre, bdi, time
    case ul, ol, li, dl, dt, dd
    case table, thead, tbody, tr, th, td
    case details, summary, figure, figcaption
    case a, fieldset, legend, label, input
    case svg, path, rect, line, text, title, desc

    /// Whether the element has no end tag.
    var isVoid: Bool { self == .input }
}
