// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustURLSession

/// `URLSession` with ServerTrustURLSession.
struct SessionTestClient: TestedClient {
    private let session: URLSession
    private let url: String

    init(_ kind: ClientKind, port: Int, _ trust: ServerTrustConfiguration) {
        let configuration = URLSessionConfiguration.ephemeral
        if kind == .sessionConnect {
            configuration.connectionProxyDictionary = ["HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": port]
        }
        session = URLSession(
            configuration: configuration.withServerTrust(trust, connectingTo: [Site.host: "127.0.0.1"]), delegate: nil,
            delegateQueue: nil)
        url = "https://\(Site.host):\(port)/"
    }

    func send(_ request: Request) async throws -> Answer {
        guard let url = URL(string: url) else { throw NoAnswer() }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.timeoutInterval = request.limit / .seconds(1)
        if !request.body.isEmpty { message.httpBody = Data(request.body) }
        let (data, response) = try await session.data(for: message)
        return Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: Array(data))
    }

    func close() async { session.invalidateAndCancel() }
}
