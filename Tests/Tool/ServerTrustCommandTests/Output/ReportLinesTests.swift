// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Testing

@testable import ServerTrustCommand

@Suite("The text of a report's blocks") struct ReportLinesTests {
    private func lines(_ blocks: [Report.Block]) -> [String] { ReportLines(blocks, .plain).lines }

    @Test("A row's sentences follow its other cells, and rows with the same sentences share them")
    func sentences() {
        let columns: [Report.Column] = [.title("Host"), .number("Connections"), .words("Why")]
        let rows: [[Report.Cell]] = [
            ["a", "2", "expired"], ["b", "1", "expired"], ["c", "", ["revoked", .note("since May")]],
        ]
        #expect(
            lines([.table("Hosts", columns, rows)]) == [
                "a  2 connections", "b  1 connection", "  why       expired", "c", "  why       revoked",
                "            since May",
            ])
    }

    @Test("The columns of a table without sentences are aligned")
    func columns() {
        let columns: [Report.Column] = [.title("Code"), .number("Records")]
        #expect(
            lines([.table("Codes", columns, [["pinNotMatched", "7"], ["x", "1,000"]])]) == [
                "Code           Records", "pinNotMatched         7", "x                1,000",
            ])
    }

    @Test("A section without text isn't written")
    func sections() {
        let id = HTMLIdentifier("hosts")
        #expect(lines([.section("Hosts", id: id, [.table("Hosts", [.title("Host")], [])])]).isEmpty)
        #expect(
            lines([.section("Hosts", id: id, []), .section("Codes", id: id, [.paragraph("none")])]) == [
                "", "Codes", "none",
            ])
    }

    @Test("Text from servers can't control a terminal or reorder a line")
    func hostile() {
        for text in AuditSample.hostile {
            let row: [Report.Cell] = [[.foreign(text)], [.sentence(text)]]
            let blocks: [Report.Block] = [
                .paragraph([.code(text), .quiet([.strong(text)])]), .list([[.line([.foreign(text)])]]),
                .table("Names", [.title("Name"), .words("Why")], [row]), .facts([("name", [.prose(text)])]),
                .card([.foreign(text)], [.lines(text)]),
            ]
            for line in lines(blocks) { #expect(line.steeringScalars.isEmpty && !line.contains("\n"), "\(text)") }
        }
    }
}
