// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A row of a block: a request that isn't parsed yet, or a chain in another format.
enum SourceRow {
    /// A line of JSON, and the name for a row that has none.
    case request(Data, name: String?)
    case row(BatchRow)
    /// A file that isn't read yet, so that only one file at a time is in memory.
    case file(String)
}

/// A reader of the rows in blocks, for one thread.
struct RowReader {
    private let format: InputFormat
    private let maximumRowSize: Int
    private let scans = ZGrab2Lines()
    private let certificates = ZCertificateLines()

    init(_ format: InputFormat, maximumRowSize: Int) {
        self.format = format
        self.maximumRowSize = maximumRowSize
    }

    /// Returns the rows of a block, and the number of lines, records, chains or files that they come from.
    func rows(of block: RowBlock, header: CSVHeader?) -> (rows: [SourceRow], count: Int) {
        switch block.content {
        case .tooLong: return ([.row(named(tooLong, block, block.firstLine))], 1)
        case .unclosed:
            var row = BatchRow()
            row.failures = [
                TrustFailure(.requestValueInvalid, found: .text("record: the quote of a field is never closed"))
            ]
            return ([.row(named(row, block, block.firstLine))], 1)
        case .files(let names):
            return (names.map { .file($0) }, names.count)
        case .chains(let chains):
            let rows = chains.map { chain in
                var row = BatchRow(chain: chain.certificates.map { .der($0) })
                if let problem = chain.problem {
                    row.failures = [
                        TrustFailure(.certificateMalformed, certificate: 0, role: .leaf, found: .text(problem))
                    ]
                }
                return SourceRow.row(named(row, block, chain.line))
            }
            return (rows, chains.count)
        case .lines(let data):
            guard format == .csv, let header else { return lines(of: data, block) }
            let rows = header.rows(in: data, firstLine: block.firstLine, maximumSize: maximumRowSize)
            return (rows.map { .row(named($0.row, block, $0.line)) }, rows.count)
        }
    }

    private func lines(of data: Data, _ block: RowBlock) -> (rows: [SourceRow], count: Int) {
        let lines = data.lines()
        var rows: [SourceRow] = []
        rows.reserveCapacity(lines.count)
        for (line, index) in lines {
            let number = block.firstLine + index
            guard line.count <= maximumRowSize else {
                rows.append(.row(named(tooLong, block, number)))
                continue
            }
            switch format {
            case .zgrab2: for row in scans.rows(of: line) { rows.append(.row(named(row, block, number))) }
            case .zcertificate:
                for row in certificates.rows(of: line) { rows.append(.row(named(row, block, number))) }
            case .requests, .ndjson, .csv, .pem, .derDir:
                rows.append(.request(line, name: format.namesRows ? "\(block.name):\(number)" : nil))
            }
        }
        return (rows, lines.count)
    }

    /// Returns a row. If it has no name, it gets the name of its file and line.
    private func named(_ row: BatchRow, _ block: RowBlock, _ line: Int) -> BatchRow {
        guard row.id == nil, format.namesRows else { return row }
        var row = row
        row.id = "\(block.name):\(line)"
        return row
    }

    /// The row for a line that is too long.
    private var tooLong: BatchRow { BatchRow(failures: [.tooLong(maximumRowSize)]) }
}

extension TrustFailure {
    /// Returns the failure for a row that is longer than a number of bytes.
    static func tooLong(_ maximum: Int) -> TrustFailure { TrustFailure(.requestTooLong, expected: .number(maximum)) }
}
