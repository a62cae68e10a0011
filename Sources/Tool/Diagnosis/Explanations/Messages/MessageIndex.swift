// SPDX-License-Identifier: Apache-2.0

/// The forms of all messages as words, indexed by their first word.
struct MessageIndex: Sendable {
    /// A form as runs of words. Between two runs, any words match.
    struct Form: Sendable {
        let row: Int
        let text: String
        let runs: [[String]]

        var words: [String] { runs.flatMap { $0 } }
    }

    /// The index of ``ForeignMessages/all``.
    static let shared = MessageIndex(ForeignMessages.all)

    /// The largest number of words in a gap. The limit bounds the work, and keeps words from different log lines apart.
    static let maximumGap = 48

    private let messages: [ForeignMessage]
    private let forms: [Form]
    private let byFirstWord: [String: [Int]]
    private let rows: [ForeignMessage: [Form]]
    /// The number of forms that contain a word.
    private let frequency: [String: Int]

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
        frequency = forms.reduce(into: [:]) { counts, form in
            for word in Set(form.words) { counts[word, default: 0] += 1 }
        }
    }

    /// Returns the forms of a row.
    func forms(of message: ForeignMessage) -> [Form] { rows[message] ?? [] }

    /// Returns the weight of words: a rare one weighs more, and an article next to nothing.
    func weight(of words: Set<String>) -> Double {
        words.reduce(0) { $0 + 1 / (1 + 0.1 * Double(frequency[$1] ?? 0)) }
    }

    /// Returns all occurrences of forms in a text. If the text is short, also returns the forms that contain the text.
    func occurrences(in text: MessageText) -> [MessageSearch.Match] {
        var found: [MessageSearch.Match] = []
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

    private func match(_ form: Form, words: Range<Int>, score: Int, isPartOfForm: Bool) -> MessageSearch.Match {
        MessageSearch.Match(
            row: form.row, message: messages[form.row], form: form.text, score: score, words: words,
            isPartOfForm: isPartOfForm, hasGap: form.runs.count > 1)
    }

    /// Words that occur in many messages. A text that consists only of these words could be part of any message.
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

    /// Whether a text is specific enough to identify a message that contains it, and short enough to be part of one.
    private func isSearchableAsPart(_ text: MessageText) -> Bool {
        (2...24).contains(text.words.count) && text.length >= 8 && !text.words.allSatisfy(Self.commonWords.contains)
    }
}

extension MessageIndex.Form {
    /// The number of UTF-8 bytes in the form's words.
    var length: Int { runs.reduce(0) { $0 + $1.reduce(0) { $0 + $1.utf8.count } } }

    /// Returns the end of the form in `words` if the form begins at `start`, or nil. Each run matches at its first
    /// place after the previous run.
    func end(in words: [String], from start: Int) -> Int? {
        var place = start
        for (number, run) in runs.enumerated() {
            let last = number == 0 ? start : min(place + MessageIndex.maximumGap, words.count)
            guard let found = (place...max(place, last)).first(where: { words.has(run, at: $0) }) else { return nil }
            place = found + run.count
        }
        return place
    }

    /// Returns whether the form contains `words` consecutively, within one run.
    func contains(_ words: [String]) -> Bool {
        runs.contains { run in run.indices.contains { run.has(words, at: $0) } }
    }
}

extension [String] {
    /// Returns whether `part` occurs at `place`.
    fileprivate func has(_ part: [String], at place: Int) -> Bool {
        place + part.count <= count && part.indices.allSatisfy { self[place + $0] == part[$0] }
    }
}
