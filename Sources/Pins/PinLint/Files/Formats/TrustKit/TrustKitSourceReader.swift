// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// TrustKit's dictionary in sources:
//     [ kTSKPinnedDomains: [ "example.com": [ kTSKPublicKeyHashes: ["AAAA…", "BBBB…"] ] ] ]             Swift
//     @{ kTSKPinnedDomains : @{ @"example.com" : @{ kTSKPublicKeyHashes : @[ @"AAAA…", @"BBBB…" ] } } }   Objective-C

/// Reads TrustKit's dictionary from Swift and Objective-C sources.
enum TrustKitSourceReader {
    /// Returns whether text can be such a source.
    static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.contains(text: "kTSKPinnedDomains") }

    static func read(_ bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        let language = SourceLanguage(of: bytes, file: file)
        let code = SourceCode(bytes, language)
        var sources = SourceDictionaries(code, file: file) { word in
            word.hasPrefix("kTSKAlgorithm")
                ? String(word.dropFirst()) : word.hasPrefix("kTSK") ? constants[word] ?? word : nil
        }
        // Reads a dictionary once, even if it has the key several times.
        var known: Set<Int> = []
        for index in code.tokens.indices where code.isWord(index, "kTSKPinnedDomains") {
            guard let open = code.parent(index), isDictionary(code, open, index), let close = code.partner(open) else {
                // A declaration doesn't contain domains.
                if code.isSymbol(index + 1, ";") || code.isSymbol(index + 1, "=") { continue }
                sources.addUnread(
                    index, "kTSKPinnedDomains", "not inside a literal dictionary, so its domains aren't known")
                continue
            }
            guard known.insert(open).inserted else { continue }
            let start = code.language == .objectiveC ? open - 1 : open
            sources.add(start..<(close + 1))
        }
        return try sources.configuration(
            dropping: "kTSKPinnedDomains", "kTSKPublicKeyHashes", minimum: 2, TrustKitReader.read)
    }

    /// The values of constants that differ from their names by more than the leading `k`.
    private static let constants = [
        "kTSKExcludeSubdomainFromParentPolicy": TrustKitKeys.excluded
    ]

    /// Returns whether the bracket around a key belongs to a literal dictionary with that key.
    private static func isDictionary(_ code: SourceCode, _ open: Int, _ key: Int) -> Bool {
        guard code.isSymbol(key + 1, ":") else { return false }
        return code.language == .objectiveC
            ? code.isSymbol(open, "{") && code.isSymbol(open - 1, "@") : code.isSymbol(open, "[")
    }
}
