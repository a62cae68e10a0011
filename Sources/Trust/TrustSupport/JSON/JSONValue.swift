// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259) with the line on which it starts.
///
/// Members keep their order, and their duplicates where the caller wants to see them: Foundation's readers keep one of them, and which
/// one is not specified (§ 4).
package struct JSONValue: Sendable {
    package indirect enum Content: Sendable {
        case object([Member])
        case array([JSONValue])
        case string(String)
        /// The digits as written.
        case number(String)
        case boolean(Bool)
        case null
    }

    package struct Member: Sendable {
        package let key: String
        /// The value, with the line of the key.
        package let value: JSONValue
    }

    /// The treatment of a key that comes twice in one object.
    package enum RepeatedKeys: Sendable {
        /// The caller sees all members.
        case kept
        /// The text is an error. Keys that Swift compares as equal count as one.
        case refused
    }

    package let content: Content
    /// The line, from 1.
    package let line: Int

    init(_ content: Content, line: Int) {
        self.content = content
        self.line = line
    }
}

/// The reason why bytes are no JSON.
package struct JSONError: Error, Sendable {
    /// Whether the value is nested too deeply or has too many values.
    package let isTooLarge: Bool
    /// The line of the error, from 1; nil for the whole text.
    package let line: Int?
    /// The expected and the found text, on one line.
    package let detail: String
}

extension JSONValue {
    /// Parses JSON in UTF-8, with or without a byte order mark.
    ///
    /// Strict: only white space around the one value, no comments, no trailing commas.
    /// - Parameters:
    ///   - bytes: the text.
    ///   - maximumDepth: the maximum depth of nested values: 1 for a value without others in it.
    ///   - maximumCount: the maximum number of values.
    ///   - repeatedKeys: the treatment of a key that comes twice in one object.
    package init(
        parsing bytes: [UInt8], maximumDepth: Int, maximumCount: Int, repeatedKeys: RepeatedKeys
    ) throws(JSONError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(isTooLarge: false, line: nil, detail: "not UTF-8")
        }
        guard !CombiningRun.isTooLong(inJSON: bytes) else {
            throw JSONError(isTooLarge: false, line: nil, detail: "expected \(CombiningRun.expectation)")
        }
        var reader = JSONReader(
            bytes, maximumDepth: maximumDepth, maximumCount: maximumCount, repeatedKeys: repeatedKeys)
        guard let value = reader.document() else {
            throw JSONError(isTooLarge: reader.isTooLarge, line: reader.line, detail: reader.problem)
        }
        self = value
    }
}
