// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust

/// A probe with scripted servers, by URL. All other servers are unreachable.
final class ScriptedProbe: PinServerProbe {
    struct Unreachable: Error, CustomStringConvertible {
        let description = "nothing listens there"
    }

    private let servers: [String: ProbedServer]
    private let probed = Locked<[String]>([])

    init(_ servers: [String: ProbedServer]) { self.servers = servers }

    /// The probed URLs in alphabetical order, each with the URL that redirected to it.
    var log: [String] { probed.withLock { $0.sorted() } }

    func probe(_ endpoint: ServerEndpoint, redirectedFrom origin: ServerEndpoint?) async throws -> ProbedServer {
        probed.withLock { $0.append(endpoint.url + (origin.map { " from \($0.url)" } ?? "")) }
        guard let server = servers[endpoint.url] else { throw Unreachable() }
        return server
    }
}

extension ProbedServer {
    /// Returns a server with one valid path.
    static func valid(
        _ path: [Certificate], status: Int = 200, location: String? = nil, interruption: String? = nil
    ) -> ProbedServer {
        ProbedServer(
            presentedChain: PresentedChain(path), validation: .valid(paths: [path]),
            response: interruption == nil ? Response(status: status, location: location) : nil,
            interruption: interruption)
    }

    /// Returns a server whose chain fails validation.
    static func failed(_ code: TrustFailure.Code, _ chain: [Certificate]) -> ProbedServer {
        ProbedServer(presentedChain: PresentedChain(chain), validation: .failed(TrustFailure(code)))
    }
}
