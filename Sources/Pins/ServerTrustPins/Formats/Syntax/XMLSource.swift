// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// A document type can make XML expand or fetch data, so the parser accepts no other than that of property lists, and
// skips it. The bytes have to be UTF-8, or UTF-16, which is converted to UTF-8 here. The only entities are the five of
// XML itself.

/// An XML file that is ready to be parsed.
struct XMLSource {
    let reader: XMLReader
    /// The odd problems of the file's syntax.
    let oddities: [PinFileProblem]

    /// Checks the size and the encoding.
    /// - Parameter isPropertyList: whether the document type of property lists is allowed, and UTF-16.
    init(_ bytes: [UInt8], file: String, isPropertyList: Bool) throws(PinFileError) {
        func error(_ code: ErrorCode, _ line: Int?, _ detail: String) -> PinFileError {
            PinFileError(PinFileProblem(code, at: PinFileLocation(file: file, line: line), detail))
        }
        guard bytes.count <= PinConfiguration.maximumFileSize else {
            throw error(.pinFileTooLarge, nil, "over \(PinConfiguration.maximumFileSize >> 20) MiB")
        }
        let isWide = isPropertyList && UTF16Text.isXML(bytes)
        guard let bytes = isWide ? UTF16Text.utf8(bytes) : bytes else {
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
        do throws(XMLFault) {
            reader = try XMLReader(bytes, allowsPropertyListType: isPropertyList)
        } catch let fault {
            throw PinFileError(fault, file: file)
        }
        let encodings = isWide ? ["utf-16"] : ["utf-8", "us-ascii"]
        if let encoding = reader.encoding, !encodings.contains(encoding.lowercased()) {
            throw error(
                .pinFileUnreadable, 1, "the encoding \(clipped(encoding)), expected \(isWide ? "UTF-16" : "UTF-8")")
        }
        let late = PinFileProblem(
            .pinFileUnreadable, .odd, at: PinFileLocation(file: file, line: 1),
            "white space before <?xml, expected it at the start of the file")
        oddities = reader.hasLateDeclaration ? [late] : []
    }
}

extension PinFileError {
    /// Creates the error for a file whose XML has a fault.
    init(_ fault: XMLFault, file: String) {
        let (code, detail): (ErrorCode, String) =
            switch fault.kind {
            case .syntax: (.pinFileUnreadable, "not well-formed XML: \(fault.reason)")
            case .limit: (.pinFileTooLarge, "\(fault.reason)")
            case .documentType: (.pinFileEntity, "\(fault.reason)")
            }
        self.init(PinFileProblem(code, at: PinFileLocation(file: file, line: fault.line), detail))
    }
}
