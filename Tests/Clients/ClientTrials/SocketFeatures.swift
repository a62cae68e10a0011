// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustWebSocket

/// WebSockets. In these rows, the column of `TrustedHTTPClient` is about `TrustedWebSocketClient`.
let socketFeatures: [Feature] = [
    Feature("web-socket", "WebSockets (`TrustedWebSocketClient` in the first column)") {
        try await echo($0) == greeting
    },
    Feature("web-socket-deflate", "… with compressed messages (permessage-deflate)") {
        try await echo($0, isCompressed: true) == "inflated " + greeting
    },
]

private let greeting = [String](repeating: "hello", count: 20).joined(separator: ", ")

/// Sends a message to a server that sends it back, and returns the answer.
private func echo(_ client: ClientKind, isCompressed: Bool = false) async throws -> String? {
    let site = try Site()
    let server = try StressServer("http1", site)
    defer { withExtendedLifetime(server) {} }
    let url = "wss://localhost:\(server.port)/socket"
    let setup = Setup(anchors: [site.root.certificate])
    switch client {
    case .trusted:
        var client = try TrustedWebSocketClient(trust: setup.trust)
        if isCompressed { client.compression = .deflate() }
        return try await client.withConnection(to: url) { socket in
            try await socket.send(greeting)
            for try await case .text(let text) in socket.messages { return text }
            return nil
        }
    case .session, .foundation:
        guard let url = URL(string: url) else { return nil }
        let task = try setup.session(client).webSocketTask(with: url)
        task.resume()
        try await task.send(.string(greeting))
        guard case .string(let text) = try await task.receive() else { return nil }
        return text
    case .gated, .ahc: return nil
    }
}
