// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// curl's `--pinnedpubkey` (docs/cmdline-opts/pinnedpubkey.md; lib/vtls/vtls.c, Curl_pin_peer_pubkey): any number of
// `sha256//BASE64`, separated by semicolons, or the name of a file with a public key. curl compares the key of the
// leaf, for any host that it connects to. Here, a file contains the argument or is itself the key file.

enum CurlFormat {
    private static let prefix = "sha256//"
    /// Digests of other software's pins. curl only supports SHA-256 (lib/vtls/vtls.c).
    private static let otherDigests = ["sha1", "md5", "sha384", "sha512"]

    /// Returns whether the text contains the option, or is only its argument.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        CurlCommands.recognizes(bytes) || bytes.contains(text: "sha256//") && isArgument(bytes)
    }

    /// Returns whether the text is only the argument.
    private static func isArgument(_ bytes: [UInt8]) -> Bool {
        argument(String(decoding: bytes, as: UTF8.self)).hasPrefix(prefix)
    }

    /// Returns the argument without quotes.
    private static func argument(_ text: String) -> String {
        let text = text.trimmed
        for quote in ["\"", "'"] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote) {
            return String(text.dropFirst().dropLast())
        }
        return text
    }

    static func read(_ bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        var values = PinValueReader(file: file)
        guard !isArgument(bytes), CurlCommands.recognizes(bytes) else {
            let text = argument(String(decoding: bytes, as: UTF8.self))
            return try configuration(values.unique(pins(text, 1, "", &values), as: .odd, ""), 1, &values)
        }
        let found = CurlCommands.values(bytes)
        var first: (pins: [Pin], keys: Set<SPKIPin>, line: Int)?
        for value in found {
            if let insecure = value.insecure {
                values.add(
                    .pinFileContradiction, as: .odd, value.line, "",
                    "\(insecure) beside the pin: any certificate for any name is accepted if its key matches",
                    fix: "remove \(insecure); for a private CA, use --cacert")
            }
            guard let text = value.text else {
                values.add(.pinFileNotLiteral, as: .odd, value.line, "", "a shell expands the value, so it isn't known")
                continue
            }
            if value.isCutOff {
                values.add(
                    .pinFileBadValue, as: .odd, value.line, "",
                    "a semicolon without quotes ends the command, so curl doesn't get the pins after it")
            }
            let pins = values.unique(pins(text, orFile: true, value.line, "", &values), as: .odd, "")
            let keys = Set(pins.map(\.key))
            if let first, first.keys != keys {
                values.add(
                    .pinFileContradiction, value.line, "",
                    "different pins than in line \(first.line), but curl's pins apply to any host: expected one list of pins per file"
                )
            }
            first = first ?? (pins, keys, value.line)
        }
        if first?.pins.isEmpty ?? true, values.has(.pinFileNotLiteral) {
            return try values.configuration([], allowsNoRule: true)
        }
        return try configuration(first?.pins ?? [], first?.line ?? 1, &values)
    }

    /// Returns the pins of an argument: `sha256//BASE64;sha256//BASE64`.
    /// - Parameter orFile: whether any other value may name a file with the key. That file isn't read here.
    static func pins(
        _ argument: String, orFile: Bool = false, _ line: Int, _ path: String, _ values: inout PinValueReader
    ) -> [Pin] {
        guard argument.hasPrefix(prefix) else {
            if let digest = otherDigests.first(where: { argument.lowercased().hasPrefix($0 + "/") }) {
                values.add(
                    .pinFileBadDigest, line, path,
                    "\"\(clipped(argument))\" is a \(digest) pin, which curl doesn't support and reads as a file name; expected sha256//BASE64"
                )
            } else if !orFile || argument.contains("sha256") || argument.isEmpty {
                values.add(
                    .pinFileBadDigest, line, path,
                    "\"\(clipped(argument))\" doesn't start with sha256//, expected sha256//BASE64;sha256//BASE64")
            } else {
                values.add(
                    .pinFileNotLiteral, as: .odd, line, path,
                    "the key is in the file \(clipped(argument)); read that file separately")
            }
            return []
        }
        var pins: [Pin] = []
        // Splits the argument like curl does: a semicolon that no hash follows belongs to the hash before it, so that
        // this hash never matches.
        let texts = argument.dropFirst(prefix.count).split(separator: ";" + prefix, omittingEmptySubsequences: false)
            .map(String.init)
        // curl compares strings, so a different spelling of the same bytes never matches.
        let canMatch = texts.contains { (try? SPKIPin("sha256/" + $0)) != nil }
        for (index, text) in texts.enumerated() {
            let path = "\(path)[\(index)]"
            guard let key = values.key(base64: text, orUnmatchable: canMatch, line, path) else { continue }
            pins.append(Pin(.key(key), scope: .leaf, location: values.location(line, path)))
        }
        return pins
    }

    /// Reads a file with a public key in PEM or DER, which curl also accepts.
    static func read(keyFile bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        var values = PinValueReader(file: file)
        var pins: [Pin] = []
        let entries = PinSource.entries(in: bytes, name: file)
        let hasKey = entries.contains { entry in
            if case .success(let source) = entry, case .publicKey = source.origin { true } else { false }
        }
        for entry in entries {
            switch entry {
            case .success(let source):
                guard case .publicKey = source.origin else {
                    // curl looks for the first public key, regardless of what precedes it.
                    values.add(
                        .pinFileBadValue, as: hasKey ? .odd : .refused, nil, "[\(source.object - 1)]",
                        "a \(source.origin), expected a public key")
                    continue
                }
                pins.append(
                    Pin(
                        .key(source.pin), scope: .leaf,
                        location: values.location(nil, "[\(source.object - 1)]")))
            case .failure(let error):
                values.add(.pinFileUnreadable, as: hasKey ? .odd : .refused, nil, "", error.description)
            }
        }
        if pins.count > 1 {
            values.add(
                .pinFileBadValue, as: .odd, nil, "", "\(pins.count) keys, expected one: curl only reads the first")
            pins = Array(pins.prefix(1))
        }
        return try configuration(pins, 1, &values)
    }

    private static func configuration(
        _ pins: [Pin], _ line: Int, _ values: inout PinValueReader
    ) throws(PinFileError) -> PinConfiguration {
        let rule = values.rule([], pins, line, "")
        return try values.configuration([rule].compactMap(\.self))
    }

    /// Returns the argument for these keys.
    static func write(_ keys: [SPKIPin]) -> String {
        keys.map { prefix + Base64.encode($0.sha256) }.joined(separator: ";") + "\n"
    }
}
