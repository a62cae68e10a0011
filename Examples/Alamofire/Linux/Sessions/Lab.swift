// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustLab
import ServerTrustURLSession

/// The lab's servers as the sessions use them. This file contains the names that both this package and Alamofire
/// declare.
struct Lab: Sendable {
    /// The roots that a configuration trusts before one of Alamofire's evaluators changes them.
    enum Anchors { case system, ownRoot }

    struct Server: Sendable {
        fileprivate let server: LabServer

        fileprivate init(_ scenario: LabScenario) async throws { server = try await LabServer.start(scenario) }

        var host: String { server.host.description }
        var address: String { server.address.rawValue }
        var url: String { server.url + "/" }
        var addressURL: String { "https://\(address):\(server.port)/" }
        var root: Data { Data(server.certificates.anchors[0].der) }
        var leaf: Data { Data(server.certificates.chain[0].der) }
        var requests: Int { server.counts.requests }
    }

    let good: Server
    /// A server with the same name but under another root.
    let impostor: Server
    let expired: Server
    let wrongHost: Server
    /// A server with a key of 1024 bits.
    let shortKey: Server

    static func start() async throws -> Lab {
        guard let shortKey = LabScenario.all.first(where: { $0.name == "rsa-1024" }) else {
            preconditionFailure("the lab has a server with a short key")
        }
        return Lab(
            good: try await Server(.good), impostor: try await Server(.good), expired: try await Server(.expired),
            wrongHost: try await Server(.wrongHost), shortKey: try await Server(shortKey))
    }

    private var all: [Server] { [good, impostor, expired, wrongHost, shortKey] }

    func stop() async {
        for each in all { await each.server.stop() }
    }

    /// The addresses of the lab's names.
    var addresses: [String: String] {
        Dictionary(all.map { ($0.host, $0.address) }, uniquingKeysWith: { first, _ in first })
    }

    func trust(_ anchors: Anchors) -> ServerTrustConfiguration {
        switch anchors {
        case .system: .publicWeb
        case .ownRoot: .privateCA(roots: [good, expired, wrongHost].flatMap(\.server.certificates.anchors))
        }
    }
}
