// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// Finds pin files among other files. A search sees every file of a project, so it requires more than the readers, which
// expect a pin file. It first searches the bytes for marks, and only parses files that contain them.

extension PinFormat {
    /// The pins in a file of any kind.
    package struct Search: Sendable, Hashable {
        /// The formats. Empty for a file without pins.
        package let formats: [PinFormat]
        /// A human-readable reason why the pins can't be read. Nil if they can be read, or if reading them reports the
        /// reason.
        package let obstacle: String?
        /// The form of the pins in a file without a format, or nil for a file without pins.
        package var foreign: ForeignPins?
    }

    /// Searches a file of any kind for pins.
    ///
    /// Only the content matters, not the name. A file with the marks of a format counts as that format even if it can't
    /// be parsed, so that its error is reported. Keys and certificates count as no format here, because most of them
    /// have nothing to do with pins.
    ///
    /// Text counts as unreadable if its encoding isn't UTF-8 or if it contains NUL characters, unless it is a UTF-16
    /// property list. The search treats such text as UTF-8 without NUL characters. If it finds pins that way, they
    /// can't be read.
    /// - Parameter bytes: the whole contents. For a larger file, pass more than 32 MiB, which are only searched for
    ///   marks of pins.
    package static func search(_ bytes: [UInt8]) -> Search {
        var search = readable(in: bytes)
        if search.formats.isEmpty { search.foreign = ForeignPins.form(of: bytes) ?? ForeignPins.unknown(in: bytes) }
        return search
    }

    private static func readable(in bytes: [UInt8]) -> Search {
        guard bytes.count <= PinConfiguration.maximumFileSize else {
            let isFound =
                hasMarks(bytes) || OkHttpReader.isCode(bytes) || bytes.contains(text: "<network-security-config")
            return Search(
                formats: isFound ? all : [],
                obstacle: isFound ? "pins in a file larger than \(PinConfiguration.maximumFileSize >> 20) MiB" : nil)
        }
        let syntax = syntax(of: bytes)
        if case .otherText(let encoding)? = syntax {
            let text = encoding.utf8(bytes)
            let found = formats(foundIn: text)
            // The readers accept property lists in UTF-16.
            let isRead = UTF16Text.isXML(bytes) && !found.contains(.android)
            return isRead ? Search(formats: found, obstacle: nil) : Search(formats: found, notReadAs: encoding)
        }
        guard syntax == .text || syntax == .json, mayHavePins(bytes) else {
            return Search(formats: formats(foundIn: bytes), obstacle: nil)
        }
        let encoding: TextEncoding? =
            String(validating: bytes, as: UTF8.self) == nil ? .unknown : bytes.contains(0) ? .withNULs : nil
        guard let encoding else {
            guard CombiningRun.isTooLong(in: String(decoding: bytes, as: UTF8.self)) else {
                return Search(formats: formats(foundIn: bytes), obstacle: nil)
            }
            return Search(formats: all, obstacle: "pins in a text, expected \(CombiningRun.expectation)")
        }
        return Search(formats: formats(foundIn: encoding.utf8(bytes)), notReadAs: encoding)
    }

    /// Returns the bytes of a file as readers see them: a UTF-16 property list as UTF-8, and any other file unchanged.
    static func inUTF8(_ bytes: [UInt8]) -> [UInt8] {
        guard UTF16Text.isXML(bytes), bytes.count <= PinConfiguration.maximumFileSize else { return bytes }
        return UTF16Text.utf8(bytes) ?? bytes
    }

    /// Returns the formats of the pins in a UTF-8 file of any kind. Empty for a file without pins.
    /// - Parameter bytes: the whole contents.
    static func formats(foundIn bytes: [UInt8]) -> [PinFormat] {
        guard bytes.count <= PinConfiguration.maximumFileSize else { return [] }
        switch Self.syntax(of: bytes) {
        case .binaryPropertyList: return dictionaries(bytes)
        case .xml: return bytes.contains(text: "-security-config") ? android(bytes) : dictionaries(bytes)
        case .json:
            return bytes.contains(text: "Version\"") || bytes.contains(text: "PinnedDomains") || hasMarks(bytes)
                ? json(bytes) : []
        case .text: return mayHavePins(bytes) ? text(bytes) : []
        case .otherText, nil: return []
        }
    }

    /// The syntax of a file according to its first bytes.
    package enum Syntax: Sendable, Hashable {
        case binaryPropertyList, xml, json, text
        /// Text that no reader accepts.
        case otherText(TextEncoding)
    }

    /// An encoding that pin readers don't accept.
    package enum TextEncoding: String, Sendable, Hashable {
        case utf16LittleEndian = "in UTF-16 (little-endian)"
        case utf16BigEndian = "in UTF-16 (big-endian)"
        case withNULs = "with NUL characters"
        case unknown = "that isn't in UTF-8"

        /// Returns the text in UTF-8, without NUL characters.
        func utf8(_ bytes: [UInt8]) -> [UInt8] {
            if self == .unknown { return String(decoding: bytes, as: UTF8.self).utf8.map { $0 == 0 ? 0x20 : $0 } }
            if self == .withNULs { return bytes.map { $0 == 0 ? 0x20 : $0 } }
            let isLittle = self == .utf16LittleEndian
            let units = stride(from: 0, to: bytes.count - 1, by: 2).lazy.map { index in
                UInt16(bytes[index + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[index + (isLittle ? 0 : 1)])
            }
            return String(decoding: Array(units), as: UTF16.self).utf8.map { $0 == 0 ? 0x20 : $0 }
        }
    }

    /// Returns the syntax of a file from its first kilobytes, or nil for other binary files and an empty file.
    package static func syntax(of start: [UInt8]) -> Syntax? {
        if start.starts(with: PinNode.binaryPropertyListMagic) { return .binaryPropertyList }
        if let encoding = encoding(of: start) { return .otherText(encoding) }
        // Skips white space and a byte order mark.
        let first = start.first { !($0 == 0x20 || (0x09...0x0d).contains($0) || [0xef, 0xbb, 0xbf].contains($0)) }
        guard let first, !start.prefix(4_096).contains(0) else { return nil }
        return switch first {
        case UInt8(ascii: "<"): .xml
        case UInt8(ascii: "{"), UInt8(ascii: "["): .json
        default: .text
        }
    }

    /// Returns the encoding of text with NUL bytes. Returns nil for other text, and for programs and media, which also
    /// contain other control characters.
    private static func encoding(of start: [UInt8]) -> TextEncoding? {
        let start = start.prefix(4_096)
        if start.starts(with: [0xff, 0xfe]) { return .utf16LittleEndian }
        if start.starts(with: [0xfe, 0xff]) { return .utf16BigEndian }
        guard start.contains(0) else { return nil }
        let isBlank = start.allSatisfy { $0 == 0 }
        let hasControls = start.contains {
            $0 == 0x7f || $0 < 0x20 && $0 != 0 && $0 != 0x1b && !(0x09...0x0d).contains($0)
        }
        guard !isBlank, !hasControls else { return nil }
        // In Latin text, the NUL bytes are all at even or all at odd offsets.
        var counts = (even: 0, odd: 0)
        for (index, byte) in start.enumerated() where byte == 0 {
            if index % 2 == 0 { counts.even += 1 } else { counts.odd += 1 }
        }
        if counts.odd > start.count / 4, counts.even * 8 < counts.odd { return .utf16LittleEndian }
        if counts.even > start.count / 4, counts.odd * 8 < counts.even { return .utf16BigEndian }
        return .withNULs
    }

    /// Returns whether text contains the marks that all text with pins contains.
    private static func mayHavePins(_ bytes: [UInt8]) -> Bool {
        bytes.contains(text: "256/") || bytes.contains(text: "\"sha1/") || hasMarks(bytes)
    }

    /// Returns whether a file contains the words of sources and tool files that may lack `sha256/`.
    private static func hasMarks(_ bytes: [UInt8]) -> Bool {
        let marks: [StaticString] = [
            "kTSKPinnedDomains", "initializeSslPinning", "publicKeyHashes", "sha256Keys", "pinnedpubkey",
            "pinnedPubkey",
            "pinnedPubKey", "verify_certificate_spki", "NSPinnedDomains",
        ]
        return marks.contains { bytes.contains(text: $0) }
            || bytes.contains(text: "sslPinning")
                && (bytes.contains(text: "pkPinning") || bytes.contains(text: "react-native-app-security"))
            || bytes.contains(text: "TLSA") && bytes.contains(text: "._tcp.")
    }

    // MARK: - Syntaxes

    /// Returns Android's format if the file has its root element.
    private static func android(_ bytes: [UInt8]) -> [PinFormat] {
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[open...]
            if rest.starts(with: "<!--".utf8) {
                rest = behind("-->", rest.dropFirst(4))
            } else if rest.starts(with: "<?".utf8) {
                rest = behind("?>", rest)
            } else if rest.starts(with: "<!".utf8) {
                rest = behind(">", rest)
            } else {
                return rest.starts(with: "<network-security-config".utf8) ? [.android] : dictionaries(bytes)
            }
        }
        return []
    }

    private static func behind(_ mark: String, _ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark = Array(mark.utf8)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == mark[0], bytes[index...].starts(with: mark) { return bytes[(index + mark.count)...] }
            index += 1
        }
        return []
    }

    /// Returns the formats of a property list.
    private static func dictionaries(_ bytes: [UInt8]) -> [PinFormat] {
        guard bytes.contains(text: "PinnedDomains") || bytes.contains(text: "<data>") && bytes.contains(text: "<plist")
        else { return [] }
        let marked = [
            (PinFormat.ats, bytes.contains(text: "NSPinnedDomains")),
            (.trustKit, bytes.contains(text: "TSKPinnedDomains")),
        ].filter(\.1).map(\.0)
        guard let file = try? PinFile(bytes, file: "", readers: PinFormatReader.all) else { return marked }
        return file.candidates
    }

    private static func json(_ bytes: [UInt8]) -> [PinFormat] {
        let hasRules = bytes.contains(text: "\"hosts\"")
        if let file = try? PinFile(bytes, file: "", readers: PinFormatReader.all) {
            return file.candidates.filter { $0 != .json || hasRules }
        }
        let marked = [
            (PinFormat.ats, bytes.contains(text: "\"NSPinnedDomains\"")),
            (.trustKit, bytes.contains(text: "\"TSKPinnedDomains\"")),
            (
                .json,
                bytes.contains(text: "\"schemaVersion\"") && bytes.contains(text: "\"rules\"")
                    && bytes.contains(text: "\"pins\"")
            ),
        ]
        return marked.filter(\.1).map(\.0)
    }

    /// Returns the format of text whose lines all have pins, or of code and options where a reader finds valid or
    /// invalid pins.
    private static func text(_ bytes: [UInt8]) -> [PinFormat] {
        if isList(bytes) { return [.okHttp] }
        guard OkHttpReader.isCode(bytes) || hasMarks(bytes),
            let file = try? PinFile(bytes, file: "", readers: PinFormatReader.all)
        else { return [] }
        return file.candidates.filter { format in
            do throws(PinFileError) {
                _ = try file.configuration(format)
                return true
            } catch {
                // Text about pins isn't a pin file. A source file with an invalid pin is one, and has to be reported.
                return !error.problems.allSatisfy { [.pinFileUnreadable, .pinFileFormatUnclear].contains($0.code) }
            }
        }
    }

    /// Returns whether every line that isn't a comment begins with a host and a pin. Stops at the first line that
    /// doesn't.
    static func isList(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        var hasPin = false
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = rest[..<end].drop { $0 <= 0x20 }
            rest = rest[end...].dropFirst()
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            let words = line.prefix(1_000).split(maxSplits: 2) { $0 == 0x20 || $0 == 0x09 }
            guard words.count > 1, words[1].starts(with: "sha256/".utf8), !words[1].starts(with: "sha256//".utf8) else {
                return false
            }
            hasPin = true
        }
        return hasPin
    }
}

extension PinFormat.Search {
    fileprivate init(formats: [PinFormat], notReadAs encoding: PinFormat.TextEncoding) {
        let obstacle = "pins in a text \(encoding.rawValue), expected UTF-8"
        self.init(formats: formats, obstacle: formats.isEmpty ? nil : obstacle)
    }
}
