// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import PKIX
import ServerTrust
import ServerTrustHTTP

/// A new folder, and a file in it to download to.
struct FileScene {
    let folder: String
    var path: String { folder + "/file" }
    var part: String { path + ".part" }
    var note: String { path + ".part.info" }

    static func run(_ body: (FileScene) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/download-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(FileScene(folder: folder))
    }

    /// The contents of the file and of the partial file.
    var text: String? { Self.text(path) }
    var partText: String? { Self.text(part) }
    /// The names in the folder, sorted.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

    func write(_ text: String, to path: String, permissions: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    func permissions(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A file on a scripted server. A request that names the file's tag gets the rest of the file.
struct ServedFile: Sendable {
    let text: String
    let tag: String?
    /// The number of bytes after which a response for the whole file breaks off, or nil if it doesn't.
    var end: Int?

    var digest: String { Hex.encode(Digests.sha256(Array(text.utf8))) }

    private var tagField: String { tag.map { "etag: \($0)\r\n" } ?? "" }

    func answer(_ head: String) -> [ScriptedServer.Step] {
        guard let tag, let first = Self.first(head), Self.field("if-range", head) == tag else {
            let whole = "HTTP/1.1 200 OK\r\n\(tagField)content-length: \(text.utf8.count)\r\n\r\n"
            guard let end else { return [.send(whole + text)] }
            return [.send(whole + text.prefix(end)), .wait(.milliseconds(50)), .cut]
        }
        return rest(from: first)
    }

    /// Returns the rest of the file, correct or with other fields.
    func rest(from first: Int, tag: String? = nil, range: String? = nil, more: String = "") -> [ScriptedServer.Step] {
        let rest = text.dropFirst(first)
        let range = range ?? "content-range: bytes \(first)-\(text.utf8.count - 1)/\(text.utf8.count)\r\n"
        let tag = tag ?? tagField
        return [
            .send("HTTP/1.1 206 Partial\r\n\(tag)\(range)\(more)content-length: \(rest.utf8.count)\r\n\r\n" + rest)
        ]
    }

    /// Returns the first byte that a request asks for.
    static func first(_ head: String) -> Int? {
        field("range", head).flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
    }

    static func field(_ name: String, _ head: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }
}

extension TrustedHTTPClient {
    func download(_ url: String, to file: FileScene, _ change: (inout DownloadOptions) -> Void = { _ in }) async throws
        -> DownloadedFile
    {
        var options = DownloadOptions()
        change(&options)
        return try await download(HTTPClientRequest(url: url), to: file.path, options: options)
    }
}
