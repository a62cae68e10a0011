// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A row of a block: a line of JSON that isn't parsed yet, or a chain from a table.
enum SourceRow {
    /// A line of JSON, and the name for a row that has none.
    case request(Data, name: String?)
    case row(BatchRow)
}

/// A reader of the rows in blocks.
struct RowReader {
    let format: InputFormat
    let maximumRowSize: Int

    /// Returns the rows of a block.
    func rows(of block: RowBlock, header: CSVHeader?) -> [SourceRow] {
        switch block.content {
        case .tooLong: return [unreadable(.tooLong(maximumRowSize), block, block.firstLine)]
        case .unclosed:
            let problem = "record: the quote of a field is never closed"
            return [unreadable(TrustFailure(.requestValueInvalid, found: .text(problem)), block, block.firstLine)]
        case .lines(let data):
            if format == .csv, let header {
                return header.rows(in: data, firstLine: block.firstLine, maximumSize: maximumRowSize)
                    .map { named($0.row, block, $0.line) }
            }
            return data.lines().map { line, index in
                let number = block.firstLine + index
                return line.count <= maximumRowSize
                    ? .request(line, name: name(block, number)) : unreadable(.tooLong(maximumRowSize), block, number)
            }
        }
    }

    private func unreadable(_ failure: TrustFailure, _ block: RowBlock, _ line: Int) -> SourceRow {
        named(BatchRow(failures: [failure]), block, line)
    }

    /// Returns a row. If it has no name, it gets the name of its file and line.
    private func named(_ row: BatchRow, _ block: RowBlock, _ line: Int) -> SourceRow {
        var row = row
        row.id = row.id ?? name(block, line)
        return .row(row)
    }

    private func name(_ block: RowBlock, _ line: Int) -> String? {
        format.isTable ? "\(block.name):\(line)" : nil
    }
}

extension TrustFailure {
    /// Returns the failure for a row that is longer than a number of bytes.
    static func tooLong(_ maximum: Int) -> TrustFailure { TrustFailure(.requestTooLong, expected: .number(maximum)) }
}
