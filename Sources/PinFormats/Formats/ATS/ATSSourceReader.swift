// SPDX-License-Identifier: Apache-2.0

import PinModel

// The dynamic configuration of Expo (`app.config.js`, `app.config.ts`) and plugins for it: an object of JavaScript with `NSPinnedDomains`.

/// Reads `NSPinnedDomains` out of sources of JavaScript and TypeScript.
enum ATSSourceReader {
    /// Returns whether a text can be such a source.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        bytes.contains(ascii: "NSPinnedDomains") && !bytes.contains(ascii: "kTSKPinnedDomains")
    }

    static func read(_ bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        let code = SourceCode(bytes, .javaScript)
        var sources = SourceDictionaries(code, file: file)
        for index in code.tokens.indices where isKey(code, index) {
            guard code.isSymbol(index + 1, ":"), let open = code.parent(index), code.isSymbol(open, "{"),
                let item = code.items(in: open).first(where: { $0.contains(index) })
            else {
                sources.addUnread(index, "NSPinnedDomains", "outside of a literal object: its domains are not known")
                continue
            }
            sources.add(item, inDictionaryAt: open)
        }
        return try sources.configuration(dropping: "NSPinnedDomains", "NSPinnedCAIdentities", minimum: 1) {
            (node) throws(PinFileError) in try ATSReader.read(node, file: file)
        }
    }

    private static func isKey(_ code: SourceCode, _ index: Int) -> Bool {
        if code.isWord(index, "NSPinnedDomains") { return true }
        guard code.tokens[index].kind == .string, code.tokens[index].end - code.tokens[index].start == 17 else {
            return false
        }
        return code.string(index..<index + 1) == "NSPinnedDomains"
    }
}
