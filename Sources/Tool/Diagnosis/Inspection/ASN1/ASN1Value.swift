// SPDX-License-Identifier: Apache-2.0

import PKIX

/// One value of a file, parsed on access. Tag, length and contents are offsets into all bytes of the file.
///
/// Use it only for display. It accepts BER and damaged values as far as they can be parsed, and reports their
/// ``problem``.
package struct ASN1Value: Sendable {
    /// All bytes of the file that contains this value.
    let bytes: [UInt8]
    /// The offset of the tag.
    let start: Int
    /// Tag and length.
    let header: ASN1Header
    /// The offset after the contents, which is never beyond the enclosing value.
    let end: Int
    /// The offset of the next value.
    let next: Int
    /// The problem with the length, if any.
    let problem: ASN1Problem?

    /// Parses the value that starts at `start`.
    /// - Throws: ``ASN1Problem`` if there is no value.
    init(_ bytes: [UInt8], at start: Int = 0, end limit: Int = .max) throws(ASN1Problem) {
        let limit = min(limit, bytes.count)
        self.header = try ASN1Header.read(bytes, at: start, end: limit)
        self.bytes = bytes
        self.start = start
        let content = start + header.count
        guard let length = header.length else {
            let found = Self.endOfContents(bytes, from: content, limit: limit)
            self.end = found.end
            self.next = found.next
            self.problem = ASN1Problem(found.isMarked ? .indefiniteLength : .endMissing, at: start)
            return
        }
        let left = limit - content
        self.end = content + min(length, left)
        self.next = end
        self.problem = header.lengthProblem(at: start, left: left, around: "the enclosing value")
    }

    /// Returns the end of contents of indefinite length, in one pass over the nested values.
    private static func endOfContents(
        _ bytes: [UInt8], from start: Int, limit: Int
    ) -> (end: Int, next: Int, isMarked: Bool) {
        var position = start
        var open = 1
        while position < limit, let header = try? ASN1Header.read(bytes, at: position, end: limit) {
            let content = position + header.count
            if header.isEndOfContents {
                open -= 1
                if open == 0 { return (position, content, true) }
                position = content
            } else if let length = header.length {
                guard length <= limit - content else { break }
                position = content + length
            } else {
                open += 1
                position = content
            }
        }
        return (limit, limit, false)
    }

    /// The offset of the first byte of the contents.
    var content: Int { start + header.count }
    /// The contents.
    var contents: ArraySlice<UInt8> { bytes[content..<max(content, end)] }
    /// Tag, length and contents.
    var whole: ArraySlice<UInt8> { bytes[start..<max(start, next)] }

    /// Whether the value has the tag `[number]`.
    func isContext(_ number: UInt64) -> Bool {
        header.tagClass == .contextSpecific && header.number == number
    }

    func isUniversal(_ type: ASN1Type) -> Bool { header.isUniversal(type) }

    /// The nested values up to the first that can't be parsed. Empty for a primitive value.
    var members: ASN1Members { ASN1Members(bytes, from: header.isConstructed ? content : end, to: end) }

    /// The first nested value, such as the value with an explicit tag, or nil without one.
    var inner: ASN1Value? { members.first { _ in true } }

    /// The only value in an OCTET STRING, or in a BIT STRING without unused bits. Otherwise nil.
    var inside: ASN1Value? {
        let start = isUniversal(.bitString) ? content + 1 : content
        guard start < end else { return nil }
        return try? ASN1Value(bytes, at: start, end: end)
    }
}

/// Consecutive values in a range of bytes, parsed during iteration.
struct ASN1Members: Sequence, IteratorProtocol, Sendable {
    private let bytes: [UInt8]
    /// The offset of the next value.
    package private(set) var position: Int
    private let end: Int
    /// The reason why the values end early, if they do.
    package private(set) var problem: ASN1Problem?

    init(_ bytes: [UInt8], from start: Int, to end: Int) {
        self.bytes = bytes
        self.position = start
        self.end = Swift.min(end, bytes.count)
    }

    package mutating func next() -> ASN1Value? {
        guard position < end, problem == nil else { return nil }
        do throws(ASN1Problem) {
            let value = try ASN1Value(bytes, at: position, end: end)
            position = Swift.max(value.next, position + 1)
            return value
        } catch {
            problem = error
            return nil
        }
    }
}
