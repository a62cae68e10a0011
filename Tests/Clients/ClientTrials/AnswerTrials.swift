// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Responses without a body, cookies, caches, failing proxies, and requests with injected line breaks.
let answerTrials: [Feature] = [
    Feature("head-coded", "Accepts a response to HEAD with `Content-Encoding`") {
        try await StressScene($0, "http1").send("/coded") { $0.method = "HEAD" }.status == 200
    },
    Feature("not-modified-coded", "Accepts a 304 with `Content-Encoding`") {
        try await StressScene($0, "http1").send("/not-modified") { $0.fields = ["If-None-Match": "\"1\""] }.status
            == 304
    },
    Feature("empty-coded", "Accepts an empty 200 with `Content-Encoding`") {
        let reply = try await StressScene($0, "http1").send("/empty")
        return reply.status == 200 && reply.text.isEmpty
    },
    Feature("raw-deflate", "Decodes raw deflate") {
        try await StressScene($0, "http1").send("/raw-deflate").text == "hello"
    },
    Feature("brotli", "Decodes Brotli") { try await StressScene($0, "http1").send("/brotli").text == "hello" },
    Feature("zstd", "Decodes Zstandard") { try await StressScene($0, "http1").send("/zstd").text == "hello" },
    Feature("cookie-path", "Sends a cookie only to its path") {
        let scene = try StressScene($0, "http1") { $0.keepsCookies = true }
        try await scene.send("/cookie-of-path")
        guard try await scene.send("/private/cookies").text == "name=value" else { return false }
        return try await scene.send("/cookies").text.isEmpty
    },
    Feature("cookie-expiry", "Stops sending a cookie when it expires") {
        let scene = try StressScene($0, "http1") { $0.keepsCookies = true }
        try await scene.send("/cookie-of-four-seconds")
        guard try await scene.send("/cookies").text == "name=value" else { return false }
        try await Task.sleep(for: .seconds(5))
        return try await scene.send("/cookies").text.isEmpty
    },
    Feature("cookie-deletion", "Deletes a cookie when the server sets it with a past date") {
        let scene = try StressScene($0, "http1") { $0.keepsCookies = true }
        try await scene.send("/cookie")
        guard try await scene.send("/cookies").text == "name=value" else { return false }
        try await scene.send("/cookie-deleted")
        return try await scene.send("/cookies").text.isEmpty
    },
    Feature("two-users", "Never answers one user from another user's cached response") {
        let scene = try StressScene($0, "http1")
        let users = ["Basic YWxpY2U6eA==", "Basic Ym9iOng="]
        for user in users {
            guard try await scene.send("/user", { $0.fields = ["Authorization": user] }).text == user else {
                return false
            }
        }
        return true
    },
    Feature("proxy-refuses", "Names the proxy in its error when the proxy refuses the connection") {
        try await names("refusing", $0)
    },
    Feature("proxy-asks", "… when the proxy requires credentials (407)") { try await names("proxy-that-asks", $0) },
    Feature("proxy-closes", "… when the proxy closes the connection") { try await names("proxy-that-closes", $0) },
    Feature("field-injection", "Rejects a request with a line break in a header field") {
        try await refuses($0) { $0.fields = ["X-Field": "value\r\nX-Injected: 1"] }
    },
    Feature("method-injection", "… in the method") {
        try await refuses($0) { $0.method = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET" }
    },
    Feature("password", "Keeps a URL's password out of its errors") {
        let site = try Site()
        let port = try StressServer("refusing", site).port
        var setup = Setup(anchors: [site.root.certificate])
        setup.timeout = 2
        do {
            _ = try await $0.get("https://user:hidden@localhost:\(port)/", setup)
            return false
        } catch {
            return !"\(error) \(error.localizedDescription)".contains("hidden")
        }
    },
]

/// Whether the error that a proxy causes mentions a proxy.
private func names(_ proxy: String, _ client: ClientKind) async throws -> Bool {
    let site = try Site()
    let port = try StressServer(proxy, site).port
    var setup = Setup(anchors: [site.root.certificate])
    setup.timeout = 3
    setup.proxy = .http(port)
    if client == .foundation {
        setup.proxy = .environment
        setenv("https_proxy", "http://127.0.0.1:\(port)", 1)
    }
    do {
        _ = try await client.get("https://localhost:1/", setup)
        return false
    } catch {
        return "\(error) \(error.localizedDescription)".lowercased().contains("proxy")
    }
}

/// Whether a request throws an error and the server doesn't receive it.
private func refuses(_ client: ClientKind, _ set: (inout LastingClient.Request) -> Void) async throws -> Bool {
    let scene = try StressScene(client, "http1")
    do {
        try await scene.send("/", set)
        return false
    } catch {
        return try scene.server.counts.requests == 0
    }
}
