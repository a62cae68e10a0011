// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Verdicts without a requested revocation answer.
@Suite("Revocation checks that are enabled but have no effect")
struct RevocationGapTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether the certificates name addresses of CRLs and OCSP responders.
        var hasAddresses = true
        /// Whether good CRLs of both CAs are available.
        var hasLists = false
        /// The rule's policy, or nil for a rule without a revocation check.
        var policy: RevocationPolicy?
        var change: @Sendable (inout Trust) -> Void = { _ in }
        let gaps: [RevocationGap]
    }

    static let rows: [Row] = [
        // Nothing is missing.
        Row(testDescription: "no revocation check", gaps: []),
        Row(testDescription: "available evidence", hasLists: true, policy: .bestEffort, gaps: []),
        Row(
            testDescription: "available evidence, without network", hasLists: true,
            policy: RevocationPolicy(.bestEffort, fetching: false), gaps: []),
        Row(
            testDescription: "available evidence, by settings", hasLists: true, change: { $0.revocation = .bestEffort },
            gaps: []),
        // There is no way to get an answer.
        Row(testDescription: "a rule without evidence and source", policy: .bestEffort, gaps: [.noSource]),
        Row(
            testDescription: "settings without evidence and source", change: { $0.revocation = .bestEffort },
            gaps: [.noSource]),
        Row(
            testDescription: "a rule for OCSP, with available CRLs", hasLists: true,
            policy: RevocationPolicy(.bestEffort, sources: .ocsp), gaps: [.noSource]),
        Row(
            testDescription: "OCSP without network and staple",
            policy: RevocationPolicy(.bestEffort, sources: .ocsp, fetching: false),
            gaps: [.fetchingNotAllowed]),
        Row(
            testDescription: "settings that don't allow fetching", policy: .bestEffort,
            change: { $0.revocation.fetching = false }, gaps: [.fetchingNotAllowed]),
        Row(
            testDescription: "certificates without addresses", hasAddresses: false, policy: .bestEffort,
            gaps: [.noAddress]),
        Row(
            testDescription: "certificates without addresses, without network", hasAddresses: false,
            policy: RevocationPolicy(.bestEffort, sources: .ocsp, fetching: false), gaps: [.noAddress]),
        Row(
            testDescription: "a source that had no answer", policy: .bestEffort, change: { $0.isFetching = true },
            gaps: [.notObtained]),
        Row(
            testDescription: "a source that may only read caches",
            policy: RevocationPolicy(.bestEffort, sources: .crls, fetching: false),
            change: { $0.isFetching = true }, gaps: [.fetchingNotAllowed]),
        Row(
            testDescription: "a rule and settings, each without evidence",
            policy: RevocationPolicy(.bestEffort, sources: .ocsp, fetching: false),
            change: { $0.revocation = .bestEffort }, gaps: [.noSource, .fetchingNotAllowed]),
        Row(
            testDescription: "only a leaf without evidence", policy: RevocationPolicy(.bestEffort, scope: .leaf),
            gaps: [.noSource]),
    ]

    private func scene(_ row: Row) throws -> TrustScene {
        let addresses: (inout CertificateTemplate) -> Void = {
            guard row.hasAddresses else { return }
            $0.crlDistributionPoints = [TestDistributionPoint(fullName: [.uri("http://ca.example/list.crl")])]
            $0.ocspResponders = ["http://ca.example/ocsp"]
        }
        return try TrustScene(
            intermediate: .authority("Test Intermediate").with(addresses),
            leaf: .leaf(TrustScene.name).with(addresses))
    }

    private func trust(_ row: Row, _ scene: TrustScene) throws -> Trust {
        try scene.prepared {
            if row.hasLists {
                $0.revocationData.crls = [try scene.intermediate.crl().der, try scene.root.crl().der]
            }
            row.change(&$0)
        }
    }

    private func evaluator(_ row: Row) -> any TrustEvaluator {
        row.policy.map { RevocationTrustEvaluator($0) } ?? DefaultTrustEvaluator()
    }

    @Test("A trusted verdict names each reason for a missing answer, with a warning and an event", arguments: rows)
    func gaps(row: Row) throws {
        let scene = try scene(row)
        let trust = try trust(row, scene)
        let observer = RecordingObserver()
        let manager = try ServerTrustManager(evaluators: [TrustScene.name: evaluator(row)])
        manager.events.add(observer)
        // The second verdict is a remembered one.
        for _ in 0..<2 {
            let verdict = manager.evaluate(trust)
            #expect(verdict.isTrusted)
            #expect(verdict.revocationGaps == row.gaps)
            #expect(verdict.warnings.count == row.gaps.count)
            #expect(try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict)) == verdict)
        }
        #expect(observer.kinds.count { $0 == .revocationNotChecked } == (row.gaps.isEmpty ? 0 : 2))
    }

    @Test("If the policy requires an answer, the verdict refuses the server and names no gap", arguments: rows)
    func required(row: Row) throws {
        guard var policy = row.policy else { return }
        policy.mode = .required
        let scene = try scene(row)
        let verdict = RevocationTrustEvaluator(policy).evaluate(try trust(row, scene))
        #expect(verdict.isTrusted == row.gaps.isEmpty)
        #expect(verdict.revocationGaps.isEmpty)
        #expect(Set(verdict.codes) == (row.gaps.isEmpty ? [] : [.revocationUnavailable]))
    }

    @Test("A composite, a report-only rule and a pin with a rule without evidence all name their gap", arguments: rows)
    func inCompany(row: Row) throws {
        let scene = try scene(row)
        let trust = try trust(row, scene)
        let members: [any TrustEvaluator] = [
            DefaultTrustEvaluator(validateHost: false), try scene.pins(scene.leaf), evaluator(row),
        ]
        for members in [members, members.reversed()] {
            let composite = try CompositeTrustEvaluator(evaluators: members)
            #expect(composite.evaluate(trust).revocationGaps == row.gaps)
        }
        let manager = try ServerTrustManager(rules: [TrustScene.name: .reportOnly(evaluator(row))])
        let verdict = manager.evaluate(trust)
        #expect(verdict.isTrusted && verdict.revocationGaps == row.gaps)
    }

    @Test("An evaluation with a source and one without don't share a remembered verdict")
    func memory() throws {
        let scene = try scene(Self.rows[0])
        let memory = VerdictMemory()
        var trust = scene.trust { $0.revocation = .bestEffort }
        for _ in 0..<2 {
            trust.isFetching = false
            #expect(trust.evaluate(rememberingIn: memory).revocationGaps == [.noSource])
            trust.isFetching = true
            #expect(trust.evaluate(rememberingIn: memory).revocationGaps == [.notObtained])
        }
    }

    @Test("A leaf that is its own anchor has no CA that could answer, but a leaf below a CA does")
    func ownAnchor() throws {
        let leaf = try TrustLab.selfSigned()
        let composite = try CompositeTrustEvaluator(evaluators: [
            PinnedCertificatesTrustEvaluator(certificates: [leaf], acceptSelfSigned: true),
            RevocationTrustEvaluator(),
        ])
        let trust = try Trust.lab([leaf], anchors: [leaf])
        let verdict = composite.evaluate(trust)
        #expect(verdict.isTrusted && verdict.revocationGaps == [.noIssuer])
        let pinned = try PinnedCertificatesTrustEvaluator(certificates: [leaf], acceptSelfSigned: true)
        #expect(pinned.evaluate(trust).revocationGaps.isEmpty)
        let expired = try TrustScene(leaf: .expired)
        let exempt = try PinnedCertificatesTrustEvaluator(
            certificates: [expired.leaf], performDefaultValidation: false)
        let excused = exempt.evaluate(expired.trust { $0.revocation = .bestEffort })
        #expect(excused.result == .proceed && excused.revocationGaps == [.noIssuer])
    }

    @Test("A server that is revoked or refused for another reason has no gap")
    func refused() throws {
        let scene = try TrustScene()
        let other = scene.trust(host: try Hostname("other.example")) { $0.revocation = .bestEffort }
        #expect(other.evaluate().codes == [.hostMismatch] && other.evaluate().revocationGaps.isEmpty)
        let revoking = try scene.intermediate.crl { $0.revoke(scene.leaf) }.der
        let revoked = scene.trust {
            $0.revocation = .bestEffort
            $0.revocationData.crls = [revoking]
        }.evaluate()
        #expect(revoked.codes == [.certificateRevoked] && revoked.revocationGaps.isEmpty)
    }

    @Test("A delegate's refusal leaves no gap")
    func delegate() throws {
        let scene = try TrustScene()
        let manager = try ServerTrustManager(evaluators: [TrustScene.name: RevocationTrustEvaluator()])
        #expect(!manager.evaluateWithoutFetching(scene.trust(), delegate: .defaultHandling).revocationGaps.isEmpty)
        let refused = manager.evaluateWithoutFetching(scene.trust(), delegate: .refuse(expected: "another"))
        #expect(!refused.isTrusted && refused.revocationGaps.isEmpty)
        #expect(try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(refused)) == refused)
    }
}
