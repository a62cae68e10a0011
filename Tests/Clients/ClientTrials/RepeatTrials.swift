// SPDX-License-Identifier: Apache-2.0

/// Requests that a server didn't process, and requests that it may have processed.
let repeatTrials: [Feature] = [
    Feature("goaway", "Loses none of 50 concurrent requests when a GOAWAY covers only ten of them") {
        let scene = try StressScene($0, "goaway")
        guard try await scene.send().status == 200 else { return false }
        return await scene.answers(of: 50) == 50
    },
    Feature("nginx", "… when nginx has `keepalive_requests 10`, ten times") {
        let scene = try StressScene($0, "nginx") { $0.timeout = 10 }
        for _ in 0..<10 {
            guard await scene.answers(of: 50) == 50 else { return false }
        }
        return true
    },
    Feature("one-stream", "… when the server allows one stream at a time") {
        let scene = try StressScene($0, "one-stream") { $0.timeout = 10 }
        guard try await scene.send().status == 200 else { return false }
        return await scene.answers(of: 50) == 50
    },
    Feature("refused-stream", "Repeats a request that the server refused with `REFUSED_STREAM`") {
        let scene = try StressScene($0, "refused-stream")
        guard try await scene.send().status == 200 else { return false }
        return try await scene.send().status == 200
    },
    Feature("stale-http1", "Repeats a GET when the server closes the idle HTTP/1.1 connection") {
        try await repeats("stale-http1", $0)
    },
    Feature("stale-http2", "… or the idle HTTP/2 connection") { try await repeats("stale-http2", $0) },
    Feature("busy", "Retries a GET when the server answers 503 with `Retry-After`") {
        let scene = try StressScene($0, "http1") { $0.retries = 2 }
        return try await scene.send("/busy-once").status == 200
    },
    Feature("deaf", "Closes an idle HTTP/2 connection whose server has disappeared, and uses another one") {
        let scene = try StressScene($0, "deaf") { $0.pingInterval = 1 }
        guard try await scene.send().status == 200 else { return false }
        try await Task.sleep(for: .seconds(4))
        return try await scene.send { $0.timeout = 5 }.status == 200
    },
    Feature("stale-post", "Doesn't repeat a POST that the server may have processed") {
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
        try await sendsNothing(StressScene($0, "stale-then-other", other: Site(isKnown: false)))
    },
    Feature("stale-untrusted-http2", "… over HTTP/2, where a session has a delegate") {
        try await sendsNothing(
            StressScene($0, "stale-then-other-http2", delegate: AskedDelegate(), other: Site(isKnown: false)))
    },
    Feature("broken", "Stops using a connection whose server violated HTTP/2") {
        let scene = try StressScene($0, "broken") { $0.timeout = 4 }
        guard try await scene.send().status == 200 else { return false }
        await ends(within: .seconds(4)) { _ = try? await scene.send() }
        return try await scene.send().status == 200
    },
]

/// Whether a server that shows another certificate after its first connection receives nothing from then on.
private func sendsNothing(_ scene: StressScene) async throws -> Bool {
    guard try await scene.send().status == 200 else { return false }
    try await scene.pause()
    // A client that doesn't retry requests sees the other certificate on a later request, once it knows that the first
    // connection has ended.
    var requests = 0
    repeat {
        _ = try? await scene.send()
        requests += 1
        if requests > 2 { try await scene.pause() }
    } while try requests < 2 || (requests < 10 && scene.server.counts.connections < 2)
    let counts = try scene.server.counts
    return counts.connections > 1 && counts.untrustedBytes == 0
}

private func repeats(_ behavior: String, _ client: ClientKind) async throws -> Bool {
    let scene = try StressScene(client, behavior)
    guard try await scene.send().status == 200 else { return false }
    try await scene.pause()
    return try await scene.send().status == 200
}
