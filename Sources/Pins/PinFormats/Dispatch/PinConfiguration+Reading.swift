// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

extension PinConfiguration {
    /// Reads a file with the semantics of its format.
    ///
    /// Reading is strict: values that the format's own implementation skips silently are problems here.
    /// - Parameters:
    ///   - bytes: the file's contents, at most 32 MiB.
    ///   - format: the format; nil to detect it.
    ///   - file: the file's name, for errors.
    /// - Throws: `PinFileError` with all problems.
    public init(reading bytes: [UInt8], as format: PinFormat? = nil, file: String) throws(PinFileError) {
        self = try PinFile(bytes, file: file).configuration(format)
    }
}

/// A file parsed by its syntax, before its format is known.
struct PinFile {
    private enum Contents {
        case android(XMLTree)
        /// JSON or a property list.
        case node(PinNode, isJSON: Bool)
        /// Lines, or a source.
        case text
        /// A public key.
        case key
    }

    private let bytes: [UInt8]
    private let file: String
    private let contents: Contents
    /// The odd problems of the file's syntax.
    private let oddities: [PinFileProblem]

    /// Parses a file.
    /// - Throws: `PinFileError` for a file that is empty, too large, or not in the syntax that its first bytes indicate.
    init(_ bytes: [UInt8], file: String) throws(PinFileError) {
        func error(_ code: PinFileProblem.Code, _ detail: String) -> PinFileError {
            PinFileError(PinFileProblem(code, at: SourceLocation(file: file), detail))
        }
        self.bytes = bytes
        self.file = file
        guard bytes.count <= PinConfiguration.maximumFileSize else {
            throw error(.tooLarge, "over \(PinConfiguration.maximumFileSize >> 20) MiB")
        }
        let start = bytes.firstIndex { !($0 == 0x20 || (0x09...0x0d).contains($0) || [0xef, 0xbb, 0xbf].contains($0)) }
        guard let start else { throw error(.unreadable, "empty") }
        guard !CombiningRun.isTooLong(in: String(decoding: bytes, as: UTF8.self)) else {
            throw error(.unreadable, "expected \(CombiningRun.expectation)")
        }
        var oddities: [PinFileProblem] = []
        if bytes.starts(with: PinNode.binaryPropertyListMagic) {
            contents = .node(try PinNode(binaryPropertyList: bytes, file: file), isJSON: false)
        } else if bytes[start] == UInt8(ascii: "<") {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("<network-security-config") {
                let tree = try XMLTree(bytes, file: file, allowsPropertyListType: false)
                oddities = tree.oddities
                contents = .android(tree)
            } else {
                let tree = try XMLTree(bytes, file: file, allowsPropertyListType: true)
                oddities = tree.oddities
                contents = .node(try PinNode(xmlPropertyList: tree, file: file), isJSON: false)
            }
        } else if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") {
            do throws(PinFileError) {
                contents = .node(Self.root(of: try PinNode(json: bytes, file: file)), isJSON: true)
            } catch {
                // Parts of sources and sections of git's files start with a bracket as well.
                guard String(validating: bytes, as: UTF8.self) != nil, !Self.textFormats(bytes).isEmpty else {
                    throw error
                }
                contents = .text
            }
        } else if PEM.isPEM(bytes) || Self.isDER(bytes) {
            contents = .key
        } else {
            guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
                throw error(.formatUnclear, "neither text nor a binary property list")
            }
            contents = .text
        }
        self.oddities = oddities
    }

    /// Returns the element of an array of one, as `servertrust pin --format json` writes it, the entries for Info.plist of an `app.json` of Expo
    /// (`expo` › `ios` › `infoPlist`, the first of which may be left out), or any other value itself.
    private static func root(of value: PinNode) -> PinNode {
        if case .array(let elements) = value.value, elements.count == 1 { return elements[0] }
        let app = value["expo"] ?? value
        guard let entries = app["ios"]?["infoPlist"],
            ATSReader.recognizes(entries) || TrustKitReader.recognizes(entries)
        else { return value }
        return entries
    }

    /// Returns whether the bytes can be a SEQUENCE: one with a long length, as certificates and RSA keys have it, or one of exactly the
    /// file's length, as the keys of elliptic curves are.
    private static func isDER(_ bytes: [UInt8]) -> Bool {
        bytes[0] == 0x30 && bytes.count > 1 && (bytes[1] >= 0x80 || Int(bytes[1]) + 2 == bytes.count)
    }

    /// Returns the formats that are possible for lines and sources.
    private static func textFormats(_ bytes: [UInt8]) -> [PinFormat] {
        [
            (PinFormat.curl, CurlFormat.recognizes(bytes)), (.okHttp, OkHttpReader.recognizes(bytes)),
            (.trustKit, TrustKitSourceReader.recognizes(bytes)), (.reactNative, ReactNativeReader.recognizes(bytes)),
            (.ats, ATSSourceReader.recognizes(bytes)), (.git, GitFormat.recognizes(bytes)),
            (.tlsa, TLSAReader.recognizes(bytes)),
        ].filter(\.1).map(\.0)
    }

    /// The formats that are possible by the contents.
    var candidates: [PinFormat] {
        switch contents {
        case .android: [.android]
        case .node(let root, isJSON: true):
            [
                (PinFormat.json, JSONPinReader.recognizes(root)), (.trustKit, TrustKitReader.recognizes(root)),
                (.ats, ATSReader.recognizes(root)), (.reactNative, ReactNativeReader.recognizes(root)),
                (.envoy, EnvoyFormat.recognizes(root)),
            ].filter(\.1).map(\.0)
        case .node(let root, isJSON: false):
            [
                (
                    PinFormat.ats,
                    ATSReader.recognizes(root)
                        || !TrustKitReader.recognizes(root) && ATSReader.hasMisplacedPins(root)
                ), (.trustKit, TrustKitReader.recognizes(root)),
                (.isp, ISPReader.recognizes(root)),
            ].filter(\.1).map(\.0)
        case .text: Self.textFormats(bytes)
        case .key: [.curl]
        }
    }

    /// Returns the format if exactly one is possible.
    func format() throws(PinFileError) -> PinFormat {
        let candidates = candidates
        if candidates.count == 1 { return candidates[0] }
        let detail =
            candidates.isEmpty
            ? "none of the formats \(PinFormat.all.map(\.name).joined(separator: ", "))\(hint)"
            : "pins in several formats: \(candidates.map(\.name).joined(separator: ", ")); say which is meant"
        throw PinFileError(PinFileProblem(.formatUnclear, at: SourceLocation(file: file), detail))
    }

    /// The name of a key that was probably misspelt, as a question.
    private var hint: String {
        guard case .node(let root, _) = contents else { return "" }
        for key in [ATSReader.transport, ATSReader.domains, TrustKitKeys.configuration, TrustKitKeys.pinnedDomains] {
            for node in [root, root[ATSReader.transport], root[TrustKitKeys.configuration]] {
                guard let slip = node.flatMap({ ATSReader.slip(in: $0, for: key) }) else { continue }
                return "; did you mean \(key) by \(clipped(slip))?"
            }
        }
        return ""
    }

    func configuration(_ asked: PinFormat?) throws(PinFileError) -> PinConfiguration {
        try read(asked).adding(oddities: oddities)
    }

    private func read(_ asked: PinFormat?) throws(PinFileError) -> PinConfiguration {
        let format = if let asked { asked } else { try format() }
        switch (contents, format) {
        case (.android(let tree), .android): return try AndroidReader.read(tree, file: file)
        case (.node(let root, isJSON: true), .json): return try JSONPinReader.read(root, file: file)
        case (.node(let root, _), .ats): return try ATSReader.read(root, file: file)
        case (.node(let root, _), .trustKit): return try TrustKitReader.read(root, file: file)
        case (.node(let root, isJSON: false), .isp): return try ISPReader.read(root, file: file)
        case (.node(let root, isJSON: true), .reactNative): return try ReactNativeReader.read(root, file: file)
        case (.text, .okHttp): return try OkHttpReader.read(bytes, file: file)
        case (.text, .trustKit): return try TrustKitSourceReader.read(bytes, file: file)
        case (.text, .reactNative): return try ReactNativeReader.read(source: bytes, file: file)
        case (.text, .ats): return try ATSSourceReader.read(bytes, file: file)
        case (.node(let root, isJSON: true), .envoy): return try EnvoyFormat.read(root, file: file)
        case (.text, .curl): return try CurlFormat.read(bytes, file: file)
        case (.text, .git): return try GitFormat.read(String(decoding: bytes, as: UTF8.self), file: file)
        case (.text, .tlsa): return try TLSAReader.read(bytes, file: file)
        case (.key, .curl): return try CurlFormat.read(keyFile: bytes, file: file)
        default:
            throw PinFileError(
                PinFileProblem(
                    .unreadable, at: SourceLocation(file: file), "\(kind), which the format \(format) is not written in"
                ))
        }
    }

    private var kind: String {
        switch contents {
        case .android: "XML of Android"
        case .node(_, isJSON: true): "JSON"
        case .node(_, isJSON: false): "a property list"
        case .text: "a text"
        case .key: "a key or certificate"
        }
    }
}

extension PinFormat {
    /// Detects the format of a file.
    /// - Throws: `PinFileError` for a file that can't be parsed, that is in none of the formats, or that has pins in several: an
    ///   `Info.plist` with pins for the system and for TrustKit.
    public init(of bytes: [UInt8], file: String) throws(PinFileError) {
        self = try PinFile(bytes, file: file).format()
    }
}
