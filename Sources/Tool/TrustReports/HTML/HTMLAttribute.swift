// SPDX-License-Identifier: Apache-2.0

/// An attribute with its value. The names are known here, and none takes a program, a style or an address from a caller.
package struct HTMLAttribute: Sendable, Hashable {
    let name: String
    let value: String
    /// The scalars of the value that are kept.
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

    /// The class of a tone beside others.
    package static func tone(_ tone: HTMLTone, _ names: StaticString...) -> HTMLAttribute {
        HTMLAttribute("class", (names.map(\.description) + [tone.rawValue]).joined(separator: " "))
    }

    /// The name for screen readers; any text.
    package static func label(_ text: String) -> HTMLAttribute { HTMLAttribute("aria-label", text) }

    package static func labelled(by identifier: HTMLIdentifier) -> HTMLAttribute {
        HTMLAttribute("aria-labelledby", identifier.description)
    }

    package static func described(by identifier: HTMLIdentifier) -> HTMLAttribute {
        HTMLAttribute("aria-describedby", identifier.description)
    }

    package static func role(_ role: StaticString) -> HTMLAttribute { HTMLAttribute("role", role.description) }

    /// An element that screen readers pass over, as the text beside it says the same.
    package static let decorative = HTMLAttribute("aria-hidden", "true")
    package static let focusable = HTMLAttribute("tabindex", "0")
    package static let hidden = HTMLAttribute("hidden", "")

    // MARK: - Particular elements

    package static let open = HTMLAttribute("open", "")
    package static func link(_ link: HTMLLink) -> HTMLAttribute { HTMLAttribute("href", link.address) }
    package static func dateTime(_ text: String) -> HTMLAttribute { HTMLAttribute("datetime", text) }
    package static let columnScope = HTMLAttribute("scope", "col")
    package static let rowScope = HTMLAttribute("scope", "row")
    package static func columns(_ count: Int) -> HTMLAttribute { HTMLAttribute("colspan", String(count)) }

    /// The heading of a cell's column, which narrow windows show above the cell.
    static func columnLabel(_ text: String) -> HTMLAttribute { HTMLAttribute("data-label", text) }
    package static let buttonType = HTMLAttribute("type", "button")
    package static let radioType = HTMLAttribute("type", "radio")
    package static let searchType = HTMLAttribute("type", "search")
    package static let checked = HTMLAttribute("checked", "")
    package static func group(_ name: StaticString) -> HTMLAttribute { HTMLAttribute("name", name.description) }
    package static func labels(_ identifier: HTMLIdentifier) -> HTMLAttribute {
        HTMLAttribute("for", identifier.description)
    }

    /// The order of a row or cell, for the script that sorts.
    package static func order(_ number: Int64) -> HTMLAttribute { HTMLAttribute("data-order", String(number)) }

    /// The kind of order of a column: `text` or `number`.
    package static func sorts(_ kind: StaticString) -> HTMLAttribute { HTMLAttribute("data-sorts", kind.description) }

    /// The outcome of a row or part, for the filter.
    package static func outcome(_ outcome: TrustReport.Outcome) -> HTMLAttribute {
        HTMLAttribute("data-outcome", outcome.rawValue)
    }

    /// The text that the search field compares, of any origin.
    package static func name(_ text: String) -> HTMLAttribute { HTMLAttribute("data-name", text) }

    /// The box with the search field, shown by the script.
    package static let search = HTMLAttribute("data-search", "")

    // MARK: - Drawings

    /// A number of a drawing, under one of ``DrawingNumber``'s names.
    package static func number(_ name: DrawingNumber, _ value: Double) -> HTMLAttribute {
        HTMLAttribute(name.rawValue, decimal(value))
    }

    /// A position in percent of the drawing's width, for drawings that are as wide as their place.
    static func percent(_ name: DrawingNumber, _ value: Double) -> HTMLAttribute {
        HTMLAttribute(name.rawValue, decimal(value) + "%")
    }

    package static func viewBox(width: Double, height: Double) -> HTMLAttribute {
        HTMLAttribute("viewBox", "0 0 \(decimal(width)) \(decimal(height))")
    }

    /// The lines of a `path`: straight or curved, in the units of the view box.
    package static func path(_ steps: [PathStep]) -> HTMLAttribute {
        var attribute = HTMLAttribute("d", steps.map(\.text).joined(separator: " "))
        attribute.maximum = .max
        return attribute
    }

    /// The position of text to its point: `start`, `middle` or `end`.
    package static func anchor(_ place: StaticString) -> HTMLAttribute {
        HTMLAttribute("text-anchor", place.description)
    }

    /// The marker at the end of a line.
    package static func markerEnd(_ identifier: HTMLIdentifier) -> HTMLAttribute {
        HTMLAttribute("marker-end", "url(#\(identifier.description))")
    }

    /// The angle of a marker: that of its line.
    package static let turnsWithLine = HTMLAttribute("orient", "auto")

    /// A drawing that fills its place in both directions.
    static let stretches = HTMLAttribute("preserveAspectRatio", "none")

    static let drawingNamespace = HTMLAttribute("xmlns", "http://www.w3.org/2000/svg")

    /// Returns a number with at most two digits behind the point. NaN and infinite ones are 0.
    private static func decimal(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let hundredths = Int64((value * 100).rounded())
        guard hundredths % 100 != 0 else { return String(hundredths / 100) }
        let fraction = String(abs(hundredths % 100) + 100).dropFirst()
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(fraction)"
    }

    /// The attributes of drawings that take a number.
    package enum DrawingNumber: String, Sendable {
        case x, y, dx, dy, x1, y1, x2, y2, cx, cy, r, rx, ry, width, height, refX, refY, markerWidth, markerHeight
    }

    /// A step of a line.
    package enum PathStep: Sendable, Hashable {
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

/// The meaning of a badge or banner. Each has its own sign beside its color, so that none depends on the color alone.
package enum HTMLTone: String, CaseIterable, Sendable {
    case good, bad, caution, note

    /// A sign that says the same in black and white.
    var sign: String {
        switch self {
        case .good: "✓"
        case .bad: "✗"
        case .caution: "!"
        case .note: "i"
        }
    }
}
