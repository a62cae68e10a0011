// SPDX-License-Identifier: Apache-2.0

/// Appends elements and text to a buffer of bytes. The output is well-formed as HTML and as XML.
///
/// No method accepts markup. ``HTMLText`` escapes text and attribute values, ``HTMLTag`` and ``HTMLAttribute`` are
/// closed sets, and the writer closes every element.
///
/// ```swift
/// html.element(.p, [.classes("lead")]) { html in
///     html.text("The certificate is for ")
///     html.foreign(certificate.subject.description)
/// }
/// ```
package struct HTMLWriter {
    /// The bytes written so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// The headings of the current table, and the column of the next cell.
    private var columns: (headings: [String], next: Int) = ([], 0)

    /// Creates an empty writer.
    init() {}

    /// Writes an element with its content.
    package mutating func element(
        _ tag: HTMLTag, _ attributes: [HTMLAttribute] = [], _ content: (inout HTMLWriter) -> Void = { _ in }
    ) {
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: tag.rawValue.utf8)
        for attribute in attributes { append(attribute) }
        if !columns.headings.isEmpty { appendLabel(of: tag, attributes) }
        if tag == .svg { append(.drawingNamespace) }
        guard !tag.isVoid else { return bytes.append(contentsOf: "/>".utf8) }
        bytes.append(UInt8(ascii: ">"))
        content(&self)
        bytes.append(contentsOf: "</\(tag.rawValue)>".utf8)
        if tag.endsLine { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Writes the rows of a table. Each cell has its column's heading as an attribute, except headings and cells that
    /// span several columns.
    mutating func rows(of headings: [String], _ rows: (inout HTMLWriter) -> Void) {
        let outer = columns
        columns = (headings, 0)
        element(.tbody, [], rows)
        columns = outer
    }

    private mutating func appendLabel(of tag: HTMLTag, _ attributes: [HTMLAttribute]) {
        switch tag {
        case .tr: columns.next = 0
        case .th: columns.next += 1
        case .td:
            let isSingle = !attributes.contains { $0.name == "colspan" }
            if isSingle, columns.headings.indices.contains(columns.next) {
                append(.columnLabel(columns.headings[columns.next]))
            }
            columns.next += 1
        default: break
        }
    }

    /// Writes an element that contains text of this package.
    package mutating func element(_ tag: HTMLTag, _ attributes: [HTMLAttribute] = [], text: String) {
        element(tag, attributes) { $0.text(text) }
    }

    /// Writes text of this package. The text is escaped like any other, but its length limit is higher.
    package mutating func text(_ text: String) { HTMLText.append(text, to: &bytes, maximum: 20_000) }

    /// Writes text from a server, a certificate or a file. The text is limited in length and isolated, so that
    /// right-to-left text doesn't affect the text around it.
    /// - Parameter maximum: the maximum number of scalars.
    package mutating func foreign(_ text: String, maximum: Int = HTMLText.maximumLength) {
        element(.bdi) { HTMLText.append(text, to: &$0.bytes, maximum: maximum) }
    }

    /// Writes a sentence that contains values from a server, a certificate or a file, like ``foreign(_:maximum:)``.
    /// Dates and options in the sentence don't wrap.
    package mutating func sentence(_ text: String, maximum: Int = HTMLText.maximumLength) {
        element(.bdi) { $0.words(text, maximum) { DateLabel.isDate($0) || Self.isOption($0) } }
    }

    /// Writes a command or a name as code. Its words don't wrap unless they are too long for a narrow window.
    package mutating func code(_ text: String, maximum: Int = HTMLText.maximumLength) {
        element(.code) { $0.element(.bdi) { $0.words(text, maximum) { (1...28).contains($0.count) } } }
    }

    /// Writes words between spaces.
    /// - Parameter isWhole: whether a word doesn't wrap.
    private mutating func words(
        _ text: String, _ maximum: Int, isWhole: (Substring.UnicodeScalarView) -> Bool
    ) {
        let scalars = text.unicodeScalars
        let kept = scalars.prefix(maximum)
        var plain = ""
        for (index, word) in kept.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { plain += " " }
            guard isWhole(word) else {
                plain.unicodeScalars += word
                continue
            }
            HTMLText.append(plain, to: &bytes, maximum: maximum)
            plain = ""
            element(.span, [.classes("whole")]) { HTMLText.append(String(word), to: &$0.bytes, maximum: maximum) }
        }
        if kept.endIndex < scalars.endIndex { plain += "…" }
        HTMLText.append(plain, to: &bytes, maximum: maximum + 1)
    }

    /// Whether a word is a command-line option, such as `--with-backup`.
    private static func isOption(_ word: Substring.UnicodeScalarView) -> Bool {
        (3...28).contains(word.count) && word.starts(with: "--".unicodeScalars)
            && word.dropFirst(2).allSatisfy { $0.isASCII && ($0 == "-" || $0.properties.isAlphabetic) }
    }

    /// Writes text from a server, a certificate or a file directly into the `text` element of a drawing.
    mutating func foreignInDrawing(_ text: String, maximum: Int = 60) {
        HTMLText.append(text, to: &bytes, maximum: maximum)
    }

    /// Writes lines from any source in `pre`. Line feeds are kept, and all other characters are treated as in
    /// ``foreign(_:maximum:)``.
    /// - Parameter maximum: the maximum number of scalars in all lines together.
    package mutating func lines(_ text: String, maximum: Int = 20_000) {
        element(.pre, [.focusable, .role("group"), .label("Code")]) { html in
            html.element(.code) { html in
                var left = maximum
                // The code splits scalars because CR LF is a single character that doesn't equal a line feed.
                let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
                for (index, line) in lines.enumerated() where left > 0 {
                    if index > 0 { html.bytes.append(UInt8(ascii: "\n")) }
                    HTMLText.append(String(line), to: &html.bytes, maximum: left)
                    left -= line.count + 1
                }
            }
        }
    }

    private mutating func append(_ attribute: HTMLAttribute) {
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: attribute.name.utf8)
        bytes.append(contentsOf: "=\"".utf8)
        HTMLText.append(attribute.value, to: &bytes, maximum: attribute.maximum)
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: - The page

    /// Writes markup that is known at compile time.
    mutating func markup(_ markup: StaticString) { markup.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    /// Writes the style sheet or the script.
    mutating func fixed(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

extension HTMLTag {
    /// Whether a line feed after the element doesn't change the page.
    fileprivate var endsLine: Bool {
        switch self {
        case .header, .main, .footer, .nav, .section, .h1, .h2, .h3, .h4, .h5, .p, .div, .pre, .ul, .ol, .li, .dl, .dd,
            .table, .thead, .tbody, .tr, .details, .summary, .figure, .fieldset, .svg:
            true
        default: false
        }
    }
}
