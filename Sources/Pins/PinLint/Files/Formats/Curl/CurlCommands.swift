// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// curl's option in the places where it is used: on command lines in scripts, and in option files (`.curlrc`, `-K`;
// src/tool_parsecfg.c).

/// The values of `--pinnedpubkey` in scripts and option files.
struct CurlCommands {
    struct Value {
        /// The value's text, or nil if a shell expands it.
        let text: String?
        let line: Int
        /// Whether an unquoted semicolon ends the command before the next pin.
        var isCutOff = false
        /// The option of the same command or file that turns off the verification of paths and names, or nil.
        var insecure: String?
    }

    static let option = "pinnedpubkey"

    /// Returns whether text contains the option.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        bytes.contains(text: "pinnedpubkey") && !GitFormat.recognizes(bytes)
    }

    /// Returns the values in order.
    static func values(_ bytes: [UInt8]) -> [Value] {
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        let isScript = lines.contains { line in
            let words = line.split { $0 == 0x20 || $0 == 0x09 }
            // A comment in an option file may also mention curl.
            if words.first?.first == UInt8(ascii: "#") { return false }
            return words.contains { $0.starts(with: "--pinnedpubkey".utf8) || $0.elementsEqual("curl".utf8) }
                && words.first.map { !$0.starts(with: "--pinnedpubkey".utf8) } ?? false
        }
        if isScript { return script(bytes) }
        let insecure = lines.lazy.map { String(decoding: $0, as: UTF8.self).trimmed }.first { line in
            let words = line.split { $0 == " " || $0 == "=" || $0 == ":" }
            return ["insecure", "--insecure", "-k"].contains(words.first)
                && !["false", "no"].contains(words.dropFirst().first)
        }
        return lines.enumerated().compactMap { index, line in
            var value = option(line, index + 1)
            value?.insecure = insecure
            return value
        }
    }

    /// The options with an argument among curl's options of one letter (src/tool_getparam.c).
    private static let lettersWithArgument = Set("AbcCdDeEFhHKmoPQrtTuUwxXyYz")

    /// Returns the option that turns off the verification if a word contains it: curl's `-k`, also among other letters,
    /// or wget's option.
    private static func insecure(_ word: String) -> String? {
        if ["--insecure", "--no-check-certificate"].contains(word) { return word }
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return nil }
        return word.dropFirst().prefix { !lettersWithArgument.contains($0) }.contains("k") ? "-k" : nil
    }

    // MARK: Files of options

    /// Returns the value in a line such as `option = "value"`. The dashes before the name, the equals sign and the
    /// quotes are optional.
    private static func option(_ line: ArraySlice<UInt8>, _ number: Int) -> Value? {
        let text = String(decoding: line, as: UTF8.self).trimmed
        let name = text.drop { $0 == "-" }
        guard name.hasPrefix(option) else { return nil }
        var rest = String(name.dropFirst(option.count))
        guard rest.first.map({ $0.isWhitespace || $0 == "=" || $0 == ":" }) ?? true else { return nil }
        rest = rest.trimmed
        if rest.hasPrefix("=") || rest.hasPrefix(":") { rest = String(rest.dropFirst()).trimmed }
        for quote in ["\"", "'"] where rest.hasPrefix(quote) {
            rest = String(rest.dropFirst().prefix { String($0) != quote })
            return Value(text: rest, line: number)
        }
        return Value(text: String(rest.prefix { !$0.isWhitespace }), line: number)
    }

    // MARK: Scripts

    /// Returns the values in commands. Words that a shell expands aren't literals.
    private static func script(_ bytes: [UInt8]) -> [Value] {
        var words = ShellWords(bytes)
        var values: [Value] = []
        var isExpected = false
        // The first value of the current command, and its option without verification.
        var start = 0
        var insecure: String?
        func end() {
            for index in values.indices.dropFirst(start) { values[index].insecure = insecure }
            (start, insecure) = (values.count, nil)
        }
        while let word = words.next() {
            if word.isSeparator {
                isExpected = false
                end()
                continue
            }
            if isExpected {
                isExpected = false
                values.append(Value(text: word.text, line: word.line))
                continue
            }
            guard let text = word.text else { continue }
            insecure = insecure ?? Self.insecure(text)
            if text == "--" + option {
                isExpected = true
            } else if text.hasPrefix("--" + option + "=") {
                values.append(Value(text: String(text.dropFirst(option.count + 3)), line: word.line))
            } else if text.hasPrefix("sha256//"), word.isFirst, let last = values.indices.last {
                values[last].isCutOff = true
            }
        }
        end()
        return values
    }
}

/// Splits a shell script into words. Handles quotes, backslashes and comments, but doesn't interpret the words.
private struct ShellWords {
    struct Word {
        /// The word's text, or nil if it contains an expansion.
        let text: String?
        let line: Int
        /// Whether the word is the end of a command.
        let isSeparator: Bool
        /// Whether the word is the first word of a command.
        let isFirst: Bool
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var isFirst = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Word? {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0d: index += 1
            case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1] == 0x0a:
                index += 2
                line += 1
            case UInt8(ascii: "#"): while index < bytes.count, bytes[index] != 0x0a { index += 1 }
            case 0x0a, UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"):
                let start = line
                if bytes[index] == 0x0a { line += 1 }
                index += 1
                isFirst = true
                return Word(text: nil, line: start, isSeparator: true, isFirst: false)
            default: return word()
            }
        }
        return nil
    }

    private mutating func word() -> Word {
        let (start, first) = (line, isFirst)
        isFirst = false
        var text: [UInt8] = []
        var isDynamic = false
        var quote: UInt8?
        loop: while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0a { line += 1 }
            switch (byte, quote) {
            case (UInt8(ascii: "'"), nil), (UInt8(ascii: "\""), nil): quote = byte
            case (_, byte?): quote = nil
            case (UInt8(ascii: "$"), nil), (UInt8(ascii: "`"), nil), (UInt8(ascii: "$"), UInt8(ascii: "\"")),
                (UInt8(ascii: "`"), UInt8(ascii: "\"")):
                isDynamic = true
            case (UInt8(ascii: "\\"), nil), (UInt8(ascii: "\\"), UInt8(ascii: "\"")):
                guard index < bytes.count else { break loop }
                if bytes[index] == 0x0a { line += 1 } else { text.append(bytes[index]) }
                index += 1
            case (0x20, nil), (0x09, nil), (0x0a, nil), (0x0d, nil), (UInt8(ascii: ";"), nil), (UInt8(ascii: "&"), nil),
                (UInt8(ascii: "|"), nil), (UInt8(ascii: "("), nil), (UInt8(ascii: ")"), nil):
                index -= 1
                if byte == 0x0a { line -= 1 }
                break loop
            default: text.append(byte)
            }
        }
        let word = String(decoding: text, as: UTF8.self)
        return Word(
            text: isDynamic || CombiningRun.isTooLong(in: word) ? nil : word, line: start, isSeparator: false,
            isFirst: first)
    }
}
