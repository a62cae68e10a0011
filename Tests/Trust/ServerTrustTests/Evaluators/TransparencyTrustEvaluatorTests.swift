// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("TransparencyTrustEvaluator")
struct TransparencyTrustEvaluatorTests {
    private func manager(_ rule: HostRule) throws -> ServerTrustManager {
        try ServerTrustManager(rules: [(try HostPattern(TrustScene.name), rule)])
    }

    private func evaluator(
        _ scene: TransparencyScene, _ mode: TransparencySettings.Mode = .report, policy: CTPolicy = .mozilla
    ) -> TransparencyTrustEvaluator { TransparencyTrustEvaluator(logs: scene.list, policy: policy, mode: mode) }

    @Test(
        "The evaluator only reports by default, and refuses the server if publication is required", arguments: [0, 2]
    )
    func modes(count: Int) throws {
        let scene = try TransparencyScene(timestamps: count)
        let reported = evaluator(scene).evaluate(scene.trust())
        #expect(reported.isTrusted && reported.reported.map(\.code) == (count == 0 ? [.transparencyNotMet] : []))
        let required = evaluator(scene, .require).evaluate(scene.trust())
        #expect(required.codes == (count == 0 ? [.transparencyNotMet] : []))
        #expect(required.transparency?.status == (count == 0 ? .notEnough : .complies))
    }

    @Test("The evaluator never replaces the trust object's check, and the stricter finding counts in both orders")
    func settings() throws {
        // Two timestamps are enough for Mozilla. Apple's rule for two timestamps from one operator is stricter.
        let logs = try (1...2).map { try TestLog("Log \($0)", operatedBy: "Same") }
        let scene = try TransparencyScene(timestamps: 0) { $0.timestamps = logs.map { $0.timestamp() } }
        let list = try CTLogList(json: TestLog.list(logs), now: TestAuthority.now)
        var lenient = CTPolicy.mozilla
        (lenient.name, lenient.minimumOperators) = ("lenient", 1)
        for (own, rule) in [(lenient, CTPolicy.mozilla), (.mozilla, lenient)] {
            let trust = scene.trust(TransparencySettings(logs: list, policy: own))
            let verdict = TransparencyTrustEvaluator(logs: list, policy: rule).evaluate(trust)
            #expect(verdict.isTrusted && verdict.transparency?.status == .notDiverse)
            #expect(verdict.reported.map(\.code) == [.transparencyNotMet])
            let required = TransparencyTrustEvaluator(logs: list, policy: rule, mode: .require).evaluate(trust)
            #expect(required.isTrusted == (rule == lenient))
            #expect(required.transparency?.policy == "mozilla")
        }
    }

    @Test("In a composite with other evaluators, the evaluator's finding stays, in every order")
    func composite() throws {
        let scene = try TransparencyScene(timestamps: 0)
        let transparency = evaluator(scene)
        let others: [any TrustEvaluator] = [
            DefaultTrustEvaluator(), RevocationTrustEvaluator(), try scene.scene.pins(scene.scene.leaf),
            evaluator(scene, policy: .apple),
        ]
        for other in others {
            for evaluators in [[transparency, other], [other, transparency]] {
                let verdict = try CompositeTrustEvaluator(evaluators: evaluators).evaluate(scene.trust())
                #expect(verdict.isTrusted && verdict.transparency?.status == .notEnough)
                #expect(verdict.reported.first?.code == .transparencyNotMet)
                #expect(verdict.checked.contains(.certificateTransparency))
                #expect(!verdict.notChecked.contains(.certificateTransparency))
            }
            let required = try CompositeTrustEvaluator(evaluators: [other, evaluator(scene, .require)])
            #expect(required.evaluate(scene.trust()).codes == [.transparencyNotMet])
        }
    }

    @Test("A report-only rule reports what it would refuse, in addition to what the settings report")
    func reportOnly() throws {
        let scene = try TransparencyScene(timestamps: 0)
        for mode in TransparencySettings.Mode.allCases {
            let verdict = try manager(.reportOnly(evaluator(scene, mode))).evaluate(scene.trust())
            #expect(verdict.isTrusted && verdict.reported.map(\.code) == [.transparencyNotMet])
            #expect(verdict.transparency?.status == .notEnough)
        }
        let pins = try TrustScene.otherPins()
        let both = try manager(.reportOnly(pins)).evaluate(scene.trust(scene.settings()))
        #expect(both.isTrusted && Set(both.reported.map(\.code)) == [.transparencyNotMet, .pinNotMatched])
    }

    @Test("A disabled evaluation doesn't check transparency")
    func disabled() throws {
        let scene = try TransparencyScene()
        let verdict = DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(scene.trust(scene.settings()))
        #expect(verdict.isTrusted && verdict.notChecked.contains(.certificateTransparency))
        #expect(verdict.checked == [])
    }

    @Test("A pinned leaf with a public path must be published, because its exemption doesn't cover that")
    func pinnedLeaf() throws {
        let scene = try TransparencyScene(timestamps: 0) { $0.notAfter = TestAuthority.now.advanced(by: -1) }
        let pins = try PinnedCertificatesTrustEvaluator(
            certificates: [scene.scene.leaf], performDefaultValidation: false)
        let trust = scene.trust(scene.settings(.require))
        #expect(pins.evaluate(scene.trust()).isTrusted)
        #expect(pins.evaluate(trust).failures.contains { $0.code == .transparencyNotMet })
        // Below a private anchor, there is nothing to publish.
        let own = scene.trust(scene.settings(.require)) { $0.anchors = scene.anchors(isPublic: false) }
        #expect(pins.evaluate(own).isTrusted)
    }

    @Test(
        "A user's exception can cover missing transparency for the host and leaf, but a delegate can't if transparency is required"
    )
    func exceptions() throws {
        let scene = try TransparencyScene(timestamps: 0)
        var trust = scene.trust(scene.settings(.require))
        trust.setExceptions(try trust.evaluate().exceptions())
        let agreed = trust.evaluate()
        #expect(agreed.result == .proceed && agreed.excused.map(\.code) == [.transparencyNotMet])
        #expect(agreed.transparency?.status == .notEnough)
        let manager = try manager(.enforced(DefaultTrustEvaluator()))
        let verdict = manager.evaluateWithoutFetching(scene.trust(scene.settings(.require)), delegate: .accept)
        #expect(verdict.codes == [.transparencyNotMet])
    }
}
