// SPDX-License-Identifier: Apache-2.0

import PKIX

/// All values of a file, one per line, with nested strings opened. A dump of a damaged file shows the values that can be
/// parsed.
///
///     let dump = ASN1Dump(bytes)
///     print(dump.text)      // offset, depth, length of header and contents, tag, contents
///     dump.problems         // the problems, each with its offset
///
/// Time and memory are linear in the number of bytes. Each byte is read once per level of nested strings, and at most
/// ``maximumNesting`` levels are opened. No function is recursive. Values beyond the line limit are only counted in
/// bytes.
package struct ASN1Dump: Sendable {
    /// One value.
    package struct Line: Sendable, Hashable {
        /// The offset of the tag.
        let offset: Int
        /// The number of enclosing values.
        let depth: Int
        /// Tag and length, or nil for bytes that can't be parsed as a value.
        let header: ASN1Header?
        /// The contents in words, if any.
        var words: String?
        /// Whether the value is a string whose contents were opened as values.
        var isOpened = false
        /// The problem with the value, if any.
        var problem: ASN1Problem?

        /// The number of bytes in tag and length.
        var headerLength: Int { header?.count ?? 0 }
        /// The number of content bytes according to the length, or nil for an indefinite length.
        var length: Int? { header?.length }
        var isConstructed: Bool { header?.isConstructed ?? false }
        /// The name of the tag.
        var tag: String { header?.name ?? "" }
        /// Whether the line has no value, only bytes that can't be parsed as one.
        var isUnreadable: Bool { header == nil }
    }

    /// The values in the order of the file.
    package private(set) var lines: [Line] = []
    /// Whether the values start like a private key. Numbers and strings are then hidden.
    let isSecret: Bool
    /// The number of bytes at the end that no line shows because the maximum number of lines was reached.
    package private(set) var omitted = 0

    /// The maximum depth of nested values that are opened. A certificate has 12 levels.
    static let maximumDepth = 64
    /// The maximum depth of nested strings that are opened.
    static let maximumNesting = 6

    /// The problems, in the order of the file.
    var problems: [ASN1Problem] { lines.compactMap(\.problem) }

    /// Whether the bytes aren't valid BER. Lengths in forms that only DER forbids don't count.
    package var isBroken: Bool {
        problems.contains { $0.reason != .indefiniteLength && $0.reason != .lengthPadded }
    }

    private struct Frame {
        let end: Int
        let depth: Int
        let nesting: Int
        let start: Int
        let name: String
        let isIndefinite: Bool
    }

    /// - Parameters:
    ///   - bytes: any bytes.
    ///   - maximumLines: the maximum number of lines.
    ///   - isSecret: whether to hide numbers and strings. They are always hidden if the bytes start like a private key.
    package init(_ bytes: [UInt8], maximumLines: Int = 10_000, isSecret: Bool = false) {
        self.isSecret = isSecret || Self.startsAsPrivateKey(bytes)
        var stack = [
            Frame(end: bytes.count, depth: 0, nesting: 0, start: 0, name: "the file", isIndefinite: false)
        ]
        var position = 0
        while let frame = stack.last {
            guard position < frame.end else {
                if frame.isIndefinite { addUnreadable(ASN1Problem(.endMissing, at: frame.start), depth: frame.depth) }
                stack.removeLast()
                continue
            }
            guard lines.count < maximumLines else {
                omitted = bytes.count - position
                return
            }
            position = read(bytes, at: position, frame, &stack)
        }
    }

    /// Parses one value and returns the offset of the next value. If the value is opened, the next value is inside it.
    private mutating func read(_ bytes: [UInt8], at position: Int, _ frame: Frame, _ stack: inout [Frame]) -> Int {
        let value: ASN1Header
        do throws(ASN1Problem) { value = try ASN1Header.read(bytes, at: position, end: frame.end) } catch {
            addUnreadable(error, in: bytes[position..<frame.end], depth: frame.depth)
            return frame.end
        }
        let content = position + value.count
        if frame.isIndefinite, value.isEndOfContents {
            lines.append(Line(offset: position, depth: frame.depth, header: value))
            stack.removeLast()
            return content
        }
        let left = frame.end - content
        let end = value.length.map { content + min($0, left) } ?? frame.end
        let problem = Self.problem(value, position, left, frame)
        let isTooDeep = frame.depth + 1 >= Self.maximumDepth
        let isOpened = !isTooDeep && opens(value, bytes, content, end, frame)
        let words = value.isConstructed || isOpened ? nil : words(value, bytes, position, end)
        let closed =
            value.isConstructed && isTooDeep ? ASN1Problem(.tooDeep(limit: Self.maximumDepth), at: position) : nil
        lines.append(
            Line(
                offset: position, depth: frame.depth, header: value, words: words, isOpened: isOpened,
                problem: closed ?? problem))
        guard value.isConstructed || isOpened, !isTooDeep else { return end }
        let isBitString = isOpened && value.isUniversal(.bitString)
        stack.append(
            Frame(
                end: end, depth: frame.depth + 1, nesting: frame.nesting + (isOpened ? 1 : 0), start: position,
                name: "the \(value.name) at byte \(position)",
                isIndefinite: value.length == nil && value.isConstructed))
        return content + (isBitString ? 1 : 0)
    }

    private func words(_ header: ASN1Header, _ bytes: [UInt8], _ start: Int, _ end: Int) -> String? {
        guard let value = try? ASN1Value(bytes, at: start, end: end) else { return nil }
        guard isSecret, header.type != .null else { return value.words }
        return value.oid.flatMap(OIDNames.name) == nil ? "(not shown)" : value.words
    }

    /// Whether the bytes start like every private key format: a SEQUENCE that begins with the version 0 or 1, and isn't
    /// another kind of object.
    ///
    /// The formats are PKCS #8, PKCS #1, SEC 1 and OpenSSL's DSA format (RFC 5958 § 2, RFC 8017 § A.1.2, RFC 5915 § 3).
    /// The remaining bytes may be damaged.
    private static func startsAsPrivateKey(_ bytes: [UInt8]) -> Bool {
        guard let outer = try? ASN1Header.read(bytes, at: 0, end: bytes.count), outer.isUniversal(.sequence),
            let version = try? ASN1Header.read(bytes, at: outer.count, end: bytes.count),
            version.isUniversal(.integer), let length = version.length
        else { return false }
        let content = outer.count + version.count
        let number = bytes[min(content, bytes.count)..<min(content + length, bytes.count)]
        return number.count <= 8 && number.dropLast().allSatisfy { $0 == 0 } && (number.last ?? 0) <= 1
    }

    private static func problem(_ value: ASN1Header, _ position: Int, _ left: Int, _ frame: Frame) -> ASN1Problem? {
        guard value.length == nil else { return value.lengthProblem(at: position, left: left, around: frame.name) }
        let isAllowed = value.isConstructed
        return ASN1Problem(
            isAllowed ? .indefiniteLength : .invalid("an indefinite length on a primitive value"), at: position)
    }

    /// Whether the contents of a string are opened. They must be one complete DER value, or start with a SEQUENCE or
    /// SET that fills them.
    ///
    /// A BIT STRING is opened only for a SEQUENCE, because an elliptic curve point starts like an OCTET STRING.
    private func opens(_ value: ASN1Header, _ bytes: [UInt8], _ content: Int, _ end: Int, _ frame: Frame) -> Bool {
        guard !value.isConstructed, frame.nesting < Self.maximumNesting else { return false }
        let isBitString = value.isUniversal(.bitString)
        guard isBitString || value.isUniversal(.octetString) else { return false }
        let start = isBitString ? content + 1 : content
        guard start < end, !isBitString || bytes[content] == 0 else { return false }
        guard let inner = try? ASN1Header.read(bytes, at: start, end: end), let stated = value.length,
            // The string itself may be cut off.
            inner.length == content + stated - start - inner.count,
            inner.tagClass == .universal, inner.type != nil
        else { return false }
        if inner.isConstructed { return inner.isUniversal(.sequence) || inner.isUniversal(.set) }
        // Any bytes can look like short primitive values, so a string inside an opened string isn't opened.
        guard !isBitString, frame.nesting == 0 else { return false }
        return (try? DER.validate(Array(bytes[start..<end]))) != nil
    }

    private mutating func addUnreadable(
        _ problem: ASN1Problem, in bytes: ArraySlice<UInt8> = [], depth: Int
    ) {
        let words = bytes.isEmpty || isSecret ? nil : ASN1Value.hex(bytes, maximum: 32)
        lines.append(Line(offset: problem.offset, depth: depth, header: nil, words: words, problem: problem))
    }
}

// MARK: - Text

extension ASN1Dump {
    /// The dump as a table. Each problem has its own line after its value.
    package var text: String {
        let width = max(6, String(lines.last?.offset ?? 0).count)
        var text =
            isSecret ? "the file contains a private key or starts like one: numbers and strings are not shown\n" : ""
        text += Self.right("offset", width) + " depth header length  value\n"
        for line in lines {
            if !line.isUnreadable { text += Self.row(line, width) + "\n" }
            guard let problem = line.problem else { continue }
            let rest = line.isUnreadable ? line.words.map { ": " + $0 } ?? "" : ""
            text += Self.right("!", width) + "  " + problem.description + rest + "\n"
        }
        if omitted > 0 {
            text += "\(lines.count) values shown; the last \(omitted) bytes contain more values, which are not shown\n"
        }
        return text
    }

    private static func row(_ line: Line, _ width: Int) -> String {
        let length = line.length.map { String($0) } ?? "inf"
        let columns = [
            right(String(line.offset), width), right(String(line.depth), 5), right(String(line.headerLength), 6),
            right(length, 6),
        ]
        let words = line.isOpened ? " holding" : line.words.map { " " + $0 } ?? ""
        return columns.joined(separator: " ") + "  " + String(repeating: "  ", count: line.depth) + line.tag + words
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
