// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@testable import ServerTrustCommand

@Suite("servertrust check for servers with several addresses")
struct CheckAddressesLiveTests {
    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Attempt: Decodable, Equatable {
                let address: String
                let outcome: String
                let detail: String?
            }
            let address: String?
            let attempts: [Attempt]?
        }
        let steps: [Step]
    }

    /// Probes a server by the name's addresses, and returns the report of `check`.
    private func report(_ server: LabServer, _ port: Int, at addresses: [String]) async throws -> CheckReport {
        let found = try addresses.map { try SocketAddress(ipAddress: $0, port: 0) }
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = .seconds(60)
        probe.nameLookup = NameLookup { _ in found }
        let endpoint = ServerEndpoint(host: server.host, port: port)
        let outcome: Result<TrustProbeReport, ConnectionFailure>
        do throws(ConnectionFailure) {
            outcome = .success(try await probe.probe(server.host, port: port))
        } catch {
            outcome = .failure(error)
        }
        return CheckReport(
            results: [CheckResult(endpoint: endpoint, steps: [CheckStep(endpoint: endpoint, outcome: outcome)])])
    }

    private func step(_ report: CheckReport) throws -> Answer.Step {
        let answers = try JSONDecoder().decode([Answer].self, from: Data(report.json()))
        return try #require(answers.first?.steps.first)
    }

    @Test("The text and the JSON have the result of each address that was tried")
    func attempts() async throws {
        let server = try await LabServer.start(.good)
        let report = try await report(server, server.port, at: ["127.0.0.2", "127.0.0.1"])
        let step = try step(report)
        #expect(step.address == "127.0.0.1")
        #expect(
            step.attempts == [
                Answer.Step.Attempt(
                    address: "127.0.0.2:\(server.port)", outcome: "failed", detail: "connection refused"),
                Answer.Step.Attempt(address: "127.0.0.1:\(server.port)", outcome: "connected", detail: nil),
            ])
        let text = report.text(.plain)
        #expect(text.contains("port \(server.port) at 127.0.0.1, after 127.0.0.2:\(server.port): connection refused"))
        await server.stop()
    }

    @Test("A report on a server that can't be reached has the result of each address")
    func unreachable() async throws {
        let server = try await LabServer.start(.good)
        // Nothing listens on port 1.
        let report = try await report(server, 1, at: ["127.0.0.2", "127.0.0.1"])
        let step = try step(report)
        #expect(step.address == nil)
        #expect(step.attempts?.map(\.address) == ["127.0.0.2:1", "127.0.0.1:1"])
        #expect(step.attempts?.map(\.outcome) == ["failed", "failed"])
        for address in ["127.0.0.2:1: connection refused", "127.0.0.1:1: connection refused"] {
            #expect(report.text(.plain).contains(address))
        }
        await server.stop()
    }

    @Test("A report on a server with one address has no attempts")
    func oneAddress() async throws {
        let server = try await LabServer.start(.good)
        let report = try await report(server, server.port, at: ["127.0.0.1"])
        #expect(try step(report).attempts == nil)
        #expect(!report.text(.plain).contains(", after "))
        await server.stop()
    }
}
