// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustCommand

@Suite("Cells of tables in text") struct TableCellTests {
    static let cells: [(String, String)] = [
        ("", ""), ("a b", "a b"), ("-", "'-"), ("=1+1", "'=1+1"), ("+1", "'+1"), ("@SUM(1)", "'@SUM(1)"),
        ("'=1", "''=1"),
        ("'a", "'a"), ("a=1", "a=1"), (" =1", " =1"), ("\t=1", "\\u{9}=1"), ("\r=1", "\\u{d}=1"),
        ("\u{ff1d}1", "'\u{ff1d}1"),
        ("=\u{338}", "'=\u{338}"), ("a\u{202e}b", "a\\u{202e}b"), ("O=A\\, B", "O=A\\, B"), ("\\u{9}", "\\u{5c}u{9}"),
        ("\\u{\u{301}", "\\u{5c}u{\u{301}"), ("\\\\u{9}", "\\\\u{5c}u{9}"), ("\u{1b}\\u{1b}", "\\u{1b}\\u{5c}u{1b}"),
    ]

    @Test("A cell is a text without formulas and without characters that control or reorder text", arguments: cells)
    func text(_ field: String, _ cell: String) {
        #expect(Array(TableCell.text(field).utf8) == Array(cell.utf8))
    }

    @Test("Reading a line returns its fields, whatever they contain", arguments: 0..<200)
    func lines(_ seed: Int) throws {
        var hostile = HostileFields(seed: UInt64(seed))
        let fields = (0..<5).map { _ in hostile.next() } + ["", "a"]
        var csv: [UInt8] = []
        TableCell.appendCSV(fields + [nil], to: &csv)
        _ = try OutputGrammar.csv.structure(of: csv)
        #expect(try OutputGrammar.records(csv).map { $0.map(Self.field) } == [(fields + [""]).map { Array($0.utf8) }])
        var tsv: [UInt8] = []
        TableCell.appendTSV(fields + [nil], to: &tsv)
        _ = try OutputGrammar.tsv.structure(of: tsv)
        let rows = OutputGrammar.rows(String(decoding: tsv, as: UTF8.self))
        #expect(rows.map { $0.map(Self.field) } == [(fields + [""]).map { Array($0.utf8) }])
    }

    /// Returns the bytes of the field that a cell represents.
    private static func field(_ cell: String) -> [UInt8] {
        var scalars = Array(cell.unicodeScalars)
        if scalars.first == "'", let next = scalars.first(where: { $0 != "'" }),
            "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".unicodeScalars.contains(next)
        {
            scalars.removeFirst()
        }
        var field = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            if scalars[index...].starts(with: "\\u{".unicodeScalars),
                let end = scalars[index...].firstIndex(of: "}"),
                let value = UInt32(String(String.UnicodeScalarView(scalars[(index + 3)..<end])), radix: 16),
                let scalar = Unicode.Scalar(value)
            {
                field.append(scalar)
                index = end + 1
            } else {
                field.append(scalars[index])
                index += 1
            }
        }
        return Array(String(field).utf8)
    }
}
