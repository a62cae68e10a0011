// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrustCommand

/// The scanner that finds records in streams of comma-separated values.
@Suite struct CSVRecordScannerTests {
    /// Returns the fields of a table that CSVReader reads as a whole.
    private func read(_ text: [UInt8]) throws -> [[[UInt8]]] {
        var reader = CSVReader(text)
        var records: [[[UInt8]]] = []
        while let record = try reader.next() { records.append(record.map(\.bytes)) }
        return records
    }

    /// Returns the fields of a table that the scanner first splits into records.
    private func split(_ text: [UInt8]) throws -> [[[UInt8]]] {
        try text.withUnsafeBytes { bytes in
            try CSVRecordScanner.records(in: bytes).flatMap { try read(Array(bytes[$0])) }
        }
    }

    @Test("The scanner finds the same records in a table as the reader", arguments: 0..<200)
    func agreement(_ seed: Int) throws {
        var random = Generator(state: UInt64(seed))
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            for field in 0..<Int.random(in: 1...4, using: &random) {
                if field > 0 { text.append(UInt8(ascii: ",")) }
                let content = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    Array("a,\"\n\rb".utf8).randomElement(using: &random) ?? 0
                }
                if content.contains(where: { Array(",\"\n\r".utf8).contains($0) }) || Bool.random(using: &random) {
                    text.append(UInt8(ascii: "\""))
                    for byte in content { text += byte == UInt8(ascii: "\"") ? [byte, byte] : [byte] }
                    text.append(UInt8(ascii: "\""))
                } else {
                    text += content
                }
            }
            text += Bool.random(using: &random) ? [0x0d, 0x0a] : [0x0a]
        }
        #expect(try split(text) == read(text))
    }

    @Test("The reader's record ends where the scanner's does, or the reader rejects the text there", arguments: 0..<300)
    func ends(_ seed: Int) throws {
        var random = Generator(state: UInt64(seed) &+ 500)
        let alphabet = Array("ab,,\"\"\n\r\0".utf8)
        let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        let first = try #require(text.withUnsafeBytes { CSVRecordScanner.records(in: $0).first })
        // The bytes after the record don't affect it.
        func shown(_ bytes: [UInt8]) -> String? {
            var reader = CSVReader(bytes)
            do throws(CSVError) { return try reader.next()?.map { "\($0.bytes)" }.joined(separator: ",") } catch {
                return error.description
            }
        }
        let record = Array(text[first])
        guard record.contains(where: { $0 != 0x0a && $0 != 0x0d }) else { return }
        #expect(shown(record) == shown(text))
    }

    @Test("Blocks contain every record once, whatever the text and the read sizes", arguments: 0..<100)
    func blocks(_ seed: Int) throws {
        var random = Generator(state: UInt64(seed) &+ 1000)
        let alphabet = Array("ab,,\"\"\n\n\r".utf8)
        let text = (0..<Int.random(in: 0...2000, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0
        }
        try TemporaryFolder.with { folder in
            let file = try folder.write("table", Data(text)).path
            let reader = RecordBlockReader(
                StreamWindow(try ByteStream(file), name: file, at: InputPosition()), maximumRecordSize: 300)
            var (position, line) = (0, 0)
            while let block = try reader.next() {
                let end = block.end ?? InputPosition(offset: position, line: line)
                // Each block follows the preceding block and counts its own lines.
                if case .lines(let data) = block.content {
                    #expect(Array(data) == Array(text[(end.offset - data.count)..<end.offset]))
                }
                #expect(block.end == nil || end.offset > position || block.size == 0)
                position = end.offset
                line = end.line
            }
            #expect(position == text.count || text.isEmpty)
            #expect(line == text.count { $0 == UInt8(ascii: "\n") })
        }
    }
}

/// A generator that produces the same numbers in every run.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
