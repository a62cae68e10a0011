// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The positions of the columns in a CSV file.
struct CSVHeader: Sendable {
    /// The number of columns.
    let count: Int
    let id: Int?
    let host: Int?
    let chain: Int
    /// The name of the column with the chain.
    let chainName: String

    /// The maximum size of the first record in bytes.
    static let maximumSize = 1 << 20

    /// - Parameters:
    ///   - record: the first record of the file.
    ///   - name: the name of the file, for errors.
    /// - Throws: ``CommandFailure`` if a column named by an option or the chain column is missing, or a name occurs
    ///   twice.
    init(_ record: [CSVField], _ columns: RowColumns, name: String) throws(CommandFailure) {
        let names: [String]
        do throws(CSVError) { names = try record.map { field throws(CSVError) in try field.text() } } catch {
            throw CommandFailure("\(name):\(error)")
        }
        func find(_ wanted: [String], isNamed: Bool) throws(CommandFailure) -> Int? {
            for wanted in wanted {
                let places = names.indices.filter { names[$0].caseInsensitiveCompare(wanted) == .orderedSame }
                guard places.count < 2 else { throw CommandFailure("\(name):1: two columns \"\(wanted)\"") }
                if let place = places.first { return place }
            }
            guard !isNamed else {
                throw CommandFailure("\(name):1: no column \"\(wanted[0])\"; found \(Self.list(names))")
            }
            return nil
        }
        guard let chain = try find(columns.chains, isNamed: columns.chain != nil) else {
            throw CommandFailure(
                "\(name):1: no column with the chain; expected \(columns.chains.joined(separator: ", ")), found \(Self.list(names))",
                hint: "name the column with --chain-column")
        }
        self.chain = chain
        chainName = names[chain]
        id = try find(columns.ids, isNamed: columns.id != nil)
        host = try find(columns.hosts, isNamed: columns.host != nil)
        count = names.count
    }

    /// Reads the header at the beginning of a stream.
    /// - Parameter rowName: the name of the file, for names of rows.
    /// - Throws: ``CommandFailure`` if there is no header.
    static func read(
        _ stream: ByteStream, _ columns: RowColumns, rowName: String
    ) throws(CommandFailure) -> (header: CSVHeader, rest: StreamWindow) {
        let name = stream.name
        let window = StreamWindow(stream, name: rowName, at: InputPosition())
        var scanner = CSVRecordScanner()
        var scanned = 0
        while true {
            let bytes = window.bytes
            var end = bytes.indices[scanned...].first { scanner.take(bytes[$0]) }.map { $0 + 1 }
            scanned = bytes.count
            if end == nil, try !window.readMore(to: maximumSize) { end = window.count }
            guard let end else {
                guard window.count <= maximumSize else {
                    throw CommandFailure("\(name):1: no header within \(maximumSize) bytes")
                }
                continue
            }
            var reader = CSVReader(Array(window.bytes[..<end]))
            let record: [CSVField]?
            do throws(CSVError) { record = try reader.next() } catch { throw CommandFailure("\(name):\(error)") }
            window.skip(end)
            if let record { return (try CSVHeader(record, columns, name: name), window) }
            guard window.count > 0 || end > 0 else { throw CommandFailure("\(name): empty, expected a header") }
            (scanner, scanned) = (CSVRecordScanner(), 0)
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(20).map { "\"\($0.prefix(64))\"" }.joined(separator: ", ") + (names.count > 20 ? ", …" : "")
    }
}
