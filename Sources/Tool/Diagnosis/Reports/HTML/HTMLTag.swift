// SPDX-License-Identifier: Apache-2.0

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
