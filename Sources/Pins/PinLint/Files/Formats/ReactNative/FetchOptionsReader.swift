// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// The options of react-native-ssl-pinning's `fetch()` (index.d.ts):
//     fetch("https://a.example.com/x", { pkPinning: true, sslPinning: { certs: ["sha256/AAAA…", "sha256/BBBB…"] } })
// On Android, the library creates an OkHttp `CertificatePinner` for the URL's host, but not for names below it. Any
// certificate in the path may match (OkHttpUtils.java, initPublicKeyPinning). The first call for a host decides,
// because the library keeps its client (clientsByDomain). On iOS, the library ignores the pins and pins the keys of all
// certificates in the app's bundle (RNSslPinning.m). Without `pkPinning: true`, the strings are the names of
// certificates in the app, which aren't in the source.

/// Reads the options of react-native-ssl-pinning's `fetch()` from JavaScript or TypeScript source.
struct FetchOptionsReader {
    private static let pinning: StaticString = "sslPinning"

    /// Returns whether text can be a source with the options.
    static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.contains(text: pinning) && bytes.contains(text: "certs") }

    /// The reader of patterns and pins.
    private var lists: OkHttpReader
    private let code: SourceCode
    /// The pins of the first call for each host.
    private var first: [String: Set<String>] = [:]

    static func read(_ bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        var reader = FetchOptionsReader(lists: OkHttpReader(file: file), code: SourceCode(bytes, .javaScript))
        let entries = reader.entries()
        return try reader.lists.configuration(entries, isCode: true)
    }

    private mutating func entries() -> [OkHttpReader.Entry] {
        if let line = code.unendedLine {
            addUnread(line, "", "unterminated string or comment; nothing after it was read")
        }
        var entries: [OkHttpReader.Entry] = []
        // Lists an object's members and a call's arguments once, even if many of them have the key.
        var seen: Set<Int> = []
        for index in code.tokens.indices {
            if isElsewhere(index) {
                addUnread(
                    code.line(index), "", "sslPinning without a value next to it, so the host of the pins is unknown"
                )
            }
            guard isKey(index), let open = code.parent(index), code.isSymbol(open, "{"), seen.insert(open).inserted
            else {
                continue
            }
            let call = code.parent(open).flatMap { code.isSymbol($0, "(") && seen.insert($0).inserted ? $0 : nil }
            if let entry = entry(open, call.map { code.items(in: $0) } ?? [], code.line(index)) {
                entries.append(entry)
            }
        }
        return entries
    }

    /// Returns whether a token is the key of a member: `sslPinning:` or `"sslPinning":`.
    private func isKey(_ index: Int) -> Bool {
        guard code.isSymbol(index + 1, ":") else { return false }
        return code.isWord(index, Self.pinning) || isFirst(index) && isText(index)
    }

    /// Returns whether a token refers to pins written elsewhere: `{ sslPinning }`, `options.sslPinning = …`,
    /// `options["sslPinning"]`.
    private func isElsewhere(_ index: Int) -> Bool {
        guard code.isWord(index, Self.pinning) else {
            return code.isSymbol(index - 1, "[") && code.isSymbol(index + 1, "]") && isText(index)
        }
        if code.isSymbol(index - 1, ".") { return code.isSymbol(index + 1, "=") && !code.isSymbol(index + 2, "=") }
        return isFirst(index) && (code.isSymbol(index + 1, ",") || code.isSymbol(index + 1, "}"))
            && code.parent(index).map { code.isSymbol($0, "{") } ?? false
    }

    /// Returns whether a token begins a member of an object.
    private func isFirst(_ index: Int) -> Bool { code.isSymbol(index - 1, "{") || code.isSymbol(index - 1, ",") }

    private func isText(_ index: Int) -> Bool {
        code.tokens[index].kind == .string && code.string(index..<index + 1) == Self.pinning.description
    }

    private mutating func addUnread(_ line: Int, _ path: String, _ detail: String) {
        lists.values.add(.pinFileNotLiteral, as: .odd, line, path, detail)
    }

    /// Returns the host and pins of one options object.
    private mutating func entry(_ open: Int, _ arguments: [Range<Int>], _ line: Int) -> OkHttpReader.Entry? {
        let options = members(of: open)
        let certificates = options["sslPinning"].flatMap { members(of: $0.lowerBound)["certs"] }
        let elements = certificates.flatMap { list in
            code.isSymbol(list.lowerBound, "[") && code.partner(list.lowerBound) == list.upperBound - 1
                ? code.items(in: list.lowerBound) : nil
        }
        let texts = (elements ?? []).compactMap { code.string($0) }
        let isCall = arguments.count > 1 && arguments[1].lowerBound == open
        // Types and other libraries' options also use these names.
        let isPinning = isTrue(options["pkPinning"])
        guard isCall || isPinning || texts.contains(where: { $0.hasPrefix("sha256/") }) else { return nil }
        guard isCall, let url = code.string(arguments[0]) else {
            addUnread(line, "", "the URL isn't a literal next to the options, so the host of the pins is unknown")
            return nil
        }
        guard let host = host(of: url, line) else { return nil }
        if isTrue(options["disableAllSecurity"]) {
            addNothing(line, host, "disableAllSecurity: on iOS, the library accepts any certificate")
            return nil
        }
        guard isPinning else {
            if texts.contains(where: { $0.hasPrefix("sha256/") }) {
                addNothing(
                    line, host, "pins without pkPinning: true, so the library reads them as names of certificates")
            } else {
                addUnread(line, host, "certificates in the app's bundle, which aren't in the source")
            }
            return nil
        }
        let isPartial = elements.map { $0.count != texts.count } ?? true
        if isPartial { addUnread(line, host, "a pin isn't a literal, so it is unknown") }
        guard check(texts, host, line) else { return nil }
        return OkHttpReader.Entry(pattern: host, pins: texts, line: line, comment: nil, isPartial: isPartial)
    }

    private mutating func addNothing(_ line: Int, _ host: String, _ detail: String) {
        lists.values.add(.pinFileNothingPinned, as: .odd, line, host, detail)
    }

    /// Reports a call whose pins differ from those of the first call for the host. The library ignores such pins.
    /// - Returns: whether the call is the first one for its host.
    private mutating func check(_ texts: [String], _ host: String, _ line: Int) -> Bool {
        let pins = Set(texts)
        // OkHttp compares lowercase hosts, so names that only differ in case have one rule here. The calls' pins must
        // not be united.
        let name = host.lowercased()
        let key = name.hasSuffix(".") ? String(name.dropLast()) : name
        guard let known = first[key] else {
            first[key] = pins
            return true
        }
        if known != pins {
            lists.values.add(
                .pinFileContradiction, line, host,
                "another call in this file has other pins for \(clipped(host)), but the first call decides")
        }
        return false
    }

    private func isTrue(_ value: Range<Int>?) -> Bool {
        value.map { $0.count == 1 && code.isWord($0.lowerBound, "true") } ?? false
    }

    /// Returns the values of an object's members with plain names. Empty for any other expression.
    private func members(of open: Int) -> [String: Range<Int>] {
        guard code.isSymbol(open, "{") else { return [:] }
        var members: [String: Range<Int>] = [:]
        for item in code.items(in: open) where item.count > 2 && code.isSymbol(item.lowerBound + 1, ":") {
            // If a name occurs twice, JavaScript uses the last one.
            guard let name = code.word(item.lowerBound) ?? code.string(item.lowerBound..<item.lowerBound + 1) else {
                continue
            }
            members[name] = (item.lowerBound + 2)..<item.upperBound
        }
        return members
    }

    /// Returns the host of an https URL as written.
    private mutating func host(of url: String, _ line: Int) -> String? {
        guard url.lowercased().hasPrefix("https://") else {
            lists.values.add(
                .pinFileBadHost, line, "", "\"\(clipped(url))\" isn't an https URL, and pins apply only to those")
            return nil
        }
        let authority = url.dropFirst(8).prefix { !"/?#\\".contains($0) }.split(separator: "@").last ?? ""
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }
}
