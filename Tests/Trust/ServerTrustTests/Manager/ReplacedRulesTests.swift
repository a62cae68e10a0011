// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Replaced rules and denied keys")
struct ReplacedRulesTests {
    private func pinned(_ pin: SPKIPin) throws -> ServerTrustManager {
        try ServerTrustManager(
            evaluators: [TrustLab.host: SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [pin]))])
    }

    @Test("Replaced rules apply from the next verdict on, and no remembered verdict is reused")
    func replaced() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let good = try pinned(SPKIPin(leaf))
        let other = try pinned(try .unused())
        let manager = try pinned(SPKIPin(leaf))
        // Twice, so that the second verdict is a remembered one.
        for _ in 0..<2 { #expect(manager.evaluate(try lab.trust(leaf)).isTrusted) }
        manager.replaceRules(by: other, denied: nil)
        for _ in 0..<2 { #expect(manager.evaluate(try lab.trust(leaf)).failureCodes == [.pinNotMatched]) }
        manager.replaceRules(by: good, denied: nil)
        #expect(manager.evaluate(try lab.trust(leaf)).isTrusted)
        // The manager that provided the rules is unchanged.
        #expect(other.evaluate(try lab.trust(leaf)).failureCodes == [.pinNotMatched])
    }

    @Test("Replacing the rules also replaces the decision for hosts without a rule")
    func unlisted() throws {
        let lab = try TrustLab()
        let manager = try ServerTrustManager(evaluators: [:])
        #expect(manager.evaluate(try lab.trust(try lab.leaf())).failureCodes == [.hostNotListed])
        manager.replaceRules(
            by: try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false), denied: nil)
        #expect(!manager.allHostsMustBeEvaluated)
        #expect(manager.evaluate(try lab.trust(try lab.leaf())).isTrusted)
        manager.replaceRules(by: manager, denied: DeniedList(keys: [try .unused()]))
        #expect(manager.evaluate(try lab.trust(try lab.leaf())).isTrusted)
        #expect(manager.denied == DeniedList(keys: [try .unused()]))
    }

    enum Rule: CaseIterable { case pinned, byDefault, reportOnly, unlisted, noHostCheck, disabled }

    private func manager(_ rule: Rule, _ leaf: Certificate) throws -> ServerTrustManager {
        let pins = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(leaf)]))
        return switch rule {
        case .pinned: try ServerTrustManager(evaluators: [TrustLab.host: pins])
        case .byDefault: try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
        case .reportOnly: try ServerTrustManager(rules: [TrustLab.host: .reportOnly(pins)])
        case .unlisted: try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)
        case .noHostCheck:
            try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator(validateHost: false)])
        case .disabled:
            try ServerTrustManager(
                evaluators: [TrustLab.host: DisabledTrustEvaluator.insecurelyTrustingAnyServer],
                insecureOptions: .allowsDisabledEvaluators)
        }
    }

    @Test("A denied key in the leaf, CA or anchor is refused under any rule", arguments: Rule.allCases)
    func denied(_ rule: Rule) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let manager = try manager(rule, leaf)
        for certificate in [leaf, lab.intermediate.certificate, lab.root.certificate] {
            #expect(manager.evaluate(try lab.trust(leaf)).isTrusted)
            manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(certificate)]))
            let verdict = manager.evaluate(try lab.trust(leaf))
            #expect(!verdict.isTrusted)
            #expect(verdict.failureCodes == [.certificateDenied])
            #expect(verdict.headline?.deniedEntry == .init(.key, SPKIPin(certificate).description))
            manager.replaceRules(by: manager, denied: nil)
        }
    }

    @Test("No exception accepts a denied key")
    func exception() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        let manager = try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
        var trust = try lab.trust(leaf)
        try trust.setExceptions(manager.evaluate(trust).exceptions())
        #expect(manager.evaluate(trust).isTrusted)
        manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(leaf)]))
        #expect(manager.evaluate(trust).failureCodes.contains(.certificateDenied))
    }

    @Test("Of two paths, the one without the denied key counts")
    func crossSigned() throws {
        let lab = try CrossSignedLab()
        let manager = try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)
        let leaf = try lab.underA.issue(.leaf(TrustLab.host)).certificate
        let trust = try Trust.lab(
            [leaf, lab.underA.certificate, lab.underB.certificate],
            anchors: [lab.rootA.certificate, lab.rootB.certificate])
        for (denied, left) in [(lab.rootA, lab.rootB), (lab.rootB, lab.rootA)] {
            manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(denied.certificate)]))
            #expect(manager.evaluate(trust).path.last == left.certificate)
        }
        manager.replaceRules(
            by: manager,
            denied: DeniedList(keys: [SPKIPin(lab.rootA.certificate), SPKIPin(lab.rootB.certificate)]))
        #expect(manager.evaluate(trust).failureCodes.contains(.certificateDenied))
    }

    @Test("While rules are replaced, every verdict follows either the old or the new rules")
    func threads() async throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        // One manager allows the host and denies nothing. The other manager has no rule for the host. A verdict is
        // never a mixture of both.
        let open = try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
        let closed = try ServerTrustManager(evaluators: [:])
        let manager = try ServerTrustManager(evaluators: [:])
        let trust = try lab.trust(leaf)
        await withTaskGroup(of: Set<String>.self) { group in
            group.addTask {
                for _ in 0..<500 {
                    manager.replaceRules(by: open, denied: nil)
                    manager.replaceRules(by: closed, denied: DeniedList(keys: [SPKIPin(leaf)]))
                }
                return []
            }
            for _ in 0..<3 {
                group.addTask {
                    Set(
                        (0..<200).map { _ in manager.evaluate(trust).failures.map(\.code.name).joined(separator: ",")
                        })
                }
            }
            for await codes in group { #expect(codes.isSubset(of: ["", "hostNotListed"])) }
        }
    }
}
