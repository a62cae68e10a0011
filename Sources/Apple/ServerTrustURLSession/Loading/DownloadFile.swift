// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    import PKIX
    import TrustSupport

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The file that a download task fills, readable by the owner alone. It is removed with this object, unless it was moved or is kept.
    ///
    /// Proof of sendability: constant except for the descriptor and the two flags, which only blocks of `queue` and `deinit` touch. The lock of `waiting` guards the rest.
    final class DownloadFile: @unchecked Sendable {
        let url: URL
        private let descriptor: FileDescriptor
        /// Writing may wait for a disk.
        private let queue = DispatchQueue(label: "servertrust.download")
        private var isOpen = true
        private var isKept = false
        /// The bytes that wait for the disk, and the first error of writing.
        private let waiting = Locked<(bytes: [UInt8], failure: SystemError?)>(([], nil))
        /// The number of waiting bytes above which a caller waits as well.
        private static let mostWaiting = 1 << 18

        /// - Throws: `URLError.cannotCreateFile`.
        init(at address: URL) throws(URLError) {
            url = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID().uuidString).tmp")
            do throws(SystemError) {
                // O_EXCL doesn't follow a symbolic link either.
                descriptor = try FileDescriptor(opening: url.path, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
            } catch {
                throw SessionError.make(.cannotCreateFile, at: address, "\(url.path): \(error)")
            }
        }

        deinit {
            if isOpen { try? descriptor.close() }
            if !isKept { unlink(url.path) }
        }

        /// Adds bytes at the end. The server chooses their number, so that those that come while the disk is busy are written together. Returns
        /// before they are written, unless many wait.
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

        /// Inside `queue`.
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
        /// - Throws: ``SystemError`` of an earlier write too, and one that the system reports as late as this.
        func close() async throws {
            try await onQueue { file throws(SystemError) in
                try file.writeWaiting()
                file.isOpen = false
                try file.descriptor.close()
            }
        }

        /// Leaves the file where it is, for the caller to remove.
        func keep() { queue.sync { isKept = true } }

        private func onQueue(_ body: @escaping @Sendable (DownloadFile) throws(SystemError) -> Void) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                queue.async { [self] in continuation.resume(with: Result { try body(self) }) }
            }
        }
    }
#endif
