// SPDX-License-Identifier: Apache-2.0

/// PEM (RFC 7468): base64 between `-----BEGIN label-----` and `-----END label-----`.
///
/// A text may contain several objects. The parser skips text between them, as in OpenSSL's bundles and the commented
/// lists of distributions.
public enum PEM {
    /// One object of a PEM text.
    public struct Block: Sendable, Hashable {
        /// The label after BEGIN: `CERTIFICATE`, `PUBLIC KEY`, …
        public var label: String
        /// The decoded bytes.
        public var der: [UInt8]
    }

    /// Returns all objects of `text` in order, each one decoded or with its error. Empty if there is no BEGIN line.
    public static func blocks(in text: [UInt8]) -> [Result<Block, BlockError>] {
        var blocks: [Result<Block, BlockError>] = []
        let view = text[...]
        let span = view.span
        var position = 0
        while let begin = nextMarker(span, from: position, "-----BEGIN ") {
            let object = blocks.count + 1
            do throws(BlockError) {
                blocks.append(.success(try block(span, begin, object, &position)))
            } catch {
                blocks.append(.failure(error))
            }
        }
        return blocks
    }

    /// Returns the DER of all objects of `text` with one of `labels`.
    /// - Throws: ``BlockError`` if any object, regardless of its label, is malformed.
    public static func decode(_ text: [UInt8], labels: Set<String>) throws(BlockError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for result in blocks(in: text) {
            let block = try result.get()
            if labels.contains(block.label) { found.append(block.der) }
        }
        return found
    }

    /// Whether `bytes` contain a BEGIN line. DER contains one only inside a string, so not by accident.
    package static func isPEM(_ bytes: [UInt8]) -> Bool {
        let view = bytes[...]
        return nextMarker(view.span, from: 0, "-----BEGIN ") != nil
    }

    /// Encodes one object as PEM with lines of 64 characters and a final line feed.
    public static func encode(_ der: [UInt8], label: String) -> String {
        let base64 = Base64.encodeBytes(der)
        var text = "-----BEGIN \(label)-----\n"
        var index = 0
        while index < base64.count {
            let next = min(index + 64, base64.count)
            text += String(decoding: base64[index..<next], as: UTF8.self) + "\n"
            index = next
        }
        return text + "-----END \(label)-----\n"
    }
}

// MARK: - Scanning

extension PEM {
    /// A BEGIN or END line.
    package struct Marker {
        /// The offset of the first dash.
        package var start: Int
        /// The offset after the dashes that follow the label.
        package var end: Int
        package var label: String
    }

    /// Parses the object whose BEGIN line is `begin`, and moves `position` past it.
    private static func block(
        _ text: Span<UInt8>, _ begin: Marker, _ object: Int, _ position: inout Int
    ) throws(BlockError) -> Block {
        // The base64 ends at the next run of dashes, even if it isn't an END line.
        guard let dashes = firstDashes(text, from: begin.end) else {
            position = text.count
            throw BlockError(.pemNotTerminated, label: begin.label, object: object, offset: text.count)
        }
        guard let end = marker(text, at: dashes, "-----END ") else {
            // If there is a BEGIN line instead of an END line, it starts the next object.
            position = marker(text, at: dashes, "-----BEGIN ") == nil ? dashes + 5 : dashes
            throw BlockError(.pemNotTerminated, label: begin.label, object: object, offset: dashes)
        }
        position = end.end
        guard end.label == begin.label else {
            throw BlockError(
                .pemLabelMismatch, label: begin.label, endLabel: end.label, object: object, offset: end.start)
        }
        var der: [UInt8] = []
        der.reserveCapacity((dashes - begin.end) / 4 * 3)
        do throws(Base64.DecodingError) {
            try Base64.decode(text, begin.end..<dashes, skippingWhiteSpace: true, into: &der)
        } catch {
            var isHeader = false
            for index in begin.end..<dashes where text[index] == UInt8(ascii: ":") { isHeader = true }
            throw BlockError(
                isHeader ? .pemHasHeaders : .pemNotBase64, label: begin.label, object: object, offset: error.offset)
        }
        return Block(label: begin.label, der: der)
    }

    package static func nextMarker(_ text: Span<UInt8>, from start: Int, _ prefix: StaticString) -> Marker? {
        var position = start
        while let dashes = firstDashes(text, from: position) {
            if let found = marker(text, at: dashes, prefix) { return found }
            position = dashes + 5
        }
        return nil
    }

    /// Returns the position of the last five dashes in the first run of at least five dashes at or after `start`. In a
    /// longer run, a word can follow only the last five.
    package static func firstDashes(_ text: Span<UInt8>, from start: Int) -> Int? {
        let dash = UInt8(ascii: "-")
        var index = start + 4
        // Reads only every fifth byte until it finds a dash. A run of five dashes can't be between two such bytes.
        while index < text.count {
            guard text[index] == dash else {
                index += 5
                continue
            }
            var first = index
            while first > start, text[first - 1] == dash { first -= 1 }
            var last = index
            while last + 1 < text.count, text[last + 1] == dash { last += 1 }
            if last - first >= 4 { return last - 4 }
            index = last + 5
        }
        return nil
    }

    /// Parses `-----BEGIN label-----` or `-----END label-----` at `start`. A label contains no run of five dashes and
    /// no line break.
    package static func marker(_ text: Span<UInt8>, at start: Int, _ prefix: StaticString) -> Marker? {
        let prefixBytes = Array(prefix.description.utf8)
        guard text.count - start >= prefixBytes.count else { return nil }
        for (offset, byte) in prefixBytes.enumerated() where text[start + offset] != byte { return nil }
        var index = start + prefixBytes.count
        let labelStart = index
        while index < text.count, index - labelStart <= 64, text[index] >= 0x20, text[index] < 0x7f {
            if text[index] == UInt8(ascii: "-"), text.count - index >= 5,
                (0..<5).allSatisfy({ text[index + $0] == UInt8(ascii: "-") })
            {
                var label: [UInt8] = []
                for position in labelStart..<index { label.append(text[position]) }
                return Marker(start: start, end: index + 5, label: String(decoding: label, as: UTF8.self))
            }
            index += 1
        }
        return nil
    }
}
