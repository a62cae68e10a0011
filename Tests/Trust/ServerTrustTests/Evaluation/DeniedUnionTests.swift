// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Several kinds of entries in one list, and lists from several places in one evaluation.
@Suite("Unions of denied certificates, keys and serial numbers")
struct DeniedUnionTests {
    /// The certificates of the lab's path with their issuers, the leaf first.
    private static func links(_ lab: TrustLab, _ leaf: Certificate) -> [(Certificate, Certificate)] {
        let (intermediate, root) = (lab.intermediate.certificate, lab.root.certificate)
        return [(leaf, intermediate), (intermediate, root), (root, root)]
    }

    /// Returns a list with an entry of every kind, each for an unrelated certificate.
    private static func strangers() throws -> DeniedList {
        var all = DeniedList()
        for kind in DenialKind.allCases {
            let stranger = try TestAuthority.root(.authority("Stranger \(kind)")).certificate
            all.formUnion(try kind.list(stranger, issuer: stranger))
        }
        return all
    }

    @Test(
        "An entry applies at any position in a union, and the failure names its kind", arguments: DenialKind.allCases)
    func position(kind: DenialKind) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let strangers = try Self.strangers()
        var trust = try lab.trust(leaf)
        trust.denied = strangers
        #expect(trust.evaluate().isTrusted)
        for (index, link) in Self.links(lab, leaf).enumerated() {
            let entry = try kind.list(link.0, issuer: link.1)
            for lists in [[entry, strangers], [strangers, entry], [strangers, entry, strangers]] {
                trust.denied = lists.reduce(into: DeniedList()) { $0.formUnion($1) }
                let verdict = trust.evaluate()
                #expect(verdict.failureCodes == [.certificateDenied])
                #expect(verdict.headline?.certificate == index)
                #expect(verdict.headline?.deniedEntry?.kind == kind.named)
            }
        }
    }

    @Test(
        "The lists of the trust object, the manager and the rule's evaluator all apply", arguments: DenialKind.allCases
    )
    func places(kind: DenialKind) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let strangers = try Self.strangers()
        for (index, link) in Self.links(lab, leaf).enumerated() {
            let entry = try kind.list(link.0, issuer: link.1)
            for (ofTrust, ofManager, ofRule) in [
                (entry, strangers, strangers), (strangers, entry, strangers), (strangers, strangers, entry),
                (entry, entry, entry),
            ] {
                let manager = try ServerTrustManager(
                    evaluators: [TrustLab.host: DeniedListTrustEvaluator(ofRule)])
                manager.replaceRules(by: manager, denied: ofManager)
                var trust = try lab.trust(leaf)
                trust.denied = ofTrust
                for verdict in [manager.evaluate(trust), manager.evaluateWithoutFetching(trust, delegate: .accept)] {
                    #expect(verdict.failureCodes == [.certificateDenied])
                    #expect(verdict.headline?.certificate == index)
                    #expect(verdict.checked.filter { $0 == .deniedCertificates }.count == 1)
                }
            }
        }
    }

    @Test(
        "An evaluator's list refuses an exempt leaf if it denies the leaf, a CA or the anchor",
        arguments: DenialKind.allCases)
    func exempted(kind: DenialKind) throws {
        let lab = try TrustLab()
        for leaf in [try lab.leaf(), try lab.expiredLeaf()] {
            for exempting in Exempting.allCases {
                for (index, link) in Self.links(lab, leaf).enumerated() {
                    let list = try kind.list(link.0, issuer: link.1)
                    let evaluator = try CompositeTrustEvaluator(evaluators: [
                        exempting.evaluator(leaf), DeniedListTrustEvaluator(list),
                    ])
                    let verdict = evaluator.evaluate(try lab.trust(leaf))
                    #expect(verdict.result == .fatalFailure)
                    #expect(
                        verdict.failures.filter { $0.code == .certificateDenied }.map(\.certificate) == [index])
                }
            }
        }
    }

    @Test("With evaluation disabled, a denied key refuses the server anywhere in the presented chain and as an anchor")
    func disabled() throws {
        let lab = try CrossSignedLab()
        let manager = try ServerTrustManager(
            evaluators: [TrustLab.host: DisabledTrustEvaluator.insecurelyTrustingAnyServer],
            insecureOptions: .allowsDisabledEvaluators)
        let stranger = try TrustLab.unrelatedRoot().certificate
        let trust = try Trust.lab(
            [lab.leaf, lab.underA.certificate, lab.underB.certificate, stranger],
            anchors: [lab.rootA.certificate, lab.rootB.certificate])
        #expect(manager.evaluate(trust).isTrusted)
        for denied in [lab.leaf, lab.underA.certificate, stranger] {
            manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(denied)]))
            let verdict = manager.evaluate(trust)
            #expect(verdict.failureCodes == [.certificateDenied] && verdict.headline?.deniedEntry?.kind == .key)
        }
        manager.replaceRules(
            by: manager, denied: DeniedList(keys: [SPKIPin(lab.rootA.certificate), SPKIPin(lab.rootB.certificate)]))
        #expect(manager.evaluate(trust).failureCodes.contains(.certificateDenied))
    }

    @Test("A custom evaluator that calls the list's evaluator refuses the server as the list does")
    func wrapped() throws {
        struct Wrapping: TrustEvaluator {
            let inner: DeniedListTrustEvaluator
            func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
                try inner.check(path, for: trust)
            }
        }
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        for (index, link) in Self.links(lab, leaf).enumerated() {
            for kind in DenialKind.allCases {
                let evaluator = Wrapping(
                    inner: DeniedListTrustEvaluator(try kind.list(link.0, issuer: link.1)))
                let verdict = evaluator.evaluate(try lab.trust(leaf))
                #expect(verdict.failureCodes == [.certificateDenied] && verdict.headline?.certificate == index)
            }
        }
    }
}
