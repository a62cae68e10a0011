// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import ServerTrustLab

@Suite("Lab")
struct LabTests {
    @Test("A lab contains each scenario once, and all have the expected verdicts with one set of anchors")
    func sharedAnchors() async throws {
        let lab = try await Lab.start()
        #expect(lab.servers.map(\.scenario) == LabScenario.all)
        #expect(Set(lab.servers.map(\.port)).count == LabScenario.all.count)
        // Lab Root, RSA, Ed25519, and two that pin scenarios add.
        #expect(lab.anchors.count == 6)
        for server in lab.servers {
            let certificates = server.certificates
            #expect(Set(certificates.anchors).isSubset(of: lab.anchors))
            // The client's stand-in for an operating system replaces the anchors.
            guard !server.scenario.dependsOnHandshake, certificates.client.system == nil else { continue }
            var trust = certificates.trust(presentedChain: PresentedChain(certificates.chain))
            trust.anchors = certificates.client.trustAnchors(lab.anchors)
            #expect(LabOutcome(certificates.manager.evaluate(trust)) == server.expected, "\(server.scenario)")
        }
        await lab.stop()
    }

    @Test("A lab's servers have the expected outcomes over TLS")
    func connections() async throws {
        let scenarios: [LabScenario] = [.good, .expired, .redirectToAnotherAuthority, .revokedByOCSP]
        let lab = try await Lab.start(scenarios)
        for server in lab.servers {
            #expect(try await LabClient().get(server).outcome == server.expected, "\(server.scenario)")
        }
        let target = try #require(lab.servers[2].redirectTarget)
        #expect(try await LabClient().get(target).outcome == target.expected)
        await lab.stop()
        await #expect(throws: (any Error).self) { try await LabClient().get(lab.servers[0]) }
    }

    @Test("A lab uses its fixed ports, and leaves no server running if a port is in use")
    func fixedPorts() async throws {
        let base = try await Self.freePortBase()
        let lab = try await Lab.start([.expired, .redirectToAnotherAuthority], portBase: base)
        #expect(
            lab.servers.map(\.port) == [.expired, .redirectToAnotherAuthority].map { Lab.port(of: $0, from: base) })
        #expect(lab.servers[1].redirectTarget?.port == base + 98)
        #expect(lab.repository.port == base + 99)

        // The second lab gets the repository's port at first, but not the server's.
        await lab.repository.stop()
        let error = await #expect(throws: LabPortError.self) {
            try await Lab.start([.good, .expired], portBase: base)
        }
        #expect(error?.code == .labPortInUse)
        #expect(error?.port == lab.servers[0].port)
        await lab.stop()
        let again = try await Lab.start([.good, .expired, .redirectToAnotherAuthority], portBase: base)
        await again.stop()
    }

    /// Returns a base port. This port and the repository's port were free a moment ago.
    private static func freePortBase() async throws -> Int {
        for base in stride(from: 20_440, to: 30_000, by: Lab.portCount) {
            let ends = [base, base + 99]
            var repositories: [LabRepository] = []
            for port in ends {
                if let repository = try? await LabRepository.start(port: port) { repositories.append(repository) }
            }
            for repository in repositories { await repository.stop() }
            if repositories.count == ends.count { return base }
        }
        throw CancellationError()
    }
}
