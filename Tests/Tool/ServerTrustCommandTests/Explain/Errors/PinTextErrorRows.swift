// SPDX-License-Identifier: Apache-2.0

import PKIX

@testable import ServerTrust

extension ErrorRow {
    /// The errors in host patterns, pins and pin sets.
    static let pinTexts: [ErrorRow] = patterns + pins + pinSets

    private static let patterns: [ErrorRow] = [
        pattern(.hostPatternEmpty, ""), pattern(.hostPatternWithoutName, "**."),
        pattern(.hostPatternWildcardMisplaced, "api*.example.com", ["label": "api*"]),
        pattern(.hostPatternWildcardBeforeAddress, "*.192.0.2.1"),
        pattern(.hostPatternTooLong, "*." + longName), pattern(.hostPatternHasScheme, "https://example.com"),
        pattern(.hostPatternHasPort, "example.com:443"), pattern(.hostPatternHasPath, "example.com/path"),
        pattern(.hostPatternHostInvalid, "a..b"),
    ]

    /// A host name of 253 characters.
    private static let longName = String(repeating: "a.", count: 126) + "b"

    private static func pattern(_ code: ErrorCode, _ text: String, _ more: [String: String] = [:]) -> ErrorRow {
        ErrorRow(
            HostPatternError.self, code, having: more.merging(["text": text]) { first, _ in first },
            { ["text": $0.text, "label": $0.label, "host": $0.host] }
        ) { try HostPattern(text) }
    }

    private static let pins: [ErrorRow] = [
        pin(.pinPrefixMissing, "AAAA"), pin(.pinNotBase64, "sha256/!"),
        pin(.pinLengthWrong, "sha256/AAAA", ["byteCount": "3"]),
    ]

    private static func pin(_ code: ErrorCode, _ text: String, _ more: [String: String] = [:]) -> ErrorRow {
        ErrorRow(
            SPKIPinError.self, code, having: more.merging(["text": text]) { first, _ in first },
            { ["text": $0.text, "byteCount": $0.byteCount] }
        ) { try SPKIPin(text) }
    }

    // MARK: - Sets

    private static let pinText = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    private static let pinSets: [ErrorRow] = [
        pinSet(.pinSetEmpty, [], backup: [pinText]), pinSet(.pinSetWithoutBackup, [pinText], backup: []),
        pinSet(.pinSetDuplicate, [pinText], backup: [pinText]),
        ErrorRow(
            SPKIPinSetError.Problem.self, .pinSetDuplicate,
            { ["places": $0.places.isEmpty ? nil : $0.places, "pin": $0.pin, "error": $0.error] }
        ) {
            do throws(SPKIPinSetError) { return try SPKIPinSet(pins: [pinText], backup: [pinText]) } catch {
                throw error.problems[0]
            }
        },
    ]

    private static func pinSet(_ code: ErrorCode, _ pins: [String], backup: [String]) -> ErrorRow {
        ErrorRow(SPKIPinSetError.self, code, { ["problems": $0.problems] }) {
            try SPKIPinSet(pins: pins, backup: backup)
        }
    }
}
