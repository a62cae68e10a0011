// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing
import TrustScenes

@testable import ServerTrust
@testable import ServerTrustTesting

/// Evaluations whose records are evaluated again, without the evaluators and stores that they came from.
@Suite("Recorded evaluations")
struct RecordingTests {
    /// An evaluation, by name.
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        /// The codes of the verdict. Empty for a trusted server.
        let codes: [TrustFailure.Code]
        let make: @Sendable () throws -> (Trust, HostRule)

        init(
            _ description: String, _ codes: [TrustFailure.Code] = [],
            _ make: @escaping @Sendable () throws -> (Trust, HostRule)
        ) {
            (self.description, self.codes, self.make) = (description, codes, make)
        }
    }

    private static let usual = HostRule.enforced(DefaultTrustEvaluator())

    private static func scene(
        _ change: (inout Trust, TrustScene) throws -> Void = { _, _ in }
    ) throws -> (Trust, HostRule) {
        let scene = try TrustScene()
        return (try scene.prepared { try change(&$0, scene) }, usual)
    }

    static let cases: [Case] = [
        Case("a trusted server") { try scene() },
        Case("an expired leaf", [.certificateExpired]) { (try TrustScene(leaf: .expired).trust(), usual) },
        Case("another name", [.hostMismatch]) { (try TrustScene(leaf: .leaf("other.example")).trust(), usual) },
        Case("an unknown issuer", [.unknownIssuer]) { try scene { trust, _ in trust.anchors = .only([]) } },
        Case("a missing intermediate that the client has") {
            let scene = try TrustScene()
            return (scene.trust([scene.leaf]) { $0.intermediates = [scene.intermediate.certificate] }, usual)
        },
        Case("strict rules") { try scene { trust, _ in trust.policy.isStrict = true } },
        Case("plain validation for any purpose") {
            try scene { trust, _ in trust.policy = ValidationPolicy(profile: .rfc5280, purpose: .any) }
        },
        Case("too many intermediates", [.maximumIntermediatesExceeded]) {
            try scene { trust, _ in trust.policy.maximumIntermediates = 0 }
        },
        Case("another reference name") {
            let scene = try TrustScene(leaf: .leaf("other.example"))
            return (scene.trust(), .enforced(DefaultTrustEvaluator(expecting: try Hostname("other.example"))))
        },
        Case("any name") {
            let scene = try TrustScene(leaf: .leaf("other.example"))
            return (scene.trust(), .enforced(DefaultTrustEvaluator(validateHost: false)))
        },
        Case("a pin that matches") {
            let scene = try TrustScene()
            return (scene.trust(), .enforced(try scene.pins(scene.root.certificate)))
        },
        Case("a pin that doesn't match", [.pinNotMatched]) {
            (try TrustScene().trust(), .enforced(try TrustScene.otherPins()))
        },
        Case("a pin of the leaf only") {
            let scene = try TrustScene()
            return (
                scene.trust(), .enforced(SPKIPinsTrustEvaluator(try scene.pins(scene.leaf).pins, scope: .leaf))
            )
        },
        Case("a pin of the leaf only that an issuer has", [.pinNotMatched]) {
            let scene = try TrustScene()
            let pins = try scene.pins(scene.intermediate.certificate).pins
            return (scene.trust(), .enforced(SPKIPinsTrustEvaluator(pins, scope: .leaf)))
        },
        Case("a pin of an authority that the leaf has", [.pinNotMatched]) {
            let scene = try TrustScene()
            return (
                scene.trust(), .enforced(SPKIPinsTrustEvaluator(try scene.pins(scene.leaf).pins, scope: .authority))
            )
        },
        Case("two rules of pins") {
            let scene = try TrustScene()
            let evaluators: [any TrustEvaluator] = [
                SPKIPinsTrustEvaluator(try scene.pins(scene.leaf).pins, scope: .leaf),
                SPKIPinsTrustEvaluator(try scene.pins(scene.root.certificate).pins, scope: .authority),
            ]
            return (scene.trust(), .enforced(try CompositeTrustEvaluator(evaluators: evaluators)))
        },
        Case("two rules of pins, and one that doesn't match", [.pinNotMatched]) {
            let scene = try TrustScene()
            let evaluators: [any TrustEvaluator] = [
                SPKIPinsTrustEvaluator(try scene.pins(scene.leaf).pins, scope: .leaf), try TrustScene.otherPins(),
            ]
            return (scene.trust(), .enforced(try CompositeTrustEvaluator(evaluators: evaluators)))
        },
        Case("a certificate as the only anchor") {
            let scene = try TrustScene()
            return (
                scene.trust { $0.anchors = .only([]) },
                .enforced(
                    try PinnedCertificatesTrustEvaluator(
                        certificates: [scene.intermediate.certificate], acceptSelfSigned: true))
            )
        },
        Case("a presented authority with a pinned key as the only anchor") {
            let scene = try TrustScene()
            let keys = [scene.intermediate.certificate.subjectPublicKeyInfo]
            return (
                scene.trust { $0.anchors = .only([]) },
                .enforced(try PublicKeysTrustEvaluator(keys: keys, performDefaultValidation: false))
            )
        },
        Case("a pin in report-only mode") { (try TrustScene().trust(), .reportOnly(try TrustScene.otherPins())) },
        Case("a revoked leaf", [.certificateRevoked]) {
            try scene { trust, scene in
                let crl = try scene.intermediate.crl { $0.revoke(scene.leaf) }
                trust.revocation = .bestEffort
                trust.revocationData = RevocationData(crls: [crl.der])
            }
        },
        Case("an indexed CRL") {
            try scene { trust, scene in
                let lists = try [scene.intermediate, scene.root].map {
                    try CertificateRevocationList(der: $0.crl().der)
                }
                trust.revocation = .required
                trust.revocationData = RevocationData(lists: lists)
            }
        },
        Case("no revocation answer", [.revocationUnavailable, .revocationUnavailable]) {
            try scene { trust, _ in trust.revocation = .required }
        },
        Case("no revocation answer in best-effort mode") {
            try scene { trust, _ in trust.revocation = .bestEffort }
        },
        Case("a rule that requires revocation", [.revocationUnavailable, .revocationUnavailable]) {
            (try TrustScene().trust(), .enforced(RevocationTrustEvaluator(.required)))
        },
        Case("a good staple") {
            let scene = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.mustStaple = true })
            let staple = try scene.intermediate.ocspResponse { $0.add(scene.leaf) }
            var chain = PresentedChain(scene.chain)
            chain.staple = .given(staple.der)
            return (scene.trust(presented: chain), usual)
        },
        Case("a missing staple", [.stapleMissing]) {
            let scene = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.mustStaple = true })
            var chain = PresentedChain(scene.chain)
            chain.staple = .none
            return (scene.trust(presented: chain), usual)
        },
        Case("a denied key", [.certificateDenied]) {
            try scene { trust, scene in
                trust.settings.denied = DeniedList(
                    keyDigests: [scene.intermediate.certificate.subjectPublicKeyInfoSHA256], reason: "stolen")
            }
        },
        Case("a denied certificate", [.certificateDenied]) {
            try scene { trust, scene in trust.settings.denied = DeniedList(certificates: [scene.leaf]) }
        },
        Case("a rule that denies a certificate", [.certificateDenied]) {
            let scene = try TrustScene()
            return (
                scene.trust(), .enforced(DeniedListTrustEvaluator(DeniedList(certificates: [scene.root.certificate])))
            )
        },
        Case("a rule with other anchors") {
            let scene = try TrustScene()
            return (
                scene.trust { $0.anchors = .only([]) },
                .enforced(try CertificateAuthorityTrustEvaluator(onlyAnchors: [scene.root.certificate]))
            )
        },
        Case("a root with a condition", [.anchorNameNotPermitted]) {
            try scene { trust, scene in
                let list = try RootList(
                    Array(
                        #"{"schemaVersion":1,"program":"P","roots":{"\#(Hex.encode(scene.root.certificate.sha256))":[{"permittedDomains":["example.org"]}]}}"#
                            .utf8))
                trust.anchors = trust.anchors.applying(list)
            }
        },
        Case("a distrusted intermediate", [.certificateDenied]) {
            try scene { trust, scene in
                let list = try RootList(
                    Array(
                        #"{"schemaVersion":1,"program":"P","distrusted":["\#(Hex.encode(scene.intermediate.certificate.sha256))"]}"#
                            .utf8))
                trust.anchors = trust.anchors.applying(list)
            }
        },
        Case("an unreadable leaf", [.certificateMalformed]) {
            let scene = try TrustScene()
            return (scene.trust(presented: PresentedChain(der: [[0x30, 0] as [UInt8], scene.leaf.der])), usual)
        },
        Case("an unreadable certificate between others") {
            let scene = try TrustScene()
            let der: [[UInt8]] = [scene.leaf.der, [0x30, 0], scene.intermediate.certificate.der]
            return (scene.trust(presented: PresentedChain(der: der)), usual)
        },
        Case("an empty chain", [.presentedChainEmpty]) {
            (try TrustScene().trust(presented: PresentedChain([])), usual)
        },
    ]

    @Test("A record leads to the recorded verdict", arguments: cases, [false, true])
    func replayed(_ evaluation: Case, hashesHosts: Bool) async throws {
        var settings = TrustRecorder.Settings.verifying
        if hashesHosts { settings.hosts = .hashed(key: [UInt8](repeating: 1, count: 32)) }
        let (trust, rule) = try evaluation.make()
        let found = Locked<TrustVerdict?>(nil)
        let (records, counts) = try await records(settings) { recorder in
            let manager = try ServerTrustManager(try #require(trust.host), rule, recorder)
            let verdict = manager.evaluate(trust)
            found.withLock { $0 = verdict }
        }
        let verdict = try #require(found.withLock { $0 })
        #expect(verdict.codes == evaluation.codes)
        let record = try #require(records.first)
        #expect(records.count == 1)
        #expect(counts.written == 1)
        #expect(counts.differing == 0)
        #expect(record.unrecorded == [])
        #expect(record.recorded == TrustRecord.Outcome(verdict))
        var replay = RecordReplay(memory: nil)
        let again = try replay.evaluate(record)
        #expect(record.recorded.agrees(with: TrustRecord.Outcome(again)))
        if hashesHosts, case .name = record.host { Issue.record("the record contains the host") }
    }

    @Test(
        "A record names what it can't express",
        arguments: [
            ("an app's evaluator", "CountingEvaluator"), ("Apple's rules", "AppleRequirementsTrustEvaluator"),
            ("pinned certificates", "pinned certificates"), ("an exception", "exceptions"),
            ("a denied host", "rule"),
            ("another policy", "revocation policy"), ("a pinned leaf", "pinned leaf"),
        ])
    func unrecorded(_ kind: String, _ name: String) async throws {
        let scene = try TrustScene(leaf: kind == "an exception" ? .expired : .leaf(TrustScene.name))
        var trust = scene.trust()
        var rule = Self.usual
        switch kind {
        case "an app's evaluator": rule = .enforced(CountingEvaluator(isRepeatable: true))
        case "Apple's rules": rule = .enforced(AppleRequirementsTrustEvaluator())
        case "pinned certificates":
            rule = .enforced(try PinnedCertificatesTrustEvaluator(certificates: [scene.leaf]))
        case "an exception": trust.setExceptions(try trust.evaluate().exceptions())
        case "a denied host": rule = .denied
        case "a pinned leaf":
            rule = .enforced(
                try PinnedCertificatesTrustEvaluator(certificates: [scene.leaf], performDefaultValidation: false))
        default: trust.revocation = RevocationPolicy(.required, scope: .leaf)
        }
        let (records, counts) = try await records { recorder in
            _ = try ServerTrustManager(scene.host, rule, recorder).evaluate(trust)
        }
        #expect(records.first?.unrecorded.contains(name) == true)
        #expect(counts.differing == 0)
    }

    @Test("A record has only the anchors that the search can reach")
    func anchors() async throws {
        let scene = try TrustScene()
        let others = try (0..<20).map { try TestAuthority.root(.authority("Other \($0)")).certificate }
        let (records, _) = try await records { recorder in
            let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
            _ = manager.evaluate(scene.trust { $0.anchors = .only(others + [scene.root.certificate]) })
        }
        let record = try #require(records.first)
        #expect(record.anchors == [scene.root.certificate.der])
        #expect(record.anchorStore?.count == 21)
        #expect(record.anchorStore?.name == "only")
        let digests = (others + [scene.root.certificate]).map(\.sha256).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(record.anchorStore?.sha256 == Hex.encode(Digests.sha256(Array(digests.joined()))))
    }

    @Test("A record of filters keeps their answers")
    func filters() async throws {
        for isRevoked in [false, true] {
            let log = try TestLog("Log", operatedBy: "Operator")
            let scene = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.timestamps = [log.timestamp()] })
            let issuer = Array(scene.intermediate.certificate.subjectPublicKeyInfo.sha256)
            let bytes = TestRevocationFilter(
                logs: [(log.logID, 0, UInt64.max)], issuers: [(issuer, isRevoked)]
            ).bytes
            let (records, counts) = try await records { recorder in
                let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
                let verdict = manager.evaluate(
                    try scene.prepared {
                        $0.revocation = RevocationPolicy(.bestEffort)
                        $0.revocationData.filters = [try RevocationFilter(bytes)]
                    })
                #expect(verdict.isTrusted == !isRevoked)
            }
            let record = try #require(records.first)
            #expect(counts.differing == 0)
            #expect(record.unrecorded == [])
            if isRevoked { #expect(record.filters == [bytes]) }
        }
    }

    @Test("A record of a transparency check keeps the logs that matter", arguments: [1, 2])
    func transparency(count: Int) async throws {
        let logs = try (0..<5).map { try TestLog("Log \($0)", operatedBy: "Operator \($0)") }
        let scene = try TrustScene(
            leaf: .leaf(TrustScene.name).with { $0.timestamps = logs.prefix(count).map { $0.timestamp() } })
        let list = try CTLogList(json: try TestLog.list(logs), now: .now())
        let (records, counts) = try await records { recorder in
            let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
            _ = manager.evaluate(
                scene.trust {
                    var settings = TransparencySettings(logs: list, policy: .mozilla, mode: .require)
                    settings.includesPrivateAnchors = true
                    $0.settings.transparency = settings
                })
        }
        let record = try #require(records.first)
        #expect(counts.differing == 0)
        #expect(record.unrecorded == [])
        #expect(record.recorded.isTrusted == (count == 2))
        let excerpt = try CTLogList(json: try #require(record.logs), now: .now())
        #expect(excerpt.count == count)
    }
}
