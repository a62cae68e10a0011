// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("Downloads", .timeLimit(.minutes(10)))
struct DownloadTests {
    private static let served = ServedFile(text: String(repeating: "0123456789", count: 100), tag: "\"v1\"")

    @Test("A download replaces an earlier file in one step, only when it is complete")
    func whole() async throws {
        let served = Self.served
        let scene = try Scene()
        try await FileScene.run { file in
            try file.write("before", to: file.path)
            try await scene.run({ served.answer($0) }) { client, server in
                let progress = Locked<[DownloadProgress]>([])
                let url = scene.url(server.port)
                let downloaded = try await client.download(url, to: file) { options in
                    options.sha256 = served.digest.uppercased()
                    options.permissions = 0o640
                    options.maximumBytes = 1000
                    options.progress = { state in progress.withLock { $0.append(state) } }
                }
                #expect(downloaded.byteCount == 1000)
                #expect(downloaded.sha256 == served.digest)
                #expect(downloaded.resumedBytes == 0)
                #expect(downloaded.headers["etag"] == ["\"v1\""])
                #expect(downloaded.server?.host == scene.certificates.host)
                #expect(file.text == served.text)
                #expect(file.names == ["file"])
                #expect(try file.permissions(of: file.path) == 0o640)
                let states = progress.withLock { $0 }
                #expect(states.map(\.receivedBytes) == states.map(\.receivedBytes).sorted())
                #expect(states.last?.receivedBytes == 1000 && states.last?.totalBytes == 1000)
                #expect(ServedFile.field("accept-encoding", server.received) == "identity")
                #expect(ServedFile.field("range", server.received) == nil)
            }
        }
    }

    @Test(
        "A body of several megabytes without a length arrives complete, over HTTP/1.1 and HTTP/2",
        arguments: [HTTPClient.Configuration.HTTPVersion.http1Only, .automatic])
    func large(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let chunk = String(repeating: "0123456789abcdef", count: 4096)
        var options = LabServer.Options()
        options.response = LabResponse(chunks: Array(repeating: chunk, count: 128))
        let server = try await LabServer.start(.good, options: options)
        try await FileScene.run { file in
            try await withClient(of: server, TrustedHTTPConfiguration(server, httpVersion: version)) { client in
                let downloaded = try await client.download(server.url + "/", to: file)
                #expect(downloaded.byteCount == 128 * chunk.utf8.count)
                let text = String(repeating: chunk, count: 128)
                #expect(file.text == text)
                #expect(downloaded.sha256 == Hex.encode(Digests.sha256(Array(text.utf8))))
            }
        }
        #expect(server.counts.http2Requests == (version == .automatic ? 1 : 0))
    }

    @Test("An interrupted download resumes where it ended, and the earlier file stays until the new one is complete")
    func resumes() async throws {
        var served = Self.served
        served.end = 400
        let broken = served
        let scene = try Scene()
        try await FileScene.run { file in
            try file.write("before", to: file.path)
            try await scene.run({ broken.answer($0) }) { client, server in
                let url = scene.url(server.port)
                let error = await failure { try await client.download(url, to: file) }
                #expect(error != nil)
                #expect(file.text == "before")
                #expect(file.partText == String(broken.text.prefix(400)))
                #expect(file.names == ["file", "file.part", "file.part.info"])
                let downloaded = try await client.download(url, to: file) { $0.sha256 = broken.digest }
                #expect(downloaded.resumedBytes == 400)
                #expect(downloaded.byteCount == 1000)
                #expect(file.text == broken.text)
                #expect(file.names == ["file"])
                #expect(server.received.contains("range: bytes=400-\r\n"))
                #expect(server.received.contains("if-range: \"v1\"\r\n"))
            }
        }
    }

    @Test("A canceled download leaves a partial file that the next one resumes")
    func cancelled() async throws {
        let text = String(repeating: "x", count: 1000)
        let served = ServedFile(text: text, tag: "\"v1\"")
        let script: @Sendable (String) -> [ScriptedServer.Step] = { head in
            guard ServedFile.first(head) == nil else { return served.answer(head) }
            return [.send("HTTP/1.1 200 OK\r\netag: \"v1\"\r\ncontent-length: 1000\r\n\r\n" + text.prefix(300))]
        }
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run(script) { client, server in
                let received = Locked(0)
                let url = scene.url(server.port)
                let task = Task {
                    try await client.download(url, to: file) { options in
                        options.progress = { state in received.withLock { $0 = state.receivedBytes } }
                    }
                }
                while received.withLock({ $0 }) < 300 { try await Task.sleep(for: .milliseconds(5)) }
                task.cancel()
                #expect(await failure { try await task.value } != nil)
                #expect(file.partText?.utf8.count == 300)
                let downloaded = try await client.download(url, to: file)
                #expect(downloaded.resumedBytes == 300)
                #expect(file.text == text)
            }
        }
    }

    /// Returns the open files in the folder of a file, including removed ones.
    private static func openFiles(beside file: FileScene) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0) }
            .filter { $0.hasPrefix(file.folder + "/") }
    }

    @Test("Whenever a download is canceled, the file is complete or missing, and no descriptor stays open")
    func cancelledAnytime() async throws {
        let served = Self.served
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run({ served.answer($0) }) { client, server in
                let url = scene.url(server.port)
                _ = try await client.download(url, to: file)
                for pause in 0..<200 {
                    try? FileManager.default.removeItem(atPath: file.path)
                    let task = Task { try await client.download(url, to: file) }
                    try await Task.sleep(for: .microseconds(pause * 20))
                    task.cancel()
                    let isDone = (try? await task.value) != nil
                    #expect(file.text == (isDone ? served.text : nil))
                }
                _ = try await client.download(url, to: file) { $0.sha256 = served.digest }
                #expect(file.names == ["file"])
                // Writing ends a moment after the request is canceled. Connections don't count, because the pool can
                // keep any number of them.
                for _ in 0..<400 where !Self.openFiles(beside: file).isEmpty {
                    try await Task.sleep(for: .milliseconds(10))
                }
                #expect(Self.openFiles(beside: file) == [])
            }
        }
    }

    @Test("The client downloads a file again from the start if it changed in the meantime")
    func changed() async throws {
        var old = Self.served
        old.end = 400
        let (first, second) = (old, ServedFile(text: String(repeating: "new", count: 300), tag: "\"v2\""))
        let isSecond = Locked(false)
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run({ head in isSecond.withLock { $0 } ? second.answer(head) : first.answer(head) }) {
                client, server in
                let url = scene.url(server.port)
                #expect(await failure { try await client.download(url, to: file) } != nil)
                isSecond.withLock { $0 = true }
                let downloaded = try await client.download(url, to: file) { $0.sha256 = second.digest }
                #expect(downloaded.resumedBytes == 0)
                #expect(file.text == second.text)
            }
        }
    }

    @Test("The client verifies an already complete partial file by requesting its last byte")
    func wholePart() async throws {
        let served = Self.served
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run({ served.answer($0) }) { client, server in
                let url = scene.url(server.port)
                try file.write(served.text, to: file.part)
                try file.write(Self.note(url, "\"v1\"", "1000"), to: file.note)
                let downloaded = try await client.download(url, to: file)
                #expect(downloaded.resumedBytes == 999)
                #expect(file.text == served.text)
                #expect(file.names == ["file"])
            }
        }
    }

    @Test("Concurrent downloads to different files don't affect each other")
    func many() async throws {
        let served = Self.served
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run({ served.answer($0) }) { client, server in
                let url = scene.url(server.port)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<50 {
                        group.addTask {
                            _ = try await client.download(HTTPClientRequest(url: url), to: "\(file.path)-\(index)")
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(file.names.count == 50)
                #expect(!file.names.contains { $0.hasSuffix(".part") })
            }
        }
    }

    @Test("The client refuses a second download to a path while the first is running")
    func sameFile() async throws {
        let isOver = Locked(false)
        let served = Self.served
        let script: @Sendable (String) -> [ScriptedServer.Step] = { head in
            isOver.withLock { $0 }
                ? served.answer(head)
                : [.send("HTTP/1.1 200 OK\r\netag: \"v1\"\r\ncontent-length: 1000\r\n\r\n0")]
        }
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run(script) { client, server in
                let url = scene.url(server.port)
                let first = Task { try await client.download(url, to: file) }
                while file.names.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
                let error = await failure { try await client.download(url, to: file) } as? DownloadError
                #expect(error?.code == .downloadInUse)
                first.cancel()
                _ = await first.result
                isOver.withLock { $0 = true }
                _ = try await client.download(url, to: file)
                #expect(file.text == served.text)
            }
        }
    }

    static func note(_ url: String, _ tag: String, _ total: String) -> String {
        "servertrust-download 1\n\(Hex.encode(Digests.sha256(Array(url.utf8))))\n\(tag)\n\(total)\n"
    }
}
