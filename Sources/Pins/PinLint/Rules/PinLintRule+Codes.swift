// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// The rules for the codes of a reader's problems. Their remedies are those of the guides to the codes.

extension PinLintRule {
    /// The rules for codes, in the order of ``all``.
    static let codes: [PinLintRule] =
        ErrorCode.pinFile.filter { PinLintBook.rules["odd/" + $0.kebab] == nil }.map { unreadable($0) }
        + oddCodes.map { odd($0) }

    /// Returns the rule for a code of a reader's problems: `file/bad-base64`.
    static func unreadable(_ code: ErrorCode) -> PinLintRule {
        PinLintRule(
            "file/" + code.kebab, .error, "a file that can't be used: \(code.words)",
            why:
                "The format's owner skips the value or refuses the file, or the value can't be used as a pin here. The linter checks only the file's other entries, and not against other files.",
            fix: remedy(of: code))
    }

    /// Returns the remedy for a code of a reader's problems, in the form of a rule's remedy.
    private static func remedy(of code: ErrorCode) -> String { remedies[code.name] ?? "repair the value" }

    /// The remedies from the guides to the codes. A remedy that only refers to the linter is left out.
    private static let remedies = Dictionary(
        uniqueKeysWithValues: PinLintBook.pinFiles.entries.map { guide in
            let texts = guide.all("remedy").filter { !$0.contains("servertrust pins lint") }
            return (guide.name, texts.map(clause).joined(separator: "; or "))
        })

    /// Returns a sentence as a clause: `Add the key.` as `add the key`.
    private static func clause(_ sentence: String) -> String {
        let plain = sentence.filter { $0 != "`" }
        return plain.prefix(1).lowercased() + plain.dropFirst().dropLast(plain.hasSuffix(".") ? 1 : 0)
    }

    /// The codes that occur with the grade `odd`.
    private static let oddCodes: [ErrorCode] = [
        .pinFileUnreadable, .pinFileUnknownKey, .pinFileMissingKey, .pinFileWrongType, .pinFileBadValue,
        .pinFileBadBase64, .pinFileBadDigest, .pinFileBadDate, .pinFileDuplicateHost,
        .pinFileEmptyList, .pinFileDuplicatePin, .pinFileUnmatchablePin, .pinFileUnmatchableHost, .pinFileNothingPinned,
        .pinFileMisplacedKey, .pinFileBadURI,
        .pinFileContradiction, .pinFileTooFewPins, .pinFileNotLiteral, .pinFileDuplicateKey,
    ]

    /// Returns the rule for a code of an odd problem, which the format's owner accepts: `odd/unknown-key`.
    ///
    /// The book has rules for values that leave hosts unpinned although the file pins them. They occur only as odd
    /// problems.
    static func odd(_ code: ErrorCode) -> PinLintRule {
        let id = "odd/" + code.kebab
        guard let entry = PinLintBook.rules[id] else {
            return PinLintRule(
                id, .warning, "a value that the format's owner accepts but authors rarely intend: \(code.words)",
                why: "The file is used, but the value may not do what its author intended.", fix: remedy(of: code))
        }
        return PinLintRule(entry, fix: remedy(of: code))
    }
}

extension ErrorCode {
    /// The name in kebab case: `bad-base64`.
    var kebab: String { split("-") }
    /// The name in words: `bad base64`.
    var words: String { split(" ") }

    private func split(_ separator: String) -> String {
        inPinFile.reduce(into: "") { $0 += $1.isUppercase ? separator + $1.lowercased() : String($1) }
    }
}
