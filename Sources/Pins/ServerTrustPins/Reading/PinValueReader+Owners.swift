// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// Values that a format's implementation accepts, although their type or form differs from its documentation. Each of
// them is odd.

extension PinValueReader {
    /// Reports a name that the format's implementation skips. A name that is similar to a known one is ambiguous, so
    /// the file is refused.
    mutating func addUnknown(
        _ kind: String, _ name: String, among known: [String], skippedBy owner: String, _ line: Int?, _ path: String
    ) {
        guard !isExhausted else { return }
        let question = NearMiss.question(about: name, among: known)
        add(
            .pinFileUnknownKey, as: question.isEmpty ? .odd : .refused, line, path,
            "\(kind) that \(owner) doesn't know and skips\(question)")
    }

    /// Returns a boolean as Foundation's `boolValue` interprets it. Numbers other than zero are true, and so are
    /// strings that begin with Y, T or a digit other than zero.
    mutating func boolValue(_ place: PlacedNode) -> Bool? {
        switch place.value {
        case .number(let digits):
            let value = digits.contains { $0 != "0" && $0 != "." && $0 != "-" && $0 != "+" }
            add(.pinFileWrongType, as: .odd, place, "the number \(clipped(digits)), expected a boolean")
            return value
        case .string(let text):
            let start = text.drop { $0.isWhitespace || $0 == "+" || $0 == "-" || $0 == "0" }.first
            let value = start.map { "YyTt123456789".contains($0) } ?? false
            add(
                .pinFileWrongType, as: .odd, place,
                "the text \"\(clipped(text))\", interpreted as \(value), expected a boolean")
            return value
        default: return boolean(place)
        }
    }

    /// Returns whether a value is the boolean `true`. Any value other than a boolean is odd and counts as false.
    mutating func isTrue(_ place: PlacedNode) -> Bool {
        if case .boolean(let value) = place.value { return value }
        add(
            .pinFileWrongType, as: .odd, place,
            "\(place.value.kind), which the system interprets as false, expected a boolean")
        return false
    }

    /// Returns the host name of a domain. A string that isn't a host name matches no host, so it is odd, and its entry
    /// is left out.
    package mutating func hostOrNothing(_ text: String, _ owner: String, _ line: Int?, _ path: String) -> Hostname? {
        guard !isExhausted else { return nil }
        do throws(HostnameError) {
            return try Hostname.withoutZone(text)
        } catch {
            var reason = PinValueReader(file: file)
            _ = reason.host(text, line, path)
            let detail = reason.problems.first?.detail ?? error.description
            guard !text.isEmpty else {
                add(.pinFileBadHost, line, path, detail)
                return nil
            }
            add(
                .pinFileNothingPinned, as: .odd, line, path,
                "\(detail); \(owner) accepts the name but never matches it")
            return nil
        }
    }

    /// Returns the first second in UTC of a date, as Java's `SimpleDateFormat` parses `yyyy-MM-dd`: any number of
    /// digits in each part, blanks before them, and anything after the date.
    mutating func javaDay(_ text: String, _ line: Int?, _ path: String) -> Time? {
        if text.utf8.count == 10, let time = try? Time(rfc3339: text) { return time }
        var rest = Substring(text)
        var parts: [Int] = []
        for part in 0..<3 {
            if part > 0 {
                guard rest.first == "-" else { return day(text, line, path) }
                rest = rest.dropFirst()
            }
            rest = rest.drop { $0 == " " || $0 == "\t" }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), digits.utf8.count <= 9 else { return day(text, line, path) }
            parts.append(number)
            rest = rest.dropFirst(digits.count)
        }
        func padded(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        let written = "\(padded(parts[0], 4))-\(padded(parts[1], 2))-\(padded(parts[2], 2))"
        guard written.utf8.count == 10, let time = try? Time(rfc3339: written) else {
            return day(text, line, path)
        }
        add(
            .pinFileBadDate, as: .odd, line, path,
            "\"\(clipped(text))\", interpreted as \(written), expected yyyy-MM-dd")
        return time
    }
}

extension PinValueReader {
    /// Returns the pin of `sha256/BASE64` as OkHttp reads it.
    /// - Parameter orUnmatchable: whether a digest of another length is odd and becomes a pin that no key matches.
    ///   Otherwise it is a problem.
    mutating func okHttpKey(
        _ text: String, orUnmatchable: Bool, _ line: Int?, _ path: String
    ) -> SPKIPin? {
        guard !isExhausted else { return nil }
        var trial = PinValueReader(file: file)
        let key = trial.key(text, allowing: .okio, line, path)
        let isOfAnotherLength = trial.problems.map(\.code) == [.pinFileWrongLength]
        guard isOfAnotherLength, orUnmatchable else {
            for problem in trial.problems {
                add(problem.code, as: problem.grade, line, path, problem.detail, fix: problem.fix, sha1: problem.sha1)
            }
            return key
        }
        return self.key(base64: String(text.dropFirst("sha256/".count)), orUnmatchable: true, line, path)
    }
}
