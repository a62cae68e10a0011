// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Texts: PEM in any form, bare base64 and hexadecimal, and base64 values in YAML, JSON, XML and environment files.

extension FileReading {
    mutating func readText(_ bytes: [UInt8], layers: [InspectedObject.Layer]) {
        if PEMText.isPEM(bytes) { return readPEM(bytes, layers: layers) }
        guard TextEncoding.isText(bytes) else {
            let problem = InspectionProblem(
                .binary, "\(bytes.count) bytes that are neither PEM nor DER",
                remedy: "name a file with certificates or keys; this file may be encrypted or damaged")
            return add(.foreign(problem), der: [], layers: layers)
        }
        guard bytes.contains(where: { !Base64Text.isWhiteSpace($0) }) else {
            let problem = InspectionProblem(.blank, "empty except for white space")
            return add(.foreign(problem), der: [], layers: layers)
        }
        if contains(bytes, "BEGIN%20") || contains(bytes, "BEGIN+CERT") && contains(bytes, "%0A") {
            note("percent-encoding")
            return read(TextEncoding.percentDecoded(bytes), layers: layers + [.percentEncoding])
        }
        if let decoded = HexText.decode(bytes[...]), isPlausible(decoded) {
            note("hexadecimal digits")
            return read(decoded, layers: layers + [.hex])
        }
        if let decoded = bareBase64(bytes, 0..<bytes.count), isPlausible(decoded) {
            note("base64 without BEGIN and END")
            return read(decoded, layers: layers + [.base64])
        }
        if readValues(bytes, layers: layers) { return }
        var counter = LineCounter()
        if let end = PEMText.firstEnd(bytes) {
            let problem = InspectionProblem(
                .pemBeginMissing, "PEM text without its -----BEGIN line", remedy: ForeignFile.pemBeginRemedy,
                line: counter.place(of: end, in: bytes).line)
            return add(.foreign(problem), der: [], layers: layers)
        }
        add(.foreign(brokenBase64(bytes) ?? ForeignFile.text(bytes)), der: [], layers: layers)
    }

    // MARK: PEM

    private mutating func readPEM(_ text: [UInt8], layers: [InspectedObject.Layer]) {
        var reader = PEMText(text)
        var counter = LineCounter()
        if !text.contains(0x0a), text.contains(0x0d) { note("line breaks with only CR") }
        while !isFull, let block = reader.next() {
            let line = counter.place(of: block.start, in: text).line
            if block.forms.contains(.quotes) { note("quoted lines") }
            if block.forms.contains(.escapes) { note("escaped line breaks (\\n)") }
            if let problem = ForeignFile.pemLabel(block.label) {
                add(.foreign(problem), der: [], label: block.label, line: line, layers: layers + [.pem])
                continue
            }
            switch block.result {
            case .success(let der): readBlock(der, block.label, line, layers + [.pem])
            case .failure(let failure):
                var places = counter
                let content = content(of: failure, block.label, line) { places.place(of: $0, in: text) }
                add(content, der: [], label: block.label, line: line, layers: layers + [.pem])
            }
        }
    }

    private mutating func readBlock(_ der: [UInt8], _ label: String, _ line: Int, _ layers: [InspectedObject.Layer]) {
        // A damaged key may be recognized as encrypted only by its structure. Such a key must not prevent reading the
        // certificates next to it.
        if let kind = ObjectKind(label: label, der: der),
            kind != .encryptedPrivateKey || ObjectKind(label: label) == kind
        {
            return readObject(der, as: kind, label: label, line: line, layers: layers)
        }
        let problem = InspectionProblem(
            .pemLabelUnknown, "a PEM object with the unknown label \(clipped(label, to: 64))", line: line)
        add(.foreign(problem), der: der, label: label, line: line, layers: layers)
    }

    /// Returns the contents for an object that can't be decoded.
    private func content(
        of failure: PEMText.Failure, _ label: String, _ line: Int, _ place: (Int) -> (line: Int, column: Int)
    ) -> InspectedObject.Content {
        let kind = ObjectKind(label: label, der: [])
        if case .headers(isEncrypted: true) = failure, kind == .privateKey {
            let format: PrivateKeyFacts.Format = label.hasPrefix("EC") ? .sec1 : label.hasPrefix("DSA") ? .dsa : .pkcs1
            return .privateKey(PrivateKeyFacts(format: format, algorithm: nil, isEncrypted: true))
        }
        let problem = problem(failure, clipped(label, to: 64), kind, line, place)
        guard let kind else { return .foreign(problem) }
        return .malformed(MalformedObject(kind: kind, error: nil, problem: problem))
    }

    private func problem(
        _ failure: PEMText.Failure, _ label: String, _ kind: ObjectKind?, _ line: Int,
        _ place: (Int) -> (line: Int, column: Int)
    ) -> InspectionProblem {
        let object = kind?.words ?? "an object"
        func problem(
            _ code: InspectionProblem.Code, _ text: String, _ remedy: String?, at offset: Int?
        ) -> InspectionProblem {
            let found = offset.map(place)
            return InspectionProblem(
                code, text, kind: kind, remedy: remedy, line: found?.line ?? line, column: found?.column)
        }
        switch failure {
        case .endMissing:
            return problem(
                .pemEndMissing, "\(object) without its end, expected a line -----END \(label)-----",
                ForeignFile.pemBeginRemedy, at: nil)
        case .endMismatch(let end, let offset):
            return problem(
                .pemEndMismatch, "\(object) that begins as \(label), but ends as \(clipped(end, to: 64))",
                "copy the object again: it contains parts of two objects", at: offset)
        case .headers:
            return problem(
                .pemHeaders, "\(object) with header lines (RFC 1421), which X.509 doesn't use",
                "write it again: openssl x509 -in FILE -out new.pem", at: nil)
        case .empty:
            return problem(.pemEmpty, "\(object) without content between BEGIN and END", nil, at: nil)
        case .notBase64(.character(let byte, let offset)):
            return problem(
                .pemNotBase64, "\(object) with \(Self.name(of: byte)) in its base64",
                "copy the object again from the original", at: offset)
        case .notBase64(.cutOff(let offset)):
            return problem(
                .pemCutOff, "\(object) whose base64 lacks characters at its end", "copy the whole object again",
                at: offset)
        case .notBase64(.afterPadding(let offset)):
            return problem(
                .pemNotBase64, "\(object) whose base64 continues after its padding (=)",
                "give each object its own BEGIN and END lines", at: offset)
        case .notBase64(.unusedBits(let offset)):
            return problem(
                .pemNotBase64, "\(object) whose base64 ends with unused bits set: its last character was changed",
                "copy the object again", at: offset)
        }
    }

    /// Returns a readable name for a byte.
    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7e: "the character \"\(Character(Unicode.Scalar(byte)))\""
        case 0: "a zero byte"
        default: "the byte 0x\(Hex.encode([byte]))"
        }
    }

    // MARK: Bare base64 and values

    /// Returns the bytes of base64 with any line breaks, optionally in quotation marks, or nil for other text.
    private func bareBase64(_ text: [UInt8], _ range: Range<Int>) -> [UInt8]? {
        var range = range
        func isIgnored(_ byte: UInt8) -> Bool {
            Base64Text.isWhiteSpace(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
                || byte == UInt8(ascii: ",")
        }
        while let first = range.first, isIgnored(text[first]) { range = (first + 1)..<range.upperBound }
        while let last = range.last, isIgnored(text[last]) { range = range.lowerBound..<last }
        guard range.count >= 8 else { return nil }
        return try? Base64Text(isBare: true).decode(text, range).bytes
    }

    /// Whether decoded bytes are plausible contents of base64 or hexadecimal: DER, PEM, or a further encoding of them.
    /// - Parameter isWhole: whether DER must be complete. Otherwise the beginning of a known structure is enough.
    private func isPlausible(_ bytes: [UInt8], isWhole: Bool = false) -> Bool {
        guard let first = bytes.first else { return false }
        if first == TLV.Tag.sequence {
            guard let value = TLV(bytes[...]) else { return bytes.count > 1 && bytes[1] == 0x80 }
            return !value.isTruncated || !isWhole && ObjectKind(shapeOf: bytes[...]) != nil
        }
        if PEMText.isPEM(bytes) || ForeignFile.binary(bytes)?.code == .javaKeyStore { return true }
        // This covers base64 of base64, and base64 of UTF-16.
        return bytes.count >= 64
            && (bytes.prefix(256).allSatisfy(Base64Text.isPlausible)
                || TextEncoding.utf16(bytes).map(PEMText.isPEM) == true)
    }

    /// Parses the base64 values in another kind of text: Kubernetes secrets, JSON, XML or environment files.
    /// - Returns: whether the text contains such a value.
    private mutating func readValues(_ text: [UInt8], layers: [InspectedObject.Layer]) -> Bool {
        var found = false
        var counter = LineCounter()
        var start = 0
        while start < text.count, !isFull {
            // A value consists of digits with white space between them.
            var end = start
            while end < text.count, Base64Text.isPlausible(text[end]) { end += 1 }
            if end - start >= 40 {
                for range in values(text, start..<end) {
                    guard let bytes = bareBase64(text, range), isPlausible(bytes, isWhole: true) else { continue }
                    let line = counter.place(of: range.lowerBound, in: text).line
                    found = true
                    note("base64 values in text")
                    readInside(bytes, line: line, layers: layers + [.base64])
                }
            }
            start = end + 1
        }
        return found
    }

    /// Returns the ranges of values in a stretch of base64: the whole stretch, or each run without white space.
    private func values(_ text: [UInt8], _ stretch: Range<Int>) -> [Range<Int>] {
        if let bytes = bareBase64(text, stretch), isPlausible(bytes, isWhole: true) { return [stretch] }
        var ranges: [Range<Int>] = []
        var start = stretch.lowerBound
        for index in stretch.lowerBound...stretch.upperBound
        where index == stretch.upperBound || Base64Text.isWhiteSpace(text[index]) {
            if index - start >= 40 { ranges.append(start..<index) }
            start = index + 1
        }
        return ranges
    }

    /// Parses the bytes of a value. All its objects get the same line number.
    private mutating func readInside(_ bytes: [UInt8], line: Int, layers: [InspectedObject.Layer]) {
        let isOutermost = outerLine == nil
        if isOutermost { outerLine = line }
        read(bytes, layers: layers)
        if isOutermost { outerLine = nil }
    }

    /// Returns the problem of a text that is base64 of DER or PEM except for some bytes, or nil for other text.
    private func brokenBase64(_ text: [UInt8]) -> InspectionProblem? {
        let start = text.drop(while: Base64Text.isWhiteSpace).prefix(24)
        guard start.starts(with: Array("MII".utf8)) || start.starts(with: Array("LS0tLS1CRUdJTi".utf8)) else {
            return nil
        }
        do throws(Base64Text.Failure) {
            let decoded = try Base64Text(isBare: true).decode(text, 0..<text.count).bytes
            guard let value = TLV(decoded[...]), value.isTruncated else { return nil }
            return InspectionProblem(
                .truncated,
                "base64 of a structure that is cut off: its length says \(value.statedEnd) bytes, but it has \(decoded.count)",
                remedy: "copy the whole text again")
        } catch {
            var counter = LineCounter()
            let (offset, words) =
                switch error {
                case .character(let byte, let offset): (offset, "with \(Self.name(of: byte)) in it")
                case .cutOff(let offset): (offset, "that lacks characters at its end")
                case .afterPadding(let offset): (offset, "that continues after its padding (=)")
                case .unusedBits(let offset): (offset, "whose last character was changed")
                }
            let place = counter.place(of: offset, in: text)
            return InspectionProblem(
                .notBase64, "base64 \(words)", remedy: "copy the whole text again", line: place.line,
                column: place.column)
        }
    }

    private func contains(_ text: [UInt8], _ needle: StaticString) -> Bool {
        let needle = Array(needle.description.utf8)
        guard text.count >= needle.count else { return false }
        return (0...(text.count - needle.count)).contains { start in
            text[start] == needle[0] && text[start..<(start + needle.count)].elementsEqual(needle)
        }
    }
}
