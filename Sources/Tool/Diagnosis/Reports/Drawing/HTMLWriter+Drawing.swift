// SPDX-License-Identifier: Apache-2.0

// The parts of drawings. Coordinates are in units of the drawing, or in percent of its width.

extension HTMLWriter {
    /// A length or a horizontal position.
    enum Length {
        case units(Double)
        case percent(Double)
    }

    /// Writes a chart in a box that scrolls.
    /// - Parameters:
    ///   - label: the name of the box.
    ///   - summary: a sentence that describes the content, for screen readers.
    ///   - size: the attributes of the size.
    mutating func chart(
        _ name: StaticString, label: String, summary: String, _ size: [HTMLAttribute],
        _ content: (inout HTMLWriter) -> Void
    ) {
        scroller(label: label) { html in
            html.element(.svg, [.classes(name), .role("img"), .label(summary)] + size, content)
        }
    }

    mutating func rectangle(
        _ shape: HTMLAttribute, x: Length, y: Double, width: Length, height: Double, radius: Double = 0
    ) {
        element(
            .rect,
            [shape, .length(.x, x), .number(.y, y), .length(.width, width), .number(.height, height)]
                + (radius > 0 ? [.number(.rx, radius)] : []))
    }

    mutating func line(_ shape: HTMLAttribute, from start: (x: Length, y: Double), to end: (x: Length, y: Double)) {
        element(
            .line,
            [shape, .length(.x1, start.x), .number(.y1, start.y), .length(.x2, end.x), .number(.y2, end.y)])
    }

    /// Writes the base line of a chart.
    mutating func ground(y: Double) { line(.classes("rule"), from: (.percent(0), y), to: (.percent(100), y)) }

    mutating func outline(_ shape: HTMLAttribute, _ steps: [HTMLAttribute.PathStep]) {
        element(.path, [shape, .path(steps)])
    }

    /// Writes a text, which may come from a server or a certificate. Writes nothing for an empty text.
    /// - Parameters:
    ///   - style: its classes. Nil for the standard text.
    ///   - anchor: the alignment relative to the point: `start`, `middle` or `end`.
    mutating func label(
        _ text: String, _ style: HTMLAttribute? = .classes("small", "quiet"), x: Length, y: Double,
        anchor: StaticString = "start"
    ) {
        guard !text.isEmpty else { return }
        element(.text, [style, .anchor(anchor), .length(.x, x), .number(.y, y)].compactMap(\.self)) {
            $0.foreignInDrawing(text, maximum: 80)
        }
    }
}

extension HTMLAttribute {
    fileprivate static func length(_ name: DrawingNumber, _ length: HTMLWriter.Length) -> HTMLAttribute {
        switch length {
        case .units(let value): number(name, value)
        case .percent(let value): percent(name, value)
        }
    }

    /// The classes of a shape.
    static func shape(_ name: StaticString, _ tone: HTMLTone?, isDashed: Bool = false) -> HTMLAttribute {
        isDashed ? .tone(tone, name, "dashed") : .tone(tone, name)
    }
}

/// The estimated width of text in drawings. The code that writes a page can't measure text.
enum DrawnText {
    /// Returns the start of a text that takes at most `width` units, with an ellipsis if it is cut.
    ///
    /// A unit is the width of an average lowercase letter. Wide letters and those of East Asian scripts count more. A
    /// character that ``HTMLText`` writes as `\u{…}` counts as many units as its escape has characters.
    static func cut(_ text: String, to width: Double) -> String {
        var used = 0.0
        var marks = 0
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isMark = scalar.properties.generalCategory == .nonspacingMark
            marks = isMark ? marks + 1 : 0
            let unit = isMark && marks <= 2 ? 0 : self.width(of: scalar)
            guard used + unit <= width - 1, marks <= HTMLText.maximumMarks else { return String(kept) + "…" }
            used += unit
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func width(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "l", "j", "t", "f", "r", "I", ".", ",", ":", ";", "'", "|", "!", " ", "(", ")", "/": 0.6
        case "m", "w", "M", "W", "@", "%": 1.6
        case "<", ">", "=", "&", "+", "~", "^": 1.4
        case "A"..."Z": 1.25
        case _ where scalar.isASCII: 1.05
        default:
            HTMLText.escaped(String(scalar)).hasPrefix("\\")
                ? 8 : scalar.value < 0x530 ? 1.15 : 2
        }
    }
}
