// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A comment that accepts findings: `servertrust:ignore ID[:HOST] … reason`, or Android's `tools:ignore`.
///
/// It covers the lines of the element that follows it or contains it. Acceptance works line by line, as findings do.
struct AcceptanceComment {
    /// The line of the comment, from 1.
    var line: Int
    /// The accepted findings, rule by rule.
    let selectors: [FindingSelector]
    /// The strings that look like a rule but don't select one, with the reason.
    let errors: [String]
    /// The text after the rules, or nil for none.
    let reason: String?
    /// Whether the comment belongs to another tool, which may use it for other purposes.
    let isForeign: Bool
    /// The covered lines, or nil if no element follows.
    var lines: ClosedRange<Int>?
    /// Whether the comment is at the root of the file, so that it covers findings about the whole file, which have no
    /// line.
    var coversFile = false

    /// The word that begins a comment's list of rules.
    static let keyword = "servertrust:ignore"

    /// The maximum number of comments read from a file.
    static let maximumCount = 1_000
}

extension AcceptanceComment {
    /// Reads the text of a comment.
    /// - Parameters:
    ///   - text: the comment, with or without its marks.
    ///   - line: the line where it starts.
    ///   - limit: the maximum number of elements.
    /// - Returns: an element for each line with the keyword, starting with the first.
    static func read(_ text: ArraySlice<UInt8>, line: Int, limit: Int) -> [AcceptanceComment] {
        var found: [AcceptanceComment] = []
        var rest = text
        var line = line
        while found.count < limit, let start = rest.firstIndex(of: keyword) {
            line += rest[..<start].count { $0 == UInt8(ascii: "\n") }
            let list = rest[(start + keyword.utf8.count)...]
            let end = list.firstIndex(of: UInt8(ascii: "\n")) ?? list.endIndex
            found.append(
                AcceptanceComment(list: String(decoding: list[..<end].prefix(2_000), as: UTF8.self), line: line))
            rest = list[end...]
        }
        return found
    }

    private init(list: String, line: Int) {
        var selectors: [FindingSelector] = []
        var errors: [String] = []
        var reason: [Substring] = []
        for word in list.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map({ Substring($0) }) {
            guard reason.isEmpty, let id = Self.identifier(in: word) else {
                reason.append(word)
                continue
            }
            do throws(FindingSelectorError) {
                selectors.append(try FindingSelector(id, allowsFamily: false))
            } catch {
                errors.append(error.description)
            }
        }
        if selectors.isEmpty, errors.isEmpty { errors.append("no rule after \(Self.keyword)") }
        // Removes the end of a block comment, and marks between the rules and the reason.
        if reason.last == "*/" { reason.removeLast() }
        if let first = reason.first, first.allSatisfy({ "-–—:".contains($0) }) { reason.removeFirst() }
        self.init(
            line: line, selectors: selectors, errors: errors,
            reason: reason.isEmpty ? nil : clipped(reason.joined(separator: " ")), isForeign: false)
    }

    /// Returns the identifier in a word of the form `family/name[:host][,]`, whether it is known or not, or nil for
    /// ordinary words.
    private static func identifier(in word: Substring) -> String? {
        let word = word.last == "," || word.last == ":" || word.last == ";" ? word.dropLast() : word
        guard let slash = word.firstIndex(of: "/"), slash > word.startIndex, !word.contains("://") else { return nil }
        let name = word[word.index(after: slash)...].prefix { $0 != ":" }
        guard word[..<slash].allSatisfy(\.isLetter), !name.isEmpty,
            name.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "*" })
        else { return nil }
        return String(word)
    }

    /// Creates the comment that is equivalent to `tools:ignore`, or nil if none of the issues has an equivalent rule.
    init?(toolsIgnore issues: String, line: Int) {
        let ids = issues.prefix(2_000).split { $0 == "," || $0.isWhitespace }
            .flatMap { AndroidLintIssues.rules(for: String($0)) }
        let selectors = ids.compactMap { try? FindingSelector($0, allowsFamily: false) }
        guard !selectors.isEmpty else { return nil }
        self.init(line: line, selectors: selectors, errors: [], reason: "tools:ignore", isForeign: true)
    }
}

extension AcceptanceComment {
    /// Returns at most ``maximumCount`` comments in a file, in file order. Takes time proportional to the file's size.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - file: the file's name.
    ///   - format: the format, or nil if unknown.
    static func comments(in bytes: [UInt8], file: String, format: PinFormat?) -> [AcceptanceComment] {
        guard !bytes.starts(with: "bplist".utf8),
            bytes[...].firstIndex(of: keyword) != nil || bytes[...].firstIndex(of: "tools:ignore") != nil
        else { return [] }
        let first = bytes.first { !($0 == 0x20 || (0x09...0x0d).contains($0) || [0xef, 0xbb, 0xbf].contains($0)) }
        let comments: [AcceptanceComment]
        switch first {
        case UInt8(ascii: "<"): comments = XMLCommentScanner.comments(in: bytes)
        case UInt8(ascii: "{"), UInt8(ascii: "["): comments = Self.comments(inJSON: bytes)
        default:
            // Brackets have no meaning in lists, option files and zone files.
            let isSource = [.okHttp, .trustKit, .reactNative, .ats].contains(format) && !PinFormat.isList(bytes)
            let code = isSource ? SourceCode(bytes, SourceLanguage(of: bytes, file: file)) : nil
            comments = LineCommentScanner(bytes, code).comments()
        }
        return Array(comments.prefix(maximumCount))
    }
}

extension ArraySlice<UInt8> {
    /// Returns the offset of the first occurrence of a nonempty string, in time proportional to the number of bytes.
    func firstIndex(of text: String) -> Int? {
        let pattern = Array(text.utf8)
        guard count >= pattern.count else { return nil }
        let base = startIndex
        return withUnsafeBufferPointer { bytes in
            for offset in 0...(bytes.count - pattern.count) where bytes[offset] == pattern[0] {
                if bytes[offset..<(offset + pattern.count)].elementsEqual(pattern) { return base + offset }
            }
            return nil
        }
    }
}
