// SPDX-License-Identifier: Apache-2.0

/// The elements of a report. `script`, `style`, `meta` and all elements that load resources are missing. Only
/// ``HTMLPage`` writes the first three.
package enum HTMLTag: String, CaseIterable, Sendable {
    case header, main, footer, nav, section, article, aside
    case h1, h2, h3, h4, h5
    case p, div, span, strong, em, small, code, pre, bdi, time, abbr
    case ul, ol, li, dl, dt, dd
    case table, caption, thead, tbody, tr, th, td
    case details, summary, figure, figcaption
    case a, button, fieldset, legend, label, input
    case svg, g, path, rect, line, circle, polygon, text, tspan, title, desc, defs, marker, use

    /// Whether the element has no end tag.
    var isVoid: Bool { self == .input }

    /// Whether the element shows line feeds in its content.
    var keepsLineFeeds: Bool { self == .pre || self == .code }
}
