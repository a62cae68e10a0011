// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A row of a block.
struct SourceRow {
    enum Content {
        /// A line of JSON that isn't parsed yet.
        case line(Data)
        case cells(RowCells)
        case unreadable(TrustFailure)
    }

    let content: Content
    /// The name for a row that has none.
    let name: String?
}

/// A reader of the rows in blocks.
struct RowReader {
    let format: InputFormat
    let maximumRowSize: Int

    /// Returns the rows of a block.
    func rows(of block: RowBlock, header: CSVHeader?) -> [SourceRow] {
        func row(_ content: SourceRow.Content, _ line: Int) -> SourceRow {
            SourceRow(content: content, name: format.isTable ? "\(block.name):\(line)" : nil)
        }
        let tooLong = SourceRow.Content.unreadable(.tooLong(maximumRowSize))
        switch block.content {
        case .tooLong: return [row(tooLong, block.firstLine)]
        case .unclosed:
            let problem = "record: the quote of a field is never closed"
            let failure = TrustFailure(.requestValueInvalid, found: .text(problem))
            return [row(.unreadable(failure), block.firstLine)]
        case .lines(let data):
            if format == .csv, let header {
                return header.rows(in: data, firstLine: block.firstLine, maximumSize: maximumRowSize).map { found in
                    switch found.row {
                    case .success(let cells): row(.cells(cells), found.line)
                    case .failure(let failure): row(.unreadable(failure), found.line)
                    }
                }
            }
            return data.lines().map { line, index in
                row(line.count <= maximumRowSize ? .line(line) : tooLong, block.firstLine + index)
            }
        }
    }
}

extension TrustFailure {
    /// Returns the failure for a row that is longer than a number of bytes.
    static func tooLong(_ maximum: Int) -> TrustFailure { TrustFailure(.requestTooLong, expected: .number(maximum)) }
}
