// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import PKIX
import ServerTrust
import ServerTrustTesting

/// Servers for many scenarios at once. They share trusted CAs, so a client needs only one anchor file for all of them.
///
/// ```swift
/// let lab = try await Lab.start()
/// for server in lab.servers { /* server.url, server.expected, server.certificates */ }
/// await lab.stop()
/// ```
package final class Lab: Sendable {
    /// The servers, in the order in which you passed the scenarios.
    package let servers: [LabServer]

    /// The repository of the issuers, CRLs and OCSP responders that the certificates point to.
    package let repository: LabRepository

    private init(servers: [LabServer], repository: LabRepository) {
        self.servers = servers
        self.repository = repository
    }

    /// The anchors (trusted roots) of all scenarios. Every scenario has the same verdict with these anchors as with its
    /// own.
    var anchors: [Certificate] {
        var seen: Set<Certificate> = []
        return servers.flatMap(\.certificates.anchors).filter { seen.insert($0).inserted }
    }

    /// The anchors in PEM, as `curl --cacert` and `openssl -CAfile` read them.
    package var anchorsPEM: String { anchors.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined() }

    /// Stops every server and the repository. See ``LabServer/stop()``.
    package func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.stop() } }
        }
        await repository.stop()
    }
}

// MARK: - Ports

extension Lab {
    /// The number of ports that a lab reserves, starting with its first one.
    package static let portCount = 150

    /// The port offset of the redirect target. The repository's offset is the next number. Both stay the same when new
    /// scenarios are added.
    private static let targetPlace = 98
    private static let repositoryPlace = 99

    /// Returns the fixed port of a scenario's server, or nil for a scenario that isn't in ``LabScenario/all``.
    ///
    /// The port is the first port plus the scenario's index in ``LabScenario/all``. The ports of scenarios after the
    /// redirect target and the repository are two higher.
    package static func port(of scenario: LabScenario, from portBase: Int) -> Int? {
        LabScenario.all.firstIndex(of: scenario).map { portBase + ($0 < targetPlace ? $0 : $0 + 2) }
    }

    private static func redirectTargetPort(from portBase: Int) -> Int { portBase + targetPlace }
    private static func repositoryPort(from portBase: Int) -> Int { portBase + repositoryPlace }
}

// MARK: - Starting

extension Lab {
    /// Starts a server for each scenario, all of them concurrently.
    /// - Parameters:
    ///   - scenarios: the scenarios, each once. By default, all.
    ///   - portBase: the first port, for ports that are the same in every run: `port(of:from:)`, the first port plus 98
    ///     for the target of the `redirectToAnotherAuthority` scenario, and plus 99 for the repository. If nil, the
    ///     system chooses the ports.
    ///   - options: settings that don't depend on the scenario. Their ports are ignored.
    ///   - now: the date of the scenarios. The default is the machine's clock.
    /// - Throws: ``LabPortError``, or errors from swift-certificates, swift-crypto and NIOSSL. It then leaves no server
    ///   running.
    package static func start(
        _ scenarios: [LabScenario] = LabScenario.all, portBase: Int? = nil,
        options: LabServer.Options = LabServer.Options(), now: Time = .now()
    ) async throws -> Lab {
        let authorities = SharedAuthorities(at: now)
        let repository = try await LabRepository.start(port: portBase.map(repositoryPort) ?? 0)
        let results = await withTaskGroup(of: (Int, Result<LabServer, any Error>).self) { group in
            for (index, scenario) in scenarios.enumerated() {
                var options = options
                options.port = portBase.flatMap { port(of: scenario, from: $0) } ?? 0
                options.redirectTargetPort = portBase.map(redirectTargetPort) ?? 0
                group.addTask { [options] in
                    let result: Result<LabServer, any Error>
                    do {
                        let server = try await LabServer.start(
                            scenario, options: options, authorities: authorities, repository: repository)
                        result = .success(server)
                    } catch {
                        result = .failure(error)
                    }
                    return (index, result)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        let lab = Lab(servers: results.compactMap { try? $0.get() }, repository: repository)
        do {
            for result in results { _ = try result.get() }
        } catch {
            await lab.stop()
            throw error
        }
        return lab
    }
}

#endif
