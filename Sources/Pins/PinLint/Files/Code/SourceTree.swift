// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

/// Converts dictionary and array literals to nodes: Swift's `[ "a": 1 ]`, Objective-C's `@{ @"a" : @1 }` and
/// JavaScript's `{ a: 1 }`.
struct SourceTree {
    /// An element that isn't a literal, with the keys and indices from the root.
    struct Unread {
        let path: [String]
        let range: Range<Int>
    }

    private let code: SourceCode
    /// Returns the value of a name that no file defines, such as a library's constant.
    private let library: (String) -> String?
    /// The first elements that aren't literals, in order. The nodes don't contain them.
    private(set) var unread: [Unread] = []
    /// The keys of the members with elements that aren't literals: paths of one or two keys.
    private(set) var partial: Set<[String]> = []
    /// The numbers of values, and of elements that aren't literals.
    private var count = 0
    private var unreadCount = 0

    init(_ code: SourceCode, library: @escaping (String) -> String? = { _ in nil }) {
        self.code = code
        self.library = library
    }

    /// Returns the node of a literal.
    mutating func node(_ range: Range<Int>, _ path: [String], depth: Int = 0) -> PinNode? {
        var range = unwrapped(range)
        let line = code.line(range.lowerBound)
        // The limit counts a dictionary each time the code refers to it, because each reference is read.
        count += 1
        guard count <= PinNode.maximumCount, depth < PinNode.maximumDepth, !range.isEmpty else {
            return fail(range, path)
        }
        if let text = code.string(range) { return PinNode(.string(text), line: line) }
        let isBoxed = code.language == .objectiveC && code.isSymbol(range.lowerBound, "@")
        if isBoxed {
            range = unwrapped((range.lowerBound + 1)..<range.upperBound)
        }
        guard !range.isEmpty else { return fail(range, path) }
        let first = range.lowerBound
        if isBoxed || code.language != .objectiveC, let close = code.partner(first), close == range.upperBound - 1,
            code.isSymbol(first, "[") || code.isSymbol(first, "{")
        {
            return container(first, path, depth, line)
        }
        if let last = code.word(range.upperBound - 1), code.language != .javaScript, let text = library(last),
            range.count < 4
        {
            return PinNode(.string(text), line: line)
        }
        if range.count == 1, let scalar = scalar(first) { return PinNode(scalar, line: line) }
        return fail(range, path)
    }

    private mutating func fail(_ range: Range<Int>, _ path: [String]) -> PinNode? {
        unreadCount += 1
        if unread.count < PinValueReader.maximum { unread.append(Unread(path: path, range: range)) }
        return nil
    }

    /// Reports that the rest of the values weren't read, so that the file's pins aren't known.
    func check(_ values: inout PinValueReader) {
        guard count > PinNode.maximumCount else { return }
        values.add(.pinFileTooLarge, nil, "", "over \(PinNode.maximumCount) values, expected fewer")
    }

    /// Returns a range without its surrounding parentheses, and without a trailing `as` with its type.
    private func unwrapped(_ range: Range<Int>) -> Range<Int> {
        var range = range
        if code.language == .swift || code.language == .javaScript {
            var index = range.lowerBound
            while index < range.upperBound {
                if index > range.lowerBound, code.isWord(index, "as") || code.isWord(index, "satisfies") {
                    range = range.lowerBound..<index
                    break
                }
                index = code.next(index, in: range.upperBound)
            }
        }
        while range.count > 2, code.isSymbol(range.lowerBound, "("),
            code.partner(range.lowerBound) == range.upperBound - 1
        {
            range = (range.lowerBound + 1)..<(range.upperBound - 1)
        }
        return range
    }

    private func scalar(_ index: Int) -> PinNode.Value? {
        if code.tokens[index].kind == .number {
            return .number(code.excerpt(index..<index + 1))
        }
        return switch code.word(index) {
        case "true", "YES", "TRUE": .boolean(true)
        case "false", "NO", "FALSE": .boolean(false)
        default: nil
        }
    }

    // MARK: Containers

    private mutating func container(_ open: Int, _ path: [String], _ depth: Int, _ line: Int) -> PinNode? {
        let items = code.items(in: open)
        let isDictionary =
            code.language == .swift
            ? items.first.map { code.first(":", in: $0) != nil } ?? false : code.isSymbol(open, "{")
        // `[:]` is Swift's empty dictionary.
        if code.language == .swift, items.count == 1, items[0].count == 1, code.isSymbol(items[0].lowerBound, ":") {
            return PinNode(.dictionary([]), line: line)
        }
        guard isDictionary else {
            guard code.isSymbol(open, "[") else { return fail(open..<open + 1, path) }
            var elements: [PinNode] = []
            for item in items {
                let known = unreadCount
                guard var element = node(item, path + ["[\(elements.count)]"], depth: depth + 1) else { continue }
                // Skips an element that contains no literals.
                if unreadCount > known, case .dictionary(let members) = element.value, members.isEmpty { continue }
                element.comment = code.comment(behind: item.upperBound - 1)
                elements.append(element)
            }
            return PinNode(.array(elements), line: line)
        }
        return dictionary(items, path, depth, line: line)
    }

    /// Returns the dictionary of the given members.
    mutating func dictionary(_ items: [Range<Int>], _ path: [String] = [], _ depth: Int = 0, line: Int) -> PinNode? {
        var members: [PinNode.Member] = []
        for item in items {
            guard let colon = code.first(":", in: item), let key = key(item.lowerBound..<colon) else {
                _ = fail(item, path)
                continue
            }
            let known = unreadCount
            let value = node((colon + 1)..<item.upperBound, path + [key], depth: depth + 1)
            if unreadCount > known, path.count < 2 { partial.insert(path + [key]) }
            guard let value else { continue }
            let node = PinNode(value.value, line: code.line(item.lowerBound), comment: value.comment)
            members.append(PinNode.Member(key: key, node: node))
        }
        return PinNode(.dictionary(members), line: line)
    }

    private func key(_ range: Range<Int>) -> String? {
        guard !range.isEmpty else { return nil }
        if let last = code.word(range.upperBound - 1), code.language != .javaScript, let text = library(last) {
            return text
        }
        if code.language == .javaScript, range.count == 1, let name = code.word(range.lowerBound) { return name }
        if code.language == .javaScript, code.isSymbol(range.lowerBound, "["), range.count > 2 {
            return code.string((range.lowerBound + 1)..<(range.upperBound - 1))
        }
        return code.string(range)
    }
}
