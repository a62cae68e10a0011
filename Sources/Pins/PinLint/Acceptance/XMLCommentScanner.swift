// SPDX-License-Identifier: Apache-2.0

/// Scans well-formed XML for comments that accept findings, and finds the lines of the elements that follow them.
///
/// A comment after an element, at the end of its line, covers that line. In a property list, a comment before a `key`
/// also covers the key's value. The file was parsed before, so its markup is known to be well-formed.
struct XMLCommentScanner {
    private struct Element {
        let name: String
        let start: Int
        /// The indices of the comments that cover the element.
        let comments: [Int]
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var found: [AcceptanceComment] = []
    private var open: [Element] = []
    /// The comments before the next element.
    private var pending: [Int] = []
    /// The line where the last tag ended.
    private var lastTagLine = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func comments() -> [AcceptanceComment] {
        while index < bytes.count, found.count <= AcceptanceComment.maximumCount {
            guard bytes[index] == UInt8(ascii: "<") else {
                advance(to: index + 1)
                continue
            }
            if isAt("<!--") {
                comment()
            } else if isAt("<![CDATA[") {
                advance(to: end(of: "]]>"))
            } else if isAt("<?") {
                advance(to: end(of: "?>"))
            } else if isAt("<!") {
                advance(to: end(of: ">"))
            } else if isAt("</") {
                advance(to: end(of: ">"))
                lastTagLine = line
                close()
            } else {
                tag()
            }
        }
        return found
    }

    private mutating func comment() {
        let start = line
        let last = end(of: "-->")
        let text = bytes[(index + 4)..<max(index + 4, last - 3)]
        advance(to: last)
        let comments = AcceptanceComment.read(
            text, line: start, limit: AcceptanceComment.maximumCount + 1 - found.count)
        guard !comments.isEmpty else { return }
        let next = bytes[index...].first { $0 > 0x20 || $0 == UInt8(ascii: "\n") }
        for var comment in comments {
            if start == lastTagLine, next == nil || next == UInt8(ascii: "\n") {
                comment.lines = start...start
            } else {
                pending.append(found.count)
            }
            found.append(comment)
        }
    }

    private mutating func tag() {
        let start = line
        let name = String(
            decoding: bytes[(index + 1)...].prefix(64).prefix {
                $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
            }, as: UTF8.self)
        var comments = pending
        pending = []
        let (end, issues) = attributes()
        let isEmpty = bytes[end - 1] == UInt8(ascii: "/")
        advance(to: min(bytes.count, end + 1))
        lastTagLine = line
        if let issues, let comment = AcceptanceComment(toolsIgnore: issues, line: start) {
            comments.append(found.count)
            found.append(comment)
        }
        let owner = owner(of: name, start)
        for comment in comments {
            let first = found[comment].lines?.lowerBound ?? owner.start
            found[comment].lines = min(first, owner.start)...line
            // Findings about these two elements have no line.
            if open.isEmpty || ["base-config", "debug-overrides"].contains(owner.name) {
                found[comment].coversFile = true
            }
        }
        open.append(Element(name: name, start: start, comments: comments))
        if isEmpty { close() }
    }

    /// Returns the element where findings about an element of Android's format are located. For a `pin-set`, for
    /// instance, it is the `domain-config`.
    private func owner(of name: String, _ start: Int) -> (name: String, start: Int) {
        guard ["pin-set", "trust-anchors", "certificates"].contains(name),
            let owner = open.suffix(2).last(where: { $0.name.hasSuffix("-config") || $0.name == "debug-overrides" })
        else { return (name, start) }
        return (owner.name, owner.start)
    }

    /// Returns the offset of the tag's `>` and the value of `tools:ignore`.
    private func attributes() -> (end: Int, issues: String?) {
        var at = index + 1
        var quote: UInt8?
        var valueStart = at
        var issues: String?
        var name = at
        while at < bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open {
                    quote = nil
                    let key = bytes[name..<valueStart].filter { $0 > 0x20 }
                    if key.elementsEqual("tools:ignore=".utf8) {
                        issues = String(decoding: bytes[(valueStart + 1)..<at], as: UTF8.self)
                    }
                    name = at + 1
                }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                valueStart = at
            } else if byte == UInt8(ascii: ">") {
                return (at, issues)
            } else if byte <= 0x20, at > name, bytes[at - 1] > 0x20, bytes[at - 1] != UInt8(ascii: "="),
                !isBeforeEquals(at)
            {
                name = at + 1
            }
            at += 1
        }
        return (bytes.count - 1, issues)
    }

    /// Returns whether the next byte that isn't white space is `=`.
    private func isBeforeEquals(_ at: Int) -> Bool {
        // The limit is needed because each run of white space is read again from each of its bytes.
        bytes[at...].prefix(64).first { $0 > 0x20 } == UInt8(ascii: "=")
    }

    private mutating func close() {
        guard let element = open.popLast() else { return }
        for comment in element.comments { found[comment].lines = (found[comment].lines?.lowerBound ?? line)...line }
        if element.name == "key", open.first?.name == "plist" { pending += element.comments }
    }

    private func isAt(_ text: StaticString) -> Bool { text.withUTF8Buffer { bytes[index...].starts(with: $0) } }

    /// Returns the offset after the next occurrence, or the end of the file if the string doesn't occur again.
    private func end(of text: StaticString) -> Int {
        text.withUTF8Buffer { mark in
            var at = index
            while at < bytes.count {
                if bytes[at] == mark[0], bytes[at...].starts(with: mark) { return at + mark.count }
                at += 1
            }
            return bytes.count
        }
    }

    private mutating func advance(to end: Int) {
        while index < end {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }
}
