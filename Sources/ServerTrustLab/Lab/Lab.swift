// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustTesting

/// Servers of many scenarios at once, whose trusted CAs are shared: one file of anchors is enough for a client of them all.
///
/// ```swift
/// let lab = try await Lab.start()
/// for server in lab.servers { /* server.url, server.expected, server.certificates */ }
/// await lab.stop()
/// ```
public final class Lab: Sendable {
    /// In the order in which the scenarios were given.
    public let servers: [LabServer]

    /// Serves what the certificates point to.
    public let repository: LabRepository

    private init(servers: [LabServer], repository: LabRepository) {
        self.servers = servers
        self.repository = repository
    }

    /// The anchors of all scenarios. Of each scenario they bring about the verdict that its own would.
    public var anchors: [Certificate] {
        var seen: Set<Certificate> = []
        return servers.flatMap(\.certificates.anchors).filter { seen.insert($0).inserted }
    }

    /// The anchors, as `--cacert` and `-CAfile` take them.
    public var anchorsPEM: String { anchors.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined() }

    /// Stops every server and the repository; see ``LabServer/stop()``.
    public func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.stop() } }
        }
        await repository.stop()
    }
}

// MARK: - Ports

extension Lab {
    /// How many ports a lab takes, counted from its first one; most of them are in reserve.
    public static let portCount = 100

    /// The port of a scenario's server where ports are fixed: the first one and the scenario's place in ``LabScenario/all``.
    public static func port(of scenario: LabScenario, from portBase: Int) -> Int? {
        LabScenario.all.firstIndex(of: scenario).map { portBase + $0 }
    }

    private static func redirectTargetPort(from portBase: Int) -> Int { portBase + portCount - 2 }
    private static func repositoryPort(from portBase: Int) -> Int { portBase + portCount - 1 }
}

// MARK: - Starting

extension Lab {
    /// Starts a server for each scenario, all at once.
    /// - Parameters:
    ///   - scenarios: each of them once; all unless given.
    ///   - portBase: the first port, for ports that are the same in every run: ``port(of:from:)``, the second to last of
    ///     ``portCount`` for where ``LabScenario/redirectToAnotherAuthority`` leads, and the last for the repository. nil for the
    ///     system's choice.
    ///   - options: how they serve apart from the scenario; its ports are not looked at.
    ///   - now: the date that the scenarios play at; the machine's clock unless given.
    /// - Throws: ``LabPortError``, or what making certificates and TLS throw. Nothing is left running then.
    public static func start(
        _ scenarios: [LabScenario] = LabScenario.all, portBase: Int? = nil,
        options: LabServer.Options = LabServer.Options(), now: Time = .now()
    ) async throws -> Lab {
        let roots = LabRoots(at: now)
        let repository = try await LabRepository.start(port: portBase.map(repositoryPort) ?? 0)
        let results = await withTaskGroup(of: (Int, Result<LabServer, any Error>).self) { group in
            for (index, scenario) in scenarios.enumerated() {
                var options = options
                options.port = portBase.flatMap { port(of: scenario, from: $0) } ?? 0
                options.redirectTargetPort = portBase.map(redirectTargetPort) ?? 0
                group.addTask { [options] in
                    do {
                        return (
                            index,
                            .success(
                                try await LabServer.start(
                                    scenario, options: options, roots: roots, repository: repository))
                        )
                    } catch {
                        return (index, .failure(error))
                    }
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
