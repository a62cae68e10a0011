// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Testing

@testable import ServerTrustURLSession

@Suite("Content codings")
struct DecodedBodyTests {
    static let text = "hello, hello, hello"
    static let gzip = bytes("1f8b0800000000000203cb48cdc9c9d751c840a2009fa1ca0913000000")
    static let zlib = bytes("789ccb48cdc9c9d751c840a200442806d5")
    static let bare = bytes("cb48cdc9c9d751c840a200")
    static let brotli = bytes("1b1200f88d946ede44095286966c2c6f114f24d07100")
    static let zstd = bytes("28b52ffd04686d00003868656c6c6f2c200100e28a1175f3988e")
    static let stored = bytes("011300ecff68656c6c6f2c2068656c6c6f2c2068656c6c6f")

    static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    enum Outcome: Sendable, Hashable {
        case text([UInt8])
        case failed(ContentDecodingError.Reason)
    }

    private func decoded(
        _ body: [UInt8], _ coding: String, after method: HTTPMethod = .GET, _ status: HTTPResponseStatus = .ok,
        pieces size: Int = .max
    ) async throws -> Outcome {
        let pieces = stride(from: 0, to: body.count, by: min(size, max(1, body.count))).map {
            ByteBuffer(bytes: body[$0..<min(body.count, $0 + min(size, body.count))])
        }
        var response = HTTPClientResponse(
            status: status, headers: ["content-encoding": coding], body: .stream(Pieces(pieces: pieces)))
        response.decodeBody(after: method)
        do {
            var all: [UInt8] = []
            for try await piece in response.body { all += piece.readableBytesView }
            return .text(all)
        } catch let error as ContentDecodingError {
            return .failed(error.reason)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let coding: String
        let body: [UInt8]
        var expected: Outcome = .text(Array(text.utf8))
    }

    static let rows: [Row] = [
        Row(testDescription: "gzip", coding: "gzip", body: gzip),
        Row(testDescription: "x-gzip in upper case", coding: " X-GZIP ", body: gzip),
        Row(testDescription: "deflate in zlib's format", coding: "deflate", body: zlib),
        Row(testDescription: "bare deflate", coding: "deflate", body: bare),
        Row(testDescription: "raw deflate, not compressed", coding: "deflate", body: stored),
        Row(testDescription: "deflate that is actually gzip", coding: "deflate", body: gzip),
        Row(testDescription: "gzip that is actually zlib", coding: "gzip", body: zlib),
        Row(
            testDescription: "two gzip members", coding: "gzip", body: gzip + gzip,
            expected: .text(Array((text + text).utf8))),
        Row(testDescription: "identity", coding: "identity", body: Array(text.utf8)),
        Row(testDescription: "an unknown coding is kept", coding: "compress", body: Array(text.utf8)),
        Row(
            testDescription: "a known coding below an unknown one is kept", coding: "gzip, compress",
            body: Array(text.utf8)),
        Row(
            testDescription: "too many codings are kept", coding: "gzip,gzip,gzip,gzip,gzip,gzip",
            body: Array(text.utf8)),
        Row(testDescription: "Brotli", coding: "br", body: brotli),
        Row(testDescription: "an empty text in Brotli, one byte", coding: "br", body: [0x06], expected: .text([])),
        Row(testDescription: "Zstandard", coding: "ZSTD", body: zstd),
        Row(
            testDescription: "two Zstandard frames", coding: "zstd", body: zstd + zstd,
            expected: .text(Array((text + text).utf8))),
        Row(
            testDescription: "a Zstandard window of 8 MiB", coding: "zstd", body: bytes("28b52ffd0068010000"),
            expected: .text([])),
        Row(testDescription: "Brotli without a byte", coding: "br", body: [], expected: .text([])),
        Row(testDescription: "Zstandard without a byte", coding: "zstd", body: [], expected: .text([])),
        Row(testDescription: "gzip without a byte", coding: "gzip", body: [], expected: .text([])),
        Row(testDescription: "deflate without a byte", coding: "deflate", body: [], expected: .text([])),
        // Failures.
        Row(testDescription: "one byte of gzip", coding: "gzip", body: [0x1f], expected: .failed(.truncated)),
        Row(
            testDescription: "gzip without its last byte", coding: "gzip", body: Array(gzip.dropLast()),
            expected: .failed(.truncated)),
        Row(
            testDescription: "gzip without its checksum", coding: "gzip", body: Array(gzip.dropLast(8)),
            expected: .failed(.truncated)),
        Row(
            testDescription: "zlib without its checksum", coding: "deflate", body: Array(zlib.dropLast(4)),
            expected: .failed(.truncated)),
        Row(
            testDescription: "raw deflate without its last byte", coding: "deflate", body: Array(stored.dropLast()),
            expected: .failed(.truncated)),
        Row(
            testDescription: "a truncated second member", coding: "gzip", body: gzip + Array(gzip.dropLast()),
            expected: .failed(.truncated)),
        Row(
            testDescription: "trailing bytes after gzip", coding: "gzip", body: gzip + Array("more".utf8),
            expected: .failed(.damaged)),
        Row(
            testDescription: "trailing bytes after zlib", coding: "deflate", body: zlib + zlib,
            expected: .failed(.damaged)),
        Row(
            testDescription: "trailing bytes after raw deflate", coding: "deflate", body: bare + [0],
            expected: .failed(.damaged)),
        Row(
            testDescription: "Brotli without its last byte", coding: "br", body: Array(brotli.dropLast()),
            expected: .failed(.truncated)),
        Row(
            testDescription: "Zstandard without its checksum", coding: "zstd", body: Array(zstd.dropLast(4)),
            expected: .failed(.truncated)),
        Row(
            testDescription: "trailing bytes after Brotli", coding: "br", body: brotli + brotli,
            expected: .failed(.damaged)),
        Row(
            testDescription: "trailing bytes after Zstandard", coding: "zstd", body: zstd + Array("more".utf8),
            expected: .failed(.damaged)),
        Row(
            testDescription: "plain text labeled as Zstandard", coding: "zstd", body: Array(text.utf8),
            expected: .failed(.damaged)),
        Row(testDescription: "gzip labeled as Brotli", coding: "br", body: gzip, expected: .failed(.damaged)),
        // RFC 9659 § 3: the frame has a window of 16 MiB.
        Row(
            testDescription: "a Zstandard window above 8 MiB", coding: "zstd",
            body: bytes("28b52ffd0070010000"), expected: .failed(.damaged)),
        Row(
            testDescription: "plain text labeled as gzip", coding: "gzip", body: Array(text.utf8),
            expected: .failed(.damaged)),
        Row(
            testDescription: "a wrong checksum", coding: "gzip", body: gzip.dropLast(5) + [0, 19, 0, 0, 0],
            expected: .failed(.damaged)),
        Row(
            testDescription: "a preset dictionary", coding: "deflate",
            body: bytes("78bb062c0215cb00113a0ac81400442806d5"), expected: .failed(.damaged)),
    ]

    @Test("The session decodes a body however it is split into pieces", arguments: rows, [1, 2, 3, 7, .max])
    func bodies(row: Row, size: Int) async throws {
        let found = try await decoded(row.body, row.coding, pieces: size)
        #expect(found == row.expected)
    }

    @Test("A body with a flipped bit fails, unless the bit belongs to an ignored field")
    func flippedBits() async throws {
        for (body, coding) in [(Self.gzip, "gzip"), (Self.zlib, "deflate"), (Self.zstd, "zstd")] {
            for bit in 0..<(body.count * 8) {
                var damaged = body
                damaged[bit / 8] ^= 1 << (bit % 8)
                let found = try await decoded(damaged, coding, pieces: 5)
                if case .text(let bytes) = found { #expect(bytes == Array(Self.text.utf8), "bit \(bit) of \(coding)") }
            }
        }
    }

    @Test("The error of a Zstandard body whose window is too large names the limit")
    func window() async throws {
        var response = HTTPClientResponse(
            headers: ["content-encoding": "zstd"],
            body: .bytes(ByteBuffer(bytes: Self.bytes("28b52ffd0070010000"))))
        response.decodeBody(after: .GET)
        let body = response.body
        let error = await #expect(throws: ContentDecodingError.self) { for try await _ in body {} }
        #expect(error?.description.contains("8 MiB (RFC 9659)") == true)
    }

    @Test("Codings are decoded in reverse order")
    func several() async throws {
        for coding in ["deflate, gzip", "identity, deflate, , gzip"] {
            #expect(try await decoded(Self.packed(Self.zlib), coding) == .text(Array(Self.text.utf8)))
        }
    }

    @Test("A body that decodes to nothing for a long time ends when its task is canceled")
    func endless() async throws {
        var response = HTTPClientResponse(
            headers: ["content-encoding": "gzip, gzip"],
            body: .stream(EndlessZeros(start: ByteBuffer(bytes: Self.packed(Self.gzip)), member: Self.zeros)))
        response.decodeBody(after: .GET)
        let body = response.body
        let task = Task { for try await _ in body {} }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Returns a gzip member whose block isn't compressed. At most 255 bytes.
    private static func packed(_ inner: [UInt8]) -> [UInt8] {
        let length = UInt8(inner.count)
        return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, length, 0, ~length, 0xff] + inner + crc32(inner)
            + [length, 0, 0, 0]
    }

    private static func crc32(_ bytes: [UInt8]) -> [UInt8] {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xedb8_8320 : 0) }
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: ~crc >> (8 * $0)) }
    }

    @Test(
        "A response without a body is complete, whatever its coding",
        arguments: [
            (HTTPMethod.HEAD, HTTPResponseStatus.ok), (.GET, .noContent), (.GET, .notModified), (.POST, .noContent),
            (.GET, .processing),
        ])
    func withoutBody(method: HTTPMethod, status: HTTPResponseStatus) async throws {
        for coding in ["gzip", "deflate", "gzip, deflate"] {
            #expect(try await decoded([], coding, after: method, status) == .text([]))
        }
    }

    @Test(
        "A body that expands a thousandfold or more arrives in pieces of at most 64 KiB",
        arguments: [
            ("gzip", Array(Array(repeating: zeros, count: 8).joined())),
            ("br", bytes("9fffff7ff82700e2b14020f7fe0f")),
        ])
    func large(coding: String, body: [UInt8]) async throws {
        var response = HTTPClientResponse(
            headers: ["content-encoding": coding], body: .bytes(ByteBuffer(bytes: body)))
        response.decodeBody(after: .GET)
        var (total, largest) = (0, 0)
        for try await piece in response.body {
            total += piece.readableBytes
            largest = max(largest, piece.readableBytes)
        }
        #expect(total == 8 << 20)
        #expect(largest <= 64 << 10)
    }

    /// A gzip member that contains 1 MiB of zeros.
    private static let zeros =
        bytes("1f8b0800000000000203edc13101000000c2a0f54f6d085fa0") + [UInt8](repeating: 0, count: 1016)
        + bytes("3e031cea38a700001000")
}

/// A body in pieces.
private struct Pieces: AsyncSequence, Sendable {
    let pieces: [ByteBuffer]

    struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: ArraySlice<ByteBuffer>

        mutating func next() async throws -> ByteBuffer? { pieces.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: pieces[...]) }
}

/// A gzip member, and 4 GiB of zeros in more members, which fill up the member inside the first one.
private struct EndlessZeros: AsyncSequence, Sendable {
    let start: ByteBuffer
    let member: [UInt8]

    struct AsyncIterator: AsyncIteratorProtocol {
        var piece: ByteBuffer
        let member: ByteBuffer
        var rest = 4096

        mutating func next() async throws -> ByteBuffer? {
            guard rest > 0 else { return nil }
            rest -= 1
            defer { piece = member }
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(piece: start, member: ByteBuffer(bytes: member)) }
}
