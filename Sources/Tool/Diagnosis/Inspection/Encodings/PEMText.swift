// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A parser for PEM as found in files: with any line breaks or none, indented, quoted, with escaped line breaks, or
/// surrounded by text. It returns one object after the other.
///
/// Libraries use the parser `PEM`, which accepts less. Objects begin and end at the same positions in both parsers,
/// because they share the search for BEGIN and END. They only differ in the characters that they skip between the digits.
struct PEMText {
    /// The reason why an object can't be decoded.
    enum Failure: Error, Sendable, Hashable {
        /// There is no END line before the next run of dashes or the end of the text.
        case endMissing(offset: Int)
        /// END has a different label from BEGIN.
        case endMismatch(label: String, offset: Int)
        /// Header lines (RFC 1421 § 4.6). The object is encrypted if they contain `Proc-Type: 4,ENCRYPTED`.
        case headers(isEncrypted: Bool)
        case notBase64(Base64Text.Failure)
        /// There is no content between BEGIN and END.
        case empty
    }

    /// One object.
    struct Block {
        var label: String
        /// The offset of BEGIN.
        var start: Int
        var result: Result<[UInt8], Failure>
        var forms: Base64Text.Forms
    }

    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) { self.text = text }

    /// Returns the next object, or nil at the end.
    mutating func next() -> Block? {
        let view = text[...]
        guard let marker = PEM.nextMarker(view.span, from: position, "-----BEGIN ") else { return nil }
        var block = Block(label: marker.label, start: marker.start, result: .success([]), forms: [])
        do throws(Failure) {
            block.result = .success(try contents(marker, &block.forms))
        } catch {
            block.result = .failure(error)
        }
        return block
    }

    private mutating func contents(_ begin: PEM.Marker, _ forms: inout Base64Text.Forms) throws(Failure) -> [UInt8] {
        let view = text[...]
        // The next run of dashes ends the object, even if it isn't an END line.
        guard let dashes = PEM.firstDashes(view.span, from: begin.end) else {
            position = text.count
            throw .endMissing(offset: text.count)
        }
        guard let end = PEM.marker(view.span, at: dashes, "-----END ") else {
            position = PEM.marker(view.span, at: dashes, "-----BEGIN ") == nil ? dashes + 5 : dashes
            throw .endMissing(offset: dashes)
        }
        position = end.end
        guard end.label == begin.label else { throw .endMismatch(label: end.label, offset: end.start) }
        let body = begin.end..<dashes
        let decoded: (bytes: [UInt8], forms: Base64Text.Forms)
        do throws(Base64Text.Failure) {
            decoded = try Base64Text(quotation: quotation(before: begin.start)).decode(text, body)
        } catch {
            guard let isEncrypted = headers(body) else { throw .notBase64(error) }
            throw .headers(isEncrypted: isEncrypted)
        }
        forms = decoded.forms
        guard !decoded.bytes.isEmpty else { throw .empty }
        return decoded.bytes
    }

    /// Returns the quotation mark before an offset, or nil if there is no quotation mark. White space between them is
    /// skipped.
    private func quotation(before offset: Int) -> UInt8? {
        var index = offset - 1
        // Skips the indentation after a quotation mark.
        while index >= 0, offset - index <= 64, Base64.isWhiteSpace(text[index]) { index -= 1 }
        guard index >= 0, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") else { return nil }
        return text[index]
    }

    /// Returns whether the header lines of a body mark it as encrypted, or nil without header lines.
    private func headers(_ body: Range<Int>) -> Bool? {
        let start = text[body].prefix(512)
        guard start.contains(UInt8(ascii: ":")) else { return nil }
        return String(decoding: start, as: UTF8.self).contains("ENCRYPTED")
    }
}
