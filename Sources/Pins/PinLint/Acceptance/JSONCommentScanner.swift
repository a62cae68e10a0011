// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Scans valid JSON for `comment` members that accept findings, and finds the lines of the objects that contain them.
///
/// JSON has no comments. This package's own format has a member with this name in the document, in rules and in pins.
struct JSONCommentScanner {
    private struct Container {
        let isObject: Bool
        let start: Int
        /// The comments that cover the container.
        var comments: [Int] = []
        /// The last string, which is a key if a colon follows.
        var key: Range<Int>?
        var isBehindColon = false
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var found: [AcceptanceComment] = []
    private var open: [Container] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func comments() -> [AcceptanceComment] {
        while index < bytes.count, found.count <= AcceptanceComment.maximumCount {
            switch bytes[index] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "\""): string()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(Container(isObject: bytes[index] == UInt8(ascii: "{"), start: line))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
            case UInt8(ascii: ":"):
                if !open.isEmpty { open[open.count - 1].isBehindColon = true }
            case UInt8(ascii: ","):
                if !open.isEmpty { open[open.count - 1].isBehindColon = false }
            default: break
            }
            index += 1
        }
        return found
    }

    /// Reads a string. Afterward, ``index`` is at its closing quote. A JSON string contains no line feed.
    private mutating func string() {
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index, bytes.count)
        guard !open.isEmpty, open[open.count - 1].isObject else { return }
        let container = open.count - 1
        guard open[container].isBehindColon else {
            open[container].key = start..<index
            return
        }
        guard let key = open[container].key, bytes[key].elementsEqual("comment".utf8) else { return }
        guard bytes[start..<index].firstIndex(of: AcceptanceComment.keyword) != nil else { return }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
            .replacingOccurrences(of: "\\/", with: "/").replacingOccurrences(of: "\\n", with: "\n")
        let limit = AcceptanceComment.maximumCount + 1 - found.count
        for comment in AcceptanceComment.read(Array(text.utf8)[...], line: line, limit: limit) {
            open[container].comments.append(found.count)
            // All lines of the comment's text are on one line of the file.
            found.append(comment.at(line))
        }
    }

    private mutating func close() {
        guard let container = open.popLast() else { return }
        // An array of one document is equivalent to the document.
        let isRoot = open.isEmpty || (open.count == 1 && !open[0].isObject)
        for comment in container.comments {
            found[comment].lines = container.start...line
            found[comment].coversFile = isRoot
        }
    }
}

extension AcceptanceComment {
    fileprivate func at(_ line: Int) -> AcceptanceComment {
        AcceptanceComment(line: line, selectors: selectors, errors: errors, reason: reason, isForeign: isForeign)
    }
}
