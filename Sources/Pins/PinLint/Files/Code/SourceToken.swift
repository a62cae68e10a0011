// SPDX-License-Identifier: Apache-2.0

/// A token of a source, as a position in its bytes.
struct SourceToken {
    enum Kind: UInt8 {
        /// A name or a keyword.
        case word
        /// A string literal without interpolation.
        case string
        /// A string literal with interpolation. The tokens of its expressions follow in separate brackets.
        case dynamicString
        case number
        /// A character literal or a regular expression.
        case other
        /// One byte of an operator, a bracket or a separator.
        case symbol
    }

    let kind: Kind
    /// The offset of the first byte. For a string, this is the first byte of its delimiter.
    let start: Int32
    /// The offset after the last byte. In an interpolated string, the offset after its first part.
    var end: Int32
    /// The line, from 1.
    let line: Int32

    /// Whether the token is a string literal, with or without interpolation.
    var isString: Bool { kind == .string || kind == .dynamicString }
}

/// A comment in a source.
struct SourceComment {
    /// The range of the text in the bytes, without the delimiters.
    let range: Range<Int32>
    /// The line where the comment starts, from 1.
    let line: Int32
    /// The number of tokens before the comment.
    let tokensBefore: Int32
}
