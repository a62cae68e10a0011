// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

// OkHttp's `CertificatePinner` (CertificatePinner.kt): a pattern is a name, `*.` and a name for exactly one label below it, or `**.` and a
// name for it and all below; the pins of all patterns that match are united; one of them has to be anywhere in the chain.
//
// OkHttp's pins stand in code: a file is a source of Kotlin or Java with the calls that make a pinner, or a part of one,
//     val pinner = CertificatePinner.Builder()
//         .add("*.example.com", "sha256/AAAA…", "sha256/BBBB…")  // a comment
//         .build()
// or has lines of their own:
//     *.example.com sha256/AAAA… sha256/BBBB…     # a comment
// A call whose arguments are no literals is an odd problem, for which the pins are not enforced: they would lack a host or a key.

struct OkHttpReader {
    /// Returns whether a text can be in this format.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        isCode(bytes) || bytes.contains(ascii: "sha256/") && hasLine(bytes)
    }

    private static func isCode(_ bytes: [UInt8]) -> Bool {
        bytes.contains(ascii: "CertificatePinner") || bytes.contains(ascii: "certificatePinner {")
            || bytes.contains(ascii: ".add(")
                && (bytes.contains(ascii: "\"sha256/") || bytes.contains(ascii: "\"sha1/"))
    }

    private static func hasLine(_ bytes: [UInt8]) -> Bool {
        bytes.split { $0 == 0x0a || $0 == 0x0d }.contains { line in
            let words = line.split(maxSplits: 2) { $0 == 0x20 || $0 == 0x09 }
            guard words.count > 1, words[1].starts(with: Array("sha256/".utf8)) else { return false }
            // Two slashes are curl's, unless the second one begins the base64.
            let pin = String(decoding: words[1], as: UTF8.self)
            return !pin.hasPrefix("sha256//") || (try? SPKIPin(pin)) != nil
        }
    }

    /// A pattern with its pins as written.
    private struct Entry {
        let pattern: String
        let pins: [String]
        let line: Int
        let comment: String?
        /// The number of the pinner, for files with several.
        var pinner = 1
        /// Whether pins are missing here because they are no literals.
        var isPartial = false
    }

    private var values: PinValueReader

    static func read(_ bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        var reader = OkHttpReader(values: PinValueReader(file: file))
        let isCode = isCode(bytes)
        let entries =
            isCode
            ? reader.entries(code: SourceCode(bytes, SourceLanguage(file: file) ?? SourceLanguage(guessing: bytes)))
            : reader.entries(lines: String(decoding: bytes, as: UTF8.self))
        return try reader.configuration(entries, isCode: isCode)
    }

    private mutating func configuration(_ entries: [Entry], isCode: Bool) throws(PinFileError) -> PinConfiguration {
        var order: [PinnedHosts] = []
        var byHosts: [PinnedHosts: (pins: [Pin], line: Int, path: String, comments: [String])] = [:]
        for entry in entries {
            guard let hosts = hosts(entry.pattern, entry.line) else { continue }
            let path = hosts.pattern ?? entry.pattern
            if entry.pins.isEmpty, entry.isPartial { continue }
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
        if isEmpty, entries.isEmpty, !values.diagnostics.problems.contains(where: { $0.code == .notLiteral }) {
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

    private mutating func entries(code: SourceCode) -> [Entry] {
        if let line = code.unendedLine {
            values.diagnostics.add(
                .notLiteral, as: .odd, line, "", "a string or comment that does not end: nothing behind it was read")
        }
        let found = OkHttpCalls(code)
        if found.pinners == 0 {
            values.diagnostics.add(.missingKey, 1, "", "no pinner is made here, expected CertificatePinner.Builder()")
        }
        let entries = found.calls.compactMap { entry(code, $0) }
        code.work.check(&values.diagnostics)
        // Their comparison has no meter.
        guard !code.work.meter.isExhausted else { return [] }
        checkPinners(entries)
        return entries
    }

    private mutating func entry(_ code: SourceCode, _ call: OkHttpCall) -> Entry? {
        let line = code.line(call.open - 1)
        guard let close = code.partner(call.open) else {
            values.diagnostics.add(.notLiteral, as: .odd, line, "", "a call of add() that does not end")
            return nil
        }
        var items = code.items(in: call.open)
        // Arguments with names may be in any order.
        if let index = items.firstIndex(where: { isNamed(code, $0, "pattern") || isNamed(code, $0, "hostname") }) {
            items.insert(items.remove(at: index), at: 0)
        }
        let arguments = items.map { Self.argument(code, $0) }
        guard let first = arguments.first else {
            values.diagnostics.add(.missingKey, line, "", ".add() without a pattern")
            return nil
        }
        guard let pattern = code.string(first) else {
            values.diagnostics.add(
                .notLiteral, as: .odd, line, "",
                "the host \(clipped(code.excerpt(first))) is not a literal: its pins are not known")
            return nil
        }
        if call.isConditional {
            values.diagnostics.add(
                .notLiteral, as: .odd, line, pattern, "made under a condition: whether its pins apply is not known")
        }
        var pins: [String] = []
        var isPartial = false
        for argument in arguments.dropFirst() {
            for element in code.list(argument).map({ $0.map { Self.argument(code, $0) } }) ?? [argument] {
                if let pin = code.string(element) {
                    pins.append(pin)
                } else {
                    isPartial = true
                    values.diagnostics.add(
                        .notLiteral, as: .odd, code.line(element.lowerBound), pattern,
                        "the pin \(clipped(code.excerpt(element))) is not a literal, so it is not known")
                }
            }
        }
        return Entry(
            pattern: pattern, pins: pins, line: line, comment: code.comment(behind: close), pinner: call.pinner,
            isPartial: isPartial)
    }

    private func isNamed(_ code: SourceCode, _ item: Range<Int>, _ name: StaticString) -> Bool {
        item.count > 2 && code.isWord(item.lowerBound, name) && code.isSymbol(item.lowerBound + 1, "=")
            && !code.isSymbol(item.lowerBound + 2, "=")
    }

    /// Returns an argument without its name and without the star that spreads an array.
    private static func argument(_ code: SourceCode, _ item: Range<Int>) -> Range<Int> {
        var item = item
        if item.count > 2, code.word(item.lowerBound) != nil, code.isSymbol(item.lowerBound + 1, "="),
            !code.isSymbol(item.lowerBound + 2, "=")
        {
            item = (item.lowerBound + 2)..<item.upperBound
        }
        if item.count > 1, code.isSymbol(item.lowerBound, "*") { item = (item.lowerBound + 1)..<item.upperBound }
        return item
    }

    /// Reports several pinners, each of which is for clients of its own. One configuration can hold them if none accepts other pins for a
    /// host of another one.
    private mutating func checkPinners(_ entries: [Entry]) {
        var pins: [String: [Int: Set<String>]] = [:]
        for entry in entries {
            pins[entry.pattern.lowercased(), default: [:]][entry.pinner, default: []].formUnion(entry.pins)
        }
        guard let first = entries.first, let other = entries.first(where: { $0.pinner != first.pinner }) else { return }
        let sets = pins.mapValues(PinnerSets.init)
        var isReported: Set<Int> = []
        var isChecked: Set<String> = []
        for entry in entries where isChecked.insert("\(entry.pinner) \(entry.pattern.lowercased())").inserted {
            var name = entry.pattern.lowercased()
            let own = pins[name]?[entry.pinner] ?? []
            name = String(name.drop { $0 == "*" || $0 == "." })
            // No host has a longer name: it is a problem of its own.
            guard name.utf8.count <= 255 else { continue }
            let patterns = [name] + Self.namesUpward(name).flatMap { ["*.\($0)", "**.\($0)"] }
            let differs = patterns.contains { sets[$0]?.differs(from: own, before: entry.pinner) ?? false }
            guard differs, isReported.insert(entry.pinner).inserted else { continue }
            values.diagnostics.add(
                .contradiction, entry.line, entry.pattern,
                "another pinner of this file has other pins for hosts of \(clipped(entry.pattern)), expected one pinner"
            )
        }
        guard isReported.isEmpty else { return }
        values.diagnostics.add(
            .contradiction, as: .odd, other.line, other.pattern,
            "a second pinner: the pins of each are for the clients that it is given to")
    }

    /// The pins of one pattern in several pinners: those of its first one, and the first one that has others.
    private struct PinnerSets {
        private let first: (pinner: Int, pins: Set<String>)
        private let other: Int?

        init(_ pins: [Int: Set<String>]) {
            let known = pins.min { $0.key < $1.key } ?? (0, [])
            first = (known.key, known.value)
            other = pins.lazy.filter { $0.value != known.value }.map(\.key).min()
        }

        /// Returns whether a pinner with a lower number has other pins.
        func differs(from own: Set<String>, before pinner: Int) -> Bool {
            guard first.pinner < pinner else { return false }
            return first.pins != own || other.map { $0 < pinner } ?? false
        }
    }

    /// Returns a name and the names above it, at most 127 as host names have.
    private static func namesUpward(_ name: String) -> [Substring] {
        var names = [name[...]]
        while names.count < 127, let rest = names.last, let dot = rest.firstIndex(of: ".") {
            names.append(rest[rest.index(after: dot)...])
        }
        return names
    }
}
