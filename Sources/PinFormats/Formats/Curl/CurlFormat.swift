// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// curl's `--pinnedpubkey` (docs/cmdline-opts/pinnedpubkey.md; lib/vtls/vtls.c, Curl_pin_peer_pubkey): `sha256//BASE64` any number of
// times with `;sha256//` between them, or the name of a file with a public key. The leaf's key is compared, for whatever host curl
// connects to. Here a file holds the argument, or is itself the key file.

enum CurlFormat {
    private static let prefix = "sha256//"

    /// Whether the text is the argument, perhaps behind the option's name.
    static func recognizes(_ text: String) -> Bool { argument(text).hasPrefix(prefix) }

    /// The argument without the option's name (as on a command line or in a `.curlrc`) and without quotes.
    private static func argument(_ text: String) -> String {
        var text = text.trimmed
        for name in ["--pinnedpubkey", "pinnedpubkey"] where text.hasPrefix(name) {
            text = String(text.dropFirst(name.count)).trimmed
            if text.hasPrefix("=") || text.hasPrefix(":") { text = String(text.dropFirst()).trimmed }
            break
        }
        for quote in ["\"", "'"] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote) {
            return String(text.dropFirst().dropLast())
        }
        return text
    }

    static func read(_ text: String, file: String) throws(PinFileError) -> PinConfiguration {
        var problems = ProblemList(file: file)
        let argument = argument(text)
        var pins: [Pin] = []
        if !argument.hasPrefix(prefix) {
            problems.add(
                .badDigest, 1, "",
                "\"\(clipped(argument))\" does not start with sha256//, expected sha256//BASE64;sha256//BASE64")
        } else {
            for (index, part) in argument.split(separator: ";", omittingEmptySubsequences: false).enumerated() {
                let path = "[\(index)]"
                guard part.hasPrefix(prefix) else {
                    problems.add(.badDigest, 1, path, "\"\(clipped(String(part)))\" does not start with sha256//")
                    continue
                }
                guard let key = problems.key(base64: String(part.dropFirst(prefix.count)), 1, path) else { continue }
                pins.append(Pin(.key(key), scope: .leaf, place: problems.place(1, path)))
            }
        }
        return try configuration(problems.unique(pins, ""), &problems)
    }

    /// A file with a public key in PEM or DER, which curl takes as well.
    static func read(keyFile bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        var problems = ProblemList(file: file)
        var pins: [Pin] = []
        for entry in PinSource.entries(in: bytes, name: file) {
            switch entry {
            case .success(let source):
                guard case .publicKey = source.origin else {
                    problems.add(.badValue, nil, "[\(source.object - 1)]", "a \(source.origin), expected a public key")
                    continue
                }
                pins.append(
                    Pin(.key(source.pin), scope: .leaf, place: problems.place(nil, "[\(source.object - 1)]")))
            case .failure(let error): problems.add(.unreadable, nil, "", error.description)
            }
        }
        if pins.count > 1 { problems.add(.badValue, nil, "", "\(pins.count) keys, expected one: curl reads the first") }
        return try configuration(pins, &problems)
    }

    private static func configuration(
        _ pins: [Pin], _ problems: inout ProblemList
    ) throws(PinFileError) -> PinConfiguration {
        let place = problems.place(1, "")
        let rule = problems.rule(place) { () throws(PinRuleError) in
            try PinRule(hosts: [], pins: pins, place: place)
        }
        return try problems.configuration { () throws(PinConfigurationError) in
            try PinConfiguration(rules: [rule].compactMap { $0 })
        }
    }

    /// The argument for these keys.
    static func write(_ keys: [SPKIPin]) -> String {
        keys.map { prefix + Base64.encode($0.sha256) }.joined(separator: ";") + "\n"
    }
}
