// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import Testing

@testable import ServerTrustURLSession

/// Detects a toolchain that doesn't store a task's session, body or delegate where `URLSessionTaskInternals` reads it.
@Suite("Foundation's internals", .serialized)
struct FoundationInternalsTests {
    private static let url = "https://api.lab.test/"

    @Test("Foundation has every member that this package reads or writes")
    func members() {
        for missing in URLSessionTaskInternals.missingMembers() { Issue.record("\(missing)") }
        #expect(TaskMembers.resumesOnTaskQueue.isReadable)
    }

    @Test("A stored member is found by name only in the class that declares it")
    func storedMembers() {
        #expect(StoredMember(URLProtocolInternals.name, of: URLProtocol.self) != nil)
        #expect(StoredMember(URLProtocolInternals.name, of: URLSessionTask.self) == nil)
        #expect(StoredMember("nothing", of: URLProtocol.self) == nil)
        let request = TaskMembers.currentRequest
        #expect(StoredMember(request.name, of: URLSessionTask.self)?.type == URLRequest?.self)
    }

    @Test("The package can read a task's session, and whether the session's delegate gets the data")
    func session() async throws {
        let reader = try Reader()
        let found = try await reader.read { $0.dataTask(with: $1) }
        #expect(found.session === reader.session && !found.deliversToDelegate && found.ownDelegate == nil)
        #expect(found.body == "none")
        let handler = try await reader.read { $0.dataTask(with: $1) { _, _, _ in } }
        #expect(!handler.deliversToDelegate && handler.ownDelegate == nil)
        let delegated = try Reader(delegate: DataDelegate())
        #expect(try await delegated.read { $0.dataTask(with: $1) }.deliversToDelegate)
        #expect(try await !delegated.read { $0.dataTask(with: $1) { _, _, _ in } }.deliversToDelegate)
    }

    @Test("The package can read an upload's body, from data, a file, or the delegate's stream")
    func bodies() async throws {
        let reader = try Reader()
        #expect(try await reader.read { $0.uploadTask(with: $1, from: Data("hello".utf8)) }.body == "data hello")
        let file = URL(fileURLWithPath: "/etc/hostname")
        #expect(try await reader.read { $0.uploadTask(with: $1, fromFile: file) }.body == "file \(file.path)")
        #expect(try await reader.read { $0.uploadTask(withStreamedRequest: $1) }.body == "delegates")
        var request = try #require(URL(string: Self.url).map { URLRequest(url: $0) })
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        let streamed = request
        #expect(try await reader.read { session, _ in session.dataTask(with: streamed) }.body == "stream")
    }

    @Test("The package can read the delegate of data(for:delegate:) and a delegate set on a task")
    func delegates() async throws {
        let own = DataDelegate()
        let reader = try Reader()
        #expect(try await reader.read(delegate: own).ownDelegate === own)
        #expect(try await reader.read(delegate: nil).ownDelegate == nil)
        let set = try await reader.read { session, request in
            let task = session.dataTask(with: request)
            task.delegate = own
            return task
        }
        #expect(set.ownDelegate === own)
    }

    @Test("The error names a missing member and refuses the task")
    func refusal() throws {
        let error = SessionError.unsupported(.foundation("knownBody"), at: URL(string: Self.url))
        #expect(error.code == .unsupportedURL)
        #expect(error.serverTrustUnsupported?.name == "foundation")
        #expect(URLSessionTaskInternals.Unreadable(property: "knownBody").description.contains("\"knownBody\""))
    }
}

private final class DataDelegate: NSObject, URLSessionDataDelegate {}

/// Reads tasks in the same place as the package: in `startLoading`, on Foundation's queue.
private struct Reader: Sendable {
    struct Found: Sendable {
        let session: URLSession
        let body: String
        let ownDelegate: (any URLSessionTaskDelegate)?
        let deliversToDelegate: Bool

        init(_ internals: URLSessionTaskInternals) {
            session = internals.session
            ownDelegate = internals.ownDelegate
            deliversToDelegate = internals.deliversToDelegate
            switch internals.body {
            case .none: body = "none"
            case .data(let data): body = "data " + String(decoding: data, as: UTF8.self)
            case .file(let url): body = "file " + url.path
            case .stream: body = "stream"
            case .delegates: body = "delegates"
            }
        }
    }

    let session: URLSession
    private let request: URLRequest

    init(delegate: (any URLSessionDelegate)? = nil) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [ReadingProtocol.self]
        // Foundation's own session.
        session = URLSession(
            configuration: configuration, delegate: delegate as (any FoundationNetworking.URLSessionDelegate)?,
            delegateQueue: nil)
        request = try #require(URL(string: "https://api.lab.test/").map { URLRequest(url: $0) })
    }

    func read(_ make: (URLSession, URLRequest) -> URLSessionTask) async throws -> Found {
        ReadingProtocol.found.withLock { $0 = nil }
        let task = make(session, request)
        task.resume()
        return try await found(after: task)
    }

    func read(delegate: DataDelegate?) async throws -> Found {
        ReadingProtocol.found.withLock { $0 = nil }
        let load = Task { try? await session.data(for: request, delegate: delegate) }
        defer { load.cancel() }
        return try await found(after: nil)
    }

    private func found(after task: URLSessionTask?) async throws -> Found {
        defer { task?.cancel() }
        while true {
            if let found = ReadingProtocol.found.withLock({ $0 }) { return try found.get() }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

private final class ReadingProtocol: URLProtocol {
    static let found = Locked<Result<Reader.Found, URLSessionTaskInternals.Unreadable>?>(nil)

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let task else { return }
        let read = Result { () throws(URLSessionTaskInternals.Unreadable) in
            Reader.Found(try URLSessionTaskInternals(task))
        }
        Self.found.withLock { $0 = read }
    }

    override func stopLoading() {}
}
