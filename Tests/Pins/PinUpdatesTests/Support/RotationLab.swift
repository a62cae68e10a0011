// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting

@testable import ServerTrustPins

/// Two hosts with one CA: the API, whose key is pinned, and the host that provides lists when all pins are lost.
struct RotationLab: Sendable {
    static let api = "api.lab.test"
    static let recovery = "recovery.lab.test"

    let now = ListFixture.now
    let root: TestAuthority

    init() throws { root = try .root(.authority("Drill Root")) }

    /// Starts a server for one host with this key. The manager's current rules evaluate the server.
    func server(
        _ host: String, key: TestKey, manager: ServerTrustManager? = nil, answer: LabResponse = .text("hello\n")
    ) async throws -> LabServer {
        let leaf = try root.issue(.leaf(host), key: key)
        let scenario = LabScenario.custom(
            host: host, leaf: leaf, anchors: [root.certificate],
            evaluator: manager.map { CurrentManagerEvaluator(manager: $0) } ?? DefaultTrustEvaluator())
        var options = LabServer.Options()
        options.response = answer
        return try await LabServer.start(scenario, options: options, now: now)
    }

    func pin(_ key: TestKey) throws -> SPKIPin { SPKIPin(try root.issue(.leaf(Self.api), key: key).certificate) }

    /// Returns the API's pins in this package's JSON.
    func pins(_ inUse: TestKey, backup: TestKey) throws -> [UInt8] {
        Array(
            """
            {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",\
            "hosts":[{"name":"\(Self.api)","includesName":true,"below":"anyDepth"}],\
            "pins":[{"key":"\(try pin(inUse))","scope":"leaf","role":"inUse"},\
            {"key":"\(try pin(backup))","scope":"leaf","role":"backup"}]}]}
            """.utf8)
    }
}

/// Evaluates the server with a manager whose rules may have changed since the server started.
struct CurrentManagerEvaluator: TrustEvaluator {
    let manager: ServerTrustManager

    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        let verdict = manager.evaluate(trust)
        guard let first = verdict.failures.first else { return }
        throw TrustFailures(first, Array(verdict.failures.dropFirst()))
    }
}

/// A document from one of the lab's servers.
struct LabSource: PinListSource {
    let server: LabServer

    struct Refused: Error { let finding: LabOutcome }

    func document() async throws -> [UInt8] {
        let report = try await LabClient().get(server)
        guard report.outcome.isTrusted, report.status == 200, report.isComplete else {
            throw Refused(finding: report.outcome)
        }
        return report.body
    }
}
