// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession

/// Requests and their responses.
let requestFeatures: [Feature] = [
    Feature("downgrade", "Sends nothing unencrypted after a redirect from `https` to `http`") { client in
        let clear = try await ClearServer.start()
        let server = try await Site().start {
            $0.response = .redirect(to: "http://localhost:\(clear.port)/")
        }
        _ = try? await client.get(server.url + "/", Setup(server))
        return server.counts.requests > 0 && !clear.hasReceived
    },
    Feature("cut-off", "Reports a truncated body") { client in
        let server = try await Site().start { $0.response = .truncated("hello") }
        do {
            _ = try await client.get(server.url + "/", Setup(server))
            return false
        } catch {
            return server.counts.requests > 0
        }
    },
    Feature("cut-off-end", "… without a length, when TLS ends without a close_notify") { client in
        let site = try Site()
        let server = try await RawServer.start(site, answering: "HTTP/1.1 200 OK\r\n\r\nhello")
        do {
            _ = try await client.get("https://localhost:\(server.port)/", Setup(anchors: [site.root.certificate]))
            return false
        } catch {
            return true
        }
    },
    Feature("trailers", "Accepts a response with trailers") { client in
        let site = try Site()
        let server = try await RawServer.start(
            site,
            answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Check: 1\r\n\r\n")
        return try await client.get("https://localhost:\(server.port)/", Setup(anchors: [site.root.certificate])).text
            == "hello"
    },
    Feature("unauthorized", "Returns a 401 response when it has no credentials") { client in
        let server = try await Site().start { $0.response = .unauthorized(LabChallenge(.basic)) }
        return try await client.get(server.url + "/", Setup(server)).status == 401
    },
    Feature("timeout", "Stops waiting for a server that doesn't answer") { client in
        let server = try await SilentServer.start()
        var setup = Setup(anchors: [])
        setup.timeout = 1
        do {
            _ = try await client.get("https://localhost:\(server.port)/", setup)
            return false
        } catch {
            return true
        }
    },
    Feature("body-timeout", "Ends a body that takes too long, although bytes keep arriving") { client in
        let pieces = (0..<40).map { "piece \($0)\n" }
        let server = try await Site().start { $0.response = .slow(pieces, pause: .milliseconds(250)) }
        var setup = Setup(server)
        setup.timeout = 2
        setup.bodyTimeout = 2
        let start = ContinuousClock.now
        do {
            _ = try await client.get(server.url + "/", setup)
            return false
        } catch {
            return ContinuousClock.now - start < .seconds(8)
        }
    },
    Feature("streaming", "Streams a body as it arrives") { client in
        let pieces = (0..<5).map { "piece \($0)\n" }
        let server = try await Site().start { $0.response = .slow(pieces, pause: .milliseconds(200)) }
        let setup = Setup(server)
        switch client {
        case .trusted:
            let trusted = try TrustedHTTPClient(trust: setup.trust, configuration: setup.trustedConfiguration)
            let request = HTTPClientRequest(url: server.url + "/")
            return try await trusted.execute(request, timeout: .seconds(10)).isStreamed
        case .ahc, .gated:
            return try await client.withClient(setup) { plain in
                let request = HTTPClientRequest(url: server.url + "/")
                return try await plain.execute(request, timeout: .seconds(10)).isStreamed
            }
        case .session, .foundation:
            let delegate = PiecesDelegate()
            guard let url = URL(string: server.url) else { return false }
            try setup.session(client, delegate: delegate).dataTask(with: url).resume()
            while delegate.end.withLock({ $0 }) == nil { try await Task.sleep(for: .milliseconds(20)) }
            guard let first = delegate.pieces.withLock({ $0.first }), let end = delegate.end.withLock({ $0 }) else {
                return false
            }
            return end - first > .milliseconds(300)
        }
    },
    Feature("byte-counts", "Counts a task's bytes, and completes its `progress`") { client in
        let delegate = PiecesDelegate()
        guard let task = try await run(client, delegate, until: { delegate.end.withLock { $0 != nil } }) else {
            return false
        }
        return task.countOfBytesReceived == 5 && task.progress.fractionCompleted == 1
    },
    Feature("metrics", "Reports a task's protocol, address and dates (`didFinishCollecting`)") { client in
        let delegate = MetricsDelegate()
        _ = try await run(client, delegate, until: { delegate.hasEnded.withLock { $0 } })
        return delegate.isComplete.withLock { $0 }
    },
    Feature("disposition", "Delivers no data after a delegate cancels the response") { client in
        let delegate = CancelingDelegate()
        _ = try await run(client, delegate, until: { delegate.end.withLock { $0 != nil } })
        let error = delegate.end.withLock { $0 } ?? nil
        return !delegate.hasData.withLock { $0 } && (error as? URLError)?.code == .cancelled
    },
    Feature("async-bytes", "`bytes(for:)`") { client in
        guard client == .session else { return false }
        let server = try await Site().start { $0.response = .text("hello") }
        guard let url = URL(string: server.url) else { return false }
        var bytes: [UInt8] = []
        for try await byte in try await Setup(server).session(client).bytes(from: url).0 { bytes.append(byte) }
        return bytes == Array("hello".utf8)
    },
    Feature("download", "Downloads to a file") { client in
        let server = try await Site().start { $0.response = .text("hello") }
        let setup = Setup(server)
        switch client {
        case .session, .foundation:
            guard let url = URL(string: server.url) else { return false }
            let (file, _) = try await setup.session(client).download(from: url)
            defer { try? FileManager.default.removeItem(at: file) }
            return try String(contentsOf: file, encoding: .utf8) == "hello"
        case .ahc, .gated:
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(getpid())")
            defer { try? FileManager.default.removeItem(at: file) }
            let delegate = try FileDownloadDelegate(path: file.path)
            try await client.withClient(setup) { plain in
                let request = try HTTPClient.Request(url: server.url + "/")
                _ = try await plain.execute(request: request, delegate: delegate).get()
            }
            return try String(contentsOf: file, encoding: .utf8) == "hello"
        case .trusted:
            let trusted = try TrustedHTTPClient(trust: setup.trust, configuration: setup.trustedConfiguration)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(getpid())").path
            defer { try? FileManager.default.removeItem(atPath: file) }
            _ = try await trusted.download(HTTPClientRequest(url: server.url + "/"), to: file)
            return try String(contentsOfFile: file, encoding: .utf8) == "hello"
        }
    },
    Feature("download-resume", "… and resumes a broken download, with a checksum") { client in
        guard client == .trusted else { return false }
        let server = try await RangeServer.start(Site())
        let setup = Setup(anchors: [server.site.root.certificate])
        let trusted = try TrustedHTTPClient(trust: setup.trust, configuration: setup.trustedConfiguration)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        var options = DownloadOptions()
        options.sha256 = RangeServer.digest
        // The server cuts off the first response.
        let request = HTTPClientRequest(url: "https://localhost:\(server.port)/")
        _ = try? await trusted.download(request, to: file, options: options)
        guard !FileManager.default.fileExists(atPath: file) else { return false }
        _ = try await trusted.download(request, to: file, options: options)
        return server.ranges.withLock { $0 } == [nil, "bytes=5-"]
    },
    Feature("stand-in", "Uses protocol classes in tests (`protocolClasses`)") { client in
        guard client == .session || client == .foundation else { return false }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StandIn.self]
        let session =
            client == .session
            ? URLSession(configuration: configuration.withServerTrust(try Setup(anchors: []).trust))
            : URLSession(configuration: configuration)
        guard let url = URL(string: "https://stand-in.example/") else { return false }
        return (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode == 299
    },
]

/// Runs a session's data task for a body of five bytes, until its delegate has the end.
/// - Returns: the task, or nil for a client that isn't a session.
private func run(
    _ client: ClientKind, _ delegate: any URLSessionDelegate, until hasEnded: () -> Bool
) async throws -> URLSessionTask? {
    guard client == .session || client == .foundation else { return nil }
    let server = try await Site().start { $0.response = .text("hello") }
    let task = try Setup(server).session(client, delegate: delegate)
        .dataTask(with: URL(string: server.url).orThrow())
    task.resume()
    while !hasEnded() { try await Task.sleep(for: .milliseconds(20)) }
    return task
}

extension HTTPClientResponse {
    /// Whether the first piece of the body arrives well before the last.
    fileprivate var isStreamed: Bool {
        get async throws {
            var first: ContinuousClock.Instant?
            for try await _ in body { first = first ?? .now }
            return first.map { ContinuousClock.now - $0 > .milliseconds(300) } ?? false
        }
    }
}
