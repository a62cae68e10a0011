// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Denied certificates on routes to trust other than a path to a named anchor with one evaluator.
@Suite("Denied certificates on every route to trust")
struct DeniedCertificateRouteTests {
    private static let expired: Int32 = -67818
    private static let notTrusted: Int32 = -67843

    /// The certificates of a path with their issuers, the leaf first. The root is its own issuer.
    private static func links(_ path: [Certificate]) -> [(Certificate, Certificate)] {
        zip(path, Array(path.dropFirst()) + path.suffix(1)).map { ($0, $1) }
    }

    private static func expectDenied(
        _ verdict: TrustVerdict, at index: Int, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(verdict.result == .fatalFailure, comment, sourceLocation: sourceLocation)
        let denied = verdict.failures.filter { $0.code == .certificateDenied }
        #expect(denied.map(\.certificate) == [index], comment, sourceLocation: sourceLocation)
        #expect(verdict.headline?.code == .certificateDenied, comment, sourceLocation: sourceLocation)
    }

    // MARK: - The operating system

    @Test(
        "A denied certificate on the system's path is refused, with any system decision and any revocation policy",
        arguments: DenialKind.allCases)
    func system(kind: DenialKind) throws {
        let scene = try TrustScene()
        let stranger = try TrustLab.unrelatedRoot().certificate
        for (mode, resultType) in [(RevocationPolicy.Mode.off, UInt32(4)), (.bestEffort, 4), (.required, 4), (.off, 1)]
        {
            func trust(_ denied: DeniedList) -> Trust {
                scene.systemTrust(.trusting(scene.path, resultType: resultType, checked: [.revocation])) {
                    $0.revocation.mode = mode
                    $0.denied = denied
                }
            }
            for (index, link) in Self.links(scene.path).enumerated() {
                let verdict = trust(try kind.list(link.0, issuer: link.1)).evaluate()
                Self.expectDenied(verdict, at: index, "\(mode) \(resultType) \(index)")
                #expect(verdict.checked.contains(.deniedCertificates) && verdict.path == scene.path)
                #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
            }
            let verdict = trust(try kind.list(stranger, issuer: stranger)).evaluate()
            #expect(verdict.isTrusted && verdict.checked.contains(.deniedCertificates))
        }
    }

    @Test("A user's agreement doesn't make the system accept a denied certificate", arguments: DenialKind.allCases)
    func systemExceptions(kind: DenialKind) throws {
        for (template, status) in [
            (CertificateTemplate.expired, Self.expired), (.leaf(TrustScene.name), Self.notTrusted),
        ] {
            let scene = try TrustScene(leaf: template)
            let system = { FakeSystem.refusing(scene.path, status) }
            let agreed = try scene.systemTrust(system()).evaluate().exceptions()
            var trust = scene.systemTrust(system())
            #expect(trust.setExceptions(agreed) == .fits)
            #expect(trust.evaluate().isTrusted)
            for (index, link) in Self.links(scene.path).enumerated() {
                trust.denied = try kind.list(link.0, issuer: link.1)
                let verdict = trust.evaluate()
                #expect(!verdict.isTrusted && verdict.codes.contains(.certificateDenied), "\(status) \(index)")
                #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
            }
        }
    }

    @Test(
        "A disabled evaluation and a delegate trust a server that the system refuses, but not one with a denied certificate",
        arguments: DenialKind.allCases)
    func systemInsecurely(kind: DenialKind) throws {
        let scene = try TrustScene()
        let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
        let manager = try ServerTrustManager(evaluators: [TrustScene.name: DefaultTrustEvaluator()])
        let trusting = { FakeSystem.trusting(scene.path) }
        let refusing = { FakeSystem.refusing(scene.path, Self.notTrusted) }
        for system in [trusting, refusing] {
            #expect(disabled.evaluate(scene.systemTrust(system())).isTrusted)
            #expect(manager.evaluateWithoutFetching(scene.systemTrust(system()), delegate: .accept).isTrusted)
            for (index, link) in Self.links(scene.path).enumerated() {
                let denied = try kind.list(link.0, issuer: link.1)
                let trust = scene.systemTrust(system()) { $0.denied = denied }
                for verdict in [disabled.evaluate(trust), manager.evaluateWithoutFetching(trust, delegate: .accept)] {
                    #expect(!verdict.isTrusted && verdict.codes.contains(.certificateDenied), "certificate \(index)")
                }
            }
        }
    }

    @Test("If certificates are denied, a system path with an unreadable certificate is refused")
    func unreadable() throws {
        let scene = try TrustScene()
        for index in [1, 2] {
            var path = scene.path.map(\.der)
            path[index] = [0x30, 0x00]
            let system = { FakeSystem(.trusted(SystemFinding(resultType: 4, path: path, checked: []))) }
            #expect(scene.systemTrust(system()).evaluate().isTrusted)
            let denied = DeniedList(keys: [try .unused()])
            #expect(scene.systemTrust(system()) { $0.denied = denied }.evaluate().codes == [.certificateMalformed])
        }
    }

    @Test("An evaluator's denied keys apply to the system's path")
    func systemKeys() throws {
        let scene = try TrustScene()
        for (index, certificate) in scene.path.enumerated() {
            let evaluator = DeniedListTrustEvaluator(DeniedList(keys: [SPKIPin(certificate)]))
            let verdict = evaluator.evaluate(scene.systemTrust(.trusting(scene.path)))
            #expect(verdict.codes == [.certificateDenied] && verdict.failures.first?.certificate == index)
        }
        let other = DeniedListTrustEvaluator(DeniedList(keys: [try .unused()]))
        #expect(other.evaluate(scene.systemTrust(.trusting(scene.path))).isTrusted)
    }

    // MARK: - Composites

    @Test("No member of a composite accepts a denied certificate", arguments: DenialKind.allCases)
    func composites(kind: DenialKind) throws {
        let lab = try TrustLab()
        for leaf in [try lab.leaf(), try lab.expiredLeaf()] {
            let (key, certificate) = (try Exempting.key.evaluator(leaf), try Exempting.certificate.evaluator(leaf))
            let pins = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(leaf)]))
            let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
            let rows: [[any TrustEvaluator]] = [
                [key], [key, certificate], [key, pins], [pins, certificate], [disabled],
                [
                    try CompositeTrustEvaluator(evaluators: [
                        key, try CompositeTrustEvaluator(evaluators: [certificate]),
                    ])
                ],
            ]
            for (row, members) in rows.enumerated() {
                let evaluator = try CompositeTrustEvaluator(evaluators: members)
                #expect(evaluator.evaluate(try lab.trust(leaf)).isTrusted, "row \(row)")
                let path = [leaf, lab.intermediate.certificate, lab.root.certificate]
                for (index, link) in Self.links(path).enumerated() {
                    var trust = try lab.trust(leaf)
                    trust.denied = try kind.list(link.0, issuer: link.1)
                    let verdict = evaluator.evaluate(trust)
                    #expect(!verdict.isTrusted && verdict.codes.contains(.certificateDenied), "row \(row), \(index)")
                    guard !evaluator.containsDisabled else { continue }
                    let manager = try ServerTrustManager(evaluators: [TrustLab.host: evaluator])
                    #expect(
                        !manager.evaluateWithoutFetching(trust, delegate: .accept).isTrusted, "row \(row), \(index)")
                }
            }
        }
    }

    @Test("A composite of the system's anchors and named ones refuses a denied certificate on either path")
    func compositeWithSystem() throws {
        let scene = try TrustScene()
        let other = try scene.root.intermediate(.authority("Other"))
        let named = try PinnedCertificatesTrustEvaluator(
            certificates: [scene.root.certificate], acceptSelfSigned: true)
        let evaluator = try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), named])
        #expect(evaluator.evaluate(scene.systemTrust(.trusting(scene.path))).isTrusted)
        for certificate in scene.path {
            let denied = DeniedList(keys: [SPKIPin(certificate)])
            let trust = scene.systemTrust(.trusting(scene.path)) { $0.denied = denied }
            #expect(evaluator.evaluate(trust).codes.contains(.certificateDenied))
        }
        let stranger = DeniedList(keys: [SPKIPin(other.certificate)])
        #expect(evaluator.evaluate(scene.systemTrust(.trusting(scene.path)) { $0.denied = stranger }).isTrusted)
    }

    // MARK: - Leaves that need no CA

    @Test(
        "A denied leaf that is itself an anchor is refused, even if the server presents its issuer",
        arguments: DenialKind.allCases)
    func leafAsAnchor(kind: DenialKind) throws {
        let lab = try TrustLab()
        let issued = try lab.leaf()
        let selfSigned = try TrustLab.selfSigned()
        for (leaf, issuer, presented) in [
            (issued, lab.intermediate.certificate, [issued, lab.intermediate.certificate]),
            (selfSigned, selfSigned, [selfSigned]),
        ] {
            var trust = try Trust.lab(presented, anchors: [leaf])
            #expect(trust.evaluate().path == [leaf])
            trust.denied = try kind.list(leaf, issuer: issuer)
            Self.expectDenied(trust.evaluate(), at: 0, "its own anchor")
            let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
            #expect(disabled.evaluate(trust).codes == [.certificateDenied])
            for evaluator in try Exempting.allCases.map({ try $0.evaluator(leaf) }) {
                #expect(evaluator.evaluate(trust).codes.contains(.certificateDenied))
            }
            let stranger = try TrustLab.unrelatedRoot().certificate
            trust.denied = try kind.list(stranger, issuer: stranger)
            #expect(trust.evaluate().isTrusted)
        }
    }

    @Test(
        "A CA that is an anchor is refused if an entry denies it under its presented issuer",
        arguments: DenialKind.allCases)
    func authorityAsAnchor(kind: DenialKind) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let (authority, root) = (lab.intermediate.certificate, lab.root.certificate)
        for presented in [true, false] {
            var trust = try Trust.lab(presented ? [leaf, authority, root] : [leaf, authority], anchors: [authority])
            if !presented { trust.intermediates = [root] }
            #expect(trust.evaluate().path == [leaf, authority])
            trust.denied = try kind.list(authority, issuer: root)
            Self.expectDenied(trust.evaluate(), at: 1, "presented \(presented)")
        }
    }

    @Test(
        "A denied leaf that is exempt from revocation is refused, and the verdict doesn't call it exempt",
        arguments: DenialKind.allCases)
    func exempt(kind: DenialKind) throws {
        let lab = try TrustLab()
        let short = try lab.leaf {
            $0.notBefore = TestAuthority.now.advanced(by: -86_400)
            $0.notAfter = TestAuthority.now.advanced(by: 86_400)
        }
        for mode in [RevocationPolicy.Mode.off, .bestEffort, .required] {
            var trust = try lab.trust(short)
            trust.revocation.mode = mode
            trust.settings.revocation.shortLivedExemption = .all
            trust.settings.revocation.scope = .leaf
            let before = trust.evaluate()
            #expect(before.isTrusted)
            #expect(before.revocation.first?.status == (mode == .off ? nil : .exempt(.shortLived)))
            trust.denied = try kind.list(short, issuer: lab.intermediate.certificate)
            let verdict = trust.evaluate()
            Self.expectDenied(verdict, at: 0, "\(mode)")
            #expect(verdict.revocation.first?.source == (mode == .off ? nil : .deniedList))
            #expect(verdict.revocation.first?.isRevoked == (mode == .off ? nil : true))
        }
    }
}
