// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrustCommand

/// Compressed input for `verify --batch`, in gzip and Zstandard.
@Suite struct CompressedInputTests {
    /// Returns a Zstandard frame with the bytes in raw blocks (RFC 8878 § 3.1.1).
    static func zstd(_ bytes: [UInt8]) -> [UInt8] {
        // A single segment with an eight-byte content size and no checksum.
        var frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0b1110_0000]
        frame += (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
        var start = 0
        repeat {
            let end = min(bytes.count, start + 100_000)
            let header = (end - start) << 3 | (end == bytes.count ? 1 : 0)
            frame += (0..<3).map { UInt8(truncatingIfNeeded: header >> (8 * $0)) } + bytes[start..<end]
            start = end
        } while start < bytes.count
        return frame
    }

    /// Returns the bytes compressed with gzip.
    static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        try TemporaryFolder.with { folder in
            let plain = try folder.write("plain", Data(bytes))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["gzip", plain.path]
            try process.run()
            process.waitUntilExit()
            return Array(try Data(contentsOf: plain.appendingPathExtension("gz")))
        }
    }

    static func compressed(_ bytes: [UInt8], _ format: String) throws -> [UInt8] {
        format == "gzip" ? try gzip(bytes) : zstd(bytes)
    }

    /// A frame from a compressor: 4,000 times "nonsense\n" in compressed blocks with a checksum.
    static let sample: [UInt8] = [
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x8d, 0x00, 0x00, 0x48, 0x6e, 0x6f, 0x6e, 0x73, 0x65, 0x6e, 0x73, 0x65,
        0x0a,
        0x01, 0x00, 0x94, 0x0c, 0xea, 0xe5, 0x08, 0x59, 0xc7, 0x08, 0x0e,
    ]

    @Test("The reader decompresses a real compressor's frame and verifies its checksum") func compressedBlocks() throws
    {
        let answers = try Tool.run(["verify", "--batch", "--short"], input: Data(Self.sample + Self.sample))
        #expect(answers.status == 0 && answers.lines.count == 8000)
        var damaged = Self.sample
        damaged[damaged.count - 1] ^= 1
        #expect(try Tool.run(["verify", "--batch"], input: Data(damaged)).errors.contains("damaged Zstandard"))
    }

    @Test(
        "The batch reads compressed input like plain input, with several members or frames in a row",
        arguments: ["gzip", "zstd"])
    func same(_ format: String) throws {
        let lab = try Lab.shared()
        let lines = try (0..<300).map { Array(try BatchLine(lab, ["id": .string("\($0)")]).data()) }
        // The boundary between members is within a line.
        let all = Array(lines.joined())
        let parts = [all[..<200_001], all[200_001..<200_001], all[200_001...]]
        let input = Data(try parts.flatMap { try Self.compressed(Array($0), format) })
        let plain = try Tool.run(["verify", "--batch"], input: Data(all))
        let answers = try Tool.run(["verify", "--batch"], input: input)
        #expect(answers.status == 0 && plain.lines.count == 300)
        #expect(answers.output == plain.output && answers.errors == plain.errors)
    }

    @Test(
        "Truncated or damaged input ends the run after the preceding answers, and the error names the position",
        arguments: ["gzip", "zstd"])
    func damaged(_ format: String) throws {
        let lab = try Lab.shared()
        let line = Array(try BatchLine(lab).data())
        let whole = try Self.compressed(line + line, format)
        for size in [whole.count - 1, whole.count / 2, 20] {
            let outcome = try Tool.run(["verify", "--batch"], input: Data(whole[..<size]))
            #expect(outcome.status == 2 && outcome.errors.contains("standard input: ends in the middle of"))
        }
        let trailing = try Tool.run(["verify", "--batch"], input: Data(whole + Array("garbage".utf8)))
        #expect(trailing.status == 2 && trailing.errors.contains("damaged"))
        #expect(trailing.lines.count == 2 || trailing.lines.count == 1)
    }

    @Test(
        "Every truncation and every flipped byte causes an error or different bytes, but never more bytes",
        arguments: ["gzip", "zstd"])
    func hostile(_ format: String) throws {
        let plain = Array(String(repeating: "a line of text\n", count: 40).utf8)
        let whole = try Self.compressed(plain, format)
        try TemporaryFolder.with { folder in
            func read(_ bytes: [UInt8]) throws -> Result<[UInt8], CommandFailure> {
                let file = try folder.write("stream", Data(bytes))
                do throws(CommandFailure) {
                    let stream = try ByteStream(file.path)
                    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
                    defer { buffer.deallocate() }
                    var read: [UInt8] = []
                    while case let count = try stream.read(into: buffer), count > 0 {
                        read += buffer[..<count]
                        guard read.count < 1 << 20 else { break }
                    }
                    return .success(read)
                } catch {
                    return .failure(error)
                }
            }
            #expect(try read(whole).get() == plain)
            for size in 4..<whole.count {
                #expect(throws: CommandFailure.self) { try read(Array(whole[..<size])).get() }
            }
            var (errors, others) = (0, 0)
            for index in whole.indices {
                var bytes = whole
                bytes[index] ^= 0x41
                switch try read(bytes) {
                case .failure: errors += 1
                case .success: others += 1
                }
            }
            #expect(errors > 10 && errors + others == whole.count)
        }
    }

    @Test("The reader returns to a position in a compressed stream") func skips() throws {
        let plain = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        try TemporaryFolder.with { folder in
            for (name, bytes) in [("plain", plain), ("gzip", try Self.gzip(plain)), ("zstd", Self.zstd(plain))] {
                let file = try folder.write(name, Data(bytes)).path
                for offset in [0, 1, 65_535, 65_536, 65_537, 200_000, 300_000] {
                    let stream = try ByteStream(file)
                    try stream.skip(offset)
                    let window = StreamWindow(stream, name: name, at: InputPosition())
                    while try window.readMore(to: 1 << 20) {}
                    #expect(Array(window.bytes) == Array(plain[offset...]), "\(name) from \(offset)")
                }
                let stream = try ByteStream(file)
                #expect(throws: CommandFailure.self) { try stream.skip(300_001) }
            }
        }
    }
}
