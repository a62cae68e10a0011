// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrustLab

/// `servertrust inspect` with servers.
@Suite("servertrust inspect with servers", .timeLimit(.minutes(10)))
struct InspectServerLiveTests {
    @Test(
        "inspect shows a server's chain, trusted or not, and sends no request",
        arguments: [LabScenario.good, .expired, .selfSigned])
    func presentedChain(_ scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let outcome = try Tool.run([
            "inspect", "\(server.host):\(server.port)", "--connect", "127.0.0.1", "--fields", "sha256", "--format",
            "json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let objects = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
        #expect(objects.count == server.certificates.chain.count)
        #expect(server.counts.requests == 0)
        await server.stop()
    }

    @Test("inspect exits with 2 and shows the code for a server that it can't reach")
    func unreachable() async throws {
        let server = try await LabServer.start(.good)
        let port = server.port
        await server.stop()
        let outcome = try Tool.run(["inspect", "\(server.host):\(port)", "--connect", "127.0.0.1"])
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("[unreachable]"))
    }

    @Test(
        "If a key other than the certificate's signed the handshake, inspect reports this in every format and exits with 1"
    )
    func wrongKey() async throws {
        let server = try await LabServer.start(.wrongHandshakeSignature)
        let inspect = ["inspect", "\(server.host):\(server.port)", "--connect", "127.0.0.1"]
        for format in ["text", "json", "html", "pem", "asn1"] {
            let outcome = try Tool.run(inspect + ["--format", format])
            #expect(outcome.status == 1 && !outcome.output.isEmpty)
            #expect(outcome.errors.contains("[handshakeSignatureInvalid]"))
            guard format == "json" else { continue }
            let objects = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
            #expect(
                objects.map { $0["problemCode"] as? String }
                    == ["handshakeSignatureInvalid"] + objects.dropFirst().map { _ in nil })
        }
        for more in [["--short"], ["--object", "2"], ["--fields", "sha256"]] {
            #expect(try Tool.run(inspect + more).status == 1)
        }
        await server.stop()
    }

    @Test("inspect shows a handshake without a signature and says that it proves nothing")
    func noSignature() async throws {
        let server = try await LabServer.start(.unsignedHandshake)
        let outcome = try Tool.run(["inspect", "\(server.host):\(server.port)", "--connect", "127.0.0.1"])
        #expect(outcome.status == 0 && outcome.text.contains("note:"), "\(outcome.errors)")
        await server.stop()
    }

    @Test("If a name is neither a file nor a server, inspect exits with 2")
    func neither() throws {
        let outcome = try Tool.run(["inspect", "no such file or server"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("no such file"))
    }
}
