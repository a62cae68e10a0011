// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrustURLSession

/// Protocol classes that an app's tests use instead of the network.
@Suite("The app's own protocol classes", .timeLimit(.minutes(10)))
struct AppProtocolTests {
    private func session(_ lab: SessionLab, delegate: (any URLSessionDelegate)? = nil) throws -> URLSession {
        try lab.session(delegate: delegate) { $0.protocolClasses = [Mock.self] + ($0.protocolClasses ?? []) }
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("A protocol class gets the requests that it claims, whatever their scheme, and all others go to their server")
    func claims() async throws {
        try await SessionLab.with { lab in
            let session = try session(lab)
            for text in ["https://mock.test/a", "http://mock.test/b", "custom://mock.test/c"] {
                let answer = try await session.text(try url(text))
                #expect(answer.status == 200 && answer.text == "GET \(text) 0")
            }
            #expect(lab.server.counts.connections == 0)
            #expect(try await session.text(lab.url).status == 200)
            #expect(lab.server.counts.requests == 1)
            #expect(await session.failure(try url("http://api.lab.test/"))?.serverTrustUnsupported == .cleartext)
        }
    }

    @Test("The session also uses a protocol class that was added to the finished configuration")
    func later() async throws {
        try await SessionLab.with { lab in
            let configuration = try lab.configuration()
            configuration.protocolClasses = [Mock.self]
            let session = URLSession(configuration: configuration)
            #expect(try await session.text(try url("https://mock.test/x")).status == 200)
        }
    }

    @Test("A protocol class gets the headers and the body, from data, a file or a stream")
    func bodies() async throws {
        try await SessionLab.with { lab in
            let session = try session(lab)
            var request = URLRequest(url: try url("https://mock.test/body"))
            request.httpMethod = "POST"
            request.httpBody = Data("hello".utf8)
            #expect(try await session.text(request).text == "POST https://mock.test/body 5")
            request.httpBody = nil
            let (data, _) = try await session.upload(for: request, from: Data("from data".utf8))
            #expect(String(decoding: data, as: UTF8.self) == "POST https://mock.test/body 9")
            request.httpBodyStream = InputStream(data: Data("stream".utf8))
            #expect(try await session.text(request).text == "POST https://mock.test/body 6")
        }
    }

    @Test("The usual rules apply to a protocol class's redirects, and the session evaluates a target server")
    func redirects() async throws {
        try await SessionLab.with { lab in
            let session = try session(lab)
            let (_, response) = try await session.data(from: try url("https://mock.test/redirect?https://mock.test/z"))
            #expect(response.url?.path == "/z")
            #expect(try await session.text(try url("https://mock.test/redirect?\(lab.url)")).status == 200)
            #expect(lab.server.counts.requests == 1)
        }
        try await SessionLab.with(.expired) { lab in
            let session = try session(lab)
            let error = await session.failure(try url("https://mock.test/redirect?\(lab.url)"))
            #expect(error?.serverTrustVerdict?.isTrusted == false)
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    /// Foundation would answer a protocol class's 401 over libcurl, without a policy.
    @Test("A protocol class's 401 leads only to another request to that class")
    func unauthorized() async throws {
        try await SessionLab.with { lab in
            let delegate = ScriptedDelegate()
            delegate.onTask = { _ in (.useCredential, URLCredential(user: "u", password: "p", persistence: .none)) }
            let session = try session(lab, delegate: delegate)
            let answer = try await session.text(try url("https://mock.test/basic"))
            #expect(answer.status == 200)
            let refused = try self.session(lab)
            #expect(try await refused.text(try url("https://mock.test/basic")).status == 401)
        }
    }

    @Test("A protocol class's errors, cancellation and timeouts end its tasks and stop it")
    func endings() async throws {
        try await SessionLab.with { lab in
            let session = try session(lab)
            #expect(await session.failure(try url("https://mock.test/fail"))?.code == .notConnectedToInternet)
            let stopped = Mock.stopped.withLock { $0 }
            let task = Task { [session] in try await session.data(from: try url("https://mock.test/silent")) }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            await #expect(throws: URLError.self) { _ = try await task.value }
            #expect(await Counted.comesDown { Mock.stopped.withLock { $0 } > stopped })
            let impatient = try lab.session {
                $0.protocolClasses = [Mock.self]
                $0.timeoutIntervalForRequest = 0.3
            }
            #expect(await impatient.failure(try url("https://mock.test/silent"))?.code == .timedOut)
        }
    }

    @Test("Downloads and bytes(for:) work with a protocol class")
    func otherTasks() async throws {
        try await SessionLab.with { lab in
            let session = try session(lab)
            let (file, _) = try await session.download(from: try url("https://mock.test/d"))
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try String(contentsOf: file, encoding: .utf8) == "GET https://mock.test/d 0")
            let (bytes, _) = try await session.bytes(from: try url("https://mock.test/e"))
            var text: [UInt8] = []
            for try await byte in bytes { text.append(byte) }
            #expect(String(decoding: text, as: UTF8.self) == "GET https://mock.test/e 0")
        }
    }

    @Test("A response that isn't HTTP is passed on unchanged")
    func otherResponse() async throws {
        try await SessionLab.with { lab in
            let (data, response) = try await session(lab).data(from: try url("custom://mock.test/plain"))
            #expect(!(response is HTTPURLResponse) && response.mimeType == "text/plain")
            #expect(data == Data("plain".utf8))
        }
    }
}

private final class Mock: URLProtocol {
    static let stopped = Locked(0)

    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mock.test" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let client, let url = request.url else { return }
        switch url.path {
        case "/redirect":
            guard let target = url.query.flatMap({ URL(string: $0) }), let response = Self.response(302, url) else {
                return
            }
            client.urlProtocol(self, wasRedirectedTo: URLRequest(url: target), redirectResponse: response)
        case "/fail": client.urlProtocol(self, didFailWithError: URLError(.notConnectedToInternet))
        case "/silent": break
        case "/plain":
            let response = URLResponse(
                url: url, mimeType: "text/plain", expectedContentLength: 5, textEncodingName: nil)
            client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .allowed)
            client.urlProtocol(self, didLoad: Data("plain".utf8))
            client.urlProtocolDidFinishLoading(self)
        case "/basic" where request.value(forHTTPHeaderField: "Authorization") == nil:
            answer(client, url, 401, ["WWW-Authenticate": "Basic realm=\"r\""])
        default: answer(client, url, 200, [:])
        }
    }

    private func answer(_ client: any URLProtocolClient, _ url: URL, _ status: Int, _ fields: [String: String]) {
        guard let response = Self.response(status, url, fields) else { return }
        client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .allowed)
        let length = request.httpBody?.count ?? request.httpBodyStream.map { Self.length(of: $0) } ?? 0
        let text = "\(request.httpMethod ?? "") \(url) \(length)"
        // The text is sent in two pieces, and both must arrive.
        client.urlProtocol(self, didLoad: Data(text.utf8.prefix(4)))
        client.urlProtocol(self, didLoad: Data(text.utf8.dropFirst(4)))
        client.urlProtocolDidFinishLoading(self)
    }

    private static func length(of stream: InputStream) -> Int {
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var length = 0
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return length }
            length += count
        }
    }

    private static func response(_ status: Int, _ url: URL, _ fields: [String: String] = [:]) -> HTTPURLResponse? {
        HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    override func stopLoading() { Self.stopped.withLock { $0 += 1 } }
}
