// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerObservation
@testable import ServerTrustCommand
@testable import ServerTrustLab

@Suite("Demonstrations of failure codes", .timeLimit(.minutes(10)))
struct CodeDemonstrationLiveTests {
    private static let demonstrations: [(code: TrustFailure.Code, demonstration: CodeDemonstration)] =
        FailureCodes.all.compactMap { code in CodeDemonstration.of(code).map { (code, $0) } }

    private static let scenarios = demonstrations.compactMap { row -> (TrustFailure.Code, LabScenario)? in
        if case .scenario(let scenario) = row.demonstration { (row.code, scenario) } else { nil }
    }
    private static let commands = demonstrations.compactMap { row -> (TrustFailure.Code, String)? in
        if case .command(let line) = row.demonstration { (row.code, line) } else { nil }
    }
    private static let calls = demonstrations.compactMap { row -> (TrustFailure.Code, String)? in
        if case .call(let line) = row.demonstration { (row.code, line) } else { nil }
    }

    @Test("Every failure code has a demonstration", arguments: FailureCodes.all)
    func demonstration(code: TrustFailure.Code) {
        #expect(CodeDemonstration.of(code) != nil)
    }

    @Test("Only codes about requests, files and this machine have no demonstration server")
    func withoutServer() {
        let codes = Set((Self.commands + Self.calls).map(\.0))
        let expected: Set<TrustFailure.Code> = [
            // No TLS client completes a handshake with such a server, so a probe reports an error.
            .presentedChainEmpty, .certificateMalformed, .issuerUnreadable,
            // The anchors belong to this machine, whatever a server presents.
            .systemAnchorsUnavailable, .strictValidityPeriod, .validityTooLong,
        ]
        #expect(codes == expected.union(TrustFailure.Code.batch).union([.certificateExpiresSoon]))
        #expect(Self.demonstrations.count == Self.scenarios.count + Self.commands.count + Self.calls.count)
    }

    @Test(
        "A client refuses the scenario's server with the code and sends nothing", arguments: scenarios)
    func server(code: TrustFailure.Code, scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let run = await ScenarioRun(server)
        await server.stop()
        #expect(run.verdict?.isTrusted == false)
        #expect(run.verdict?.headline?.code == code)
        #expect(run.agrees && run.requestBytes == 0)
    }

    @Test("Evaluating the scenario's certificates in memory leads to the failure code", arguments: scenarios)
    func memory(code: TrustFailure.Code, scenario: LabScenario) throws {
        let certificates = try scenario.certificates(at: TestAuthority.now)
        let verdict = certificates.evaluate(PresentedChain(certificates.chain))
        // Servers with a faulty handshake have valid certificates.
        #expect(verdict.headline?.code == (scenario.dependsOnHandshake ? nil : code))
    }

    @Test("The demonstration's command reports the failure code and leaves no file", arguments: commands)
    func command(code: TrustFailure.Code, line: String) throws {
        try TemporaryFolder.with { folder in
            let tools = Tool.url.deletingLastPathComponent().path
            let path = ProcessInfo.processInfo.environment["PATH"].map { ":" + $0 } ?? ""
            let outcome = try Process.run(
                "/bin/sh", ["-c", "TMPDIR='\(folder.url.path)'; PATH='\(tools + path)'; export TMPDIR PATH; " + line])
            #expect(
                outcome.text.contains("\"code\":\"\(code.name)\"") || outcome.text.contains("[\(code.name)]"),
                "\(line)\n\(outcome.text)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        }
    }

    @Test("The demonstration's call leads to the failure code")
    func call() throws {
        #expect(Self.calls.map(\.0) == [.presentedChainEmpty])
        let verdict = try Trust(presentedChain: PresentedChain([]), host: Hostname("api.lab.test")).evaluate()
        #expect(verdict.failures.map(\.code) == [.presentedChainEmpty])
        let source = #"try Trust(presentedChain: PresentedChain([]), host: Hostname("api.lab.test")).evaluate()"#
        #expect(Self.calls.map(\.1) == [source])
    }
}
