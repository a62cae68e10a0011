// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

@testable import ServerTrustCommand

/// Input for `verify --batch` that tries to hide rows or to use a lot of time or memory.
@Suite("Hostile batch input", .timeLimit(.minutes(30))) struct HostileInputTests {
    private func blocks(_ text: Data, _ make: (StreamWindow) -> any BlockReader) throws -> [RowBlock] {
        try TemporaryFolder.with { folder in
            let file = try folder.write("rows", text).path
            let reader = make(StreamWindow(try ByteStream(file), name: file, at: InputPosition()))
            var blocks: [RowBlock] = []
            while let block = try reader.next() { blocks.append(block) }
            return blocks
        }
    }

    /// Returns the records of a table, or nil for a line whose record never ends. The search restarts at each record.
    private func records(_ text: [UInt8]) -> [[UInt8]?] {
        var (records, start): ([[UInt8]?], Int) = ([], 0)
        while start < text.count {
            var scanner = CSVRecordScanner()
            if let end = text.indices[start...].first(where: { scanner.take(text[$0]) }) {
                records.append(Array(text[start...end]))
                start = end + 1
            } else if scanner.isInQuotes {
                records.append(nil)
                start = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
            } else {
                records.append(Array(text[start...]))
                start = text.count
            }
        }
        return records
    }

    @Test("An unclosed quote spoils only its own line, as if the reader tried each line separately", arguments: 0..<300)
    func unclosedQuotes(_ seed: Int) throws {
        var random = Generator(state: UInt64(seed) &+ 7000)
        let alphabet = Array("a,\"\"\n\r".utf8)
        let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        var found: [[UInt8]?] = []
        for block in try blocks(Data(text), { RecordBlockReader($0, maximumRecordSize: 1000) }) {
            guard case .lines(let data) = block.content else {
                found.append(nil)
                continue
            }
            let bytes = Array(data)
            bytes.withUnsafeBytes { pointer in
                for range in CSVRecordScanner.records(in: pointer) { found.append(Array(bytes[range])) }
            }
        }
        #expect(found == records(text))
    }

    @Test(
        "Reading a table with unclosed quotes takes time in proportion to its size, not to its size times its number of lines",
        arguments: ["a\",\"\n", "x\na\",\"\n"])
    func unclosedTable(_ line: String) throws {
        let text = Data(String(repeating: line, count: 400_000).utf8)
        for maximum in [64 << 10, 16 << 20] {
            let blocks = try blocks(text) { RecordBlockReader($0, maximumRecordSize: maximum) }
            #expect(blocks.last?.end?.offset == text.count)
            let rows = blocks.reduce(0) { count, block in
                guard case .lines(let data) = block.content else { return count + 1 }
                return count + data.count { $0 == UInt8(ascii: "\n") }
            }
            #expect(rows == text.count { $0 == UInt8(ascii: "\n") })
        }
    }

    @Test("The number of very short rows in a block is limited")
    func shortRows() throws {
        let text = Data(String(repeating: "0\n", count: 300_000).utf8)
        for format in [InputFormat.requests, .csv] {
            let blocks = try blocks(text) { window -> any BlockReader in
                if format == .csv { return RecordBlockReader(window, maximumRecordSize: 1 << 20) }
                return LineBlockReader(window, maximumLineSize: 1 << 20)
            }
            #expect(blocks.allSatisfy { $0.size <= 2 * RowBlock.maximumRows })
            #expect(blocks.reduce(0) { $0 + $1.size } == text.count)
            #expect(blocks.map(\.firstLine).max() ?? 0 > 298_000)
        }
    }

    @Test("The batch writes an answer for a certificate with a damaged BEGIN or END line, or with another label")
    func damagedLabels() throws {
        try InputFormatTests.Scene.with { scene in
            let leaf = scene.lab.leaf.pem
            func rows(_ leaf: String) throws -> [String] {
                let table = Data("id,pem\nx,\"\(leaf + scene.lab.intermediate.pem)\"\n".utf8)
                return try scene.rows(["--input", "csv", "--without-host", "--purpose", "any"], input: table)
            }
            let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
            let trusted = leaf.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE")
            for damaged in [
                leaf.replacing("BEGIN CERTIFICATE", with: "BEGIN CERTIFICAT"),
                leaf.replacing("END CERTIFICATE", with: "END CERTIFICAT"),
                leaf.replacing("-----BEGIN", with: "----BEGIN"), leaf.replacing("BEGIN", with: "BEGIM"),
                key + leaf.replacing("-----BEGIN", with: "----BEGIN"), String(leaf.dropFirst(100)), trusted,
                trusted.replacing("MII", with: "!!"), leaf.replacing("CERTIFICATE", with: "PKCS7"),
            ] {
                let answers = try rows(damaged)
                #expect(answers == ["x unreadable requestValueInvalid"], "\(damaged.prefix(80))")
            }
            // The reader skips objects that aren't certificates.
            let answers = try rows(key + leaf)
            #expect(answers == ["x trusted "])
        }
    }

    @Test("The batch writes answers for the rows before the end of a truncated compressed stream")
    func cutStream() throws {
        try InputFormatTests.Scene.with { scene in
            let line = try BatchLine(scene.lab, [:]).data()
            let bytes = try CompressedInputTests.gzip(Array((0..<20).flatMap { _ in line })).dropLast(10)
            _ = try scene.file("cut.jsonl.gz", Data(bytes))
            let outcome = try scene.run(["--short", "cut.jsonl.gz"])
            #expect(outcome.status == 2 && outcome.errors.contains("ends in the middle of gzip"))
            #expect((1...20).contains(outcome.lines.count))
        }
    }

    @Test("The batch doesn't open a pipe only to determine its size")
    func pipe() throws {
        try TemporaryFolder.with { folder in
            let path = folder.url.appendingPathComponent("pipe").path
            #expect(mkfifo(path, 0o600) == 0)
            #expect(InputSource(files: [path], maximumRowSize: 1).totalSize() == nil)
            let file = try folder.write("file", Data("12345".utf8)).path
            try FileManager.default.createSymbolicLink(atPath: path + ".link", withDestinationPath: file)
            #expect(InputSource(files: [file, path + ".link"], maximumRowSize: 1).totalSize() == 10)
        }
    }
}
