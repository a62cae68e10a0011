// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import FoundationNetworking
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@Suite("Bodies", .enabled(if: EchoServer.isAvailable))
struct BodyTests {
    private let server: EchoServer
    private let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws { server = try EchoServer.shared.get() }

    private var request: URLRequest {
        var request = URLRequest(url: server.url("/echo"))
        request.httpMethod = "POST"
        return request
    }

    private func check(_ answer: Data, chunked: Bool = false) throws {
        let echo = try EchoServer.echo(answer)
        #expect(echo.method == "POST")
        #expect(echo.length == data.count)
        #expect(echo.sha256 == SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined())
        #expect(echo.headers["content-length"] == (chunked ? nil : String(data.count)))
    }

    @Test("Bodies arrive complete, from httpBody, data, a file or a stream")
    func whole() async throws {
        let session = try server.session()
        var request = request
        request.httpBody = data
        try check(await session.data(for: request).0)
        try check(await session.upload(for: self.request, from: data).0)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try check(await session.upload(for: self.request, fromFile: file).0)
        request = self.request
        request.httpBodyStream = InputStream(data: data)
        try check(await session.data(for: request).0, chunked: true)
        request.setValue(String(data.count), forHTTPHeaderField: "Content-Length")
        request.httpBodyStream = InputStream(data: data)
        try check(await session.data(for: request).0)
    }

    @Test("An upload's body arrives, with a completion handler or the delegate's stream")
    func handlers() async throws {
        let session = try server.session()
        let answer: Data? = await withCheckedContinuation { continuation in
            session.uploadTask(with: request, from: data) { data, _, _ in continuation.resume(returning: data) }
                .resume()
        }
        try check(#require(answer))
        let delegate = ScriptedDelegate()
        let body = data
        delegate.newBody = { InputStream(data: body) }
        try server.session(delegate: delegate).uploadTask(withStreamedRequest: request).resume()
        await delegate.completion()
        try check(delegate.record.data.reduce(Data(), +), chunked: true)
        #expect(delegate.record.bodies == 1)
        #expect(delegate.record.sent.last == Int64(data.count))
        #expect(delegate.record.sent == delegate.record.sent.sorted())
    }

    @Test("An unreadable body causes an error, and the session sends nothing instead")
    func missing() async throws {
        let session = try server.session()
        var request = request
        request.url = server.url("/echo?missing")
        await #expect {
            _ = try await session.upload(for: request, fromFile: URL(fileURLWithPath: "/nowhere"))
        } throws: {
            ($0 as? URLError)?.code == .fileDoesNotExist
        }
        let delegate = ScriptedDelegate()
        try server.session(delegate: delegate).uploadTask(withStreamedRequest: request).resume()
        await delegate.completion()
        #expect((delegate.record.completed.first as? URLError)?.code == .requestBodyStreamExhausted)
        let (data, _) = try await session.data(from: server.url("/echo?missing"))
        #expect(try EchoServer.echo(data).count == 1)
    }

    @Test("The session sends an empty body as an empty body")
    func empty() async throws {
        let (data, _) = try await server.session().upload(for: request, from: Data())
        #expect(try EchoServer.echo(data).headers["content-length"] == "0")
    }

    @Test("A response body arrives complete, with a completion handler or a delegate", arguments: [0, 1, 5_000_000])
    func answers(size: Int) async throws {
        let url = server.url("/big?size=\(size)")
        #expect(try await server.session().data(from: url).0.count == size)
        // A task with a completion handler, in a session whose delegate also receives data.
        let delegate = ScriptedDelegate()
        let session = try server.session(delegate: delegate)
        let data: Data? = await withCheckedContinuation { continuation in
            session.dataTask(with: url) { data, _, _ in continuation.resume(returning: data) }.resume()
        }
        #expect(data?.count == size)
        #expect(try await session.data(from: url).0.count == size)
        #expect(delegate.record.data.isEmpty)
        session.dataTask(with: url).resume()
        await delegate.completion()
        #expect(delegate.record.data.reduce(0) { $0 + $1.count } == size)
        #expect(delegate.record.responses == [200])
        if size > 1_000_000 { #expect(delegate.record.data.count > 1) }
    }

    @Test("The session decompresses a compressed body")
    func packed() async throws {
        let (data, _) = try await server.session().data(from: server.url("/gzip"))
        #expect(String(decoding: data, as: UTF8.self) == String(repeating: "unpacked", count: 1000))
    }

    @Test("HEAD and 204 responses have no body, and an error status is a response, not an error")
    func none() async throws {
        let session = try server.session()
        var head = URLRequest(url: server.url("/echo"))
        head.httpMethod = "HEAD"
        #expect(try await session.data(for: head).0.isEmpty)
        #expect(try await session.text(server.url("/status?code=204")) == (204, ""))
        for code in [400, 403, 404, 407, 500, 503] {
            #expect(try await session.text(server.url("/status?code=\(code)")).status == code)
        }
    }
}
