// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrustCommand

/// Readers that resume at the end of a block find the same rows as readers of the whole file.
@Suite("Resumed reading of batches") struct ResumedReadingTests {
    /// Returns the rows after a position in a file, as text, each with the position after its block if there is one.
    private func rows(
        _ file: String, from start: InputPosition, _ make: (StreamWindow) -> any BlockReader
    ) throws -> [(rows: [String], end: InputPosition?)] {
        let stream = try ByteStream(file)
        try stream.skip(start.offset)
        let reader = make(StreamWindow(stream, name: file, at: start))
        var blocks: [(rows: [String], end: InputPosition?)] = []
        while let block = try reader.next() {
            let rows =
                switch block.content {
                case .tooLong: ["\(block.firstLine) too long"]
                case .unclosed: ["\(block.firstLine) unclosed"]
                case .lines(let data):
                    data.withUnsafeBytes { bytes in
                        var line = block.firstLine
                        return CSVRecordScanner.records(in: bytes).map { range in
                            defer { line += UnsafeRawBufferPointer(rebasing: bytes[range]).lineFeeds }
                            return "\(line) \(Array(bytes[range]))"
                        }
                    }
                }
            blocks.append((rows, block.isResumable ? block.end : nil))
        }
        return blocks
    }

    private func check(_ text: [UInt8], _ make: (StreamWindow) -> any BlockReader) throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("rows", Data(text)).path
            let blocks = try rows(file, from: InputPosition(), make)
            for (index, block) in blocks.enumerated() {
                guard let end = block.end else { continue }
                let rest = try rows(file, from: end, make).flatMap(\.rows)
                #expect(
                    rest == blocks[(index + 1)...].flatMap(\.rows),
                    "from \(end) of \(String(decoding: text, as: UTF8.self).debugDescription)")
            }
        }
    }

    @Test("A reader can resume in tables with unclosed quotes and overlong records", arguments: 0..<300)
    func tables(_ seed: Int) throws {
        var random = Generator(state: UInt64(seed) &+ 9000)
        let alphabet = Array("aaaaaa,,\"\n\n".utf8)
        let text = (0..<Int.random(in: 0...400, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0
        }
        try check(text) { RecordBlockReader($0, maximumRecordSize: 40) }
    }

    @Test("A reader can resume between lines, including overlong ones", arguments: 0..<100)
    func lines(_ seed: Int) throws {
        var random = Generator(state: UInt64(seed) &+ 13_000)
        let text = (0..<Int.random(in: 0...400, using: &random)).map { _ in
            Array("aaaaaaaaaa\n".utf8).randomElement(using: &random) ?? 0
        }
        try check(text) { LineBlockReader($0, maximumLineSize: 10) }
    }
}
