// SPDX-License-Identifier: Apache-2.0

/// A reader for the key `cache-dir` of upki's `config.toml`. It doesn't parse the rest of the file.
///
/// The key is on a separate line before the first table (`[…]`). Its value is a basic string (`"…"`, only with the
/// escapes `\\` and `\"`) or a literal string (`'…'`).
enum UpkiConfiguration {
    /// Returns the folder.
    /// - Throws: ``UpkiConfigurationError`` with the line if the key is missing or occurs twice, or if the path is
    ///   relative.
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

    /// Returns the text after the equals sign on the key's line, or nil if the line has another key.
    private static func value(of key: String, in line: Substring) -> Substring? {
        for form in [key, "\"\(key)\"", "'\(key)'"] where line.hasPrefix(form) {
            let rest = line.dropFirst(form.count).trimmingBlanks
            if rest.hasPrefix("=") { return rest.dropFirst().trimmingBlanks }
        }
        return nil
    }

    /// Returns the contents of a string that ends the line or precedes a comment, or nil for any other value.
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
        // Checks that a quote ended the loop. An unterminated string has none.
        guard rest.startIndex > value.index(after: value.startIndex), value[..<rest.startIndex].last == quote else {
            return nil
        }
        let remark = rest.trimmingBlanks
        return remark.isEmpty || remark.hasPrefix("#") ? text : nil
    }
}

/// An error in upki's configuration.
struct UpkiConfigurationError: Error, CustomStringConvertible {
    /// The line, from 1, or nil if the error is about the whole file.
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
