// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("A delegate's decision in addition to the rules")
struct DelegateDecisionTests {
    private func manager(
        _ rule: HostRule?, allHostsMustBeEvaluated: Bool = true, deniedKeys: Set<SPKIPin> = [],
        exceptions: ExceptionStore? = nil
    ) throws -> (ServerTrustManager, RecordingObserver) {
        let rules = try rule.map { [(try HostPattern(TrustScene.name), $0)] } ?? []
        let manager = try ServerTrustManager(
            rules: rules, allHostsMustBeEvaluated: allHostsMustBeEvaluated, exceptions: exceptions,
            insecureOptions: .allowsDisabledEvaluators)
        if !deniedKeys.isEmpty { manager.replaceRules(by: manager, denied: DeniedList(keys: deniedKeys)) }
        let observer = RecordingObserver()
        manager.events.add(observer)
        return (manager, observer)
    }

    private struct Refusing: TrustEvaluator {
        func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
            throw TrustFailures(TrustFailure(.evaluatorRefused))
        }
    }

    private struct Accepting: TrustEvaluator {
        func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}
    }

    // MARK: Rules with only default evaluation

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let excused: Set<TrustFailure.Code>
        var leaf = CertificateTemplate.leaf(TrustScene.name)
        let trust: @Sendable (TrustScene) throws -> Trust
    }

    static let recoverable: [Fault] = [
        Fault(testDescription: "an unknown CA", excused: [.unknownIssuer]) { scene in
            scene.trust { $0.anchors = .only([]) }
        },
        Fault(testDescription: "a missing intermediate", excused: [.unknownIssuer]) { $0.trust([$0.leaf]) },
        Fault(
            testDescription: "another name", excused: [.hostMismatch], leaf: .leaf("other.example.com"),
            trust: { $0.trust() }),
        Fault(testDescription: "a past date", excused: [.certificateExpired], leaf: .expired) { $0.trust() },
        Fault(
            testDescription: "an unknown CA, another name and a past date at once",
            excused: [.unknownIssuer, .hostMismatch, .certificateExpired],
            leaf: .leaf("other.example.com").until(TestAuthority.now.advanced(by: -1)),
            trust: { scene in scene.trust { $0.anchors = .only([]) } }),
    ]

    @Test(
        "A delegate can accept recoverable failures, and the verdict and the event name each of them",
        arguments: recoverable)
    func accepts(fault: Fault) throws {
        let scene = try TrustScene(leaf: fault.leaf)
        let trust = try fault.trust(scene)
        let rules: [HostRule?] = [
            .enforced(DefaultTrustEvaluator()),
            .enforced(try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), DefaultTrustEvaluator()])),
            .reportOnly(try TrustScene.otherPins()), nil,
        ]
        for rule in rules {
            let (manager, observer) = try manager(rule, allHostsMustBeEvaluated: rule != nil)
            #expect(!manager.evaluateWithoutFetching(trust, delegate: .defaultHandling).isTrusted)
            let before = observer.events.count
            let verdict = manager.evaluateWithoutFetching(trust, delegate: .accept)
            #expect(verdict.result == .proceed)
            #expect(verdict.isAcceptedByDelegate)
            #expect(verdict.description.contains("\n  accepted by the client's delegate"))
            #expect(Set(verdict.excused.map(\.code)) == fault.excused)
            #expect(verdict.failures.isEmpty && verdict.rejectedPaths.isEmpty)
            #expect(verdict.notChecked.contains(.revocation))
            let kinds = observer.kinds.dropFirst(before)
            #expect(kinds.contains(.delegate) && kinds.contains(.exception) && !kinds.contains(.refused))
            #expect(observer.events.last?.verdict == verdict)
            // The acceptance was for this delegate and this connection.
            #expect(!manager.evaluate(trust).isTrusted)
            #expect(try Self.coded(verdict) == verdict)
        }
    }

    private static func coded(_ verdict: TrustVerdict) throws -> TrustVerdict {
        try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict))
    }

    @Test("For a server that the rule accepts, the verdict is the rule's, and the delegate overrules nothing")
    func acceptsTrusted() throws {
        let scene = try TrustScene()
        let (manager, observer) = try manager(.enforced(scene.pins(scene.leaf)))
        let verdict = manager.evaluateWithoutFetching(scene.trust(), delegate: .accept)
        #expect(verdict == manager.evaluate(scene.trust()))
        #expect(!verdict.isAcceptedByDelegate && verdict.warnings.allSatisfy { !$0.contains("delegate") })
        #expect(observer.kinds == [.evaluated, .evaluated])
    }

    @Test("A delegate can't accept fatal or undecided failures")
    func fatal() throws {
        let scene = try TrustScene()
        let rows: [(Trust, TrustFailure.Code)] = [
            (
                scene.trust([try Self.withAnotherSignature(scene.leaf), scene.intermediate.certificate]),
                .signatureInvalid
            ),
            (scene.trust { $0.policy.budget.signatures = 0 }, .signatureBudgetExceeded),
            (scene.trust(presented: PresentedChain([])), .presentedChainEmpty),
            (scene.trust(presented: PresentedChain(der: [[1, 2, 3]])), .certificateMalformed),
        ]
        for (trust, code) in rows {
            let (manager, observer) = try manager(.enforced(DefaultTrustEvaluator()))
            let verdict = manager.evaluateWithoutFetching(trust, delegate: .accept)
            #expect(!verdict.isTrusted && !verdict.isAcceptedByDelegate)
            #expect(verdict.headline?.code == code)
            #expect(verdict.warnings.contains { $0.contains("delegate") })
            #expect(observer.kinds == [.evaluated, .refused])
        }
    }

    /// A certificate with one flipped bit in its signature.
    private static func withAnotherSignature(_ certificate: Certificate) throws -> Certificate {
        var der = certificate.der
        der[der.count - 1] ^= 1
        return try Certificate(der: der)
    }

    @Test("A wrong name doesn't hide a revocation")
    func revoked() throws {
        let scene = try TrustScene(leaf: .leaf("other.example.com"))
        let crl = try scene.intermediate.crl { $0.revoke(scene.leaf) }
        let (manager, observer) = try manager(.enforced(DefaultTrustEvaluator()))
        let trust = scene.trust {
            $0.revocation = .bestEffort
            $0.revocationData = RevocationData(crls: [crl.der])
        }
        let verdict = manager.evaluateWithoutFetching(trust, delegate: .accept)
        #expect(!verdict.isTrusted)
        #expect(Set(verdict.codes).isSuperset(of: [.certificateRevoked, .hostMismatch]))
        #expect(!verdict.isAcceptedByDelegate)
        #expect(observer.kinds == [.evaluated, .refused])
        // Best effort without a list leaves the other failures to the delegate.
        let unlisted = scene.trust { $0.revocation = .bestEffort }
        #expect(manager.evaluateWithoutFetching(unlisted, delegate: .accept).isAcceptedByDelegate)
    }

    @Test("A denied key in the presented chain is refused, even without a valid path")
    func deniedKeys() throws {
        let scene = try TrustScene(leaf: .leaf("other.example.com"))
        for denied in [scene.leaf, scene.intermediate.certificate, scene.root.certificate] {
            for anchors in [scene.anchors, .only([])] {
                // The server doesn't send the root, and without anchors no path contains it.
                if denied == scene.root.certificate, !anchors.isSame(as: scene.anchors) { continue }
                let (manager, _) = try manager(.enforced(DefaultTrustEvaluator()), deniedKeys: [SPKIPin(denied)])
                let verdict = manager.evaluateWithoutFetching(scene.trust { $0.anchors = anchors }, delegate: .accept)
                #expect(!verdict.isTrusted)
                #expect(verdict.headline?.code == .certificateDenied)
                #expect(verdict.result == .fatalFailure)
            }
        }
        let (manager, _) = try manager(
            .enforced(DefaultTrustEvaluator()), deniedKeys: [SPKIPin(try TestAuthority.root().certificate)])
        #expect(manager.evaluateWithoutFetching(scene.trust(), delegate: .accept).isAcceptedByDelegate)
    }

    @Test("Earlier exceptions count in addition to the delegate's acceptance")
    func storedExceptions() throws {
        let scene = try TrustScene(leaf: .leaf("other.example.com").until(TestAuthority.now.advanced(by: -1)))
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        var expiredAlone = scene.trust(at: TestAuthority.now)
        expiredAlone.identity = .insecurelyAnyName
        try store.add(expiredAlone.evaluate().exceptions())
        let (manager, _) = try manager(.enforced(DefaultTrustEvaluator()), exceptions: store)
        #expect(manager.evaluate(scene.trust()).codes.contains(.hostMismatch))
        let verdict = manager.evaluateWithoutFetching(scene.trust(), delegate: .accept)
        #expect(Set(verdict.excused.map(\.code)) == [.hostMismatch, .certificateExpired])
    }

    // MARK: Stricter rules

    struct Strict: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: @Sendable (TrustScene) throws -> HostRule?
        var revocation = RevocationPolicy.Mode.off
    }

    static let strict: [Strict] = [
        Strict(testDescription: "a rule that denies") { _ in .denied },
        Strict(testDescription: "a missing rule for a manager that requires one") { _ in nil },
        Strict(testDescription: "pins that don't match") { _ in .enforced(try TrustScene.otherPins()) },
        Strict(testDescription: "pins that would match") { .enforced(try $0.pins($0.leaf)) },
        Strict(testDescription: "a custom evaluator that refuses") { _ in .enforced(Refusing()) },
        Strict(testDescription: "a custom evaluator that accepts") { _ in .enforced(Accepting()) },
        Strict(testDescription: "the default and a custom evaluator") { _ in
            .enforced(try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), Accepting()]))
        },
        Strict(testDescription: "a revocation evaluator, best effort") { _ in .enforced(RevocationTrustEvaluator())
        },
        Strict(
            testDescription: "required revocation", rule: { _ in .enforced(DefaultTrustEvaluator()) },
            revocation: .required),
        Strict(testDescription: "attributes") { _ in
            .enforced(AttributeTrustEvaluator([.organization("Test")]))
        },
    ]

    @Test(
        "A delegate's acceptance has no effect under a stricter rule, and the rule's failures stay", arguments: strict
    )
    func stands(row: Strict) throws {
        let scene = try TrustScene()
        let (manager, observer) = try manager(try row.rule(scene))
        for trust in [
            scene.trust {
                $0.anchors = .only([])
                $0.revocation.mode = row.revocation
            },
            scene.trust(host: nil, at: TestAuthority.notAfter.advanced(by: 1)) { $0.revocation.mode = row.revocation },
        ] {
            let plain = manager.evaluate(trust)
            #expect(!plain.isTrusted)
            let verdict = manager.evaluateWithoutFetching(trust, delegate: .accept)
            #expect(verdict.codes == plain.codes && verdict.result == plain.result)
            #expect(!verdict.isAcceptedByDelegate && verdict.excused.isEmpty)
            #expect(verdict.warnings.count == plain.warnings.count + 1)
            #expect(manager.evaluateWithoutFetching(trust, delegate: .defaultHandling) == plain)
            #expect(observer.kinds.suffix(6).filter { $0 == .refused }.count == 3)
            #expect(!observer.kinds.contains(.delegate))
        }
    }

    // MARK: Refusals by the delegate

    @Test("A delegate's refusal refuses any server, and the verdict reports it as such")
    func refuses() throws {
        let scene = try TrustScene()
        for rule in [
            HostRule.enforced(DefaultTrustEvaluator()), .enforced(try scene.pins(scene.leaf)),
            .enforced(DisabledTrustEvaluator.insecurelyTrustingAnyServer), .reportOnly(try TrustScene.otherPins()),
        ] {
            let (manager, observer) = try manager(rule)
            let verdict = manager.evaluateWithoutFetching(scene.trust(), delegate: .refuse(expected: "consent"))
            #expect(verdict.result == .fatalFailure)
            #expect(verdict.codes == [.evaluatorRefused])
            #expect(verdict.headline?.expected == .text("consent"))
            #expect(verdict.path.first == scene.leaf && verdict.rejectedPaths.count == 1)
            #expect(verdict.unchangedFrom == nil && verdict.unchangedUntil == nil && verdict.excused.isEmpty)
            #expect(observer.kinds.prefix(2) == [.evaluated, .refused])
            #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
            #expect(try Self.coded(verdict) == verdict)
            // The refusal isn't remembered.
            #expect(manager.evaluate(scene.trust()).isTrusted)
        }
    }

    @Test("A server that the rule refuses is refused for the rule's reasons")
    func refusesRefused() throws {
        let scene = try TrustScene()
        let (manager, _) = try manager(.enforced(DefaultTrustEvaluator()))
        let trust = scene.trust { $0.anchors = .only([]) }
        #expect(
            manager.evaluateWithoutFetching(trust, delegate: .refuse(expected: "consent")).codes == [.unknownIssuer])
    }

    // MARK: Evaluations before the delegate's decision

    @Test("A review contains the earlier verdict, and is void if the rules change in the meantime")
    func review() throws {
        let scene = try TrustScene(leaf: .leaf("other.example.com"))
        let (manager, observer) = try manager(.enforced(DefaultTrustEvaluator()))
        let review = manager.review(scene.trust())
        #expect(observer.events.isEmpty && !review.isDenied)
        #expect(manager.verdict(after: review, delegate: .accept).isAcceptedByDelegate)
        #expect(manager.verdict(after: review, delegate: .defaultHandling).codes == [.hostMismatch])
        manager.replaceRules(by: manager, denied: nil)
        #expect(manager.verdict(after: review, delegate: .accept).codes == [.evaluatorRefused])
        #expect(manager.verdict(after: review, delegate: .defaultHandling).codes == [.hostMismatch])
        manager.replaceRules(by: try ServerTrustManager(rules: [TrustScene.name: .denied]), denied: nil)
        #expect(manager.review(scene.trust()).isDenied)
        #expect(manager.verdict(after: manager.review(scene.trust()), delegate: .accept).codes == [.hostDenied])
    }
}
