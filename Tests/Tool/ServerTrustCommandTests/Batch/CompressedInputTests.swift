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

    /// Two members: rows, and a million short lines in 3 KB.
    private static func bomb() throws -> (rows: Data, bytes: Data) {
        let row = try BatchLine(Lab.shared()).data()
        return (
            row + row,
            Data(try gzip(Array(row + row)) + gzip(Array(repeatElement([0x30, 0x0a], count: 1_000_000).joined())))
        )
    }

    @Test(
        "Input that expands too much ends the run, and the error says where, how many rows were answered and what to do"
    )
    func expansion() throws {
        let bomb = try Self.bomb()
        let outcome = try Tool.run(["verify", "--batch", "--short"], input: bomb.bytes)
        #expect(outcome.status == 2)
        let errors = outcome.errors.split(separator: "\n").map(String.init)
        try #require(errors.count == 3, "\(outcome.errors)")
        let pattern =
            /servertrust: error: standard input: gzip expands to more than 200 times its size: from \d+ bytes to \d+ so far/
        #expect(errors[0].wholeMatch(of: pattern) != nil)
        let count = outcome.lines.count
        #expect(
            errors[1]
                == "servertrust: error: stopped after \(count) lines read, \(count) answers: 2 trusted, 0 rejected, "
                + "\(count - 2) unreadable; the rest of the input has no answers")
        #expect(errors[2] == "servertrust: hint: if you trust the input, raise --maximum-expansion")
        // All answers are complete, and most of the input has none.
        #expect(outcome.lines.prefix(2).allSatisfy { $0.contains("\ttrusted\t") })
        #expect(outcome.lines.dropFirst(2).allSatisfy { $0 == "\tunreadable\trequestNotJSON\t" })
        #expect(count > 2 && count < 700_000)
        let raised = try Tool.run(["verify", "--batch", "--short", "--maximum-expansion", "1100"], input: bomb.bytes)
        #expect(raised.status == 0 && raised.lines.count == 1_000_002)
        #expect(raised.lines.starts(with: outcome.lines))
    }

    @Test("A limit on expansion leaves no incomplete file, and a run with a checkpoint continues with a higher limit")
    func expansionOfFiles() throws {
        let bomb = try Self.bomb()
        try TemporaryFolder.with { folder in
            try folder.write("rows.gz", bomb.bytes)
            func run(_ more: [String]) throws -> Tool.Outcome {
                try Tool.run(["verify", "--batch", "--short", "rows.gz", "--output", "out"] + more, in: folder.url)
            }
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
            }
            let outcome = try run([])
            #expect(
                outcome.status == 2
                    && outcome.errors.contains("out is not created, because its answers would be incomplete"))
            #expect(try names() == ["rows.gz"])
            let stopped = try run(["--checkpoint", "state"])
            #expect(stopped.status == 2 && stopped.errors.contains("; the same command continues after them"))
            let resumed = try run(["--checkpoint", "state", "--maximum-expansion", "2000"])
            #expect(resumed.status == 0, "\(resumed.errors)")
            #expect(resumed.errors.contains("1000002 lines read, 1000002 answers"))
            let answers = try String(
                decoding: Data(contentsOf: folder.url.appendingPathComponent("out")), as: UTF8.self)
            #expect(answers.utf8.count { $0 == 0x0a } == 1_000_002)
        }
    }

    @Test("Each file may expand to the limit, which counts compressed bytes up to the current position")
    func expansionLimit() throws {
        try TemporaryFolder.with { folder in
            func read(_ name: String, _ maximum: Int) throws -> Int? {
                let stream = try ByteStream(folder.url.appendingPathComponent(name).path, maximumExpansion: maximum)
                let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
                defer { buffer.deallocate() }
                var total = 0
                do throws(CommandFailure) {
                    while case let count = try stream.read(into: buffer), count > 0 { total += count }
                } catch {
                    return nil
                }
                return total
            }
            // 128 KiB are always allowed, and uncompressed input has no limit.
            try folder.write("small", Data(try Self.gzip(Array(repeating: 0, count: 128 << 10))))
            try folder.write("large", Data(try Self.gzip(Array(repeating: 0, count: 128 << 10 + 1))))
            try folder.write("plain", Data(repeating: 0, count: 1 << 20))
            #expect(try read("small", 1) == 128 << 10 && read("large", 1) == nil && read("plain", 1) == 1 << 20)
            #expect(try read("large", 1000) == 128 << 10 + 1 && read("large", .max) == 128 << 10 + 1)
            // The bytes after the current position don't raise its limit.
            var random = Generator(state: 7)
            let noise = try Self.gzip((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) })
            let zeros = try Self.gzip(Array(repeating: 0, count: 1 << 20))
            try folder.write("before", Data(noise + zeros))
            try folder.write("after", Data(zeros + noise))
            #expect(try read("before", 12) == 1 << 20 + 100_000 && read("after", 12) == nil)
            // Zstandard: a frame of 30 bytes with 36,000.
            try folder.write("zstd", Data(Array(repeating: Self.sample, count: 10).joined()))
            #expect(try read("zstd", 1000) == nil && read("zstd", 1500) == 360_000)
        }
    }

    @Test("A limit on expansion that isn't positive is a usage error, and no other command has the option")
    func expansionUsage() throws {
        for arguments in [["--batch", "--maximum-expansion", "0"], ["chain.pem", "--maximum-expansion", "9"]] {
            #expect(try Tool.run(["verify"] + arguments).status == 64)
        }
        #expect(
            BatchCommand.resumableCommand([
                "servertrust", "audit", "--jobs", "2", "a", "--maximum-expansion", "9",
                "--maximum-expansion=9", "--jobs=2", "b",
            ]) == ["audit", "a", "b"])
    }

    @Test("The reader returns to a position in a compressed stream") func skips() throws {
        let plain = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        try TemporaryFolder.with { folder in
            for (name, bytes) in [("plain", plain), ("gzip", try Self.gzip(plain)), ("zstd", Self.zstd(plain))] {
                let file = try folder.write(name, Data(bytes)).path
                for offset in [0, 1, 65_535, 65_536, 65_537, 200_000, 300_000] {
                    let stream = try ByteStream(file, maximumExpansion: .max)
                    try stream.skip(offset)
                    let window = StreamWindow(stream, name: name, at: InputPosition())
                    while try window.readMore(to: 1 << 20) {}
                    #expect(Array(window.bytes) == Array(plain[offset...]), "\(name) from \(offset)")
                }
                let stream = try ByteStream(file, maximumExpansion: .max)
                #expect(throws: CommandFailure.self) { try stream.skip(300_001) }
            }
        }
    }
}
