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

        /// The content of a record that isn't one of a table.
        static func malformed(_ problem: String) -> Content {
            .unreadable(TrustFailure(.requestValueInvalid, found: .text("record: \(problem)")))
        }
    }

    let content: Content
    /// The name for a row that has none.
    let name: String?
}

/// The cells that count in a table's row. Nil for a cell that the row doesn't have.
struct RowCells {
    /// A value with the name of its column.
    typealias Cell = (column: String, value: JSONValue.Content)

    var id: Cell?
    var host: Cell?
    var chain: Cell?
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
        case .unclosed: return [row(.malformed("the quote of a field is never closed"), block.firstLine)]
        case .lines(let data):
            if format == .csv, let header {
                return header.rows(in: data, firstLine: block.firstLine, maximumSize: maximumRowSize).map {
                    row($0, $1)
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

extension CSVHeader {
    /// Returns the rows of complete records. A record larger than the maximum is unreadable.
    func rows(
        in data: Data, firstLine: Int, maximumSize: Int
    ) -> [(row: SourceRow.Content, line: Int)] {
        var rows: [(SourceRow.Content, Int)] = []
        data.withUnsafeBytes { bytes in
            var line = firstLine
            for range in CSVRecordScanner.records(in: bytes) {
                let record = UnsafeRawBufferPointer(rebasing: bytes[range])
                if record.count > maximumSize {
                    rows.append((.unreadable(.tooLong(maximumSize)), line))
                } else if let row = row(Array(record)) {
                    rows.append((row, line))
                }
                line += record.lineFeeds
            }
        }
        return rows
    }

    /// Returns the row for a record, or nil for an empty line.
    private func row(_ bytes: [UInt8]) -> SourceRow.Content? {
        var reader = CSVReader(bytes)
        do throws(CSVError) {
            guard let fields = try reader.next() else { return nil }
            guard fields.count == count else {
                return .malformed("\(counted(fields.count, "field")), expected \(count) as in the header")
            }
            var cells = RowCells(chain: (chainName, .string(try fields[chain].text())))
            // CSV has no null.
            if let id, case let text = try fields[id].text(), !text.isEmpty { cells.id = ("id", .string(text)) }
            if let host { cells.host = ("host", .string(try fields[host].text())) }
            return .cells(cells)
        } catch {
            // The row's name already contains the record's line.
            return .malformed(error.detail)
        }
    }
}
