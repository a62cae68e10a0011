// SPDX-License-Identifier: Apache-2.0

import NIOPosix
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

@Suite("Every scenario over NIO")
struct ScenarioTests {
    @Test("A NIO client conforms, and its pipeline reports each step in order")
    func conformance() async throws {
        let violations = try await ClientConformance().run { server in
            let report: Caller.Report
            do {
                report = try await Caller(tls: ServerTrustTLS(server)).call(server)
            } catch let error as NIOConnectionError {
                // For a denied host, no handlers are created, and nothing is sent.
                let refusals = error.connectionErrors.compactMap { $0.error as? TrustRefusal }
                return .refused(try #require(refusals.first).headline.code)
            }
            switch report.finding {
            case .trusted:
                #expect(report.events.starts(with: ["trusted", "handshake"]))
                #expect(report.answer.hasPrefix("HTTP/1.1 "))
            case .refused: #expect(report.events == ["untrusted", "refusal"])
            case .noHandshake: #expect(report.events == [report.code?.name])
            }
            #expect(report.finding.isTrusted || report.answer.isEmpty)
            return report.finding
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "A server receives no data from a client that writes before TLS is established",
        arguments: [LabScenario.expired, .wrongHost, .intercepted, .noTLS, .handshakeCutOff])
    func hasty(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let report = try await Caller(tls: ServerTrustTLS(server), isHasty: true).call(server)
        await server.stop()
        #expect(report.finding == scenario.expected)
        #expect(server.counts.requestBytes == 0)
    }

    @Test("A client that writes early gets its answer from a trusted server")
    func hastyAndGood() async throws {
        let server = try await LabServer.start(.good)
        let report = try await Caller(tls: ServerTrustTLS(server), isHasty: true).call(server)
        await server.stop()
        #expect(report.finding == .trusted)
        #expect(report.answer.hasPrefix("HTTP/1.1 200"))
    }

    @Test("The client evaluates a server over IPv6")
    func v6() async throws {
        var options = LabServer.Options()
        options.address = .v6
        let server = try await LabServer.start(.good, options: options)
        let report = try await Caller(tls: ServerTrustTLS(server)).call(server)
        await server.stop()
        #expect(report.finding == .trusted)
    }

    @Test("The client refuses a server whose certificate contains the socket's address but not the name")
    func addressOfTheSocket() async throws {
        let server = try await LabServer.start(.ipAddressOnly)
        let report = try await Caller(tls: ServerTrustTLS(server)).call(server)
        await server.stop()
        #expect(report.finding == .refused(.hostMismatch))
        #expect(server.counts.requestBytes == 0)
    }
}
