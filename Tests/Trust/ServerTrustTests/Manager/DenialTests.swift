// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Refusals before contacting a host")
struct DenialTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let host: String
        let allHostsMustBeEvaluated: Bool
        let code: TrustFailure.Code?
    }

    static let rows: [Row] = [
        Row(
            testDescription: "a rule that denies", host: "denied.example", allHostsMustBeEvaluated: true,
            code: .hostDenied),
        Row(
            testDescription: "a rule that denies, although others need none", host: "a.denied.example",
            allHostsMustBeEvaluated: false, code: .hostDenied),
        Row(testDescription: "no rule", host: "other.example", allHostsMustBeEvaluated: true, code: .hostNotListed),
        Row(
            testDescription: "no rule, and none required", host: "other.example", allHostsMustBeEvaluated: false,
            code: nil),
        Row(testDescription: "a rule", host: "www.example.com", allHostsMustBeEvaluated: true, code: nil),
        Row(testDescription: "a rule that reports", host: "report.example", allHostsMustBeEvaluated: true, code: nil),
    ]

    @Test("A denial has a verdict and events, but no checks", arguments: rows)
    func denial(row: Row) throws {
        let manager = try ServerTrustManager(
            rules: [
                "**.denied.example": .denied, "www.example.com": .enforced(DefaultTrustEvaluator()),
                "report.example": .reportOnly(try TrustScene.otherPins()),
            ], allHostsMustBeEvaluated: row.allHostsMustBeEvaluated)
        let observer = RecordingObserver()
        manager.events.add(observer)
        var trust = ServerTrustConfiguration(manager)
        trust.verifyDate = .at(TestAuthority.now)
        let host = try Hostname(row.host)
        #expect(manager.denies(host) == (row.code != nil))
        #expect(observer.events.isEmpty)
        let verdict = trust.denial(of: host)
        #expect(verdict?.headline?.code == row.code)
        #expect(observer.kinds == (row.code == nil ? [] : [.evaluated, .refused]))
        guard let verdict else { return }
        #expect(verdict.result == .deny && verdict.host == host && verdict.path.isEmpty)
        #expect(verdict.checked.isEmpty)
        #expect(verdict.notChecked == [.path, .identity, .purpose, .revocation, .certificateTransparency])
        #expect(verdict.evaluationDate == TestAuthority.now)
        // The verdict on the server's chain has the same report.
        #expect(trust.evaluateWithoutFetching(PresentedChain([]), host: host) == verdict)
        let scene = try TrustScene()
        let presented = trust.evaluateWithoutFetching(PresentedChain(scene.chain), host: host)
        #expect(presented.path == [scene.leaf] && presented.failures == verdict.failures)
        // Without TLS, rules for certificates don't apply, but a rule that denies a host does.
        #expect((trust.denial(of: host, isCleartext: true) == nil) == (row.code == .hostNotListed))
    }
}
