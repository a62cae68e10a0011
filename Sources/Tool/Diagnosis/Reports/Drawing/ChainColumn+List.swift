// SPDX-License-Identifier: Apache-2.0

extension ChainColumn {
    /// A sentence that describes the column, for screen readers.
    var summary: String {
        let boxes = boxes.map { box in
            let words = [box.role, box.origin] + box.codes
            return "\(box.name) (\(words.filter { !$0.isEmpty }.joined(separator: ", ")))"
        }
        return "\(subtitle): " + boxes.joined(separator: ", then ") + "."
    }

    /// The column as a list, for screen readers and for copying.
    var blocks: [Report.Block] {
        let text: Report.Words = "\(title): \(subtitle)"
        let list: [Report.Block] = [
            .heading(tone.map { [.sign($0), " "] + text } ?? text),
            .list(boxes.map(\.words), isNumbered: true),
        ]
        let whole = Report.Words(listing: codes.map { .code($0) })
        return codes.isEmpty ? list : list + [.paragraph("For the whole path: " + whole)]
    }
}

extension ChainColumn.Box {
    fileprivate var words: Report.Words {
        let facts = [role, origin, end].filter { !$0.isEmpty }.joined(separator: ", ")
        var words: Report.Words = [.foreign(name, maximum: 256), " ", .sentence("(\(facts))")]
        if !codes.isEmpty { words = words + ": " + Report.Words(listing: codes.map { .code($0) }) }
        guard let link, !link.words.isEmpty else { return words }
        return words + [.text(link.isBroken ? "; next: \(link.words)" : "; \(link.words) the next")]
    }
}
