// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

extension CSVHeader {
    /// Returns the rows of complete records. A record larger than the maximum is unreadable.
    func rows(
        in data: Data, firstLine: Int, maximumSize: Int
    ) -> [(row: Result<RowCells, TrustFailure>, line: Int)] {
        var rows: [(Result<RowCells, TrustFailure>, Int)] = []
        data.withUnsafeBytes { bytes in
            var line = firstLine
            for range in CSVRecordScanner.records(in: bytes) {
                let record = UnsafeRawBufferPointer(rebasing: bytes[range])
                if record.count > maximumSize {
                    rows.append((.failure(.tooLong(maximumSize)), line))
                } else if let row = row(Array(record)) {
                    rows.append((row, line))
                }
                line += record.lineFeeds
            }
        }
        return rows
    }

    /// Returns the row for a record, or nil for an empty line.
    private func row(_ bytes: [UInt8]) -> Result<RowCells, TrustFailure>? {
        var reader = CSVReader(bytes)
        do throws(CSVError) {
            guard let fields = try reader.next() else { return nil }
            guard fields.count == count else {
                return Self.unreadable("\(counted(fields.count, "field")), expected \(count) as in the header")
            }
            var cells = RowCells(chain: (chainName, .string(try fields[chain].text())))
            // CSV has no null.
            if let id, case let text = try fields[id].text(), !text.isEmpty { cells.id = ("id", .string(text)) }
            if let host { cells.host = ("host", .string(try fields[host].text())) }
            return .success(cells)
        } catch {
            // The row's name already contains the record's line.
            return Self.unreadable(error.detail)
        }
    }

    private static func unreadable(_ problem: String) -> Result<RowCells, TrustFailure> {
        .failure(TrustFailure(.requestValueInvalid, found: .text("record: \(problem)")))
    }
}
