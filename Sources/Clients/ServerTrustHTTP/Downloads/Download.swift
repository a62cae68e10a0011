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

/// The position of a response's body in the whole file (RFC 9110 § 14.4), for example `bytes 5-9/10`.
struct ContentRange: Equatable {
    /// The offsets of the first and the last byte.
    let first: Int
    let last: Int
    let total: Int

    /// Parses the header field. Returns nil unless there is exactly one field, its unit is bytes, and its range is
    /// inside a known total.
    init?(_ headers: HTTPHeaders) {
        let values = headers["content-range"]
        guard values.count == 1 else { return nil }
        let words = values[0].split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let numbers = words[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard numbers.count == 2 else { return nil }
        let ends = numbers[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            let total = Self.number(numbers[1]), first <= last, last < total
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    /// Parses a number that consists only of digits. `Int` would accept more.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}

extension HTTPHeaders {
    /// The strong entity tag with its quotation marks (RFC 9110 § 8.8.3). Nil if the tag is weak or malformed, or if
    /// there are several.
    var strongTag: String? {
        let values = self["etag"]
        guard values.count == 1, values[0].utf8.count <= 1024 else { return nil }
        let bytes = Array(values[0].utf8)
        let quote = UInt8(ascii: "\"")
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote,
            bytes.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7f })
        else { return nil }
        return values[0]
    }

    /// The length that the head announces. Nil if it is missing or isn't a number, or if there are several.
    var announcedLength: Int? {
        let values = self["content-length"]
        guard values.count == 1, let length = Int(values[0]), length >= 0 else { return nil }
        return length
    }

    /// Whether the body has a content coding, such as gzip.
    var isContentCoded: Bool {
        self[canonicalForm: "content-encoding"].contains { !$0.isEmpty && $0.lowercased() != "identity" }
    }
}

#endif
