// SPDX-License-Identifier: Apache-2.0

import PinModel
import TrustSupport

// Files of pins among other files. A search meets everything that a project has, so it asks for more than the readers do, which are given
// files that are meant to hold pins. Marks are searched for as bytes first; only files that have them are parsed.

extension PinFormat {
    /// Returns the formats of the pins in a file that may be anything; empty for a file without pins.
    ///
    /// The content decides, not the name. A file with the marks of a format that can't be parsed is of that format, so that its error is
    /// reported. Keys and certificates are of no format here: most of them have nothing to do with pins.
    /// - Parameter bytes: the whole contents.
    package static func formats(foundIn bytes: [UInt8]) -> [PinFormat] {
        guard bytes.count <= PinConfiguration.maximumFileSize else { return [] }
        switch Self.syntax(of: bytes) {
        case .binaryPropertyList: return dictionaries(bytes)
        case .xml: return bytes.contains(text: "-security-config") ? android(bytes) : dictionaries(bytes)
        case .json:
            return bytes.contains(text: "Version\"") || bytes.contains(text: "PinnedDomains") || hasMarks(bytes)
                ? json(bytes) : []
        case .text: return bytes.contains(text: "256/") || hasMarks(bytes) ? text(bytes) : []
        case nil: return []
        }
    }

    /// The syntax of a file by its first bytes.
    package enum Syntax {
        case binaryPropertyList, xml, json, text
    }

    /// Returns the syntax of a file by its start, of which some kilobytes are enough; nil for other binary files and an empty one.
    package static func syntax(of start: [UInt8]) -> Syntax? {
        if start.starts(with: PinNode.binaryPropertyListMagic) { return .binaryPropertyList }
        // Blanks and a byte order mark.
        let first = start.first { !($0 == 0x20 || (0x09...0x0d).contains($0) || [0xef, 0xbb, 0xbf].contains($0)) }
        guard let first, !start.prefix(4_096).contains(0) else { return nil }
        return switch first {
        case UInt8(ascii: "<"): .xml
        case UInt8(ascii: "{"), UInt8(ascii: "["): .json
        default: .text
        }
    }

    /// Returns whether a file has the words of sources and of tools' files that may lack `sha256/`.
    private static func hasMarks(_ bytes: [UInt8]) -> Bool {
        bytes.contains(text: "kTSKPinnedDomains") || bytes.contains(text: "initializeSslPinning")
            || bytes.contains(text: "publicKeyHashes")
            || ["pinnedpubkey", "pinnedPubkey", "pinnedPubKey"].contains { bytes.contains(text: $0) }
            || bytes.contains(text: "verify_certificate_spki") || bytes.contains(text: "NSPinnedDomains")
            || bytes.contains(text: "TLSA") && bytes.contains(text: "._tcp.")
    }

    // MARK: - Syntaxes

    /// Returns Android's format if the root element is its own.
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
        guard let file = try? PinFile(bytes, file: "") else { return marked }
        return file.candidates
    }

    private static func json(_ bytes: [UInt8]) -> [PinFormat] {
        let hasRules = bytes.contains(text: "\"hosts\"")
        if let file = try? PinFile(bytes, file: "") { return file.candidates.filter { $0 != .json || hasRules } }
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

    /// Returns the format of a text whose lines all have pins, or of code and options that a reader takes or finds wrong pins in.
    private static func text(_ bytes: [UInt8]) -> [PinFormat] {
        if isList(bytes) { return [.okHttp] }
        guard bytes.contains(text: "CertificatePinner") || hasMarks(bytes),
            let file = try? PinFile(bytes, file: "")
        else { return [] }
        return file.candidates.filter { format in
            do throws(PinFileError) {
                _ = try file.configuration(format)
                return true
            } catch {
                // A text about pins isn't a file of them; a source with a wrong pin is, and has to be reported.
                return !error.problems.allSatisfy { [.unreadable, .formatUnclear, .tooLarge].contains($0.code) }
            }
        }
    }

    /// Returns whether every line that isn't a comment begins with a host and a pin. The first one that doesn't ends the search.
    private static func isList(_ bytes: [UInt8]) -> Bool {
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
