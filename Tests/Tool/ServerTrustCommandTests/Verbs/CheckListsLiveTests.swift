// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustLab

@Suite("servertrust check with root and log lists", .timeLimit(.minutes(10)))
struct CheckListsLiveTests {
    /// The JSON entry of one server.
    private struct Answer: Decodable {
        struct Step: Decodable { let verdict: Verdict? }
        struct Verdict: Decodable {
            struct Failure: Decodable { let code: String }
            let failures: [Failure]
        }
        let steps: [Step]
    }

    /// The scenarios that the options can express. Without a list, check doesn't require transparency.
    private static let scenarios = [LabScenario.Group.roots, .transparency].flatMap(\.scenarios).filter {
        $0.expected != .refused(.transparencyLogListMissing)
    }

    @Test("check conforms in every scenario with lists that are read from files and apply to the system store")
    func conformance() async throws {
        var suite = ClientConformance(Self.scenarios)
        suite.versions = [.both]
        suite.sendsRequest = false
        let violations = try await suite.run { server in
            let answer = try #require(try check(server).json([Answer].self).first)
            let verdict = try #require(answer.steps.first?.verdict)
            guard let failure = verdict.failures.first else { return .trusted }
            return .refused(try #require(TrustFailure.Code.named(failure.code)))
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    /// Runs `check` with the scenario's anchors as the system store, or as custom anchors if they don't belong to a
    /// root program.
    private func check(_ server: LabServer) throws -> Tool.Outcome {
        let certificates = server.certificates
        let client = certificates.client
        return try TemporaryFolder.with { folder in
            let anchors = try folder.write("anchors.pem", Data(certificates.anchorsPEM.utf8))
            var options = ["--connect", server.address.rawValue]
            if let list = client.rootListJSON {
                options += ["--roots-overlay", try folder.write("roots.json", Data(list)).path]
            } else {
                options += ["--anchors", anchors.path]
            }
            if let list = client.logList, let settings = client.transparencyChecks.first {
                options += [
                    "--ct-logs", try folder.write("logs.json", Data(list)).path, "--ct", settings.mode.rawValue,
                    "--ct-policy", settings.policy.name,
                ]
            }
            return try Tool.run(
                ["check", server.url, "--format", "json"] + options, environment: ["SSL_CERT_FILE": anchors.path])
        }
    }
}
