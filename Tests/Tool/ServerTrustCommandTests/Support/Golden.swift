// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The JSON of a verb, compared with a file in `Golden`.
///
/// The comparison replaces values that differ between runs by their type: times, ports, digests, certificates, paths,
/// and human-readable text, which isn't part of the contract. `SERVERTRUST_GOLDEN=write` rewrites the files, but
/// refuses to drop a key.
enum Golden {
    private static let isWriting = ProcessInfo.processInfo.environment["SERVERTRUST_GOLDEN"] == "write"

    private static func file(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Golden/\(name).json")
    }

    /// Compares a verb's output with the file.
    /// - Parameter texts: keys whose values are human-readable text in this verb, in addition to the keys for all
    ///   verbs.
    static func expect(_ outcome: Tool.Outcome, _ name: String, status: Int32, texts: Set<String> = []) throws {
        #expect(outcome.status == status, "\(name): \(outcome.errors)")
        let found = normalized(try JSONSerialization.jsonObject(with: outcome.output), "", commonTexts.union(texts))
        let missing = try golden(name).map { keyPaths($0).subtracting(keyPaths(found)).sorted() } ?? []
        #expect(missing.isEmpty, "\(name): keys have disappeared")
        let text = try JSONSerialization.data(
            withJSONObject: found, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        guard isWriting else {
            let expected = String(decoding: try Data(contentsOf: file(name)), as: UTF8.self)
            #expect(String(decoding: text, as: UTF8.self) + "\n" == expected, "\(name): SERVERTRUST_GOLDEN=write")
            return
        }
        if missing.isEmpty { try (text + Data("\n".utf8)).write(to: file(name)) }
    }

    private static func golden(_ name: String) throws -> Any? {
        guard FileManager.default.fileExists(atPath: file(name).path) else { return nil }
        return try JSONSerialization.jsonObject(with: Data(contentsOf: file(name)))
    }

    // MARK: - Keys

    /// Returns the keys with their parents: `[].steps[].host`.
    static func keyPaths(_ value: Any, _ path: String = "") -> Set<String> {
        switch value {
        case let members as [String: Any]:
            members.reduce(into: []) { paths, member in
                let below = path + "." + member.key
                paths.insert(below)
                paths.formUnion(keyPaths(member.value, below))
            }
        case let elements as [Any]: elements.reduce(into: []) { $0.formUnion(keyPaths($1, path + "[]")) }
        default: []
        }
    }

    // MARK: - Values

    private static let commonTexts: Set<String> = [
        "advice", "detail", "error", "explanation", "fix", "headline", "install", "message", "remove", "summary",
        "warnings",
        "why",
    ]
    /// The results of a negotiation that depend on the processor.
    private static let choices: Set<String> = ["cipherSuite", "cipherSuiteNumber", "group"]
    private static let changingNumbers: Set<String> = [
        "ageSeconds", "bytes", "daysLeft", "milliseconds", "port", "secondsLeft",
    ]

    /// Returns a value with placeholders for everything that differs between runs.
    /// - Parameter key: the key of the value.
    private static func normalized(_ value: Any, _ key: String, _ texts: Set<String>) -> Any {
        switch value {
        case let members as [String: Any]:
            // Members with digests as names become one member, because their values have the same structure.
            Dictionary(
                members.map { (normalized($0), normalized($1, $0, texts)) }, uniquingKeysWith: { first, _ in first })
        case let elements as [Any]: elements.map { normalized($0, key, texts) }
        case is String where texts.contains(key): "TEXT"
        case is String where choices.contains(key): "CHOICE"
        case let text as String: normalized(text)
        case is NSNumber where changingNumbers.contains(key): 0
        default: value
        }
    }

    private static func normalized(_ text: String) -> String {
        if text.wholeMatch(of: /[0-9a-f]{16,}|[0-9A-F]{16,}/) != nil { return "HEX" }
        if text.count > 60, text.wholeMatch(of: /[A-Za-z0-9+\/]+=*/) != nil { return "BASE64" }
        if text.wholeMatch(of: /[A-Za-z0-9_\-]{43}/) != nil { return "DIGEST" }
        return text.replacing(/sha256\/[A-Za-z0-9+\/]{43}=/, with: "sha256/DIGEST")
            .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/, with: "TIME")
            .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}/, with: "DAY")
            .replacing(/[0-9a-f]{32,}/, with: "HEX")
            .replacing(/(?<host>\.test|\.uk|localhost|127\.0\.0\.1):[0-9]+/) { "\($0.host):PORT" }
            .replacing(/\/[^ "]*\/servertrust-[^\/ "]*/, with: "FOLDER")
            .replacing(/servertrust CA [0-9a-f]{8}/, with: "servertrust CA HEX")
    }
}
