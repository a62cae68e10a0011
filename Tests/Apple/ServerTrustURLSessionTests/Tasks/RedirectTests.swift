// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustURLSession

@Suite("Redirects", .enabled(if: EchoServer.isAvailable))
struct RedirectTests {
    private let server: EchoServer

    init() throws { server = try EchoServer.shared.get() }

    private func redirect(_ status: Int, to target: String) -> URL {
        let text = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return server.url("/redirect?status=\(status)&to=\(text)")
    }

    @Test(
        "Redirects keep or change the method and body as browsers do",
        arguments: [
            (301, "POST", "GET", 0), (302, "POST", "GET", 0), (303, "POST", "GET", 0), (303, "PUT", "GET", 0),
            (302, "PUT", "PUT", 5), (307, "POST", "POST", 5), (308, "POST", "POST", 5),
        ])
    func method(status: Int, method: String, next: String, length: Int) async throws {
        var request = URLRequest(url: redirect(status, to: "/echo?a=b#c"))
        request.httpMethod = method
        request.httpBody = Data("hello".utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await server.session().data(for: request)
        let echo = try EchoServer.echo(data)
        #expect(echo.method == next)
        #expect(echo.length == length)
        #expect((echo.headers["content-type"] == nil) == (length == 0))
        #expect(response.url == server.url("/echo?a=b#c"))
    }

    @Test("The session passes redirects to the delegate, which can change, refuse or follow them")
    func delegate() async throws {
        let delegate = ScriptedDelegate()
        let session = try server.session(delegate: delegate)
        _ = try await session.data(from: redirect(302, to: "/echo"))
        #expect(delegate.record.redirects == [server.url("/echo")])
        delegate.onRedirect = { request in
            var request = request
            request.setValue("yes", forHTTPHeaderField: "X-Changed")
            return request
        }
        let (data, _) = try await session.data(from: redirect(302, to: "/echo"))
        #expect(try EchoServer.echo(data).headers["x-changed"] == "yes")
        delegate.onRedirect = { _ in nil }
        let (text, status) = try await session.data(from: redirect(302, to: "/echo"))
        #expect((status as? HTTPURLResponse)?.statusCode == 302)
        #expect(String(decoding: text, as: UTF8.self) == "moved")
    }

    @Test(
        "A redirect never leaves https, even if the delegate chooses another scheme",
        arguments: ["http://api.lab.test/", "ftp://api.lab.test/", "file:///etc/passwd", "ws://api.lab.test/"])
    func downgrade(target: String) async throws {
        let delegate = ScriptedDelegate()
        for session in [try server.session(), try server.session(delegate: delegate)] {
            let error = try #require(await session.failure(redirect(302, to: target)))
            #expect(
                error.serverTrustUnsupported
                    == (target.hasPrefix("http") || target.hasPrefix("ws") ? .cleartext : .scheme))
            #expect(error.failingURL?.absoluteString == target)
        }
        delegate.onRedirect = { _ in URL(string: target).map { URLRequest(url: $0) } }
        let changed = await (try server.session(delegate: delegate)).failure(redirect(302, to: "/echo"))
        #expect(changed?.serverTrustUnsupported != nil)
    }

    @Test("A redirect loop ends with an error")
    func loop() async throws {
        let error = await (try server.session()).failure(server.url("/loop"))
        #expect(error?.code == .httpTooManyRedirects)
    }

    @Test("A task's current request is the one after the redirect, with the delegate's changes")
    func currentRequest() async throws {
        let delegate = ScriptedDelegate()
        delegate.onRedirect = { request in
            var request = request
            request.setValue("yes", forHTTPHeaderField: "X-Changed")
            return request
        }
        let task = try server.session(delegate: delegate).dataTask(with: redirect(302, to: "/echo?a=b"))
        task.resume()
        await delegate.completion()
        #expect(task.currentRequest?.url == server.url("/echo?a=b"))
        #expect(task.currentRequest?.value(forHTTPHeaderField: "X-Changed") == "yes")
        #expect(task.originalRequest?.url == redirect(302, to: "/echo?a=b"))
    }

    @Test("The session records the refusal of a redirect's target for its host, not for the previous host")
    func refusal() async throws {
        let hosts = ["api.lab.test", "www.lab.test"]
        let manager = try ServerTrustManager(
            evaluators: Dictionary(uniqueKeysWithValues: hosts.map { ($0, DefaultTrustEvaluator()) }), memory: nil)
        let delegate = RefusalDelegate(manager)
        let session = URLSession(
            configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                SessionLab.configuration(manager, server.certificates),
                connectingTo: Dictionary(uniqueKeysWithValues: hosts.map { ($0, "127.0.0.1") }), environment: [:]),
            delegate: delegate, delegateQueue: nil)
        // The certificate is for the first host.
        for url in [
            server.url("/echo", host: "www.lab.test"), redirect(302, to: "https://www.lab.test:\(server.port)/"),
        ] {
            let task = session.dataTask(with: url)
            task.resume()
            let error = await delegate.completion()
            #expect((error as? URLError)?.serverTrustVerdict?.isTrusted == false)
            #expect(delegate.refusal(of: "www.lab.test")?.headline?.code == .hostMismatch)
            #expect(delegate.refusal(of: "api.lab.test") == nil)
            #expect(task.currentRequest?.url?.host == "www.lab.test")
        }
    }

    @Test("A redirect without a location is the final response")
    func noLocation() async throws {
        let (_, response) = try await server.session().data(from: server.url("/status?code=302"))
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
    }

    @Test("A redirect to another origin drops the credentials")
    func credentials() async throws {
        let other = try EchoServer.other.get()
        var trust = SessionLab.configuration(
            try ServerTrustManager(evaluators: ["api.lab.test": DefaultTrustEvaluator()], memory: nil),
            server.certificates)
        trust.anchors = .only(server.certificates.anchors + other.certificates.anchors)
        let session = URLSession(
            configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                trust, connectingTo: ["api.lab.test": "127.0.0.1"]))
        for (target, isKept) in [("https://api.lab.test:\(other.port)/echo", false), ("/echo", true)] {
            var request = URLRequest(url: redirect(302, to: target))
            request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
            request.setValue("a=b", forHTTPHeaderField: "Cookie")
            request.setValue("kept", forHTTPHeaderField: "X-Other")
            let (data, _) = try await session.data(for: request)
            let echo = try EchoServer.echo(data)
            #expect(echo.headers["authorization"] == (isKept ? "Bearer secret" : nil))
            #expect(echo.headers["cookie"] == nil)
            #expect(echo.headers["x-other"] == "kept")
        }
    }
}

private final class RefusalDelegate: ServerTrustSessionDelegate, @unchecked Sendable {
    // Proof of sendability: all properties are constant.
    private let done = AsyncStream<(any Error)?>.makeStream()

    /// Returns a task's error when the task is complete.
    func completion() async -> (any Error)? {
        for await error in done.stream { return error }
        return nil
    }

    override func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        super.urlSession(session, task: task, didCompleteWithError: error)
        done.continuation.yield(error)
    }
}
