// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrustHTTP
import ServerTrustURLSession

/// A client that keeps its connections between requests.
struct LastingClient: Sendable {
    /// A request in a form that every client supports.
    struct Request: Sendable {
        var url: String
        var method = "GET"
        var fields: [String: String] = [:]
        var body: String?
        /// The time limit for the head of the response, in seconds. Ignored by clients that have no limit for each
        /// request.
        var timeout: Int?

        init(_ url: String) { self.url = url }
    }

    private enum Library: Sendable {
        case trusted(TrustedHTTPClient)
        case plain(HTTPClient)
        case session(URLSession)
    }

    private let library: Library
    private let timeout: Int

    /// - Parameter delegate: the delegate of a session. Other clients have none.
    init(_ kind: ClientKind, _ setup: Setup, delegate: (any URLSessionDelegate)? = nil) throws {
        timeout = setup.timeout
        switch kind {
        case .trusted:
            library = .trusted(try TrustedHTTPClient(trust: setup.trust, configuration: setup.trustedConfiguration))
        case .gated, .ahc: library = .plain(try kind.plainClient(setup))
        case .session, .foundation: library = .session(try setup.session(kind, delegate: delegate))
        }
    }

    /// Sends a request and collects the body of its response.
    func send(_ request: Request) async throws -> Reply {
        switch library {
        case .session(let session):
            let (data, response) = try await session.data(for: Self.urlRequest(request))
            return Reply(
                status: (response as? HTTPURLResponse)?.statusCode ?? 0, text: String(decoding: data, as: UTF8.self))
        case .trusted, .plain:
            let response = try await execute(request)
            let body = try await response.body.collect(upTo: 1 << 20)
            return Reply(status: Int(response.status.code), text: String(buffer: body))
        }
    }

    /// Reads a body as it arrives, until it ends or the task is canceled.
    /// - Parameter delegate: the delegate passed to the initializer. It counts the bytes and pauses after each piece.
    func read(_ url: String, by delegate: ReadingDelegate) async throws {
        switch library {
        case .session(let session):
            let task = session.dataTask(with: try Self.urlRequest(Request(url)))
            task.resume()
            defer { task.cancel() }
            while !delegate.hasEnded { try await Task.sleep(for: .milliseconds(10)) }
            if delegate.hasFailed { throw URLError(.cannotParseResponse) }
        case .trusted, .plain:
            for try await piece in try await execute(Request(url)).body {
                delegate.note(piece.readableBytes)
                if delegate.pause > 0 { try await Task.sleep(for: .seconds(delegate.pause)) }
            }
        }
    }

    func shutdown() async {
        switch library {
        case .trusted(let client): _ = await client.shutdown()
        case .plain: break
        case .session(let session): session.invalidateAndCancel()
        }
    }

    private func execute(_ request: Request) async throws -> HTTPClientResponse {
        var message = HTTPClientRequest(url: request.url)
        message.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.fields { message.headers.add(name: name, value: value) }
        if let body = request.body { message.body = .bytes(ByteBuffer(string: body)) }
        let limit = Duration.seconds(Int64(request.timeout ?? timeout))
        switch library {
        case .trusted(let client): return try await client.execute(message, timeout: limit)
        case .plain(let client): return try await client.execute(message, timeout: TimeAmount(limit))
        case .session: throw URLError(.unsupportedURL)
        }
    }

    private static func urlRequest(_ request: Request) throws -> URLRequest {
        guard let url = URL(string: request.url) else { throw URLError(.badURL) }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
        message.httpBody = request.body.map { Data($0.utf8) }
        return message
    }
}

/// Counts the bytes of a body and pauses after each piece.
final class ReadingDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// The pause after each piece, in seconds.
    let pause: TimeInterval
    private let received = Locked(0)
    private let end = Locked<Bool?>(nil)

    init(pause: TimeInterval) { self.pause = pause }

    var bytes: Int { received.withLock { $0 } }
    var hasEnded: Bool { end.withLock { $0 != nil } }
    var hasFailed: Bool { end.withLock { $0 == false } }

    func note(_ bytes: Int) { received.withLock { $0 += bytes } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note(data.count)
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end.withLock { $0 = error == nil }
    }
}
