// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("Downloads from hostile servers and into prepared folders", .timeLimit(.minutes(10)))
struct HostileDownloadTests {
    private static let served = ServedFile(text: String(repeating: "0123456789", count: 100), tag: "\"v1\"")

    /// Runs `body` with a partial file of 400 bytes that can be resumed.
    private func withPart(
        decoding: Bool = false, server script: @escaping @Sendable (String) -> [ScriptedServer.Step],
        body: (FileScene, TrustedHTTPClient, ScriptedServer, String) async throws -> Void
    ) async throws {
        let scene = try Scene { if decoding { $0.decompression = .enabled(limit: .none) } }
        try await FileScene.run { file in
            try await scene.run(script) { client, server in
                let url = scene.url(server.port)
                try file.write("before", to: file.path)
                try file.write(String(Self.served.text.prefix(400)), to: file.part)
                try file.write(DownloadTests.note(url, "\"v1\"", "1000"), to: file.note)
                try await body(file, client, server, url)
            }
        }
    }

    private static let lies: [(name: String, rest: [ScriptedServer.Step])] = [
        ("a different first byte", served.rest(from: 400, range: "content-range: bytes 399-998/1000\r\n")),
        ("the first bytes", served.rest(from: 400, range: "content-range: bytes 0-599/1000\r\n")),
        ("another total", served.rest(from: 400, range: "content-range: bytes 400-999/2000\r\n")),
        (
            "a total that fits but isn't the file's",
            served.rest(from: 400, range: "content-range: bytes 400-1000/1001\r\n")
        ),
        ("an unknown total", served.rest(from: 400, range: "content-range: bytes 400-999/*\r\n")),
        ("a range that stops before the end", served.rest(from: 400, range: "content-range: bytes 400-998/1000\r\n")),
        ("an end past the total", served.rest(from: 400, range: "content-range: bytes 400-1000/1000\r\n")),
        ("an end before the start", served.rest(from: 400, range: "content-range: bytes 400-3/1000\r\n")),
        ("numbers with signs", served.rest(from: 400, range: "content-range: bytes +400-999/1000\r\n")),
        (
            "numbers that are too large",
            served.rest(from: 400, range: "content-range: bytes 400-99999999999999999999/1000\r\n")
        ),
        ("another unit", served.rest(from: 400, range: "content-range: lines 400-999/1000\r\n")),
        ("no range", served.rest(from: 400, range: "")),
        ("two ranges", served.rest(from: 400, more: "content-range: bytes 400-999/1000\r\n")),
        ("several parts", served.rest(from: 400, range: "content-type: multipart/byteranges; boundary=x\r\n")),
        ("another tag", served.rest(from: 400, tag: "etag: \"v2\"\r\n")),
        ("the tag as a weak tag", served.rest(from: 400, tag: "etag: W/\"v1\"\r\n")),
        ("no tag", served.rest(from: 400, tag: "x: y\r\n")),
        ("416", [.answer(416, ["content-range: bytes */1000"])]),
    ]

    @Test("The client drops a range that it didn't request and downloads the whole file once", arguments: 0..<18)
    func lie(index: Int) async throws {
        let lie = Self.lies[index]
        try await withPart { head in
            ServedFile.first(head) == nil ? Self.served.answer(head) : lie.rest
        } body: {
            file, client, server, url in
            let downloaded = try await client.download(url, to: file)
            #expect(downloaded.resumedBytes == 0, "\(lie.name)")
            #expect(file.text == Self.served.text, "\(lie.name)")
            #expect(file.names == ["file"])
            #expect(server.received.components(separatedBy: "GET ").count == 3)
        }
        // The client stops asking a server that keeps doing this.
        try await withPart { _ in
            lie.rest
        } body: { file, client, server, url in
            let error = await failure { try await client.download(url, to: file) } as? DownloadError
            #expect(error?.code == .downloadStatus, "\(lie.name)")
            #expect(file.text == "before")
            #expect(server.received.components(separatedBy: "GET ").count == 3)
        }
    }

    @Test("The client rejects a range that is longer or shorter than its head announced")
    func wrongLength() async throws {
        let rows: [(count: Int, reason: ErrorCode, names: [String])] = [
            (601, .downloadTooManyBytes, ["file"]),
            (599, .downloadIncomplete, ["file", "file.part", "file.part.info"]),
        ]
        for row in rows {
            let text = String(repeating: "x", count: row.count)
            let rest =
                "HTTP/1.1 206 Partial\r\netag: \"v1\"\r\ncontent-range: bytes 400-999/1000\r\n"
                + "transfer-encoding: chunked\r\n\r\n\(String(row.count, radix: 16))\r\n\(text)\r\n0\r\n\r\n"
            try await withPart { _ in
                [.send(rest)]
            } body: { file, client, _, url in
                let error = await failure { try await client.download(url, to: file) } as? DownloadError
                #expect(error?.code == row.reason)
                #expect(file.text == "before")
                #expect(file.names == row.names)
            }
        }
    }

    @Test("The digest reveals another file's bytes under the same tag, and the client leaves no file")
    func sameTag() async throws {
        let other = ServedFile(text: String(repeating: "9876543210", count: 100), tag: "\"v1\"")
        try await withPart {
            other.answer($0)
        } body: { file, client, server, url in
            let error =
                await failure { try await client.download(url, to: file) { $0.sha256 = other.digest } }
                as? DownloadError
            #expect(error?.code == .downloadChecksumMismatch)
            #expect(file.text == "before")
            #expect(file.names == ["file"])
            _ = try await client.download(url, to: file) { $0.sha256 = other.digest }
            #expect(file.text == other.text)
        }
    }

    @Test("The size limit applies with and without a length, and to the rest of a file")
    func tooLarge() async throws {
        let endless: [ScriptedServer.Step] = [
            .send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
            .forever("400\r\n" + String(repeating: "x", count: 1024) + "\r\n", pause: .milliseconds(1)),
        ]
        for script in [{ @Sendable in Self.served.answer($0) }, { @Sendable _ in endless }] {
            try await withPart(server: script) { file, client, server, url in
                let error =
                    await failure { try await client.download(url, to: file) { $0.maximumBytes = 999 } }
                    as? DownloadError
                #expect(error?.code == .downloadTooLarge)
                #expect(file.names == ["file"])
                #expect(file.text == "before")
            }
        }
    }

    @Test(
        "The client keeps no partial file of a version without a strong tag and doesn't resume its download",
        arguments: 0..<5)
    func weak(index: Int) async throws {
        let fields = ["", "etag: W/\"v1\"\r\n", "etag: v1\r\n", "etag: \"a\"\r\netag: \"b\"\r\n", "etag: \"a\"b\"\r\n"]
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [
                .send("HTTP/1.1 200 OK\r\n\(fields[index])content-length: 1000\r\n\r\n0123"), .wait(.milliseconds(50)),
                .cut,
            ]
        }
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run(script) { client, server in
                for _ in 0..<2 {
                    let error = await failure { try await client.download(scene.url(server.port), to: file) }
                    #expect(error != nil)
                    #expect(file.names.isEmpty)
                }
                #expect(ServedFile.field("range", server.received) == nil)
            }
        }
    }

    @Test("The client doesn't resume a download when resuming is turned off")
    func noResumption() async throws {
        try await withPart {
            Self.served.answer($0)
        } body: { file, client, server, url in
            let downloaded = try await client.download(url, to: file) { $0.resumes = false }
            #expect(downloaded.resumedBytes == 0)
            #expect(ServedFile.field("range", server.received) == nil)
            #expect(file.text == Self.served.text)
        }
    }

    @Test("A client that decodes bodies doesn't append an encoded range to a partial file")
    func coded() async throws {
        let lie = Self.served.rest(from: 400, more: "content-encoding: gzip\r\n")
        try await withPart(decoding: true) { head in
            ServedFile.first(head) == nil ? Self.served.answer(head) : lie
        } body: { file, client, server, url in
            let downloaded = try await client.download(url, to: file)
            #expect(downloaded.resumedBytes == 0)
            #expect(file.text == Self.served.text)
        }
    }

    @Test(
        "The client asks nginx, which compresses, for the unencoded file", .enabled(if: Peer.Program.nginx.isAvailable))
    func nginx() async throws {
        let scene = try Scene { $0.decompression = .enabled(limit: .none) }
        let peer = try await Peer.nginx(scene.certificates)
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let url = scene.url(peer.port, "/long.txt")
        try await FileScene.run { file in
            let whole = try await client.download(url, to: file)
            #expect(file.text == Peer.longText)
            let tag = try #require(whole.headers.first(name: "etag"))
            let length = Peer.longText.utf8.count
            try file.write(String(Peer.longText.prefix(1234)), to: file.part)
            try file.write(DownloadTests.note(url, tag, "\(length)"), to: file.note)
            let rest = try await client.download(url, to: file)
            #expect(rest.resumedBytes == 1234)
            #expect(rest.sha256 == whole.sha256)
            // Another version of the file, so nginx sends all of it.
            try file.write(String(Peer.longText.prefix(1234)), to: file.part)
            try file.write(DownloadTests.note(url, "\"other\"", "\(length)"), to: file.note)
            let anew = try await client.download(url, to: file)
            #expect(anew.resumedBytes == 0)
            #expect(anew.sha256 == whole.sha256)
        }
        await client.shutdown()
        peer.stop()
    }

    @Test("Any other status causes an error, and the file and its partial file stay", arguments: [404, 500, 204, 206])
    func status(code: Int) async throws {
        try await withPart { _ in
            [.answer(code)]
        } body: { file, client, server, url in
            let error = await failure { try await client.download(url, to: file) } as? DownloadError
            #expect(error?.code == .downloadStatus)
            #expect(error?.status == UInt(code))
            #expect(file.text == "before")
            #expect(file.partText?.utf8.count == 400)
        }
    }

    @Test("A refused server and the target of a redirect to plain HTTP receive no data, and the client leaves no file")
    func refused() async throws {
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run({ _ in [.answer(302, ["location: http://api.lab.test/"])] }) { client, server in
                let redirect = await failure { try await client.download(scene.url(server.port), to: file) }
                #expect((redirect as? TrustedHTTPError)?.code == .redirectToPlainHTTP)
                let bytes = server.received
                let error = await failure {
                    try await client.download("https://\(Scene.elsewhere):\(server.port)/", to: file)
                }
                #expect(error is TrustRefusal)
                #expect(server.received == bytes)
                #expect(file.names.isEmpty)
            }
        }
    }

    @Test("The client rejects invalid download requests and malformed digests before it sends anything")
    func unusable() async throws {
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run({ _ in [.answer(200)] }) { client, server in
                let changes: [(inout HTTPClientRequest) -> Void] = [
                    { $0.method = .POST }, { $0.body = .bytes(ByteBuffer(string: "x")) },
                    { $0.headers.add(name: "Range", value: "bytes=0-1") },
                    { $0.headers.add(name: "If-Range", value: "\"x\"") },
                ]
                for change in changes {
                    var request = HTTPClientRequest(url: scene.url(server.port))
                    change(&request)
                    let error = await failure { [request] in try await client.download(request, to: file.path) }
                    #expect((error as? DownloadError)?.code == .downloadUnusableRequest)
                }
                for digest in ["", "12", String(repeating: "g", count: 64), String(repeating: "0", count: 63)] {
                    let error = await failure {
                        try await client.download(scene.url(server.port), to: file) { $0.sha256 = digest }
                    }
                    #expect((error as? DownloadError)?.code == .downloadMalformedChecksum)
                }
                #expect(server.received.isEmpty)
                #expect(file.names.isEmpty)
            }
        }
    }

    @Test("A link, pipe or folder instead of a file causes an error, and its target stays untouched")
    func preparedFiles() async throws {
        let scene = try Scene()
        let prepare: [(FileScene) throws -> Void] = [
            { try FileManager.default.createSymbolicLink(atPath: $0.part, withDestinationPath: $0.folder + "/victim") },
            { try FileManager.default.linkItem(atPath: $0.folder + "/victim", toPath: $0.part) },
            { #expect(mkfifo($0.part, 0o600) == 0) },
            { try FileManager.default.createDirectory(atPath: $0.part, withIntermediateDirectories: false) },
            { try FileManager.default.createDirectory(atPath: $0.path, withIntermediateDirectories: false) },
            { try FileManager.default.createSymbolicLink(atPath: $0.path, withDestinationPath: $0.folder + "/victim") },
            { #expect(mkfifo($0.path, 0o600) == 0) },
        ]
        for prepare in prepare {
            try await FileScene.run { file in
                try file.write("untouched", to: file.folder + "/victim")
                try prepare(file)
                let names = file.names
                try await scene.run({ Self.served.answer($0) }) { client, server in
                    let error = await failure { try await client.download(scene.url(server.port), to: file) }
                    #expect((error as? DownloadError)?.code == .downloadFileSystem)
                    #expect(server.received.isEmpty)
                    #expect(file.names == names)
                    #expect(FileManager.default.contents(atPath: file.folder + "/victim") == Data("untouched".utf8))
                }
            }
        }
        try await scene.run({ Self.served.answer($0) }) { client, server in
            let error = await failure {
                try await client.download(HTTPClientRequest(url: scene.url(server.port)), to: "/nowhere/at/all")
            }
            #expect((error as? DownloadError)?.code == .downloadFileSystem)
            #expect(server.received.isEmpty)
        }
    }

    @Test(
        "If the download's note is malformed, writable by others or for another URL, the download starts over",
        arguments: 0..<8)
    func notes(index: Int) async throws {
        try await withPart {
            Self.served.answer($0)
        } body: { file, client, server, url in
            let good = DownloadTests.note(url, "\"v1\"", "1000")
            let notes: [(String, Int)] = [
                ("", 0o600), ("garbage", 0o600), (good + "more\n", 0o600), (good, 0o666),
                (DownloadTests.note(url + "?other", "\"v1\"", "1000"), 0o600),
                (DownloadTests.note(url, "\"v1\"", "-5"), 0o600), (DownloadTests.note(url, "\"v1\"", "399"), 0o600),
                (good.replacingOccurrences(of: "servertrust-download 1", with: "servertrust-download 2"), 0o600),
            ]
            try file.write(notes[index].0, to: file.note, permissions: notes[index].1)
            let downloaded = try await client.download(url, to: file)
            #expect(downloaded.resumedBytes == 0)
            #expect(ServedFile.field("range", server.received) == nil)
            #expect(file.text == Self.served.text)
        }
    }
}
