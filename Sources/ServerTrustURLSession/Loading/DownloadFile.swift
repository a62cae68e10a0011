// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    import TrustSupport

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The file that a download task fills, readable by the owner alone. It is removed with this object, unless it was moved or is kept.
    ///
    /// Proof of sendability: constant but for the descriptor and the two flags, which are touched inside `queue` alone, and in `deinit`.
    final class DownloadFile: @unchecked Sendable {
        let url: URL
        private let descriptor: FileDescriptor
        /// Writing may wait for a disk.
        private let queue = DispatchQueue(label: "servertrust.download")
        private var isOpen = true
        private var isKept = false

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

        /// Writes at the end.
        /// - Throws: ``SystemError``.
        func write(_ bytes: [UInt8]) async throws {
            try await onQueue { file throws(SystemError) in try file.descriptor.writeAll(bytes) }
        }

        /// Ends writing.
        /// - Throws: ``SystemError`` for an error of writing that the system reports as late as this.
        func close() async throws {
            try await onQueue { file throws(SystemError) in
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
