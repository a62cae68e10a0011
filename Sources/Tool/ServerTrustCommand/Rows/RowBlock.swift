// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A block of whole rows of one file.
struct RowBlock: Sendable {
    /// The maximum number of lines or records of a block: answers to very short ones take far more memory than these.
    static let maximumRows = 1024

    enum Content: Sendable {
        /// Whole lines, or whole records of CSV.
        case lines(Data)
        /// A line that is too long, and is skipped.
        case tooLong
        /// A record whose quote is never closed: its first line is left out.
        case unclosed
        /// Chains in DER, each with its line.
        case chains([RowChain])
        /// Names of files.
        case files([String])
    }

    var content: Content
    /// The name of the file for names of rows.
    var name: String
    /// The number of the block's first line, from 1.
    var firstLine: Int
    /// The place behind the block; nil in the middle of a line.
    var end: InputPosition?
    /// Whether a run that goes on at that place finds the same rows.
    var isResumable = true
    /// The bytes of the files that were read for this block and all before it, as they are on the disk.
    var bytesRead = 0

    /// The size in memory, in bytes.
    var size: Int {
        switch content {
        case .lines(let data): data.count
        case .chains(let chains): chains.reduce(0) { $0 + $1.size }
        case .tooLong, .unclosed, .files: 0
        }
    }
}

/// A chain of a stream of PEM.
struct RowChain: Sendable {
    /// The number of its first line, from 1.
    var line: Int
    /// The certificates in DER, leaf first.
    var certificates: [[UInt8]] = []
    /// The reason for which an object can't be read; nil for a chain.
    var problem: String?

    var size: Int { certificates.reduce(128) { $0 + $1.count } }
}
