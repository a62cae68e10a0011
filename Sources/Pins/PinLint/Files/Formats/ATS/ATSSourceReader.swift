// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// Expo's dynamic configuration (`app.config.js`, `app.config.ts`) and its plugins: a JavaScript object with
// `NSPinnedDomains`.

/// Reads `NSPinnedDomains` from JavaScript and TypeScript sources.
enum ATSSourceReader {
    /// Returns whether text can be such a source.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        bytes.contains(text: "NSPinnedDomains") && !bytes.contains(text: "kTSKPinnedDomains")
    }

    static func read(_ bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        let code = SourceCode(bytes, .javaScript)
        var sources = SourceDictionaries(code, file: file)
        // Lists the members of an object once, even if many of them have the key.
        var members: [Int: [Range<Int>]] = [:]
        for index in code.tokens.indices where isKey(code, index) {
            var item: Range<Int>?
            if code.isSymbol(index + 1, ":"), let open = code.parent(index), code.isSymbol(open, "{") {
                let items = members[open] ?? code.items(in: open)
                members[open] = items
                item = Self.item(with: index, in: items)
            }
            guard let item, let open = code.parent(index) else {
                sources.addUnread(index, "NSPinnedDomains", "not inside a literal object, so its domains aren't known")
                continue
            }
            sources.add(item, inDictionaryAt: open)
        }
        return try sources.configuration(
            dropping: "NSPinnedDomains", "NSPinnedCAIdentities", minimum: 1, ATSReader.read)
    }

    /// Returns the range that contains an index, from ranges in ascending order.
    private static func item(with index: Int, in items: [Range<Int>]) -> Range<Int>? {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].upperBound <= index { low = middle + 1 } else { high = middle }
        }
        return low < items.count && items[low].contains(index) ? items[low] : nil
    }

    private static func isKey(_ code: SourceCode, _ index: Int) -> Bool {
        if code.isWord(index, "NSPinnedDomains") { return true }
        guard code.tokens[index].kind == .string, code.tokens[index].end - code.tokens[index].start == 17 else {
            return false
        }
        return code.string(index..<index + 1) == "NSPinnedDomains"
    }
}
