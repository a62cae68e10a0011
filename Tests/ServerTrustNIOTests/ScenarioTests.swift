// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@Suite("Every scenario, over NIO")
struct ScenarioTests {
    @Test(
        "Each scenario gets its expected verdict, and a refused server gets no byte of a request",
        arguments: LabScenario.all, [LabServer.TLSVersions.tls12, .tls13])
    func verdict(scenario: LabScenario, versions: LabServer.TLSVersions) async throws {
        let server = try await LabServer.start(scenario)
        let report = try await Caller(tls: ServerTrustTLS(server, versions: versions)).call(server)
        await server.stop()
        #expect(report.finding == scenario.expected)
        if scenario.expected.isTrusted {
            #expect(report.events.starts(with: ["trusted", "handshake"]))
            #expect(report.answer.hasPrefix("HTTP/1.1 "))
            #expect(server.counts.requests == 1)
        } else {
            if scenario.expected == .noHandshake {
                #expect(report.events == [report.reason?.rawValue])
            } else {
                #expect(report.events == ["untrusted", "refusal"])
            }
            #expect(report.answer.isEmpty)
            #expect(server.counts.requestBytes == 0)
            #expect(server.counts.handshakes == 0)
        }
    }

    @Test(
        "A server gets no byte from a client that writes before TLS is up",
        arguments: [LabScenario.expired, .wrongHost, .intercepted, .noTLS, .handshakeCutOff])
    func hasty(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let report = try await Caller(tls: ServerTrustTLS(server), isHasty: true).call(server)
        await server.stop()
        #expect(report.finding == scenario.expected)
        #expect(server.counts.requestBytes == 0)
    }

    @Test("A hasty client gets its answer from a server that is trusted")
    func hastyAndGood() async throws {
        let server = try await LabServer.start(.good)
        let report = try await Caller(tls: ServerTrustTLS(server), isHasty: true).call(server)
        await server.stop()
        #expect(report.finding == .trusted)
        #expect(report.answer.hasPrefix("HTTP/1.1 200"))
    }

    @Test("A server is evaluated over IPv6")
    func v6() async throws {
        var options = LabServer.Options()
        options.address = .v6
        let server = try await LabServer.start(.good, options: options)
        let report = try await Caller(tls: ServerTrustTLS(server)).call(server)
        await server.stop()
        #expect(report.finding == .trusted)
    }

    @Test("A server without the name is refused, though its certificate names the socket's address")
    func addressOfTheSocket() async throws {
        let server = try await LabServer.start(.ipAddressOnly)
        let report = try await Caller(tls: ServerTrustTLS(server)).call(server)
        await server.stop()
        #expect(report.finding == .refused(.hostMismatch))
        #expect(server.counts.requestBytes == 0)
    }
}
