// SPDX-License-Identifier: Apache-2.0

import Decompression
import Foundation
import ServerTrust

/// The bytes of a file or of standard input. The stream decompresses them if they begin like gzip or Zstandard.
final class ByteStream {
    /// The size of a read in bytes: the capacity of a pipe, or about a dozen requests.
    static let readSize = 64 << 10

    /// The default maximum expansion. A table in which all servers have the same chain expands 130 times from gzip, and
    /// a million empty lines 1,000 times.
    static let defaultExpansion = 200

    /// The number of decompressed bytes that is always allowed, because short inputs may expand more.
    private static let freeExpansion = 128 << 10

    /// The name for messages.
    let name: String
    private let descriptor: FileDescriptor
    private let ownsDescriptor: Bool
    /// The size in bytes of a regular file when it was opened. Zero for standard input and other streams.
    private let sizeAtOpening: Int
    /// The number of bytes read from the descriptor so far, before decompression.
    private(set) var bytesRead = 0
    private var decompressor: Decompressor?
    /// The maximum ratio of decompressed to compressed bytes.
    private let maximumExpansion: Int
    /// The number of decompressed bytes so far.
    private var bytesDecompressed = 0
    /// Compressed bytes, or the first bytes of an uncompressed stream.
    private var pending: [UInt8] = []
    private var taken = 0
    private var hasReadStart = false
    private var hasEnded = false

    /// Opens a file; `-` is standard input.
    /// - Parameter maximumExpansion: the maximum ratio of decompressed to compressed bytes.
    /// - Throws: ``CommandFailure`` if the file can't be opened, or standard output writes to the same file.
    init(_ file: String, maximumExpansion: Int = ByteStream.defaultExpansion) throws(CommandFailure) {
        let (name, ownsDescriptor) = (InputFile.displayName(file), file != "-")
        self.name = name
        self.maximumExpansion = maximumExpansion
        self.ownsDescriptor = ownsDescriptor
        descriptor =
            ownsDescriptor
            ? try CommandFailure.of(name) { try FileDescriptor(opening: file, O_RDONLY) } : .standardInput
        let status = try? descriptor.status()
        // Another process may already have read part of standard input.
        sizeAtOpening = ownsDescriptor && status?.isRegularFile == true ? status?.size ?? 0 : 0
        guard status?.isFolder != true else { throw failure(SystemError(code: EISDIR).description) }
        // Otherwise the program would read its answers as rows and answer those, until the disk is full.
        guard let status, status.isRegularFile, let output = try? FileDescriptor.standardOutput.status(),
            output.device == status.device, output.number == status.number
        else { return }
        throw failure("is both read and written: standard output goes to the same file")
    }

    deinit { if ownsDescriptor { try? descriptor.close() } }

    /// Reads some bytes: at least one, unless the stream has ended.
    /// - Returns: the number of bytes, or 0 at the end.
    /// - Throws: ``CommandFailure`` with the file's name if it can't be read, or if its compressed data is damaged,
    ///   truncated or expands too much.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CommandFailure) -> Int {
        if !hasReadStart { try readStart() }
        guard let decompressor else { return try readPlain(into: buffer) }
        while true {
            if taken == pending.count {
                try refill()
                guard !pending.isEmpty else { return try limited(finish(decompressor, into: buffer), decompressor) }
            }
            let written = try decompress(with: decompressor, into: buffer)
            if written > 0 { return try limited(written, decompressor) }
        }
    }

    /// Skips bytes of the stream.
    /// - Throws: ``CommandFailure`` if the stream has fewer bytes.
    func skip(_ count: Int) throws(CommandFailure) {
        if !hasReadStart { try readStart() }
        var rest = count
        if decompressor == nil, let status = try? descriptor.status(), status.isRegularFile {
            guard status.size >= count else { throw failure("is shorter than when it was first read") }
            let ahead = max(0, count - pending.count)
            taken += count - ahead
            do throws(SystemError) { try descriptor.seek(by: ahead) } catch { throw failure(error.description) }
            bytesRead += ahead
            rest = 0
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 1)
        defer { buffer.deallocate() }
        while rest > 0 {
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(rest, buffer.count)]))
            guard count > 0 else { throw failure("is shorter than when it was first read") }
            rest -= count
        }
    }

    // MARK: - Reading

    /// Reads until the first bytes show whether the stream is compressed. One read is enough unless they begin like
    /// compressed data.
    private func readStart() throws(CommandFailure) {
        hasReadStart = true
        repeat { try refill(keeping: true) } while pending.count < 4 && !hasEnded && Self.mayBeCompressed(pending)
        guard let format = Decompressor.Format.of(pending) else { return }
        do throws(Decompressor.Problem) { decompressor = try Decompressor(format) } catch {
            throw failure(error.description)
        }
    }

    private static func mayBeCompressed(_ start: [UInt8]) -> Bool {
        guard let first = start.first else { return false }
        return first == 0x1f || first == 0x28 || (first & 0xf0 == 0x50 && start.dropFirst().first ?? 0x2a == 0x2a)
    }

    private func readPlain(into buffer: UnsafeMutableRawBufferPointer) throws(CommandFailure) -> Int {
        guard taken < pending.count else { return try fill(buffer) }
        let count = min(buffer.count, pending.count - taken)
        pending[taken..<(taken + count)].withUnsafeBytes { buffer.copyMemory(from: $0) }
        taken += count
        if taken == pending.count { (pending, taken) = ([], 0) }
        return count
    }

    /// Reads more bytes from the descriptor, and replaces the bytes that were already consumed.
    private func refill(keeping: Bool = false) throws(CommandFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 1)
        defer { buffer.deallocate() }
        let count = try fill(buffer)
        hasEnded = count == 0
        if !keeping { (pending, taken) = ([], 0) }
        pending.append(contentsOf: buffer[..<count])
    }

    /// Reads bytes from the descriptor.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CommandFailure) -> Int {
        let count = try CommandFailure.of(name) { try descriptor.read(into: buffer) }
        guard count > 0 || bytesRead >= sizeAtOpening else {
            throw failure("ends after \(bytesRead) bytes, but had \(sizeAtOpening) when it was opened")
        }
        bytesRead += count
        return count
    }

    /// Returns the bytes that the decompressor still has after the end of the file.
    private func finish(
        _ decompressor: Decompressor, into buffer: UnsafeMutableRawBufferPointer
    ) throws(CommandFailure) -> Int {
        guard !decompressor.isAtBoundary else { return 0 }
        do throws(Decompressor.Problem) {
            let written = try decompressor.finish(into: buffer)
            if written > 0 || decompressor.isAtBoundary { return written }
        } catch {
            throw failure("damaged \(decompressor.format.name) at its end: \(error)")
        }
        throw failure("ends in the middle of \(decompressor.format.name)")
    }

    private func decompress(
        with decompressor: Decompressor, into buffer: UnsafeMutableRawBufferPointer
    ) throws(CommandFailure) -> Int {
        var result: (taken: Int, written: Int)?
        var problem: String?
        pending.withUnsafeBytes { pending in
            let rest = UnsafeRawBufferPointer(rebasing: pending[taken...])
            do throws(Decompressor.Problem) { result = try decompressor.run(rest, into: buffer) } catch {
                problem = error.description
            }
        }
        guard let result, result.taken + result.written > 0 else {
            throw failure(
                "damaged \(decompressor.format.name) near byte \(bytesRead - pending.count + taken): \(problem ?? "no progress")"
            )
        }
        taken += result.taken
        return result.written
    }

    /// Counts decompressed bytes, and returns their number.
    /// - Throws: ``CommandFailure`` if the input expands too much.
    private func limited(_ written: Int, _ decompressor: Decompressor) throws(CommandFailure) -> Int {
        bytesDecompressed += written
        let compressed = bytesRead - (pending.count - taken)
        let (limit, overflow) = compressed.multipliedReportingOverflow(by: maximumExpansion)
        guard overflow || bytesDecompressed <= max(limit, Self.freeExpansion) else {
            var failure = failure(
                "\(decompressor.format.name) expands to more than \(maximumExpansion) times its size: "
                    + "from \(compressed) bytes to \(bytesDecompressed) so far")
            failure.hint = "if you trust the input, raise --maximum-expansion"
            throw failure
        }
        return written
    }

    private func failure(_ text: String) -> CommandFailure { CommandFailure("\(name): \(text)") }
}
