// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The key `cache-dir` of upki's `config.toml`. The rest of the file isn't read as TOML: it has no meaning here.
///
/// The key is a line of its own before the first table (`[…]`), with a basic string (`"…"`, the escapes `\\` and `\"` alone) or a literal one
/// (`'…'`).
enum UpkiConfiguration {
    /// Returns the folder.
    /// - Throws: ``UpkiConfigurationError`` with the line, for a text without the key, with two of it, and for a relative path.
    static func cacheFolder(_ bytes: [UInt8]) throws(UpkiConfigurationError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UpkiConfigurationError(line: nil, problem: "expected text in UTF-8")
        }
        var found: String?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingBlanks
            if line.hasPrefix("[") { break }
            guard let value = Self.value(of: "cache-dir", in: line) else { continue }
            guard let folder = string(value), folder.hasPrefix("/"), !folder.utf8.contains(0), found == nil else {
                throw UpkiConfigurationError(
                    line: index + 1,
                    problem:
                        "expected cache-dir once, an absolute path in quotes, found \"\(clipped(String(value), to: 64))\""
                )
            }
            found = folder
        }
        guard let found else { throw UpkiConfigurationError(line: nil, problem: "expected the key cache-dir") }
        return found
    }

    /// Returns the text behind the equals sign of a key's line; nil for another line.
    private static func value(of key: String, in line: Substring) -> Substring? {
        for form in [key, "\"\(key)\"", "'\(key)'"] where line.hasPrefix(form) {
            let rest = line.dropFirst(form.count).trimmingBlanks
            if rest.hasPrefix("=") { return rest.dropFirst().trimmingBlanks }
        }
        return nil
    }

    /// Returns the contents of a string that ends with the line, or before a comment; nil for another value.
    private static func string(_ value: Substring) -> String? {
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        var (text, rest) = ("", value.dropFirst())
        while let next = rest.popFirst(), next != quote {
            guard next == "\\", quote == "\"" else {
                text.append(next)
                continue
            }
            guard let escaped = rest.popFirst(), escaped == "\\" || escaped == "\"" else { return nil }
            text.append(escaped)
        }
        // The quote that ended the loop, which a text without an end lacks.
        guard rest.startIndex > value.index(after: value.startIndex), value[..<rest.startIndex].last == quote else {
            return nil
        }
        let remark = rest.trimmingBlanks
        return remark.isEmpty || remark.hasPrefix("#") ? text : nil
    }
}

/// An error in upki's configuration.
struct UpkiConfigurationError: Error, CustomStringConvertible {
    /// The line, from 1; nil if it is about the whole file.
    let line: Int?
    let problem: String

    var description: String { [line.map { "line \($0)" }, problem].compactMap(\.self).joined(separator: ": ") }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        return drop(while: isBlank).reversedTrimming(isBlank)
    }

    private func reversedTrimming(_ isBlank: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
