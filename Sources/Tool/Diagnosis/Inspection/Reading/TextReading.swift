// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Texts: PEM in any form, bare base64 and hexadecimal, and base64 values in YAML, JSON, XML and environment files.

extension FileReading {
    mutating func readText(_ bytes: [UInt8], at origin: Origin) {
        if PEM.isPEM(bytes) { return readPEM(bytes, at: origin) }
        guard TextEncoding.isText(bytes) else {
            return refuse(InspectionProblem(.binary, ["count": "\(bytes.count)"]), at: origin)
        }
        guard bytes.contains(where: { !Base64.isWhiteSpace($0) }) else {
            return refuse(InspectionProblem(.blank), at: origin)
        }
        if bytes.contains("BEGIN%20".utf8) || bytes.contains("BEGIN+CERT".utf8) && bytes.contains("%0A".utf8) {
            note("percent-encoding")
            return read(TextEncoding.percentDecoded(bytes), at: origin.inside(.percentEncoding))
        }
        if let decoded = HexText.decode(bytes[...]), isPlausible(decoded) {
            note("hexadecimal digits")
            return read(decoded, at: origin.inside(.hex))
        }
        if let decoded = bareBase64(bytes, 0..<bytes.count), isPlausible(decoded) {
            note("base64 without BEGIN and END")
            return read(decoded, at: origin.inside(.base64))
        }
        if readValues(bytes, at: origin) { return }
        var counter = LineCounter()
        let view = bytes[...]
        if let end = PEM.nextMarker(view.span, from: 0, "-----END ")?.start {
            let line = counter.place(of: end, in: bytes).line
            return refuse(InspectionProblem(.pemBeginMissing, of: "line", line: line), at: origin)
        }
        refuse(brokenBase64(bytes) ?? ForeignFile.text(bytes), at: origin)
    }

    // MARK: PEM

    private mutating func readPEM(_ text: [UInt8], at origin: Origin) {
        var reader = PEMText(text)
        var counter = LineCounter()
        if !text.contains(0x0a), text.contains(0x0d) { note("line breaks with only CR") }
        while !isFull, let block = reader.next() {
            let line = counter.place(of: block.start, in: text).line
            let found = Origin(label: block.label, line: line, layers: origin.layers + [.pem])
            if block.forms.contains(.quotes) { note("quoted lines") }
            if block.forms.contains(.escapes) { note("escaped line breaks (\\n)") }
            if let problem = ForeignFile.pemLabel(block.label) {
                refuse(problem, at: found)
                continue
            }
            switch block.result {
            case .success(let der): readBlock(der, block.label, at: found)
            case .failure(let failure):
                var places = counter
                let content = content(of: failure, block.label, line) { places.place(of: $0, in: text) }
                add(content, der: [], at: found)
            }
        }
    }

    private mutating func readBlock(_ der: [UInt8], _ label: String, at origin: Origin) {
        // A damaged key may be recognized as encrypted only by its structure. Such a key must not prevent reading the
        // certificates next to it.
        if let kind = ObjectKind(label: label, der: der),
            kind != .encryptedPrivateKey || ObjectKind(label: label) == kind
        {
            return readObject(der, as: kind, at: origin)
        }
        let problem = InspectionProblem(.pemLabelUnknown, ["label": clipped(label, to: 64)], line: origin.line)
        refuse(problem, der: der, at: origin)
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
        return .unreadable(problem(failure, clipped(label, to: 64), kind, line, place))
    }

    private func problem(
        _ failure: PEMText.Failure, _ label: String, _ kind: ObjectKind?, _ line: Int,
        _ place: (Int) -> (line: Int, column: Int)
    ) -> InspectionProblem {
        func problem(
            _ code: InspectionProblem.Code, of variant: String? = nil, _ values: [String: String] = [:],
            at offset: Int? = nil
        ) -> InspectionProblem {
            let found = offset.map(place)
            return InspectionProblem(
                code, of: variant, values, kind: kind, line: found?.line ?? line, column: found?.column)
        }
        switch failure {
        case .endMissing: return problem(.pemEndMissing, ["label": label])
        case .endMismatch(let end, let offset):
            return problem(.pemEndMismatch, ["label": label, "end": clipped(end, to: 64)], at: offset)
        case .headers: return problem(.pemHeaders)
        case .empty: return problem(.pemEmpty)
        case .notBase64(.cutOff(let offset)): return problem(.pemCutOff, at: offset)
        case .notBase64(let failure):
            return problem(.pemNotBase64, of: failure.variant, failure.values, at: failure.offset)
        }
    }

    // MARK: Bare base64 and values

    /// Returns the bytes of base64 with any line breaks, optionally in quotation marks, or nil for other text.
    private func bareBase64(_ text: [UInt8], _ range: Range<Int>) -> [UInt8]? {
        var range = range
        func isIgnored(_ byte: UInt8) -> Bool {
            Base64.isWhiteSpace(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
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
        if PEM.isPEM(bytes) || ForeignFile.binary(bytes)?.code == .javaKeyStore { return true }
        // This covers base64 of base64, and base64 of UTF-16.
        return bytes.count >= 64
            && (bytes.prefix(256).allSatisfy(Base64Text.isPlausible)
                || TextEncoding.utf16(bytes).map(PEM.isPEM) == true)
    }

    /// Parses the base64 values in another kind of text: Kubernetes secrets, JSON, XML or environment files.
    /// - Returns: whether the text contains such a value.
    private mutating func readValues(_ text: [UInt8], at origin: Origin) -> Bool {
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
                    readInside(bytes, line: line, at: origin.inside(.base64))
                }
            }
            start = end + 1
        }
        return found
    }

    /// Returns the ranges of values in a stretch of base64: the whole stretch, or each run without white space.
    private func values(_ text: [UInt8], _ stretch: Range<Int>) -> [Range<Int>] {
        if let bytes = bareBase64(text, stretch), isPlausible(bytes, isWhole: true) { return [stretch] }
        return text[stretch].split(whereSeparator: Base64.isWhiteSpace).filter { $0.count >= 40 }.map(\.indices)
    }

    /// Parses the bytes of a value. All its objects get the same line number.
    private mutating func readInside(_ bytes: [UInt8], line: Int, at origin: Origin) {
        let isOutermost = outerLine == nil
        if isOutermost { outerLine = line }
        read(bytes, at: origin)
        if isOutermost { outerLine = nil }
    }

    /// Returns the problem of a text that is base64 of DER or PEM except for some bytes, or nil for other text.
    private func brokenBase64(_ text: [UInt8]) -> InspectionProblem? {
        let start = text.drop(while: Base64.isWhiteSpace).prefix(24)
        guard start.starts(with: Array("MII".utf8)) || start.starts(with: Array("LS0tLS1CRUdJTi".utf8)) else {
            return nil
        }
        do throws(Base64Text.Failure) {
            let decoded = try Base64Text(isBare: true).decode(text, 0..<text.count).bytes
            return InspectionProblem.cutOff(decoded, of: "base64")
        } catch {
            var counter = LineCounter()
            let place = counter.place(of: error.offset, in: text)
            return InspectionProblem(
                .notBase64, of: error.variant, error.values, line: place.line, column: place.column)
        }
    }
}

extension Base64Text.Failure {
    fileprivate var offset: Int {
        switch self {
        case .character(_, let offset), .cutOff(let offset), .afterPadding(let offset), .unusedBits(let offset): offset
        }
    }

    /// The variant of the problem's text, or nil for a byte that isn't a digit.
    fileprivate var variant: String? {
        switch self {
        case .character: nil
        case .cutOff: "cutOff"
        case .afterPadding: "padding"
        case .unusedBits: "bits"
        }
    }

    /// The values of the problem's text: a readable name for the byte.
    fileprivate var values: [String: String] {
        guard case .character(let byte, _) = self else { return [:] }
        let name =
            switch byte {
            case 0x21...0x7e: "the character \"\(Character(Unicode.Scalar(byte)))\""
            case 0: "a zero byte"
            default: "the byte 0x\(Hex.encode([byte]))"
            }
        return ["byte": name]
    }
}
