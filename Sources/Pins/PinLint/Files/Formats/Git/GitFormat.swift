// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// git's `http.pinnedPubkey` (Documentation/config/http.txt) for any host, and `http.<url>.pinnedPubkey`. The value has
// curl's format. The best matching URL counts. In a URL, `*` matches one label of a host. If a variable occurs twice,
// the last one counts (git-config). Rules here can't express paths, users and ports of URLs.

/// Reads and writes the pins of git's configuration.
struct GitFormat: PinReading {
    private static let key = "pinnedpubkey"
    /// The maximum length of a URL in bytes. Every variable of a section reads the URL again, so at most one more byte
    /// of a longer URL is kept.
    private static let maximumURLSize = 2048

    /// Returns whether text can be such a file.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(text: "[http") || bytes.contains(text: "[HTTP") else { return false }
        return ["pinnedPubkey", "pinnedpubkey", "pinnedPubKey"].contains { bytes.contains(text: $0) }
    }

    var values: PinValueReader

    private struct Entry {
        let url: String?
        let value: String
        let line: Int
    }

    /// Reads a git configuration.
    /// - Throws: `PinFileError` with all problems.
    mutating func configuration(_ bytes: [UInt8]) throws(PinFileError) -> PinConfiguration {
        var order: [String?] = []
        var byURL: [String?: Entry] = [:]
        for entry in entries(String(decoding: bytes, as: UTF8.self)) {
            if byURL.updateValue(entry, forKey: entry.url) == nil {
                order.append(entry.url)
            } else {
                values.add(
                    .pinFileDuplicateKey, as: .odd, entry.line, entry.url ?? "http",
                    "the variable occurs twice, and the last one counts")
            }
        }
        let rules = order.compactMap { url in byURL[url].flatMap { rule($0) } }
        return try values.configuration(rules, allowsNoRule: values.has(.pinFileNotLiteral))
    }

    private mutating func rule(_ entry: Entry) -> PinRule? {
        let path = (entry.url.map { "http.\($0)" } ?? "http") + ".pinnedPubkey"
        let pins = CurlFormat.pins(entry.value, orFile: true, entry.line, path, &values)
        var hosts: [PinnedHosts] = []
        if let url = entry.url {
            guard let found = self.hosts(url, entry.line, path) else { return nil }
            hosts = [found]
        }
        guard !pins.isEmpty else { return nil }
        return values.rule(hosts, pins, entry.line, path)
    }

    private mutating func hosts(_ url: String, _ line: Int, _ path: String) -> PinnedHosts? {
        guard url.utf8.count <= Self.maximumURLSize else {
            values.add(.pinFileBadHost, line, path, "a URL over \(Self.maximumURLSize) bytes, expected a host's URL")
            return nil
        }
        guard url.lowercased().hasPrefix("https://") else {
            values.add(.pinFileBadHost, line, path, "not an https URL, and pins apply only to those")
            return nil
        }
        let rest = url.dropFirst(8)
        var authority = rest.prefix { $0 != "/" }
        let below = rest.dropFirst(authority.count)
        if !(below.isEmpty || below == "/") {
            values.add(
                .pinFileBadValue, as: .odd, line, path, "the path \(clipped(String(below))): read as the whole host")
        }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        let isAddress = authority.hasPrefix("[")
        let portStart =
            isAddress ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
        if let start = portStart, start < authority.endIndex {
            if authority[start...] != ":443" {
                values.add(
                    .pinFileBadValue, as: .odd, line, path,
                    "the port \(clipped(String(authority[start...]))): read as the host with any port")
            }
            authority = authority[..<start]
        }
        if isAddress { authority = authority.dropFirst().dropLast() }
        guard authority.hasPrefix("*.") else {
            return values.host(String(authority), line, path).map { .only($0) }
        }
        return values.host(String(authority.dropFirst(2)), line, path).flatMap { .below($0, .oneLabel) }
    }

    // MARK: Lines

    private mutating func entries(_ text: String) -> [Entry] {
        var entries: [Entry] = []
        var section: (isHTTP: Bool, url: String?) = (false, nil)
        for (joined, number) in joinedLines(text) {
            var line = joined.trimmed
            if line.hasPrefix("["), let end = Self.sectionEnd(line) {
                section = Self.section(String(line[line.index(after: line.startIndex)..<end]))
                line = String(line[line.index(after: end)...]).trimmed
            }
            guard section.isHTTP, let equals = line.firstIndex(of: "=") else { continue }
            let name = String(line[..<equals]).trimmed.lowercased()
            let value = Self.value(String(line[line.index(after: equals)...]))
            if name == Self.key { entries.append(Entry(url: section.url, value: value, line: number)) }
            if name == "sslverify", ["false", "no", "off", "0"].contains(value.lowercased()) {
                values.add(
                    .pinFileContradiction, as: .odd, number,
                    (section.url.map { "http.\($0)" } ?? "http") + ".sslVerify",
                    "sslVerify is off beside the pin: any certificate for any name is accepted if its key matches",
                    fix: "remove sslVerify; for a private CA, use sslCAInfo")
            }
        }
        return entries
    }

    /// Returns the lines and their numbers, from 1. A trailing backslash continues a value on the next line, which then
    /// counts as part of the first line.
    ///
    /// A comment always ends with its line, even after a backslash (config.c, parse_value and git_parse_source).
    private func joinedLines(_ text: String) -> [(text: String, number: Int)] {
        var lines: [(text: String, number: Int)] = []
        var parts: [Substring] = []
        var isQuoted = false
        let all = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, raw) in all.enumerated() {
            let goesOn = Self.goesOn(raw, isQuoted: &isQuoted)
            parts.append(goesOn ? Substring(raw.unicodeScalars.dropLast()) : raw)
            if goesOn, index + 1 < all.count { continue }
            lines.append((parts.joined(), index + 2 - parts.count))
            parts = []
            isQuoted = false
        }
        return lines
    }

    /// Returns whether a line ends with a backslash that isn't escaped and isn't in a comment.
    /// - Parameter isQuoted: on entry, whether the line starts within quotes. On return, whether it ends within quotes.
    private static func goesOn(_ line: Substring, isQuoted: inout Bool) -> Bool {
        var isEscaped = false
        for byte in line.utf8 {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "#") where !isQuoted, UInt8(ascii: ";") where !isQuoted: return false
            default: break
            }
        }
        return isEscaped
    }

    /// Returns the index of the bracket that ends a section's header. Skips brackets in quotes.
    private static func sectionEnd(_ line: String) -> String.Index? {
        var isQuoted = false
        for index in line.indices {
            if line[index] == "\"" { isQuoted.toggle() }
            if line[index] == "]", !isQuoted { return index }
        }
        return nil
    }

    private static func section(_ header: String) -> (isHTTP: Bool, url: String?) {
        let name = header.prefix { !$0.isWhitespace && $0 != "\"" }
        guard name.lowercased() == "http" else { return (false, nil) }
        let rest = String(header.dropFirst(name.count)).trimmed
        guard rest.count > 1, rest.hasPrefix("\""), rest.hasSuffix("\"") else { return (rest.isEmpty, nil) }
        let url = String(rest.dropFirst().dropLast()).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
        return (true, String(decoding: url.utf8.prefix(maximumURLSize + 1), as: UTF8.self))
    }

    /// Returns a value without its quotes and its trailing comment. A semicolon also starts a comment, so a list of
    /// pins needs quotes.
    private static func value(_ text: String) -> String {
        var value = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == "#" || character == ";" {
                break
            } else {
                value.append(character)
            }
        }
        return value.trimmed
    }

    // MARK: Writing

    /// Returns a section for each host, or one section for any host.
    static func write(_ configuration: PinConfiguration) throws(PinWritingError) -> [UInt8] {
        var lines: [String] = []
        func section(_ url: String?, _ rule: PinRule) {
            guard rule.mode == .enforced, !rule.leafKeys.isEmpty else { return }
            lines.append(url.map { "[http \"\($0)\"]" } ?? "[http]")
            lines.append("\tpinnedPubkey = \"\(CurlFormat.write(rule.leafKeys).trimmed)\"")
        }
        if let rule = configuration.rules.first, rule.isForAnyHost { section(nil, rule) }
        for row in PinProjection(configuration).rows {
            if let rule = row.itself {
                let isAddress = if case .ip = row.name.kind { row.name.description.contains(":") } else { false }
                section("https://\(isAddress ? "[\(row.name)]" : "\(row.name)")/", rule)
            }
            if let rule = row.oneLabel { section("https://*.\(row.name)/", rule) }
        }
        guard !lines.isEmpty else { throw PinWritingError(.pinWritingNothing, .git) }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
