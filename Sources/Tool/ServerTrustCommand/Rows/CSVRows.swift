// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

extension CSVHeader {
    /// Returns the rows of complete records. A record larger than the maximum is unreadable.
    func rows(in data: Data, firstLine: Int, maximumSize: Int) -> [(row: BatchRow, line: Int)] {
        var rows: [(BatchRow, Int)] = []
        data.withUnsafeBytes { bytes in
            var line = firstLine
            for range in CSVRecordScanner.records(in: bytes) {
                let record = UnsafeRawBufferPointer(rebasing: bytes[range])
                if record.count > maximumSize {
                    rows.append((BatchRow(failures: [.tooLong(maximumSize)]), line))
                } else if let row = row(Array(record)) {
                    rows.append((row, line))
                }
                line += record.lineFeeds
            }
        }
        return rows
    }

    /// Returns the row for a record, or nil for an empty line.
    private func row(_ bytes: [UInt8]) -> BatchRow? {
        var reader = CSVReader(bytes)
        do throws(CSVError) {
            guard let fields = try reader.next() else { return nil }
            guard fields.count == count else {
                return Self.unreadable("\(counted(fields.count, "field")), expected \(count) as in the header")
            }
            var row = BatchRow()
            // CSV has no null.
            row.id = try id.map { index throws(CSVError) in try fields[index].text() }.flatMap { $0.isEmpty ? nil : $0 }
            row.host = try host.map { index throws(CSVError) in try fields[index].text() }
            switch ChainText.certificates(try fields[chain].text(), column: chainName) {
            case .success(let chain): row.chain = chain
            case .failure(let failure): row.failures = [failure]
            }
            return row
        } catch {
            // The row's name already contains the record's line.
            return Self.unreadable(error.detail)
        }
    }

    private static func unreadable(_ problem: String) -> BatchRow {
        BatchRow(failures: [TrustFailure(.requestValueInvalid, found: .text("record: \(problem)"))])
    }
}
