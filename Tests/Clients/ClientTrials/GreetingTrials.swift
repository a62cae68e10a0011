// SPDX-License-Identifier: Apache-2.0

/// HTTP/2 connections that begin badly. Their servers don't support HTTP/1.1, so a client that stops using HTTP/2 can't
/// reach them again.
let greetingTrials: [Feature] = [
    Feature("reset-before-settings", "Reaches an HTTP/2 server after it reset a connection before SETTINGS") {
        let scene = try StressScene($0, "reset-before-settings")
        _ = try? await scene.send()
        return try await scene.isReachable()
    },
    Feature("late-settings", "… that sends SETTINGS after 3 s, with a connect timeout of 5 s") {
        let scene = try StressScene($0, "late-settings") {
            $0.connectTimeout = 5
            $0.timeout = 15
        }
        for _ in 0..<2 {
            guard try await scene.send().status == 200 else { return false }
        }
        return true
    },
    Feature("cancelled-first", "… after the caller canceled the first request within 30 ms") {
        let scene = try StressScene($0, "pause-before-settings")
        await ends(within: .milliseconds(30)) { _ = try? await scene.send() }
        return try await scene.isReachable()
    },
    Feature("outages", "… after five outages in which it reset connections") {
        try await recovers(from: "outage", $0)
    },
    Feature("outages-after-tls", "… after five outages in which it reset connections after TLS") {
        try await recovers(from: "outage-after-tls", $0)
    },
    Feature("upgraded", "… that only supported HTTP/1.1 before") {
        let scene = try StressScene($0, "upgraded")
        guard try await scene.send().status == 200 else { return false }
        try await scene.pause()
        return try await scene.isReachable()
    },
]

private func recovers(from outage: String, _ client: ClientKind) async throws -> Bool {
    let scene = try StressScene(client, outage)
    guard try await scene.send().status == 200 else { return false }
    for _ in 0..<5 {
        try scene.server.beginOutage()
        _ = try? await scene.send { $0.timeout = 1 }
        try scene.server.endOutage()
        guard try await scene.isReachable() else { return false }
    }
    return true
}
