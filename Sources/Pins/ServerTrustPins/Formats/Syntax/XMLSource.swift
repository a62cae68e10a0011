// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// A document type can make XML expand or fetch data, so the parser never receives one. The bytes have to be UTF-8, or
// UTF-16, which is converted to UTF-8 here. The prolog is scanned first. Spaces replace Apple's own line for property
// lists, and any other document type is a problem. Without a document type, the only entities are the five of XML
// itself.

/// The bytes of an XML file that the parser may read.
struct XMLSource {
    let bytes: [UInt8]
    /// The odd problems of the file's syntax.
    let oddities: [PinFileProblem]

    /// Checks the size, the encoding and the document type.
    /// - Parameter allowsPropertyListType: whether the document type of property lists is allowed, and UTF-16.
    init(_ bytes: [UInt8], file: String, allowsPropertyListType: Bool) throws(PinFileError) {
        func error(_ code: ErrorCode, _ line: Int?, _ detail: String) -> PinFileError {
            PinFileError(PinFileProblem(code, at: PinFileLocation(file: file, line: line), detail))
        }
        guard bytes.count <= PinConfiguration.maximumFileSize else {
            throw error(.pinFileTooLarge, nil, "over \(PinConfiguration.maximumFileSize >> 20) MiB")
        }
        let isWide = allowsPropertyListType && UTF16Text.isXML(bytes)
        guard var bytes = isWide ? UTF16Text.utf8(bytes) : bytes else {
            throw error(.pinFileUnreadable, nil, "not UTF-16, although it has its byte order mark")
        }
        guard bytes.count <= PinConfiguration.maximumFileSize else {
            throw error(.pinFileTooLarge, nil, "over \(PinConfiguration.maximumFileSize >> 20) MiB in UTF-8")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw error(.pinFileUnreadable, nil, "not UTF-8")
        }
        guard !CombiningRun.isTooLong(in: text) else {
            throw error(.pinFileUnreadable, nil, "expected \(CombiningRun.expectation)")
        }
        let prolog = XMLProlog(bytes)
        let encodings = isWide ? ["utf-16"] : ["utf-8", "us-ascii"]
        if let encoding = prolog.encoding, !encodings.contains(encoding.lowercased()) {
            throw error(
                .pinFileUnreadable, 1, "the encoding \(clipped(encoding)), expected \(isWide ? "UTF-16" : "UTF-8")")
        }
        if let declaration = prolog.lateDeclaration {
            for index in declaration where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
            self.oddities = [
                PinFileProblem(
                    .pinFileUnreadable, .odd, at: PinFileLocation(file: file, line: 1),
                    "white space before <?xml, expected it at the start of the file")
            ]
        } else {
            self.oddities = []
        }
        if let type = prolog.documentType {
            guard allowsPropertyListType, type.isPropertyList else {
                throw error(.pinFileEntity, type.line, "a document type (<!DOCTYPE …), expected none")
            }
            for index in type.range where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
        }
        self.bytes = bytes
    }
}

extension PinFileError {
    /// Creates the error for a file whose XML has a fault.
    init(_ fault: XMLFault, file: String) {
        let code: ErrorCode = fault.isTooLarge ? .pinFileTooLarge : .pinFileUnreadable
        let detail = fault.isTooLarge ? "\(fault.reason)" : "not well-formed XML: \(fault.reason)"
        self.init(PinFileProblem(code, at: PinFileLocation(file: file, line: fault.line), detail))
    }
}

/// The prolog: everything before the first element.
private struct XMLProlog {
    struct DocumentType {
        let range: Range<Int>
        let line: Int
        let isPropertyList: Bool
    }

    private(set) var encoding: String?
    private(set) var documentType: DocumentType?
    /// The bytes of an XML declaration that has only blanks before it. Not every parser accepts it.
    private(set) var lateDeclaration: Range<Int>?

    init(_ bytes: [UInt8]) {
        var index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        let start = index
        var isFirst = true
        while index < bytes.count {
            if bytes[index] == 0x20 || (0x09...0x0d).contains(bytes[index]) {
                index += 1
            } else if has("<?", bytes, index) {
                let next = end(of: "?>", bytes, index)
                if encoding == nil, has("<?xml", bytes, index) {
                    encoding = Self.encoding(bytes[index..<next])
                    if isFirst, index > start { lateDeclaration = index..<next }
                }
                isFirst = false
                index = next
            } else if has("<!--", bytes, index) {
                isFirst = false
                index = end(of: "-->", bytes, index + 4)
            } else if has("<!", bytes, index) {
                documentType = Self.documentType(bytes, index)
                return
            } else {
                return
            }
        }
    }

    private static func encoding(_ declaration: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: declaration, as: UTF8.self)
        guard let key = text.range(of: "encoding") else { return nil }
        let rest = text[key.upperBound...].drop { $0 == " " || $0 == "\t" || $0 == "=" || $0.isNewline }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return "" }
        return String(rest.dropFirst().prefix { $0 != quote })
    }

    /// Reads a document type up to the first `>`. Document types with an internal subset, or with `>` in quotes, aren't
    /// allowed anyway.
    private static func documentType(_ bytes: [UInt8], _ start: Int) -> DocumentType {
        let last = end(of: ">", bytes, start)
        let text = String(decoding: bytes[start..<last], as: UTF8.self)
        let words = text.split { $0 == " " || $0 == "\t" || $0.isNewline }.joined(separator: " ")
        let identifier = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
        let older = "<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" "
        let rest = words.hasPrefix(identifier) ? words.dropFirst(identifier.count) : words.dropFirst(older.count)
        let isKnown =
            words.hasPrefix(identifier) || words.hasPrefix(older)
        let location = "://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        let isPropertyList =
            words == "<!DOCTYPE plist>" || (isKnown && (rest == "\"http" + location || rest == "\"https" + location))
        return DocumentType(
            range: start..<last, line: bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1,
            isPropertyList: isPropertyList)
    }
}

private func has(_ text: StaticString, _ bytes: [UInt8], _ index: Int) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
}

/// Returns the offset after the next `text`, or the end of the file if `text` doesn't occur.
private func end(of text: StaticString, _ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < bytes.count {
        if has(text, bytes, index) { return index + text.utf8CodeUnitCount }
        index += 1
    }
    return bytes.count
}
