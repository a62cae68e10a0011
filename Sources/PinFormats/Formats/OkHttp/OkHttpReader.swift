// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

// OkHttp's `CertificatePinner` (CertificatePinner.kt): a pattern is a name, `*.` and a name for exactly one label below it, or `**.` and a
// name for it and all below; the pins of all patterns that match are united; one of them has to be anywhere in the chain.
//
// OkHttp's pins stand in code, so a file has either lines of their own,
//     *.example.com sha256/AAAA… sha256/BBBB…     # a comment
// or the call that makes a pinner, in Kotlin or Java, and nothing else:
//     val pinner = CertificatePinner.Builder()
//         .add("*.example.com", "sha256/AAAA…", "sha256/BBBB…")  // a comment
//         .build()

struct OkHttpReader {
    /// Returns whether the text can be in this format.
    static func recognizes(_ text: String) -> Bool {
        text.contains("CertificatePinner") || text.contains(".add(")
            || text.split(whereSeparator: \.isNewline).contains { line in
                let words = line.split(whereSeparator: \.isWhitespace)
                guard words.count > 1, words[1].hasPrefix("sha256/") else { return false }
                // Two slashes are curl's, unless the second one begins the base64.
                return !words[1].hasPrefix("sha256//") || (try? SPKIPin(String(words[1]))) != nil
            }
    }

    /// A pattern with its pins as written.
    private struct Entry {
        let pattern: String
        let pins: [String]
        let line: Int
        let comment: String?
    }

    private var values: PinValueReader

    static func read(_ text: String, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = OkHttpReader(values: PinValueReader(file: file))
        let isCode = text.contains(".add(") || text.contains("CertificatePinner")
        let entries = isCode ? reader.entries(code: text) : reader.entries(lines: text)
        return try reader.configuration(entries, isCode: isCode)
    }

    private mutating func configuration(_ entries: [Entry], isCode: Bool) throws(PinFileError) -> PinConfiguration {
        var order: [PinnedHosts] = []
        var byHosts: [PinnedHosts: (pins: [Pin], line: Int, path: String, comments: [String])] = [:]
        for entry in entries {
            guard let hosts = hosts(entry.pattern, entry.line) else { continue }
            let path = hosts.pattern ?? entry.pattern
            if entry.pins.isEmpty {
                values.diagnostics.add(
                    .nothingPinned, as: .odd, entry.line, path,
                    "no pin, expected sha256/BASE64: nothing is pinned by it")
                continue
            }
            if byHosts[hosts] == nil {
                order.append(hosts)
                byHosts[hosts] = ([], entry.line, path, [])
            }
            // A call that no key meets refuses every server: it is a problem, not an oddity.
            let canMatch = entry.pins.contains { $0.utf8.count >= "sha256/".utf8.count + 43 }
            for text in entry.pins {
                let pinPath = "\(path)[\(byHosts[hosts]?.pins.count ?? 0)]"
                guard let key = values.okHttpKey(text, orUnmatchable: canMatch, entry.line, pinPath) else { continue }
                // A comment behind a single pin belongs to the pin.
                let comment = entry.pins.count == 1 ? entry.comment : nil
                byHosts[hosts]?.pins.append(
                    Pin(.key(key), comment: comment, location: values.diagnostics.location(entry.line, pinPath)))
            }
            if entry.pins.count != 1, let comment = entry.comment { byHosts[hosts]?.comments.append(comment) }
        }
        var rules: [PinRule] = []
        for hosts in order {
            guard let found = byHosts[hosts] else { continue }
            let pins = values.unique(found.pins, as: .odd, found.path)
            let location = values.diagnostics.location(found.line, found.path)
            let rule = values.diagnostics.rule(location) { () throws(PinRuleError) in
                try PinRule(
                    hosts: [hosts], pins: pins,
                    comment: found.comments.isEmpty ? nil : found.comments.joined(separator: "\n"), location: location)
            }
            if let rule { rules.append(rule) }
        }
        // A pinner without a pin is valid, and accepts every server.
        let isEmpty = (isCode || !entries.isEmpty) && rules.isEmpty && !values.diagnostics.isRefused
        if isEmpty, entries.isEmpty {
            values.diagnostics.add(.emptyList, as: .odd, 1, "", "a pinner without a pin: no host is pinned")
        }
        return try values.diagnostics.configuration { () throws(PinConfigurationError) in
            try PinConfiguration(rules: rules, selection: .union, allowsNoRule: isEmpty)
        }
    }

    private mutating func hosts(_ pattern: String, _ line: Int) -> PinnedHosts? {
        let stars = pattern.hasPrefix("**.") ? 3 : pattern.hasPrefix("*.") ? 2 : 0
        guard let name = values.host(String(pattern.dropFirst(stars)), line, pattern, mapsInternational: true) else {
            return nil
        }
        values.checkDot(pattern, keptInURLs: true, line, pattern)
        let hosts: PinnedHosts? =
            switch stars {
            case 3: .host(name, andBelow: .anyDepth)
            case 2: .below(name, .oneLabel)
            default: .only(name)
            }
        if hosts == nil {
            values.diagnostics.add(.badHost, line, pattern, "a wildcard before an IP address, expected it alone")
        }
        return hosts
    }

    // MARK: Lines

    private mutating func entries(lines text: String) -> [Entry] {
        var entries: [Entry] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var content = line
            var comment: String?
            // Neither patterns nor base64 have a number sign.
            if let sign = line.firstIndex(of: "#") {
                content = line[..<sign]
                comment = String(line[line.index(after: sign)...]).trimmed
            }
            let words = content.split { $0.isWhitespace || $0 == "," }.map(String.init)
            guard let pattern = words.first else { continue }
            entries.append(
                Entry(pattern: pattern, pins: Array(words.dropFirst()), line: index + 1, comment: comment))
        }
        return entries
    }

    // MARK: Code

    private mutating func entries(code text: String) -> [Entry] {
        var scanner = OkHttpCodeScanner(text)
        var entries: [Entry] = []
        while let step = scanner.next() {
            switch step {
            case .add(let arguments, let line, let comment):
                guard let pattern = arguments.first else {
                    values.diagnostics.add(.missingKey, line, "", ".add() without a pattern")
                    continue
                }
                entries.append(
                    Entry(pattern: pattern, pins: Array(arguments.dropFirst()), line: line, comment: comment))
            case .unknown(let text, let line):
                values.diagnostics.add(
                    .unknownKey, line, "", "\"\(clipped(text))\", expected .add(\"pattern\", \"sha256/…\")")
            }
        }
        return entries
    }
}
