// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import PKIX

/// One download. It requests the whole file or the rest of it, and writes the bytes to the partial file.
struct Download {
    /// The rest of a file to request.
    private struct Continuation {
        /// The offset of the first requested byte.
        let offset: Int
        let note: DownloadNote
    }

    /// The number of bytes to collect before writing them.
    private static let writeSize = 1 << 18

    let request: HTTPClientRequest
    let part: PartialFile
    let options: DownloadOptions
    let exchange: (HTTPClientRequest) async throws -> TrustedHTTPResponse

    /// - Throws: ``DownloadError`` if the request or the options don't allow a download.
    static func check(_ request: HTTPClientRequest, _ path: String, _ options: DownloadOptions) throws(DownloadError) {
        guard request.method == .GET, request.body == nil, !request.headers.contains(name: "range"),
            !request.headers.contains(name: "if-range")
        else { throw DownloadError(.downloadUnusableRequest, path: path) }
        if let digest = options.sha256 {
            guard digest.utf8.count == 64, digest.utf8.allSatisfy({ Hex.value(ofDigit: $0) != nil }) else {
                throw DownloadError(.downloadMalformedChecksum, path: path)
            }
        }
    }

    /// Whether the next attempt can use the bytes that were received before the error.
    static func isResumable(_ error: any Error) -> Bool {
        switch (error as? DownloadError)?.code {
        case .downloadTooLarge, .downloadTooManyBytes, .downloadChecksumMismatch: false
        default: true
        }
    }
}

// MARK: - The requests

extension Download {
    /// - Parameter isDecoding: whether the client decodes compressed bodies.
    func run(isDecoding: Bool) async throws -> DownloadedFile {
        var continuation = self.continuation
        // There are at most two requests: one for the rest of the file, and one for the whole file.
        while true {
            let answer = try await exchange(outgoing(continuation))
            let head = answer.response
            let isDecoded = isDecoding && head.headers.isContentCoded
            switch (head.status, continuation) {
            case (.ok, _):
                let total = isDecoded ? nil : head.headers.announcedLength
                try requireSize(total ?? 0)
                let tag = options.resumes && !isDecoded ? head.headers.strongTag : nil
                let note = tag.map { DownloadNote(url: request.url, tag: $0, totalBytes: total) }
                try await onDisk { [part] in try part.restart(note) }
                return try await receive(answer, total: total, resumedBytes: 0)
            case (.partialContent, let asked?):
                guard !isDecoded, let range = Self.range(head.headers, continuing: asked) else { break }
                try requireSize(range.total)
                try await onDisk { [part] in try part.keep(asked.offset) }
                return try await receive(answer, total: range.total, resumedBytes: asked.offset)
            case (.rangeNotSatisfiable, _?): break
            default:
                throw DownloadError(
                    .downloadStatus, path: part.path, status: head.status.code, detail: "status \(head.status.code)")
            }
            // The server doesn't send the rest as requested.
            continuation = nil
        }
    }

    private var continuation: Continuation? {
        guard options.resumes, let note = part.note, note.url == DownloadNote.digest(ofURL: request.url) else {
            return nil
        }
        // If the file is already complete, this requests its last byte, so that the server can confirm the version.
        let offset = note.totalBytes.map { min(part.size, $0 - 1) } ?? part.size
        return offset > 0 ? Continuation(offset: offset, note: note) : nil
    }

    private func outgoing(_ continuation: Continuation?) -> HTTPClientRequest {
        var outgoing = request
        // Ranges count encoded bytes, but the digest covers decoded bytes.
        outgoing.headers.replaceOrAdd(name: "accept-encoding", value: "identity")
        if let continuation {
            outgoing.headers.add(name: "range", value: "bytes=\(continuation.offset)-")
            outgoing.headers.add(name: "if-range", value: continuation.note.tag)
        }
        return outgoing
    }

    /// Returns the range of a response if it is the requested one: the rest of the same version, up to its end.
    private static func range(_ headers: HTTPHeaders, continuing asked: Continuation) -> ContentRange? {
        guard headers.strongTag == asked.note.tag, let range = ContentRange(headers), range.first == asked.offset,
            range.last == range.total - 1, asked.note.totalBytes.map({ $0 == range.total }) ?? true
        else { return nil }
        return range
    }
}

// MARK: - The bytes

extension Download {
    private func receive(
        _ answer: TrustedHTTPResponse, total: Int?, resumedBytes: Int
    ) async throws -> DownloadedFile {
        var received = part.size
        var waiting: [UInt8] = []
        options.progress?(DownloadProgress(receivedBytes: received, totalBytes: total))
        do {
            for try await chunk in answer.response.body {
                received += chunk.readableBytes
                try requireSize(received)
                if let total, received > total { throw DownloadError(.downloadTooManyBytes, path: part.path) }
                waiting += chunk.readableBytesView
                if waiting.count >= Self.writeSize {
                    let bytes = waiting
                    waiting = []
                    try await onDisk { [part] in try part.append(bytes) }
                }
                options.progress?(DownloadProgress(receivedBytes: received, totalBytes: total))
            }
            try Task.checkCancellation()
            if let total, received < total { throw DownloadError(.downloadIncomplete, path: part.path) }
        } catch {
            // These few bytes are for the next attempt. They are written here because a canceled task doesn't get a
            // thread from the pool.
            if Self.isResumable(error) { try? part.append(waiting) }
            guard error.isCutOff else { throw error }
            throw DownloadError(.downloadIncomplete, path: part.path, detail: String(describing: error))
        }
        let bytes = waiting
        let digest = try await onDisk { [part, options] in
            try part.append(bytes)
            let digest = part.digest
            if let expected = options.sha256, expected.lowercased() != digest {
                throw DownloadError(
                    .downloadChecksumMismatch, path: part.path,
                    detail: "expected \(expected.lowercased()), found \(digest)")
            }
            try part.finish()
            return digest
        }
        return DownloadedFile(
            path: part.path, byteCount: received, sha256: digest, resumedBytes: resumedBytes,
            headers: answer.response.headers, server: answer.server)
    }

    private func requireSize(_ size: Int) throws(DownloadError) {
        guard let maximum = options.maximumBytes, size > maximum else { return }
        throw DownloadError(.downloadTooLarge, path: part.path, detail: "\(size) bytes, at most \(maximum)")
    }

    private func onDisk<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}

#endif
