// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import Diagnosis

@Suite("The ASN.1 dump")
struct ASN1DumpTests {
    /// Bytes and the rows that the dump shows for them: offset, depth, lengths of header and contents, tag and
    /// description.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let hex: String
        let rows: [String]
        var problems: [Int] = []
    }

    static let rows: [Row] = [
        Row(testDescription: "a number", hex: "020105", rows: ["0 0 2 1 INTEGER 5"]),
        Row(testDescription: "a negative number", hex: "0202ff7f", rows: ["0 0 2 2 INTEGER -129 (0xff7f)"]),
        Row(
            testDescription: "two values in sequence", hex: "05000101ff",
            rows: ["0 0 2 0 NULL", "2 0 2 1 BOOLEAN TRUE"]),
        Row(
            testDescription: "an identifier with its name", hex: "30050603551d11",
            rows: ["0 0 2 5 SEQUENCE", "2 1 2 3 OBJECT IDENTIFIER 2.5.29.17 (subjectAltName)"]),
        Row(
            testDescription: "the dump expands a nested string", hex: "0405300302012a",
            rows: ["0 0 2 5 OCTET STRING holding", "2 1 2 3 SEQUENCE", "4 2 2 1 INTEGER 42 (0x2a)"]),
        Row(
            testDescription: "the dump expands a bit string with a sequence", hex: "030600300302012a",
            rows: ["0 0 2 6 BIT STRING holding", "3 1 2 3 SEQUENCE", "5 2 2 1 INTEGER 42 (0x2a)"]),
        Row(
            testDescription: "the dump doesn't expand bytes that only look like a value", hex: "04040501ffff",
            rows: ["0 0 2 4 OCTET STRING 0501ffff"]),
        Row(
            testDescription: "the dump doesn't expand a point of a curve", hex: "030500040202ff",
            rows: ["0 0 2 5 BIT STRING 040202ff"]),
        Row(
            testDescription: "a time with its date", hex: "170d3236313132303036313233305a",
            rows: ["0 0 2 13 UTCTime 261120061230Z (2026-11-20T06:12:30Z)"]),
        Row(
            testDescription: "a large tag number", hex: "bf8f7f03020101",
            rows: ["0 0 4 3 [2047]", "4 1 2 1 INTEGER 1"]),
        Row(
            testDescription: "an indefinite length with its end mark", hex: "30800201050000",
            rows: ["0 0 2 inf SEQUENCE", "2 1 2 1 INTEGER 5", "5 1 2 0 END OF CONTENTS"], problems: [0]),
        Row(
            testDescription: "an indefinite length without its end mark", hex: "3080020105",
            rows: ["0 0 2 inf SEQUENCE", "2 1 2 1 INTEGER 5"], problems: [0, 0]),
        Row(
            testDescription: "a length beyond the enclosing value, followed by another value",
            hex: "300530050201010500",
            rows: ["0 0 2 5 SEQUENCE", "2 1 2 5 SEQUENCE", "4 2 2 1 INTEGER 1", "7 0 2 0 NULL"], problems: [2]),
        Row(
            testDescription: "a length beyond the end of the file", hex: "308201000201050201",
            rows: ["0 0 4 256 SEQUENCE", "4 1 2 1 INTEGER 5", "7 1 2 1 INTEGER malformed: no contents"],
            problems: [0, 7]),
        Row(
            testDescription: "a truncated header, followed by another value", hex: "30013005000201",
            rows: ["0 0 2 1 SEQUENCE", "3 0 2 0 NULL", "5 0 2 1 INTEGER malformed: no contents"], problems: [2, 5]),
        Row(
            testDescription: "a length with too many bytes", hex: "30810302010a",
            rows: ["0 0 3 3 SEQUENCE", "3 1 2 1 INTEGER 10 (0x0a)"], problems: [0]),
        Row(
            testDescription: "the dump escapes control characters", hex: "0c041b5b316d",
            rows: ["0 0 2 4 UTF8String \"\\u{1b}[1m\""]),
    ]

    @Test("The dump shows a row for each value and the offset of each problem", arguments: rows)
    func table(_ row: Row) throws {
        let dump = ASN1Dump(try #require(bytes(row.hex)))
        let shown = dump.lines.filter { !$0.isUnreadable }.map { line in
            let length = line.length.map { String($0) } ?? "inf"
            let words = line.isOpened ? " holding" : line.words.map { " " + $0 } ?? ""
            return "\(line.offset) \(line.depth) \(line.headerLength) \(length) \(line.tag)\(words)"
        }
        #expect(shown == row.rows)
        #expect(dump.problems.map(\.offset) == row.problems)
    }

    @Test("The dump of a certificate reports no problem and expands the extensions")
    func certificate() throws {
        let leaf = try TestAuthority.root().issue(.leaf("www.example.com")).certificate
        let dump = ASN1Dump(leaf.der)
        #expect(dump.problems.isEmpty)
        #expect(dump.text.contains("(subjectAltName)"))
        #expect(dump.text.contains("\"www.example.com\""))
        #expect(dump.lines.contains { $0.isOpened && $0.tag == "OCTET STRING" })
    }

    @Test("The dump of a truncated certificate shows the values up to the cut")
    func cut() throws {
        let der = try TestAuthority.root().certificate.der
        let whole = ASN1Dump(der).lines
        for count in stride(from: 1, to: der.count, by: 7) {
            let dump = ASN1Dump(Array(der.prefix(count)))
            #expect(!dump.problems.isEmpty, "\(count) bytes")
            // The cut doesn't change the values that end before it.
            let complete = whole.filter {
                !$0.isConstructed && !$0.isOpened && $0.offset + $0.headerLength + ($0.length ?? 0) <= count
            }
            let offsets = Set(dump.lines.map(\.offset))
            let missing = complete.filter { !offsets.contains($0.offset) }
            #expect(missing.isEmpty, "\(count) bytes: \(missing)")
        }
    }

    @Test(
        "A dump of any bytes terminates and shows at most as many values as there are bytes", .timeLimit(.minutes(10)))
    func anyBytes() throws {
        let der = try TestAuthority.root().issue(.leaf("www.example.com")).certificate.der
        var state = UInt64(42)
        for _ in 0..<2000 {
            var bytes = der
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            let dump = ASN1Dump(bytes)
            #expect(dump.lines.count <= bytes.count * 2)
        }
    }

    @Test(
        "The dump doesn't expand deep nesting and takes time in proportion to the number of bytes",
        .timeLimit(.minutes(10)))
    func deep() {
        let nested = Array(repeating: [UInt8(0x30), 0x80], count: 500_000).joined()
        let dump = ASN1Dump(Array(nested))
        #expect(dump.lines.map(\.depth).max() ?? 0 <= ASN1Dump.maximumDepth)
        #expect(!dump.problems.isEmpty)
    }

    @Test("The dump counts the values over its limit instead of showing them")
    func many() {
        let bytes = [UInt8](repeating: 0x05, count: 1) + [0x00]
        let dump = ASN1Dump(Array(repeating: bytes, count: 1000).flatMap { $0 }, maximumLines: 10)
        #expect(dump.lines.count == 10)
        #expect(dump.omitted == 1980)
    }

    @Test(
        "The dump doesn't show the numbers and strings of private keys",
        arguments: [
            // The first fields of SEC 1, PKCS #8 and PKCS #1, with a secret of 0xa5 bytes.
            "300a0201010405a5a5a5a5a5", "301102010030070605a5a5a5a5a50403a5a5a5", "3009020100020400a5a5a5",
            "30820fff0201010405a5a5a5a5a5",
        ])
    func secret(_ hex: String) throws {
        let dump = ASN1Dump(try #require(bytes(hex)))
        #expect(dump.isSecret)
        #expect(!dump.text.contains("a5a5"))
    }

    private func bytes(_ hex: String) -> [UInt8]? {
        let digits = hex.utf8.compactMap { Hex.value(ofDigit: $0) }
        guard digits.count == hex.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
