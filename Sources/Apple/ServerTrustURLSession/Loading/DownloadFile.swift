// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Dispatch
import Foundation
import FoundationNetworking
import PKIX
import ServerTrust

/// The file that a download task writes. Only its owner can read it. The file is removed together with this object,
/// unless it was moved or is kept.
///
/// Proof of sendability: constant except for the descriptor and the two flags, which only blocks of `queue` and
/// `deinit` use. The lock of `waiting` guards the rest.
final class DownloadFile: @unchecked Sendable {
    let url: URL
    private let descriptor: FileDescriptor
    /// Writing may have to wait for a disk.
    private let queue = DispatchQueue(label: "servertrust.download")
    private var isOpen = true
    private var isKept = false
    /// The bytes that wait to be written, and the first error of writing.
    private let waiting = Locked<(bytes: [UInt8], failure: SystemError?)>(([], nil))
    /// If more bytes than this wait, a caller waits too.
    private static let mostWaiting = 1 << 18

    /// - Throws: `URLError.cannotCreateFile`.
    init(at address: URL) throws(URLError) {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID().uuidString).tmp")
        do throws(SystemError) {
            // O_EXCL doesn't follow symbolic links either.
            descriptor = try FileDescriptor(opening: url.path, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        } catch {
            throw SessionError.make(.cannotCreateFile, at: address, "\(url.path): \(error)")
        }
    }

    deinit {
        if isOpen { try? descriptor.close() }
        if !isKept { unlink(url.path) }
    }

    /// Appends bytes. The server chooses the size and the number of pieces, so bytes that arrive while the disk is
    /// busy are written together. The method returns before they are written, unless many bytes wait.
    /// - Throws: ``SystemError`` of this or an earlier write.
    func write(_ bytes: some Collection<UInt8>) async throws {
        let (isFirst, areMany, failure) = waiting.withLock { waiting in
            let isFirst = waiting.bytes.isEmpty
            waiting.bytes += bytes
            return (isFirst, waiting.bytes.count >= Self.mostWaiting, waiting.failure)
        }
        if let failure { throw failure }
        if areMany {
            try await onQueue { file throws(SystemError) in try file.writeWaiting() }
        } else if isFirst {
            queue.async { [self] in try? writeWaiting() }
        }
    }

    /// Call this method on `queue`.
    private func writeWaiting() throws(SystemError) {
        let (bytes, failure) = waiting.withLock { waiting in
            defer { waiting.bytes = [] }
            return waiting
        }
        if let failure { throw failure }
        do throws(SystemError) { try descriptor.writeAll(bytes) } catch {
            waiting.withLock { $0.failure = error }
            throw error
        }
    }

    /// Ends writing.
    /// - Throws: ``SystemError`` of closing the file or of an earlier write. Some systems report write errors only
    ///   here.
    func close() async throws {
        try await onQueue { file throws(SystemError) in
            try file.writeWaiting()
            file.isOpen = false
            try file.descriptor.close()
        }
    }

    /// Keeps the file, so that the caller has to remove it.
    func keep() { queue.sync { isKept = true } }

    private func onQueue(_ body: @escaping @Sendable (DownloadFile) throws(SystemError) -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in continuation.resume(with: Result { try body(self) }) }
        }
    }
}

/// The bytes of a download that haven't been reported to the delegate. One report covers all of them, whatever the
/// number of pieces.
final class WrittenBytes: Sendable {
    private let state = Locked((waiting: 0, total: Int64(0)))

    /// - Returns: whether the caller has to schedule a report. False if a report is already scheduled.
    func add(_ bytes: Int) -> Bool {
        state.withLock { state in
            defer { state.waiting += bytes }
            return state.waiting == 0
        }
    }

    /// Returns the bytes for a report, and the total up to this report.
    func take() -> (bytes: Int, total: Int64) {
        state.withLock { state in
            defer { state.waiting = 0 }
            state.total += Int64(state.waiting)
            return (state.waiting, state.total)
        }
    }
}

#endif
