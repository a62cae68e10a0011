// SPDX-License-Identifier: Apache-2.0

/// The forms of all messages as words, found by their first word.
struct MessageIndex: Sendable {
    /// A form: runs of words with gaps of any words between them.
    struct Form: Sendable {
        let row: Int
        let text: String
        let runs: [[String]]

        var words: [String] { runs.flatMap { $0 } }
    }

    /// The index of ``ForeignMessages/all``.
    static let shared = MessageIndex(ForeignMessages.all)

    /// The largest number of words that a gap stands for. It bounds the work, and keeps words of different log lines apart.
    static let maximumGap = 48

    private let messages: [ForeignMessage]
    private let forms: [Form]
    private let byFirstWord: [String: [Int]]
    private let rows: [ForeignMessage: [Form]]

    private init(_ messages: [ForeignMessage]) {
        self.messages = messages
        let forms = messages.enumerated().flatMap { row, message in
            message.forms.map { text in
                let runs = text.split(separator: "…").map { MessageText($0.unicodeScalars).words }
                return Form(row: row, text: text, runs: runs.filter { !$0.isEmpty })
            }
        }
        self.forms = forms
        byFirstWord = Dictionary(grouping: forms.indices.filter { !forms[$0].runs.isEmpty }) { forms[$0].runs[0][0] }
        rows = Dictionary(grouping: forms) { messages[$0.row] }
    }

    /// Returns the forms of a row.
    func forms(of message: ForeignMessage) -> [Form] { rows[message] ?? [] }

    /// Returns all occurrences of forms in a text, and of a short text in forms.
    func occurrences(in text: MessageText) -> [(row: Int, match: MessageSearch.Match)] {
        var found: [(row: Int, match: MessageSearch.Match)] = []
        var seen: Set<Int> = []
        for (start, word) in text.words.enumerated() {
            for index in byFirstWord[word] ?? [] where !seen.contains(index) {
                guard let end = forms[index].end(in: text.words, from: start) else { continue }
                seen.insert(index)
                found.append(match(forms[index], words: start..<end, score: forms[index].length, isPartOfForm: false))
            }
        }
        guard isSearchableAsPart(text) else { return found }
        for (index, form) in forms.enumerated() where !seen.contains(index) && form.contains(text.words) {
            found.append(match(form, words: text.words.indices, score: text.length, isPartOfForm: true))
        }
        return found
    }

    private func match(
        _ form: Form, words: Range<Int>, score: Int, isPartOfForm: Bool
    ) -> (row: Int, match: MessageSearch.Match) {
        let match = MessageSearch.Match(
            message: messages[form.row], form: form.text, score: score, words: words, isPartOfForm: isPartOfForm,
            hasGap: form.runs.count > 1)
        return (form.row, match)
    }

    /// Words that occur in many messages. A text that has only these could be a part of any of them.
    private static let commonWords: Set<String> = [
        "a", "an", "and", "are", "be", "by", "cannot", "cant", "cert", "certificate", "certificates", "chain", "check",
        "client",
        "connect", "connection", "could", "did", "does", "doesnt", "error", "errors", "failed", "failure", "fatal",
        "for", "found", "from",
        "handshake", "has", "host", "hostname", "in", "invalid", "is", "isnt", "it", "key", "match", "matches", "name",
        "no", "not", "of",
        "on", "or",
        "peer", "root", "security", "server", "servers", "ssl", "that", "the", "this", "tls", "to", "unable", "valid",
        "validation", "verification", "verify", "was", "were", "with", "x509",
    ]

    /// Whether a text is specific enough to stand for the message that it is a part of, and short enough to be one.
    private func isSearchableAsPart(_ text: MessageText) -> Bool {
        (2...24).contains(text.words.count) && text.length >= 8 && !text.words.allSatisfy(Self.commonWords.contains)
    }
}

extension MessageIndex.Form {
    /// The number of characters of its words.
    var length: Int { runs.reduce(0) { $0 + $1.reduce(0) { $0 + $1.utf8.count } } }

    /// Returns the end of the form in `words` if it begins at `start`; each run is found at its first place behind the one before.
    func end(in words: [String], from start: Int) -> Int? {
        var place = start
        for (number, run) in runs.enumerated() {
            let last = number == 0 ? start : min(place + MessageIndex.maximumGap, words.count)
            guard let found = (place...max(place, last)).first(where: { words.has(run, at: $0) }) else { return nil }
            place = found + run.count
        }
        return place
    }

    /// Returns whether `words` are words of the form, one after the other and within a run.
    func contains(_ words: [String]) -> Bool {
        runs.contains { run in run.indices.contains { run.has(words, at: $0) } }
    }
}

extension [String] {
    /// Returns whether `part` stands at a place.
    fileprivate func has(_ part: [String], at place: Int) -> Bool {
        place + part.count <= count && part.indices.allSatisfy { self[place + $0] == part[$0] }
    }
}
