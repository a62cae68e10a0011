// SPDX-License-Identifier: Apache-2.0

/// Requests that a server didn't process, and requests that it may have processed.
let repeatTrials: [Feature] = [
    Feature("goaway", "Loses none of 50 requests in flight to a GOAWAY that takes ten of them") {
        let scene = try StressScene($0, "goaway")
        guard try await scene.send().status == 200 else { return false }
        return await scene.answers(of: 50) == 50
    },
    Feature("nginx", "… to nginx with `keepalive_requests 10`, ten times") {
        let scene = try StressScene($0, "nginx") { $0.timeout = 10 }
        for _ in 0..<10 {
            guard await scene.answers(of: 50) == 50 else { return false }
        }
        return true
    },
    Feature("one-stream", "… to a server that takes one stream at a time") {
        let scene = try StressScene($0, "one-stream") { $0.timeout = 10 }
        guard try await scene.send().status == 200 else { return false }
        return await scene.answers(of: 50) == 50
    },
    Feature("refused-stream", "Repeats a request that was refused by `REFUSED_STREAM`") {
        let scene = try StressScene($0, "refused-stream")
        guard try await scene.send().status == 200 else { return false }
        return try await scene.send().status == 200
    },
    Feature("stale-http1", "Repeats a GET that met a connection of HTTP/1.1 as it was closed") {
        try await repeats("stale-http1", $0)
    },
    Feature("stale-http2", "… of HTTP/2") { try await repeats("stale-http2", $0) },
    Feature("stale-post", "Doesn't repeat such a POST, which the server may have processed") {
        let scene = try StressScene($0, "stale-http1")
        guard try await scene.send().status == 200 else { return false }
        try await scene.pause()
        _ = try? await scene.send {
            $0.method = "POST"
            $0.body = "body"
        }
        return try scene.server.counts.posts == 1
    },
    Feature("stale-untrusted", "Sends nothing to an untrusted server when it repeats a request") {
        let scene = try StressScene($0, "stale-then-other", other: Site(isKnown: false))
        guard try await scene.send().status == 200 else { return false }
        try await scene.pause()
        // A client that repeats no request meets the other certificate with the second one.
        for _ in 0..<2 { _ = try? await scene.send() }
        let counts = try scene.server.counts
        return counts.connections > 1 && counts.untrustedBytes == 0
    },
    Feature("broken", "Sends nothing more over a connection that broke the rules of HTTP/2") {
        let scene = try StressScene($0, "broken") { $0.timeout = 4 }
        guard try await scene.send().status == 200 else { return false }
        await ends(within: .seconds(4)) { _ = try? await scene.send() }
        return try await scene.send().status == 200
    },
]

private func repeats(_ behavior: String, _ client: ClientKind) async throws -> Bool {
    let scene = try StressScene(client, behavior)
    guard try await scene.send().status == 200 else { return false }
    try await scene.pause()
    return try await scene.send().status == 200
}
