// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustURLSession

@Suite("Retries by a session", .enabled(if: EchoServer.isAvailable))
struct RepeatTests {
    private let server: EchoServer
    private let observer = RepeatObserver()
    private let manager: ServerTrustManager
    private let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws {
        server = try EchoServer.shared.get()
        manager = try ServerTrustManager(evaluators: ["api.lab.test": DefaultTrustEvaluator()])
        manager.events.add(observer)
    }

    /// Returns a session with a connection that has carried a request.
    private func session(delegate: (any URLSessionDelegate)? = nil) async throws -> URLSession {
        let session = URLSession(
            configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                SessionLab.configuration(manager, server.certificates), connectingTo: ["api.lab.test": "127.0.0.1"],
                environment: [:]),
            delegate: delegate, delegateQueue: nil)
        _ = try await session.data(from: server.url("/echo"))
        return session
    }

    /// Returns a request. The server closes the connection on its first copy.
    private func request(_ method: String) -> URLRequest {
        var request = URLRequest(url: server.url("/stale?id=\(UUID().uuidString)"))
        request.httpMethod = method
        return request
    }

    private func check(_ answer: Data, _ body: Data) throws {
        let echo = try EchoServer.echo(answer)
        #expect(echo.count == 2)
        #expect(echo.sha256 == SHA256.hash(data: body).map { String(format: "%02x", $0) }.joined())
    }

    @Test("The session retries an unanswered idempotent request with its whole body, from data or a file")
    func idempotent() async throws {
        // Each request reuses a connection.
        for method in ["GET", "DELETE"] { try check(await session().data(for: request(method)).0, Data()) }
        try check(await session().upload(for: request("PUT"), from: data).0, data)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try check(await session().upload(for: request("PUT"), fromFile: file).0, data)
        #expect(observer.reasons == Array(repeating: .connectionLost, count: 4))
    }

    @Test("The progress of a retried upload starts over")
    func progress() async throws {
        let delegate = ScriptedDelegate()
        let session = try await session(delegate: delegate)
        try check(await session.upload(for: request("PUT"), from: data).0, data)
        let sent = delegate.record.sent
        #expect(sent.last == Int64(data.count) && sent.allSatisfy { $0 <= data.count })
        #expect(observer.reasons == [.connectionLost])
    }

    @Test("The session sends a request once if it isn't idempotent or has a stream")
    func sentOnce() async throws {
        let session = try await session()
        var streamed = request("PUT")
        streamed.httpBodyStream = InputStream(data: data)
        for request in [request("POST"), request("PATCH"), streamed] {
            #expect(await session.failure(request)?.code == .networkConnectionLost)
            let url = try #require(request.url)
            #expect(try EchoServer.echo(await session.data(from: url).0).count == 2)
            #expect(observer.reasons.isEmpty)
        }
    }
}
