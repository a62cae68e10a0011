// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Every stored property of the values that are compared to use a remembered verdict again or to drop a requirement as a
/// duplicate. If you add a property, these tests fail by its name until a row says how it is compared.
@Suite("Properties that decide whether two evaluations are equal")
struct ComparedPropertiesTests {
    /// A stored property and a change of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let property: String
        /// Whether a remembered verdict of the unchanged evaluation doesn't apply after the change.
        let separatesVerdicts: Bool
        /// Whether the requirements of a composition differ after the change.
        let separatesRequirements: Bool
        let change: @Sendable (inout Trust) throws -> Void

        var testDescription: String { property }
    }

    private static func both(_ property: String, _ change: @escaping @Sendable (inout Trust) throws -> Void) -> Row {
        Row(property: property, separatesVerdicts: true, separatesRequirements: true, change: change)
    }

    /// Certificates, date and evidence are the same for all requirements of one evaluation.
    private static func verdicts(
        _ property: String, _ change: @escaping @Sendable (inout Trust) throws -> Void
    ) -> Row {
        Row(property: property, separatesVerdicts: true, separatesRequirements: false, change: change)
    }

    /// The property doesn't affect a verdict, or the memory handles it in another way.
    private static func neither(
        _ property: String, _ change: @escaping @Sendable (inout Trust) throws -> Void
    ) -> Row {
        Row(property: property, separatesVerdicts: false, separatesRequirements: false, change: change)
    }

    /// Obtains nothing.
    private struct NoSource: EvidenceSource {
        func evaluate(_ trust: Trust, by steps: EvaluationSteps) async -> TrustVerdict { steps.evaluate(trust) }
    }

    private static let rowsOfTrust: [Row] = [
        verdicts("presentedChain") { $0.presentedChain.staple = .given([0x30, 0]) },
        verdicts("host") {
            $0 = Trust(
                presentedChain: $0.presentedChain, host: try Hostname("api.example.com"), settings: $0.settings)
        },
        both("exemption") { $0.exemption = .all },
        verdicts("isFetching") { $0.isFetching = true },
        // The rows of TrustSettings change it.
        both("settings") { $0.settings.identity = .insecurelyAnyName },
    ]

    private static let rowsOfSettings: [Row] = [
        both("identity") { $0.identity = .name(try Hostname("api.example.com")) },
        verdicts("policy") { $0.policy.isStrict = true },
        both("anchors") { $0.anchors = .only(try $0.anchors.certificates) },
        verdicts("intermediates") { $0.intermediates = $0.presentedChain.others },
        // The memory compares the date with the verdict's period.
        neither("verifyDate") { $0.verifyDate = .at(TestAuthority.now.advanced(by: 60)) },
        both("revocation") { $0.revocation = .bestEffort },
        verdicts("revocationData") { $0.revocationData.crls = [[0x30, 0]] },
        both("denied") { $0.denied = DeniedList(keys: [SPKIPin(try TestAuthority.root().certificate)]) },
        both("transparency") {
            $0.transparency = TransparencySettings(logs: nil, policy: .mozilla, mode: .report)
        },
        // A source gives its evidence to the trust object, and ``Trust/isFetching`` is compared.
        neither("fetching") { $0.fetching = NoSource() },
        verdicts("exceptions") { trust in
            var untrusted = trust
            untrusted.anchors = .only([])
            let agreed = try untrusted.evaluate().exceptions()
            #expect(trust.setExceptions(agreed) == .fits)
        },
        neither("signatureMemory") { $0.signatureMemory = SignatureMemory() },
    ]

    /// The labels of a value's stored properties.
    private func labels(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }

    @Test("Each stored property of a trust object and its settings has a row")
    func properties() throws {
        let trust = try TrustScene().trust()
        #expect(labels(trust) == Set(Self.rowsOfTrust.map(\.property)))
        // The memory stores no verdict of a system's evaluator, which has its own tests.
        #expect(labels(trust.settings) == Set(Self.rowsOfSettings.map(\.property)).union(["systemEvaluator"]))
        // These types compare their properties by hand.
        #expect(labels(trust.anchors) == ["source", "furtherDistrusted"])
        #expect(labels(DeniedList(keys: [])) == ["lists", "warnings"])
    }

    @Test(
        "A change of a property separates verdicts and requirements as its row says",
        arguments: rowsOfTrust + rowsOfSettings)
    func changes(row: Row) throws {
        let scene = try TrustScene(leaf: .leaf("www.example.com", "api.example.com"))
        let evaluator = CountingEvaluator(isRepeatable: true)
        let manager = try ServerTrustManager(
            rules: [(try HostPattern("**.example.com"), .enforced(evaluator))], exceptions: nil, memory: VerdictMemory()
        )
        let trust = scene.trust()
        var changed = trust
        try row.change(&changed)
        #expect(manager.evaluate(trust).isTrusted && evaluator.count == 1)
        #expect(manager.evaluate(changed).isTrusted)
        #expect((evaluator.count > 1) == row.separatesVerdicts)
        #expect(changed.isValidated(as: trust) == !row.separatesRequirements)
        #expect(trust.isValidated(as: changed) == !row.separatesRequirements)
        #expect(trust.isValidated(as: trust) && changed.isValidated(as: changed))
    }

    @Test("Each part of the anchors separates verdicts: the store, and the certificates that other lists distrust")
    func anchors() throws {
        let scene = try TrustScene()
        let one = TrustAnchors.only([scene.root.certificate])
        #expect(one.isSame(as: one) && !one.isSame(as: .only([scene.root.certificate])))
        #expect(!one.isSame(as: .system) && TrustAnchors.system.isSame(as: .system))
    }
}
