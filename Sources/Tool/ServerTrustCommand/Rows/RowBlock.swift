// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A block of complete rows of one file.
struct RowBlock: Sendable {
    /// The maximum number of lines or records in a block, because answers to very short lines take far more memory than
    /// the lines.
    static let maximumRows = 1024

    enum Content: Sendable {
        /// Complete lines, or complete CSV records.
        case lines(Data)
        /// A line that is too long and is skipped.
        case tooLong
        /// A record whose quote is never closed. The reader leaves out its first line.
        case unclosed
    }

    var content: Content
    /// The name of the file, for names of rows.
    var name: String
    /// The number of the block's first line, starting at 1.
    var firstLine: Int
    /// The position after the block, or nil in the middle of a line.
    var end: InputPosition?
    /// Whether a run that resumes at that position finds the same rows.
    var isResumable = true
    /// The number of bytes on disk that were read for this block and all earlier ones.
    var bytesRead = 0

    /// The size in memory in bytes.
    var size: Int {
        switch content {
        case .lines(let data): data.count
        case .tooLong, .unclosed: 0
        }
    }
}
