// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Extended validation")
struct ExtendedValidationTests {
    private static let ev = "2.23.140.1.1"
    private static let own = "2.16.840.1.114412.2.1"
    private static let ov = "2.23.140.1.2.2"
    private static let any = "2.5.29.32.0"

    static let rows: [(name: String, leaf: [String]?, intermediate: [String]?, root: [String]?, asserts: Bool)] = [
        ("leaf and CA state it", [ev], [ev], nil, true),
        ("the CA may state any policy", [ev], [any], nil, true),
        ("among other policies", [ov, ev], [ov, ev], nil, true),
        ("the CA states only another policy", [ev], [ov], nil, false),
        ("the CA states no policy", [ev], nil, nil, false),
        ("the leaf states another policy", [ov], [ev], nil, false),
        ("the leaf states any policy but not this one", [any], [any], nil, false),
        ("the leaf states no policy", nil, [ev], nil, false),
        ("neither states a policy", nil, nil, nil, false),
        ("a private policy of an audited CA, as before 2020", ["2.16.840.1.114412.2.1"], [any], nil, false),
        ("a policy whose number starts the same", ["2.23.140.1.1.1"], [any], nil, false),
    ]

    private func template(_ template: CertificateTemplate, _ policies: [String]?) -> CertificateTemplate {
        guard let policies else { return template }
        return template.with { $0.extensions = [.certificatePolicies(policies)] }
    }

    @Test("A verdict asserts extended validation only if the leaf states it and every CA allows it", arguments: rows)
    func asserted(name: String, leaf: [String]?, intermediate: [String]?, root: [String]?, asserts: Bool) throws {
        let scene = try TrustScene(
            root: template(.authority("Root"), root), intermediate: template(.authority("CA"), intermediate),
            leaf: template(.leaf(TrustScene.name).with { $0.organization = "Example, Inc." }, leaf))
        let verdict = scene.trust().evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.assertsExtendedValidation == asserts)
        #expect(verdict.organization == "Example, Inc.")
        // The evaluator that requires it gives the same answer.
        let demanded = AttributeTrustEvaluator([.extendedValidation]).evaluate(scene.trust())
        #expect(demanded.isTrusted == asserts)
        #expect(demanded.codes == (asserts ? [] : [.extendedValidationMissing]))
    }

    @Test(
        "If a root list names policies, the path must be valid for one of them",
        arguments: [
            ("none at all", [[]], false), ("this one", [[ev]], true), ("another", [[own]], true),
            ("one that the leaf doesn't state", [[ov]], false), ("one of two", [[ov, own]], true),
            ("every list has to", [[ev], [ov]], false), ("every list does", [[ev], [own]], true),
            ("lists without any", [nil], true), ("a list without any doesn't help another", [nil, [ov]], false),
        ] as [(String, [[String]?], Bool)])
    func listed(name: String, lists: [[String]?], asserts: Bool) throws {
        let scene = try TrustScene(
            intermediate: template(.authority("CA"), [Self.any]),
            leaf: template(.leaf(TrustScene.name), [Self.ev, Self.own]))
        let conditions = lists.map { policies in
            var conditions = AnchorConditions(source: "Example", alternatives: [AnchorConstraints()])
            conditions.extendedValidationPolicies = policies?.compactMap { OID($0) }
            return conditions
        }
        let anchor = TrustAnchor(scene.root.certificate, conditions: conditions)
        let trust = scene.trust { $0.anchors = TrustAnchors(AnchorStore([anchor])) }
        let verdict = trust.evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.assertsExtendedValidation == asserts)
        #expect(AttributeTrustEvaluator([.extendedValidation]).evaluate(trust).isTrusted == asserts)
    }

    @Test("A CA that doesn't allow extended validation prevents it, at any position in the path")
    func longerPaths() throws {
        let allowed = template(.authority("Allowed"), [Self.any])
        let barred = template(.authority("Barred"), [Self.ov])
        for (upper, lower, asserts) in [(allowed, allowed, true), (barred, allowed, false), (allowed, barred, false)] {
            let root = try TestAuthority.root()
            let first = try root.intermediate(upper.with { $0.commonName = "Upper" })
            let second = try first.intermediate(lower.with { $0.commonName = "Lower" })
            let leaf = try second.issue(template(.leaf(TrustScene.name), [Self.ev])).certificate
            var trust = Trust(
                presentedChain: [leaf, second.certificate, first.certificate], host: try Hostname(TrustScene.name))
            trust.anchors = .only([root.certificate])
            trust.verifyDate = .at(TestAuthority.now)
            let verdict = trust.evaluate()
            #expect(verdict.isTrusted && verdict.path.count == 4)
            #expect(verdict.assertsExtendedValidation == asserts)
        }
    }

    @Test("The verdict on a refused server never asserts extended validation, with any certificates")
    func refused() throws {
        let scene = try TrustScene(
            intermediate: template(.authority("CA"), [Self.ev]), leaf: template(.leaf(TrustScene.name), [Self.ev]))
        let other = scene.trust(host: try Hostname("other.example")).evaluate()
        #expect(other.codes == [.hostMismatch])
        #expect(!other.assertsExtendedValidation)
        let untrusted = scene.trust { $0.anchors = .only([]) }.evaluate()
        #expect(!untrusted.isTrusted && !untrusted.assertsExtendedValidation)
        let missed = try TrustScene.otherPins().evaluate(scene.trust())
        #expect(missed.codes == [.pinNotMatched])
        #expect(missed.path == scene.path)
        #expect(!missed.assertsExtendedValidation)
    }

    @Test("A leaf that is its own anchor, or that a user agreed to, never asserts extended validation")
    func ownAnchor() throws {
        let leaf = try TestAuthority.selfSigned(template(.leaf(TrustScene.name), [Self.ev])).certificate
        let scene = try TrustScene()
        let pinned = scene.trust([leaf]) { $0.anchors = .only([leaf]) }.evaluate()
        #expect(pinned.isTrusted)
        #expect(!pinned.assertsExtendedValidation)
        var trust = scene.trust([leaf])
        trust.setExceptions(try trust.evaluate().exceptions())
        let agreed = trust.evaluate()
        #expect(agreed.result == .proceed)
        #expect(!agreed.assertsExtendedValidation)
    }

    @Test("A disabled evaluation asserts nothing")
    func disabled() throws {
        let scene = try TrustScene(
            intermediate: template(.authority("CA"), [Self.ev]), leaf: template(.leaf(TrustScene.name), [Self.ev]))
        let trust = scene.trust { $0.anchors = .only([]) }
        let verdict = DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(trust)
        #expect(verdict.isTrusted && !verdict.excused.isEmpty)
        #expect(!verdict.assertsExtendedValidation)
    }
}

extension Extension {
    /// RFC 5280 § 4.2.1.4, without qualifiers.
    static func certificatePolicies(_ policies: [String]) -> Extension {
        let members = policies.compactMap { OID($0) }.map { Self.sequence([0x06, UInt8($0.der.count)] + $0.der) }
        return Extension(
            identifier: .certificatePolicies, isCritical: false, value: Self.sequence(members.flatMap { $0 }))
    }

    /// A sequence of fewer than 128 bytes.
    private static func sequence(_ contents: [UInt8]) -> [UInt8] { [0x30, UInt8(contents.count)] + contents }
}

extension OID {
    fileprivate static let certificatePolicies = OID("2.5.29.32") ?? .anyPolicy
}
