// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The search for other tools' messages in a pasted text: a message, an error code, or a log that contains both.
///
/// ```swift
/// let search = MessageSearch("… verify error:num=20:unable to get local issuer certificate")
/// search.names  // unknownIssuer, untrustedRoot
/// ```
/// The text can be hostile, so the search compares it word by word with the table and doesn't use backtracking
/// expressions. If the text has more than ``maximumLength`` scalars, the search only covers the first and the last half
/// of that number (``isCut``).
package struct MessageSearch: Sendable {
    /// The largest number of scalars that a search covers: 16,384.
    package static let maximumLength = 16_384

    /// A message of the table that occurs in the text.
    package struct Match: Sendable, Hashable {
        /// The number of the row in the table.
        let row: Int
        /// The row of the table.
        package let message: ForeignMessage
        /// The matching form, as written in the table.
        package let form: String
        /// The number of UTF-8 bytes of the text that the form explains. A higher score is more specific.
        let score: Int
        /// The words of the text that the form explains.
        let words: Range<Int>
        /// Whether the text is a part of the form. Otherwise the form is a part of the text.
        let isPartOfForm: Bool
        /// Whether the form has a gap that other words of the text fill.
        let hasGap: Bool
    }

    /// The messages in the text, the most specific first. Each row occurs once.
    package let matches: [Match]

    /// The names of the codes behind the text, at most six, the likeliest first.
    package let names: [String]

    /// The failure codes among ``names``.
    package var codes: [TrustFailure.Code] { names.compactMap { .named($0) } }

    /// Whether the text was longer than ``maximumLength``.
    package let isCut: Bool

    /// Searches a text, in time proportional to its length up to the limit.
    package init(_ text: String) {
        let scalars = text.unicodeScalars
        // Not `count`: a text can have gigabytes.
        isCut = scalars.index(scalars.startIndex, offsetBy: Self.maximumLength + 1, limitedBy: scalars.endIndex) != nil
        let searched: MessageText
        if isCut {
            let half = Self.maximumLength / 2
            searched = MessageText(Array(scalars.prefix(half)) + ["\n"] + Array(scalars.suffix(half)))
        } else {
            searched = MessageText(scalars)
        }
        matches = Self.matches(searched)
        names = Self.names(matches)
    }

    /// Returns up to three messages that are near a text: text and message share most of their words, weighted by how
    /// rare a word is. Use them if the search finds none.
    package static func nearest(to text: String) -> [ForeignMessage] {
        let index = MessageIndex.shared
        let wanted = Set(MessageText(text.unicodeScalars.prefix(maximumLength)).words)
        let whole = index.weight(of: wanted)
        let scored = ForeignMessages.all.compactMap { message -> (score: Double, message: ForeignMessage)? in
            let score = index.forms(of: message).map { form in
                let words = Set(form.words)
                let shared = words.intersection(wanted)
                // One shared word doesn't make two messages near.
                guard shared.count > 1 else { return 0.0 }
                return index.weight(of: shared) / max(whole, index.weight(of: words))
            }.max()
            return score.flatMap { $0 >= 0.5 ? ($0, message) : nil }
        }
        // Sorting is stable: if scores are equal, the first message of the table comes first.
        return scored.sorted { $0.score > $1.score }.prefix(3).map(\.message)
    }

    private static func matches(_ text: MessageText) -> [Match] {
        var best: [Int: Match] = [:]
        for match in MessageIndex.shared.occurrences(in: text) + NameIndex.shared.occurrences(in: text) {
            if let known = best[match.row], known.score >= match.score { continue }
            best[match.row] = match
        }
        // `signature check failed` within a longer message of another tool isn't Java's message.
        let whole = best.values.filter { !$0.hasGap && !$0.isPartOfForm }
        let outermost = best.values.filter { match in
            !whole.contains {
                $0.words.count > match.words.count && $0.words.contains(match.words)
                    && (match.isGenerated || !$0.isGenerated)
            }
        }
        return outermost.sorted { first, second in first.order.lexicographicallyPrecedes(second.order) }
    }

    /// Returns the codes of the best matches, and of precise messages elsewhere in the text.
    private static func names(_ matches: [Match]) -> [String] {
        guard let best = matches.first else { return [] }
        var names: [String] = []
        for match in matches where match.isGenerated == best.isGenerated {
            let isAsGood =
                match.score == best.score && match.isPrecise == best.isPrecise
                && match.message.generality == best.message.generality
                && match.isPartOfForm == best.isPartOfForm
            let isElsewhere = match.isPrecise && !match.words.overlaps(best.words)
            guard isAsGood || isElsewhere else { continue }
            names += match.message.names.filter { !names.contains($0) }
        }
        return Array((names.first == "unknownCause" ? names : names.filter { $0 != "unknownCause" }).prefix(6))
    }
}

extension MessageSearch.Match {
    /// Whether the text contains the whole message and the message has at most two codes. It is then more
    /// informative than a general message next to it.
    var isPrecise: Bool { !isPartOfForm && message.generality == 0 && message.names.count <= 2 }

    /// Whether the message is one of the generated names, which say less than a row of the book.
    fileprivate var isGenerated: Bool { row >= ForeignMessages.all.count }

    /// The place among the matches, from the most to the least informative: a row with a cause, a row whose reason isn't
    /// elsewhere, a row of the book rather than a generated one, a precise one, and one that explains more of the text.
    fileprivate var order: [Int] {
        [
            message.isUnexplained ? 1 : 0, message.generality / 2, isGenerated ? 1 : 0,
            isPrecise ? 0 : 1, -score, isPartOfForm ? 1 : 0, row,
        ]
    }
}
