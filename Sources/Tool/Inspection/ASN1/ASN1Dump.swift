// SPDX-License-Identifier: Apache-2.0

import PKIX

/// All values of a file, a line each, with the nested strings opened; of damaged files as much as there is.
///
///     let dump = ASN1Dump(bytes)
///     print(dump.text)      // offset, depth, length of header and contents, tag, contents
///     dump.problems         // the bad spots, each with its byte
///
/// Time and memory grow with the number of bytes: each is read once a level of nested strings, of which ``maximumNesting`` are opened.
/// No function calls itself, and lines beyond the limit are counted in bytes instead.
package struct ASN1Dump: Sendable {
    /// One value.
    package struct Line: Sendable, Hashable {
        /// The offset of the tag.
        package let offset: Int
        /// The number of values around it.
        package let depth: Int
        /// The bytes of tag and length.
        package let headerLength: Int
        /// The bytes of contents as the length states them; nil for an indefinite length.
        package let length: Int?
        package let isConstructed: Bool
        /// The name of the tag.
        package let tag: String
        /// The contents in words; nil for none.
        package let words: String?
        /// Whether it is a string whose contents were opened as values of their own.
        package let isOpened: Bool
        /// The problem with the value; nil for none.
        package let problem: ASN1Problem?
        /// Whether there is no value here, but the bytes in which none could be read.
        package var isUnreadable = false
    }

    /// The values in the order of the file.
    package private(set) var lines: [Line] = []
    /// Whether the values start like a private key, of which numbers and strings are left out.
    package let isSecret: Bool
    /// The bytes at the end that no line shows, as ``maximumLines`` of the reader was reached.
    package private(set) var omitted = 0

    /// The values inside of each other that are opened. A certificate has 12.
    package static let maximumDepth = 64
    /// The strings inside of each other that are opened.
    package static let maximumNesting = 6

    /// The problems, in the order of the file.
    package var problems: [ASN1Problem] { lines.compactMap(\.problem) }

    /// Whether it isn't BER: there is a problem beside lengths in forms that DER alone forbids.
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
    ///   - maximumLines: the largest number of lines.
    ///   - isSecret: whether numbers and strings are left out; of bytes that start like a private key they always are.
    package init(_ bytes: [UInt8], maximumLines: Int = 10_000, isSecret: Bool = false) {
        self.isSecret = isSecret || Self.startsAsPrivateKey(bytes)
        var stack = [
            Frame(end: bytes.count, depth: 0, nesting: 0, start: 0, name: "the file", isIndefinite: false)
        ]
        var position = 0
        while let frame = stack.last {
            guard position < frame.end else {
                if frame.isIndefinite { addProblem(.endMissing, at: frame.start, depth: frame.depth) }
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

    /// Reads one value and returns the offset of the next, which is inside of it if it is opened.
    private mutating func read(_ bytes: [UInt8], at position: Int, _ frame: Frame, _ stack: inout [Frame]) -> Int {
        let value: ASN1Header
        do throws(ASN1Problem) { value = try ASN1Header.read(bytes, at: position, end: frame.end) } catch {
            addUnreadable(bytes, position..<frame.end, error, depth: frame.depth)
            return frame.end
        }
        let content = position + value.count
        if frame.isIndefinite, value.isEndOfContents {
            add(value, position, frame.depth)
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
        add(value, position, frame.depth, words, isOpened, closed ?? problem)
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

    /// Whether the bytes start as all forms of private keys do: a SEQUENCE of the version, 0 or 1, and no value of another object.
    ///
    /// PKCS #8, PKCS #1, SEC 1 and OpenSSL's DSA keys (RFC 5958 § 2, RFC 8017 § A.1.2, RFC 5915 § 3). The rest may be damaged.
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
        guard let length = value.length else {
            let isAllowed = value.isConstructed
            return ASN1Problem(
                isAllowed ? .indefiniteLength : .invalid("an indefinite length on a primitive value"), at: position)
        }
        if length > left {
            return ASN1Problem(.lengthBeyondEnd(stated: length, left: left, around: frame.name), at: position)
        }
        return value.isLengthPadded ? ASN1Problem(.lengthPadded, at: position) : nil
    }

    /// Whether the contents of a string are opened: they are one whole value of DER, or start as a SEQUENCE or SET that fills them.
    ///
    /// A BIT STRING is opened for a SEQUENCE alone, as the point of an elliptic curve starts like an OCTET STRING.
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
        // Short primitive values look like any bytes: a string inside of an opened one stays closed.
        guard !isBitString, frame.nesting == 0 else { return false }
        return (try? DER.validate(Array(bytes[start..<end]))) != nil
    }

    private mutating func add(
        _ value: ASN1Header, _ offset: Int, _ depth: Int, _ words: String? = nil, _ isOpened: Bool = false,
        _ problem: ASN1Problem? = nil
    ) {
        lines.append(
            Line(
                offset: offset, depth: depth, headerLength: value.count, length: value.length,
                isConstructed: value.isConstructed, tag: value.name, words: words, isOpened: isOpened, problem: problem)
        )
    }

    private mutating func addProblem(_ reason: ASN1Problem.Reason, at offset: Int, depth: Int) {
        addUnreadable([], 0..<0, ASN1Problem(reason, at: offset), depth: depth)
    }

    private mutating func addUnreadable(_ bytes: [UInt8], _ range: Range<Int>, _ problem: ASN1Problem, depth: Int) {
        let words = range.isEmpty || isSecret ? nil : ASN1Value.hex(bytes[range], maximum: 32)
        lines.append(
            Line(
                offset: problem.offset, depth: depth, headerLength: 0, length: range.count, isConstructed: false,
                tag: "", words: words, isOpened: false, problem: problem, isUnreadable: true))
    }
}

// MARK: - Text

extension ASN1Dump {
    /// The dump as a table, each problem on a line of its own behind its value.
    package var text: String {
        let width = max(6, String(lines.last?.offset ?? 0).count)
        var text = isSecret ? "a private key is in it, or it starts like one: numbers and strings are not shown\n" : ""
        text += Self.right("offset", width) + " depth header length  value\n"
        for line in lines {
            if !line.isUnreadable { text += Self.row(line, width) + "\n" }
            guard let problem = line.problem else { continue }
            let rest = line.isUnreadable ? line.words.map { ": " + $0 } ?? "" : ""
            text += Self.right("!", width) + "  " + problem.description + rest + "\n"
        }
        if omitted > 0 {
            text += "\(lines.count) values shown; the last \(omitted) bytes hold more of them, which are left out\n"
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
