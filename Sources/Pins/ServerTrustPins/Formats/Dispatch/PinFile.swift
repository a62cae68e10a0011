// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A file whose syntax is parsed, but whose format isn't known yet.
package struct PinFile {
    fileprivate enum Contents {
        case android(XMLTree)
        case json(PinNode)
        case propertyList(PinNode)
        /// Lines, or a source.
        case text
        /// A public key.
        case key
    }

    private let bytes: [UInt8]
    private let file: String
    private let readers: [PinFormatReader]
    private let contents: Contents
    /// The odd problems of the file's syntax.
    private let oddities: [PinFileProblem]

    /// Parses a file.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - file: the file's name, for errors.
    ///   - readers: the readers of all formats that the file may have.
    /// - Throws: `PinFileError` for a file that is empty, too large, or not in the syntax that its first bytes
    ///   indicate.
    package init(_ bytes: [UInt8], file: String, readers: [PinFormatReader]) throws(PinFileError) {
        self.bytes = bytes
        self.file = file
        self.readers = readers
        try PinFileError.checkSize(bytes, of: file)
        var oddities: [PinFileProblem] = []
        guard !UTF16Text.isXML(bytes) else {
            contents = .propertyList(try PinNode(xmlPropertyList: bytes, file: file, oddities: &oddities))
            self.oddities = oddities
            return
        }
        let start = bytes.firstIndex { !($0 == 0x20 || (0x09...0x0d).contains($0) || [0xef, 0xbb, 0xbf].contains($0)) }
        guard let start else { throw PinFileError(.pinFileUnreadable, in: file, "empty") }
        let text = String(decoding: bytes, as: UTF8.self)
        guard !CombiningRun.isTooLong(in: text) else {
            throw PinFileError(.pinFileUnreadable, in: file, "expected \(CombiningRun.expectation)")
        }
        if bytes.starts(with: PinNode.binaryPropertyListMagic) {
            contents = .propertyList(try PinNode(binaryPropertyList: bytes, file: file))
        } else if bytes[start] == UInt8(ascii: "<") {
            if text.contains("<network-security-config") {
                let tree = try XMLTree(bytes, file: file)
                oddities = tree.oddities
                contents = .android(tree)
            } else {
                let whole = Self.wholePropertyList(bytes, start)
                contents = .propertyList(try PinNode(xmlPropertyList: whole ?? bytes, file: file, oddities: &oddities))
                if whole != nil {
                    oddities.append(
                        PinFileProblem(
                            .pinFileMisplacedKey, .narrow, at: PinFileLocation(file: file, line: 1),
                            "a part of a property list, which the system reads only inside its Info.plist",
                            fix: "paste it into the app's Info.plist, and lint that file"))
                }
            }
        } else if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") {
            do throws(PinFileError) {
                contents = .json(Self.root(of: try PinNode(json: bytes, file: file)))
            } catch {
                // Parts of sources and sections in git's files also start with a bracket.
                guard String(validating: bytes, as: UTF8.self) != nil,
                    readers.contains(where: { $0.recognizes(.text, bytes) })
                else { throw error }
                contents = .text
            }
        } else if PEM.isPEM(bytes) || Self.isDER(bytes) {
            contents = .key
        } else {
            guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
                throw PinFileError(.pinFileFormatUnclear, in: file, "neither text nor a binary property list")
            }
            contents = .text
        }
        self.oddities = oddities
    }

    /// Returns a whole property list with the same lines for a part that begins with `<key>` or `<dict>`, as Apple's
    /// documentation shows entries. Returns nil for any other text.
    private static func wholePropertyList(_ bytes: [UInt8], _ start: Int) -> [UInt8]? {
        var rest = bytes[start...]
        while rest.starts(with: "<!--".utf8) {
            guard let end = rest.indices.first(where: { rest[$0...].starts(with: "-->".utf8) }) else { return nil }
            rest = rest[(end + 3)...].drop { $0 <= 0x20 }
        }
        let isMember = rest.starts(with: "<key>".utf8)
        guard isMember || rest.starts(with: "<dict".utf8) else { return nil }
        let (open, close) = isMember ? ("<plist><dict>", "</dict></plist>") : ("<plist>", "</plist>")
        return Array(open.utf8) + bytes[start...] + Array(close.utf8)
    }

    /// Returns the part of a value that contains the pins. For an array of one element, as `servertrust pins make
    /// --format json` writes it, this is the element. For Expo's `app.json`, it is the entries for Info.plist (`expo` ›
    /// `ios` › `infoPlist`, where `expo` may be missing). For any other value, it is the value itself.
    private static func root(of value: PinNode) -> PinNode {
        if case .array(let elements) = value.value, elements.count == 1 { return elements[0] }
        let app = value["expo"] ?? value
        guard let entries = app["ios"]?["infoPlist"],
            ATSReader.recognizes(entries) || TrustKitReader.recognizes(entries)
        else { return value }
        // Expo writes the entries next to the bundle's entries, so pins at their root are misplaced.
        guard case .dictionary(let members) = entries.value, entries[ATSReader.domains] != nil,
            !ATSReader.isInfoPlist(entries)
        else { return entries }
        let bundle = PinNode.Member(key: "CFBundleIdentifier", node: PinNode(.string(""), line: entries.line))
        return PinNode(.dictionary(members + [bundle]), line: entries.line, comment: entries.comment)
    }

    /// Returns whether the bytes can be a SEQUENCE. Certificates and RSA keys have a SEQUENCE with a long length. In
    /// elliptic-curve keys, the SEQUENCE is exactly as long as the file.
    private static func isDER(_ bytes: [UInt8]) -> Bool {
        bytes[0] == 0x30 && bytes.count > 1 && (bytes[1] >= 0x80 || Int(bytes[1]) + 2 == bytes.count)
    }

    /// The formats that the contents can have.
    package var candidates: [PinFormat] { readers.filter { $0.recognizes(contents, bytes) }.map(\.format) }

    /// Returns the format if exactly one is possible.
    package func format() throws(PinFileError) -> PinFormat {
        let candidates = candidates
        if candidates.count == 1 { return candidates[0] }
        let detail =
            candidates.isEmpty
            ? "none of the formats \(formatNames)\(hint)"
            : "pins in several formats: \(candidates.map(\.name).joined(separator: ", ")); specify the format"
        throw PinFileError(.pinFileFormatUnclear, in: file, detail)
    }

    /// The names of the readers' formats, without duplicates.
    private var formatNames: String {
        PinFormat.all.filter { format in readers.contains { $0.format == format } }.map(\.name).joined(separator: ", ")
    }

    /// The words of the formats by which the readers recognize files.
    private static let marks = [
        ATSReader.transport, ATSReader.domains, "NSPinnedCAIdentities", "NSPinnedLeafIdentities",
        TrustKitKeys.configuration, TrustKitKeys.pinnedDomains, TrustKitKeys.hashes, "kTSKPinnedDomains",
        "kTSKPublicKeyHashes", "network-security-config", "network_security_config", "schemaVersion", "publicKeyHashes",
        "initializeSslPinning",
        "pinnedpubkey", "pinnedPubkey", "pinnedPubKey", "verify_certificate_spki",
    ]

    /// A question about a word that is probably misspelled, or the name of the module that reads such files. Otherwise
    /// empty.
    private var hint: String {
        switch contents {
        case .text, .key:
            let readsKeys = readers.contains { if case .key = $0.syntax { true } else { false } }
            if !readsKeys { return "; PinFiles reads sources, keys and the files of tools" }
        case .android, .json, .propertyList: break
        }
        return NearMiss.question(aboutWordsOf: bytes, among: Self.marks)
    }

    /// Reads the file.
    /// - Parameter asked: the format, or nil to detect it.
    /// - Throws: `PinFileError` with all problems.
    package func configuration(_ asked: PinFormat?) throws(PinFileError) -> PinConfiguration {
        try read(asked).adding(oddities: oddities)
    }

    private func read(_ asked: PinFormat?) throws(PinFileError) -> PinConfiguration {
        let format = if let asked { asked } else { try format() }
        for reader in readers where reader.format == format {
            switch (contents, reader.syntax) {
            case (.android(let tree), .android(let read)): return try read(tree, file)
            case (.json(let root), .json(_, let read)): return try read(root, file)
            case (.propertyList(let root), .propertyList(_, let read)): return try read(root, file)
            case (.text, .text(_, let read)), (.key, .key(let read)): return try read(bytes, file)
            default: continue
            }
        }
        let syntaxes = readers.filter { $0.format == format }.map(\.syntax.name).joined(separator: " or ")
        let detail =
            syntaxes.isEmpty
            ? "the \(format) format, expected one of \(formatNames)\(hint)"
            : "\(kind) for the \(format) format, expected \(syntaxes)\(hint)"
        throw PinFileError(.pinFileUnreadable, in: file, detail)
    }

    private var kind: String {
        switch contents {
        case .android: "XML of Android"
        case .json: "JSON"
        case .propertyList: "a property list"
        case .text: "plain text"
        case .key: "a key or certificate"
        }
    }
}

extension PinFormatReader {
    /// Returns whether a file with these contents can have the format.
    fileprivate func recognizes(_ contents: PinFile.Contents, _ bytes: [UInt8]) -> Bool {
        switch (contents, syntax) {
        case (.android, .android), (.key, .key): true
        case (.json(let root), .json(let recognizes, _)): recognizes(root)
        case (.propertyList(let root), .propertyList(let recognizes, _)): recognizes(root)
        case (.text, .text(let recognizes, _)): recognizes(bytes)
        default: false
        }
    }
}

extension PinFormatReader.Syntax {
    fileprivate var name: String {
        switch self {
        case .android: "XML"
        case .json: "JSON"
        case .propertyList: "a property list"
        case .text: "plain text"
        case .key: "a key or certificate"
        }
    }
}
