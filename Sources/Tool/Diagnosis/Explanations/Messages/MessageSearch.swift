// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The search for other tools' messages in a pasted text: a message, an error code, or a log that contains both.
///
/// ```swift
/// let search = MessageSearch("… verify error:num=20:unable to get local issuer certificate")
/// search.codes  // unknownIssuer, untrustedRoot
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

    /// The failure codes behind the text, at most six, the likeliest first.
    package let codes: [TrustFailure.Code]

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
        codes = Self.codes(matches)
    }

    /// Returns up to three messages that share the most words with a text. Use them if the search finds none.
    package static func nearest(to text: String) -> [ForeignMessage] {
        let wanted = Set(MessageText(text.unicodeScalars.prefix(maximumLength)).words)
        var scored: [(score: Int, message: ForeignMessage)] = []
        for message in ForeignMessages.all {
            let score =
                MessageIndex.shared.forms(of: message).map { form in
                    // Only long words count, so articles and numbers don't.
                    Set(form.words).intersection(wanted).reduce(0) { $0 + max(0, $1.utf8.count - 3) }
                }.max() ?? 0
            if score >= 6 { scored.append((score, message)) }
        }
        // Sorting is stable: if scores are equal, the first message of the table comes first.
        return scored.sorted { $0.score > $1.score }.prefix(3).map(\.message)
    }

    private static func matches(_ text: MessageText) -> [Match] {
        var best: [Int: Match] = [:]
        for match in MessageIndex.shared.occurrences(in: text) {
            if let known = best[match.row], known.score >= match.score { continue }
            best[match.row] = match
        }
        // `signature check failed` within a longer message of another tool isn't Java's message.
        let whole = best.values.filter { !$0.hasGap && !$0.isPartOfForm }.map(\.words)
        let outermost = best.values.filter { match in
            !whole.contains { $0.count > match.words.count && $0.contains(match.words) }
        }
        return outermost.sorted { first, second in
            if first.isPrecise != second.isPrecise { return first.isPrecise }
            if first.score != second.score { return first.score > second.score }
            if first.isPartOfForm != second.isPartOfForm { return second.isPartOfForm }
            return first.row < second.row
        }
    }

    /// Returns the codes of the best matches, and of precise messages elsewhere in the text.
    private static func codes(_ matches: [Match]) -> [TrustFailure.Code] {
        guard let best = matches.first else { return [] }
        var codes: [TrustFailure.Code] = []
        for match in matches {
            let isAsGood =
                match.score == best.score && match.isPrecise == best.isPrecise
                && match.isPartOfForm == best.isPartOfForm
            let isElsewhere = match.isPrecise && !match.words.overlaps(best.words)
            guard isAsGood || isElsewhere else { continue }
            codes += match.message.codes.filter { !codes.contains($0) }
        }
        return Array(codes.prefix(6))
    }
}

extension MessageSearch.Match {
    /// Whether the text contains the whole message and the message has at most two failure codes. It is then more
    /// informative than a general message next to it.
    var isPrecise: Bool { !isPartOfForm && message.codes.count <= 2 }
}
