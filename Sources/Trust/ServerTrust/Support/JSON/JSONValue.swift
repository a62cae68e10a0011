// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259) with the line where it starts.
///
/// Members keep their order, and also their duplicates if the caller wants to see them. Foundation's readers keep only
/// one duplicate, and § 4 doesn't specify which one.
package struct JSONValue: Sendable {
    package enum Content: Sendable {
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

    /// The handling of a key that occurs twice in one object.
    package enum RepeatedKeys: Sendable {
        /// The caller sees all members.
        case kept
        /// A repeated key is an error, in every object. Keys that Swift compares as equal count as the same key.
        case refused
        /// A repeated key is an error, except in members that the caller doesn't keep.
        case refusedIfKept
    }

    package let content: Content
    /// The line, from 1.
    package let line: Int

    init(_ content: Content, line: Int) {
        self.content = content
        self.line = line
    }
}

/// The reason why bytes aren't JSON that the caller accepts.
package struct JSONError: Error, Sendable {
    /// Whether the text is nested too deeply or has too many values.
    package var isTooLarge = false
    /// Whether the text is JSON up to a key that occurs twice. The detail names the key with the place of its object.
    package var isRepeatedKey = false
    /// The line of the error, from 1, or nil for the whole text.
    package let line: Int?
    /// The expected and the found text, on one line.
    package let detail: String
}

extension JSONValue {
    /// Parses JSON in UTF-8, with or without a byte order mark.
    ///
    /// The parser is strict: it only allows white space around the single value, and neither comments nor trailing
    /// commas.
    /// - Parameters:
    ///   - bytes: the text.
    ///   - maximumDepth: the maximum depth of nested values. A value without others inside has depth 1.
    ///   - maximumCount: the maximum number of values.
    ///   - repeatedKeys: the handling of a key that occurs twice in one object.
    ///   - isKept: whether to store the members of the outermost object with this key. The parser checks the other
    ///     members too, but their values don't count.
    package init(
        parsing bytes: [UInt8], maximumDepth: Int, maximumCount: Int, repeatedKeys: RepeatedKeys,
        keeping isKept: (String) -> Bool = { _ in true }
    ) throws(JSONError) {
        guard bytes.isASCII || String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(line: nil, detail: "not UTF-8")
        }
        guard !CombiningRun.isTooLong(inJSON: bytes) else {
            throw JSONError(line: nil, detail: "expected \(CombiningRun.expectation)")
        }
        var reader = JSONReader(
            bytes, maximumDepth: maximumDepth, maximumCount: maximumCount, repeatedKeys: repeatedKeys)
        guard let value = reader.document(keeping: isKept) else {
            throw JSONError(
                isTooLarge: reader.isTooLarge, isRepeatedKey: reader.hasRepeatedKey, line: reader.line,
                detail: reader.problem)
        }
        self = value
    }
}

extension [UInt8] {
    fileprivate var isASCII: Bool { reduce(0, |) < 0x80 }
}
