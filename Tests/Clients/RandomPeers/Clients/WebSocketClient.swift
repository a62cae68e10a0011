// SPDX-License-Identifier: Apache-2.0

import NIOCore
import ServerTrust
import ServerTrustNIO
import ServerTrustWebSocket

/// `TrustedWebSocketClient`. The answer is the first message, with the status 200.
struct WebSocketTestClient: TestedClient {
    private let client: TrustedWebSocketClient
    private let url: String

    init(_ kind: ClientKind, port: Int, _ trust: ServerTrustConfiguration, _ options: ClientOptions) throws {
        var client = try TrustedWebSocketClient(trust: trust)
        client.maximumMessageSize = 1 << 16
        if options.decompresses { client.compression = .deflate() }
        if kind == .webSocketConnect { client.proxy = .http(host: "127.0.0.1", port: port) }
        self.client = client
        url = "wss://\(Site.host):\(port)/"
    }

    func send(_ request: Request) async throws -> Answer {
        var client = client
        client.timeout = request.limit
        return try await client.withConnection(to: url, connectingTo: client.proxy == nil ? "127.0.0.1" : nil) {
            socket in
            if !request.body.isEmpty { try await socket.send(.binary(ByteBuffer(bytes: request.body))) }
            for try await message in socket.messages {
                switch message {
                case .text(let text): return Answer(status: 200, body: Array(text.utf8))
                case .binary(let bytes): return Answer(status: 200, body: Array(buffer: bytes))
                }
            }
            return Answer(status: 204, body: [])
        }
    }

    func close() async {}
}
