// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// OkHttp's `CertificatePinner` (CertificatePinner.kt). A pattern is a name, or a name after `*.` or `**.`. `*.` covers
// exactly one label below the name. `**.` covers the name itself and everything below it. If several patterns match,
// OkHttp unites their pins. One of the pins has to match anywhere in the chain.
//
// OkHttp's pins are in code, which PinFiles reads. A file for an app has lines of patterns and pins:
//     *.example.com sha256/AAAA… sha256/BBBB…     # a comment

package struct OkHttpReader {
    /// Returns whether text can be a list of patterns and pins.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        !isCode(bytes) && bytes.contains(text: "sha256/") && hasLine(bytes)
    }

    /// Returns whether text contains signs of calls that create a pinner.
    package static func isCode(_ bytes: [UInt8]) -> Bool {
        bytes.contains(text: "CertificatePinner") || bytes.contains(text: "certificatePinner {")
            || bytes.contains(text: ".add(") && (bytes.contains(text: "\"sha256/") || bytes.contains(text: "\"sha1/"))
    }

    private static func hasLine(_ bytes: [UInt8]) -> Bool {
        bytes.split { $0 == 0x0a || $0 == 0x0d }.contains { line in
            let words = line.split(maxSplits: 2) { $0 == 0x20 || $0 == 0x09 }
            guard words.count > 1, words[1].starts(with: Array("sha256/".utf8)) else { return false }
            // Two slashes indicate a curl option, unless the second slash begins the base64.
            let pin = String(decoding: words[1], as: UTF8.self)
            return !pin.hasPrefix("sha256//") || (try? SPKIPin(pin)) != nil
        }
    }

    /// A pattern with its pins as written.
    package struct Entry {
        package let pattern: String
        package let pins: [String]
        package let line: Int
        let comment: String?
        /// The number of the pinner, for files with several.
        package let pinner: Int
        /// Whether pins are missing because they aren't literals.
        let isPartial: Bool

        package init(
            pattern: String, pins: [String], line: Int, comment: String?, pinner: Int = 1, isPartial: Bool = false
        ) {
            self.pattern = pattern
            self.pins = pins
            self.line = line
            self.comment = comment
            self.pinner = pinner
            self.isPartial = isPartial
        }
    }

    package var values: PinValueReader

    package init(file: String) { values = PinValueReader(file: file) }

    /// Parses a list of patterns and pins.
    /// - Throws: `PinFileError` with all problems. For Kotlin or Java source, the problem is `unreadable`.
    package static func read(_ bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        guard !isCode(bytes) else {
            throw PinFileError(
                .pinFileUnreadable, in: file,
                "a source file in Kotlin or Java, expected lines with a pattern and its pins; PinFiles reads sources")
        }
        var reader = OkHttpReader(file: file)
        let entries = reader.entries(lines: String(decoding: bytes, as: UTF8.self))
        return try reader.configuration(entries, isCode: false)
    }

    /// Returns the configuration with these patterns and pins.
    package mutating func configuration(_ entries: [Entry], isCode: Bool) throws(PinFileError) -> PinConfiguration {
        var order: [PinnedHosts] = []
        var byHosts: [PinnedHosts: (pins: [Pin], line: Int, path: String, comments: [String])] = [:]
        for entry in entries {
            let pattern = entry.pattern
            guard let hosts = values.hosts(pattern, entry.line, pattern, mapsInternational: true) else { continue }
            values.checkDot(pattern, keptInURLs: true, entry.line, pattern)
            let path = hosts.pattern ?? entry.pattern
            if entry.pins.isEmpty, entry.isPartial { continue }
            if entry.pins.isEmpty {
                values.add(
                    .pinFileNothingPinned, as: .odd, entry.line, path,
                    "no pin, expected sha256/BASE64: the entry pins nothing")
                continue
            }
            if byHosts[hosts] == nil {
                order.append(hosts)
                byHosts[hosts] = ([], entry.line, path, [])
            }
            // If no key matches a call's pins, the call refuses every server. This is therefore a problem instead of an
            // oddity.
            let canMatch = entry.pins.contains { $0.utf8.count >= "sha256/".utf8.count + 43 }
            for text in entry.pins {
                let pinPath = "\(path)[\(byHosts[hosts]?.pins.count ?? 0)]"
                guard let key = values.okHttpKey(text, orUnmatchable: canMatch, entry.line, pinPath) else { continue }
                // A comment after a single pin belongs to the pin.
                let comment = entry.pins.count == 1 ? entry.comment : nil
                byHosts[hosts]?.pins.append(
                    Pin(.key(key), comment: comment, location: values.location(entry.line, pinPath)))
            }
            if entry.pins.count != 1, let comment = entry.comment { byHosts[hosts]?.comments.append(comment) }
        }
        let rules = order.compactMap { hosts -> PinRule? in
            guard let found = byHosts[hosts] else { return nil }
            return values.rule(
                [hosts], values.unique(found.pins, as: .odd, found.path),
                comment: found.comments.isEmpty ? nil : found.comments.joined(separator: "\n"), found.line, found.path)
        }
        // A pinner without pins is valid and accepts every server.
        let isEmpty = (isCode || !entries.isEmpty) && rules.isEmpty && !values.isRefused
        let isExplained = values.has(.pinFileNotLiteral) || values.has(.pinFileNothingPinned)
        if isEmpty, entries.isEmpty, !isExplained {
            values.add(.pinFileEmptyList, as: .odd, 1, "", "a pinner without pins: no host is pinned")
        }
        return try values.configuration(rules, selection: .union, allowsNoRule: isEmpty)
    }

    private mutating func entries(lines text: String) -> [Entry] {
        var entries: [Entry] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var content = line
            var comment: String?
            // Patterns and base64 contain no number sign.
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
}
