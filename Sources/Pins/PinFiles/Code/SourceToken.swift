// SPDX-License-Identifier: Apache-2.0

/// A token of a source, by its place in the bytes.
struct SourceToken {
    enum Kind: UInt8 {
        /// A name or a keyword.
        case word
        /// A string literal without interpolation.
        case string
        /// A string literal with interpolation. The tokens of its expressions follow in brackets of their own.
        case dynamicString
        case number
        /// A character literal or a regular expression.
        case other
        /// One byte of an operator, a bracket or a separator.
        case symbol
    }

    let kind: Kind
    /// The offset of the first byte, which is a delimiter in a string.
    let start: Int32
    /// The offset behind the last byte; of an interpolated string, behind its first part.
    var end: Int32
    /// The line, from 1.
    let line: Int32
}

/// A comment of a source.
struct SourceComment {
    /// The range of the text in the bytes, without the delimiters.
    let range: Range<Int32>
    /// The line of its start, from 1.
    let line: Int32
    /// The number of tokens before it.
    let tokensBefore: Int32
}
