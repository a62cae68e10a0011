// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import Testing

@testable import ServerTrustHTTP

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite("Interrupted downloads", .timeLimit(.minutes(10)))
struct BrokenDownloadTests {
    private static let head = "HTTP/1.1 200 OK\r\netag: \"v1\"\r\n"

    static let endings: [(name: String, steps: [ScriptedServer.Step])] = [
        ("a body with a length", [.send(head + "content-length: 9\r\n\r\n0123"), .wait(.milliseconds(20)), .cut]),
        (
            "a body in chunks",
            [.send(head + "transfer-encoding: chunked\r\n\r\n4\r\n0123\r\n"), .wait(.milliseconds(20)), .cut]
        ),
        (
            "a chunk",
            [.send(head + "transfer-encoding: chunked\r\n\r\n9\r\n0123"), .wait(.milliseconds(20)), .cut]
        ),
        ("a body that ends with the connection", [.send(head + "\r\n0123"), .wait(.milliseconds(20)), .cut]),
    ]

    @Test(
        "A download whose connection breaks off fails as incomplete, and the client keeps the partial file",
        arguments: endings.indices)
    func cut(index: Int) async throws {
        let (name, steps) = Self.endings[index]
        let scene = try Scene()
        try await FileScene.run { file in
            try await scene.run({ _ in steps }) { client, server in
                let error = await failure { try await client.download(scene.url(server.port), to: file) }
                #expect((error as? DownloadError)?.code == .downloadIncomplete, "\(name): \(String(describing: error))")
                #expect(file.partText == "0123")
                #expect(file.names == ["file.part", "file.part.info"])
            }
        }
    }

    static let errors: [(any Error & Sendable, Bool)] = [
        (HTTPClientError.remoteConnectionClosed, true), (HTTPParserError.invalidEOFState, true),
        (IOError(errnoCode: ECONNRESET, reason: "read"), true), (NIOSSLError.uncleanShutdown, true),
        (ChannelError.ioOnClosedChannel, true),
        (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .internalError), true),
        (HTTPClientError.deadlineExceeded, false), (HTTPClientError.readTimeout, false),
        (HTTPClientError.cancelled, false), (CancellationError(), false), (HTTPParserError.invalidChunkSize, false),
    ]

    @Test(
        "A transport error means that the response broke off, but an exceeded time limit doesn't",
        arguments: errors.indices)
    func transport(index: Int) {
        let (error, isCutOff) = Self.errors[index]
        #expect(error.isCutOff == isCutOff, "\(error)")
    }

    @Test("A body that takes too long ends with the client's own error, and the client keeps the partial file")
    func slow() async throws {
        let scene = try Scene { $0.bodyTimeout = .milliseconds(100) }
        try await FileScene.run { file in
            try await scene.run({ _ in [.send(Self.head + "content-length: 9\r\n\r\n0123")] }) { client, server in
                let error = await failure { try await client.download(scene.url(server.port), to: file) }
                #expect(error as? HTTPClientError == .deadlineExceeded)
                #expect(file.names == ["file.part", "file.part.info"])
            }
        }
    }

    @Test("When the disk is full, the client keeps the bytes it received, and the next download resumes there")
    func fullDisk() async {
        // A limit on the file size has the same effect as a full disk, and works for every user.
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let text = String(repeating: "0123456789abcdef", count: 1 << 16)
            let served = ServedFile(text: text, tag: "\"v1\"")
            let scene = try Scene()
            try await FileScene.run { file in
                try await scene.run({ served.answer($0) }) { client, server in
                    let url = scene.url(server.port)
                    try setFileLimit(600_000)
                    let error = await failure { try await client.download(url, to: file) } as? DownloadError
                    #expect(error?.code == .downloadFileSystem)
                    let part = file.partText ?? ""
                    #expect(part.utf8.count > 0 && part.utf8.count <= 600_000)
                    #expect(text.hasPrefix(part))
                    #expect(file.names == ["file.part", "file.part.info"])
                    try setFileLimit(nil)
                    let downloaded = try await client.download(url, to: file) { $0.sha256 = served.digest }
                    #expect(downloaded.resumedBytes == part.utf8.count)
                    #expect(file.names == ["file"])
                }
            }
        }
    }

    @Test("If the disk is full before the first byte, the client leaves no file")
    func fullDiskAtOnce() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let served = ServedFile(text: "0123456789", tag: "\"v1\"")
            let scene = try Scene()
            try await FileScene.run { file in
                try await scene.run({ served.answer($0) }) { client, server in
                    try setFileLimit(0)
                    let error = await failure { try await client.download(scene.url(server.port), to: file) }
                    try setFileLimit(nil)
                    #expect((error as? DownloadError)?.code == .downloadFileSystem)
                    #expect(file.names.isEmpty)
                }
            }
        }
    }
}

/// Limits the size of the files that this process writes, or raises the limit to its maximum if nil.
private func setFileLimit(_ bytes: UInt?) throws {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue))
    #else
    let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    guard setrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
}
