// SPDX-License-Identifier: Apache-2.0

/// PEM (RFC 7468): base64 between `-----BEGIN label-----` and `-----END label-----`.
///
/// A text may hold several objects; text between them is skipped, as OpenSSL's bundles and the commented lists of
/// distributions need.
public enum PEM {
    /// One object of a PEM text.
    public struct Block: Sendable, Hashable {
        /// The label after BEGIN: `CERTIFICATE`, `PUBLIC KEY`, …
        public var label: String
        /// The decoded bytes.
        public var der: [UInt8]

        package init(label: String, der: [UInt8]) {
            self.label = label
            self.der = der
        }
    }

    /// Returns all objects of `text` in order, each read or with its error; empty if there is no BEGIN line.
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
    /// - Throws: ``BlockError`` if any object, with any label, can't be read.
    public static func decode(_ text: [UInt8], labels: Set<String>) throws(BlockError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for result in blocks(in: text) {
            let block = try result.get()
            if labels.contains(block.label) { found.append(block.der) }
        }
        return found
    }

    /// Whether `bytes` have a BEGIN line. DER has none by chance, as it would have to stand in a string.
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
    private struct Marker {
        /// The offset of the first dash.
        var start: Int
        /// The offset past the dashes after the label.
        var end: Int
        var label: String
    }

    /// Reads the object whose BEGIN line is `begin`, and moves `position` past it.
    private static func block(
        _ text: Span<UInt8>, _ begin: Marker, _ object: Int, _ position: inout Int
    ) throws(BlockError) -> Block {
        // The next run of dashes ends the base64, even if it isn't an END line.
        guard let dashes = firstDashes(text, from: begin.end) else {
            position = text.count
            throw BlockError(.pemNotTerminated, label: begin.label, object: object, offset: text.count)
        }
        guard let end = marker(text, at: dashes, "-----END ") else {
            // A BEGIN where an END should be starts the next object.
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

    private static func nextMarker(_ text: Span<UInt8>, from start: Int, _ prefix: StaticString) -> Marker? {
        var position = start
        while let dashes = firstDashes(text, from: position) {
            if let found = marker(text, at: dashes, prefix) { return found }
            position = dashes + 5
        }
        return nil
    }

    /// Returns the last five dashes of the first run of five or more at or after `start`: in a longer run only those
    /// can be followed by a word.
    private static func firstDashes(_ text: Span<UInt8>, from start: Int) -> Int? {
        let dash = UInt8(ascii: "-")
        var index = start + 4
        // Reads every fifth byte until one is a dash: no run of five falls between.
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

    /// Parses `-----BEGIN label-----` or `-----END label-----` at `start`; a label has no dashes in a row and no line break.
    private static func marker(_ text: Span<UInt8>, at start: Int, _ prefix: StaticString) -> Marker? {
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
