// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

/// Finds the comments in XML that accept findings, and the lines of the elements that follow them.
///
/// A comment after an element, at the end of its line, covers that line. In a property list, a comment before a `key`
/// also covers the key's value.
struct XMLCommentScanner {
    private struct Element {
        let name: String
        let start: Int
        /// The indices of the comments that cover the element.
        let comments: [Int]
    }

    private var found: [AcceptanceComment] = []
    private var open: [Element] = []
    /// The comments before the next element.
    private var pending: [Int] = []
    /// The line where the last tag ended.
    private var lastTagLine = 0

    /// Returns the comments in a file. Its reader has already parsed it, so its markup is well-formed.
    static func comments(in bytes: [UInt8]) -> [AcceptanceComment] {
        guard var reader = try? XMLReader(bytes, allowsPropertyListType: true) else { return [] }
        var scanner = XMLCommentScanner()
        while scanner.found.count <= AcceptanceComment.maximumCount, let event = try? reader.next() {
            switch event {
            case .start(let name, let attributes):
                scanner.start(name, attributes["tools:ignore"], from: reader.start.line, to: reader.line)
            case .end: scanner.end(at: reader.line)
            case .comment(let text):
                let next = bytes[reader.offset...].first { $0 > 0x20 || $0 == UInt8(ascii: "\n") }
                scanner.comment(text, at: reader.start.line, endsLine: next == nil || next == UInt8(ascii: "\n"))
            case .text: break
            }
        }
        return scanner.found
    }

    private mutating func comment(_ text: String, at line: Int, endsLine: Bool) {
        let limit = AcceptanceComment.maximumCount + 1 - found.count
        for var comment in AcceptanceComment.read(Array(text.utf8)[...], line: line, limit: limit) {
            if line == lastTagLine, endsLine {
                comment.lines = line...line
            } else {
                pending.append(found.count)
            }
            found.append(comment)
        }
    }

    private mutating func start(_ name: String, _ issues: String?, from start: Int, to end: Int) {
        var comments = pending
        pending = []
        lastTagLine = end
        if let issues, let comment = AcceptanceComment(toolsIgnore: issues, line: start) {
            comments.append(found.count)
            found.append(comment)
        }
        let owner = owner(of: name, start)
        for comment in comments {
            found[comment].lines = min(found[comment].lines?.lowerBound ?? start, owner.start)...end
            // Findings about these two elements have no line.
            if open.isEmpty || ["base-config", "debug-overrides"].contains(owner.name) {
                found[comment].coversFile = true
            }
        }
        open.append(Element(name: name, start: start, comments: comments))
    }

    /// Returns the element where findings about an element of Android's format are located. For a `pin-set`, for
    /// instance, it is the `domain-config`.
    private func owner(of name: String, _ start: Int) -> (name: String, start: Int) {
        guard ["pin-set", "trust-anchors", "certificates"].contains(name),
            let owner = open.suffix(2).last(where: { $0.name.hasSuffix("-config") || $0.name == "debug-overrides" })
        else { return (name, start) }
        return (owner.name, owner.start)
    }

    private mutating func end(at line: Int) {
        lastTagLine = line
        guard let element = open.popLast() else { return }
        for comment in element.comments { found[comment].lines = (found[comment].lines?.lowerBound ?? line)...line }
        if element.name == "key", open.first?.name == "plist" { pending += element.comments }
    }
}
