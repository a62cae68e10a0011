// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import PKIX

/// One download: the request for the whole file or the rest of it, and the bytes on their way into the partial file.
struct Download {
    /// The rest of a file that is asked for.
    private struct Continuation {
        /// The first byte that is asked for.
        let offset: Int
        let note: DownloadNote
    }

    /// The bytes that are collected before they are written.
    private static let writeSize = 1 << 18

    private let request: HTTPClientRequest
    private let part: PartialFile
    private let options: DownloadOptions
    private let exchange: (HTTPClientRequest) async throws -> TrustedHTTPResponse

    init(
        _ request: HTTPClientRequest, _ part: PartialFile, _ options: DownloadOptions,
        exchange: @escaping (HTTPClientRequest) async throws -> TrustedHTTPResponse
    ) {
        self.request = request
        self.part = part
        self.options = options
        self.exchange = exchange
    }

    /// - Throws: ``DownloadError`` for a request or options that no download can be made of.
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

    /// Whether the bytes that were received before an error are good for the next attempt.
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
        // At most one for the rest of the file, and one for all of it.
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
            // The rest isn't to be had as it was asked for.
            continuation = nil
        }
    }

    private var continuation: Continuation? {
        guard options.resumes, let note = part.note, note.url == DownloadNote.digest(ofURL: request.url) else {
            return nil
        }
        // Of a file that is whole already the last byte is asked for, so that the server has its say about the version.
        let offset = note.totalBytes.map { min(part.size, $0 - 1) } ?? part.size
        return offset > 0 ? Continuation(offset: offset, note: note) : nil
    }

    private func outgoing(_ continuation: Continuation?) -> HTTPClientRequest {
        var outgoing = request
        // Ranges are of the coded bytes, and the digest is of the others.
        outgoing.headers.replaceOrAdd(name: "accept-encoding", value: "identity")
        if let continuation {
            outgoing.headers.add(name: "range", value: "bytes=\(continuation.offset)-")
            outgoing.headers.add(name: "if-range", value: continuation.note.tag)
        }
        return outgoing
    }

    /// The range of a response, if it is the one that was asked for: the rest of the same version, to its end.
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
            // For the next attempt. Few bytes, and a task that was canceled is given no thread of the pool.
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
