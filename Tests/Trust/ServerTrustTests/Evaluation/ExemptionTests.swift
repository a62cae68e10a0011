// SPDX-License-Identifier: Apache-2.0

import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust
@testable import ServerTrustTesting

/// Refuses paths that contain a certificate.
private struct RefusingPathsWith: TrustEvaluator {
    let certificate: Certificate
    let failure: TrustFailure

    init(_ certificate: Certificate, _ code: TrustFailure.Code, at index: Int = 1) {
        self.certificate = certificate
        self.failure = TrustFailure(code, certificate: index, role: .intermediate)
    }

    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        if path.certificates.contains(certificate) { throw TrustFailures(failure) }
    }
}

extension TrustFailure.Code {
    fileprivate static let custom = TrustFailure.Code(
        "customOfOne", rank: 10, severity: .recoverable, message: "{subject} refused")
}

/// The two evaluators that exempt a leaf they pin.
enum Exempting: CaseIterable {
    case key, certificate

    func evaluator(_ leaf: Certificate) throws -> any TrustEvaluator {
        switch self {
        case .key: try PublicKeysTrustEvaluator(keys: [leaf.subjectPublicKeyInfo], performDefaultValidation: false)
        case .certificate: try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false)
        }
    }

    /// A manager for ``TrustLab/host`` that denies keys.
    func manager(_ leaf: Certificate, denying: [Certificate]) throws -> ServerTrustManager {
        let manager = try ServerTrustManager(evaluators: [TrustLab.host: evaluator(leaf)])
        manager.replaceRules(by: manager, denied: DeniedList(keys: denying.map { SPKIPin($0) }))
        return manager
    }
}

@Suite("Scope of a pinned leaf's exemption")
struct ExemptionTests {
    // MARK: - Denied keys

    @Test(
        "A denied key in the leaf, CA or anchor refuses an exempt leaf, whether its path is valid or not",
        arguments: Exempting.allCases)
    func deniedKey(_ exempting: Exempting) throws {
        let lab = try TrustLab()
        for leaf in [try lab.leaf(), try lab.expiredLeaf(), try lab.leaf { $0.extendedKeyUsage = [.clientAuth] }] {
            let path = [leaf, lab.intermediate.certificate, lab.root.certificate]
            #expect(try exempting.manager(leaf, denying: []).evaluate(lab.trust(leaf)).isTrusted)
            let others = try exempting.manager(leaf, denying: [TrustLab.unrelatedRoot().certificate])
            #expect(others.evaluate(try lab.trust(leaf)).isTrusted)
            for (index, certificate) in path.enumerated() {
                let verdict = try exempting.manager(leaf, denying: [certificate]).evaluate(lab.trust(leaf))
                #expect(verdict.result == .fatalFailure)
                let denied = verdict.failures.filter { $0.code == .certificateDenied }
                #expect(denied.map(\.certificate) == [index])
                #expect(denied.first?.role == verdict.role(at: index))
                #expect(verdict.matchedPin == nil)
                #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
            }
        }
    }

    @Test(
        "A denied key in the presented chain refuses a leaf that needs its exemption, but not a leaf that is valid without it",
        arguments: Exempting.allCases)
    func deniedKeyPresented(_ exempting: Exempting) throws {
        let lab = try TrustLab()
        let stranger = try TrustLab.unrelatedRoot().certificate
        for (leaf, isRefused) in [(try lab.leaf(), false), (try lab.expiredLeaf(), true)] {
            let trust = try Trust.lab(
                [leaf, lab.intermediate.certificate, stranger], anchors: [lab.root.certificate])
            let verdict = try exempting.manager(leaf, denying: [stranger]).evaluate(trust)
            #expect(verdict.isTrusted != isRefused)
            #expect(verdict.failureCodes.contains(.certificateDenied) == isRefused)
        }
    }

    @Test(
        "A CA with a denied key refuses an exempt leaf even if no path leads to an anchor",
        arguments: Exempting.allCases)
    func deniedKeyWithoutAnchor(_ exempting: Exempting) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: [])
        let denied = try exempting.manager(leaf, denying: [lab.intermediate.certificate]).evaluate(trust)
        #expect(denied.failureCodes == [.certificateDenied, .unknownIssuer])
        // The root is neither presented nor an anchor, so the verdict can't know that it is above the leaf.
        let unknown = try exempting.manager(leaf, denying: [lab.root.certificate]).evaluate(trust)
        #expect(unknown.result == .proceed)
        // Among the caller's own intermediates, it is on the path that the engine tries.
        var known = try Trust.lab([leaf], anchors: [])
        known.intermediates = [lab.intermediate.certificate]
        #expect(
            try exempting.manager(leaf, denying: [lab.intermediate.certificate]).evaluate(known).failureCodes
                .contains(.certificateDenied))
    }

    @Test(
        "Of two cross-signed paths, one valid path without the denied key is enough, but an exemption requires that both lack it",
        arguments: Exempting.allCases)
    func crossSigned(_ exempting: Exempting) throws {
        let lab = try CrossSignedLab()
        let expired = try lab.underA.issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        let anchors = [lab.rootA.certificate, lab.rootB.certificate]
        let both = [lab.underA.certificate, lab.underB.certificate]
        for others in [both, both.reversed()] {
            for (denied, left) in [(lab.rootA, lab.rootB), (lab.rootB, lab.rootA)] {
                let valid = try exempting.manager(lab.leaf, denying: [denied.certificate])
                    .evaluate(.lab([lab.leaf] + others, anchors: anchors))
                #expect(valid.result == .unspecified)
                #expect(valid.path.last == left.certificate)
                let verdict = try exempting.manager(expired, denying: [denied.certificate])
                    .evaluate(.lab([expired] + others, anchors: anchors))
                #expect(verdict.result == .fatalFailure)
                #expect(verdict.failureCodes.first == .certificateDenied)
            }
            let clean = try exempting.manager(expired, denying: [try TrustLab.unrelatedRoot().certificate])
                .evaluate(.lab([expired] + others, anchors: anchors))
            #expect(clean.result == .proceed)
            #expect(clean.excusedCodes == [.certificateExpired])
        }
    }

    @Test(
        "A denied key refuses the server even on a path that the engine refused for another reason",
        arguments: Exempting.allCases)
    func deniedKeyOnRefusedPath(_ exempting: Exempting) throws {
        // Fatal failures of the CA don't affect a pinned leaf, but the CA's key does.
        let root = try TestAuthority.root(key: RSAKeys.bits2048.get())
        let authority = try root.intermediate(.authority("Weak").with { $0.signsWithSHA1 = true })
        let leaf = try authority.issue(.leaf(TrustLab.host)).certificate
        let trust = try Trust.lab([leaf, authority.certificate], anchors: [root.certificate])
        let relaxed = try exempting.manager(leaf, denying: []).evaluate(trust)
        #expect(relaxed.result == .proceed)
        #expect(relaxed.excusedCodes == [.signatureUsesSHA1])
        for certificate in [authority.certificate, root.certificate] {
            let verdict = try exempting.manager(leaf, denying: [certificate]).evaluate(trust)
            #expect(verdict.failureCodes == [.certificateDenied, .signatureUsesSHA1])
        }
    }

    @Test(
        "The path with a denied certificate is the refused one, whatever refuses another path first",
        arguments: Exempting.allCases)
    func deniedPath(_ exempting: Exempting) throws {
        let lab = try CrossSignedLab()
        let leaf = try lab.underA.issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        let both = [lab.underA, lab.underB]
        let roots = [lab.rootA, lab.rootB]
        for order in [[0, 1], [1, 0]] {
            for denied in [0, 1] {
                let path = [leaf, both[denied].certificate, roots[denied].certificate]
                let other = [leaf, both[1 - denied].certificate, roots[1 - denied].certificate]
                var trust = try Trust.lab(
                    [leaf] + order.map { both[$0].certificate }, anchors: roots.map(\.certificate))
                trust.denied = DeniedList(certificates: [path[1]])
                let pinned = try exempting.evaluator(leaf)
                let refusing = RefusingPathsWith(other[2], .custom, at: 2)
                for evaluator in [pinned, try CompositeTrustEvaluator(evaluators: [pinned, refusing])] {
                    let verdict = evaluator.evaluate(trust)
                    #expect(verdict.headline?.code == .certificateDenied && verdict.headline?.certificate == 1)
                    #expect(verdict.path == path && verdict.reachesAnchor)
                    #expect(verdict.rejectedPaths.map(\.certificates) == [path, other])
                    #expect(verdict.rejectedPaths[0].failures == verdict.failures)
                    #expect(verdict.rejectedPaths.allSatisfy { $0.reachesAnchor && !$0.failures.isEmpty })
                }
            }
        }
    }

    @Test("A refusal that the exemption doesn't cover also names a denied certificate in the presented chain")
    func deniedBesideName() throws {
        let lab = try TrustLab()
        let stranger = try TrustLab.unrelatedRoot().certificate
        for exempting in Exempting.allCases {
            let leaf = try lab.leaf()
            var trust = try Trust.lab(
                [leaf, lab.intermediate.certificate, stranger], anchors: [lab.root.certificate], host: "api.example.com"
            )
            #expect(try exempting.evaluator(leaf).evaluate(trust).failureCodes == [.hostMismatch])
            trust.denied = DeniedList(certificates: [stranger])
            let verdict = try exempting.evaluator(leaf).evaluate(trust)
            #expect(Set(verdict.failureCodes) == [.certificateDenied, .hostMismatch])
            #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
        }
    }

    // MARK: - Other evaluators

    /// Codes from the engine, from this module and from the program, recoverable and fatal.
    static let codes: [TrustFailure.Code] = [
        .custom, .evaluatorRefused, .attributeNotMatched, .authorityNotMatched, .certificateExpired, .untrustedRoot,
        .nameExcluded, .signatureUsesSHA1, .keyMalformed, .signatureInvalid, .revocationUnavailable,
        .certificateRevoked,
        .stepBudgetExceeded,
    ]

    @Test("The exemption never covers another evaluator's refusal of the CA, with any code", arguments: codes)
    func otherEvaluator(_ code: TrustFailure.Code) throws {
        let lab = try TrustLab()
        for exempting in Exempting.allCases {
            for leaf in [try lab.leaf(), try lab.expiredLeaf()] {
                let pinned = try exempting.evaluator(leaf)
                let refusing = RefusingPathsWith(lab.intermediate.certificate, code)
                let other = RefusingPathsWith(try TrustLab.unrelatedRoot().certificate, code)
                for members: [any TrustEvaluator] in [[pinned, refusing], [refusing, pinned]] {
                    let verdict = try CompositeTrustEvaluator(evaluators: members).evaluate(lab.trust(leaf))
                    #expect(!verdict.isTrusted)
                    #expect(verdict.failureCodes.contains(code))
                    #expect(Set(verdict.failures).count == verdict.failures.count)
                    #expect(verdict.rejectedPaths.first?.certificates == verdict.path)
                }
                #expect(
                    try CompositeTrustEvaluator(evaluators: [pinned, other]).evaluate(lab.trust(leaf)).isTrusted)
            }
        }
    }

    @Test("Of two cross-signed paths, it is enough if the other evaluator accepts one", arguments: Exempting.allCases)
    func otherEvaluatorOnAnotherPath(_ exempting: Exempting) throws {
        let lab = try CrossSignedLab()
        let leaf = try lab.underA.issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        let anchors = [lab.rootA.certificate, lab.rootB.certificate]
        let trust = try Trust.lab([leaf, lab.underA.certificate, lab.underB.certificate], anchors: anchors)
        let pinned = try exempting.evaluator(leaf)
        let refusingA = RefusingPathsWith(lab.rootA.certificate, .custom, at: 2)
        let refusingB = RefusingPathsWith(lab.rootB.certificate, .custom, at: 2)
        #expect(try CompositeTrustEvaluator(evaluators: [pinned, refusingA]).evaluate(trust).result == .proceed)
        #expect(try CompositeTrustEvaluator(evaluators: [pinned, refusingB]).evaluate(trust).result == .proceed)
        let both = try CompositeTrustEvaluator(evaluators: [pinned, refusingA, refusingB]).evaluate(trust)
        #expect(both.failureCodes.contains(.custom))
    }

    // MARK: - Revocation

    @Test("A revoked CA refuses an exempt leaf, but a good answer about it doesn't", arguments: Exempting.allCases)
    func revokedAuthority(_ exempting: Exempting) throws {
        let lab = try TrustLab()
        for leaf in [try lab.leaf(), try lab.expiredLeaf()] {
            var trust = try lab.trust(leaf)
            trust.revocation = .bestEffort
            trust.revocationData.crls = [try lab.root.crl { $0.revoke(lab.intermediate.certificate) }.der]
            let revoked = try exempting.evaluator(leaf).evaluate(trust)
            #expect(revoked.result == .fatalFailure)
            #expect(revoked.failures.filter { $0.code == .certificateRevoked }.map(\.certificate) == [1])
            trust.revocationData.crls = [try lab.root.crl().der, try lab.intermediate.crl().der]
            #expect(try exempting.evaluator(leaf).evaluate(trust).isTrusted)
        }
    }

    @Test(
        "Evidence that only one path authorizes refuses an exempt leaf that it revokes, but not if it revokes a CA",
        arguments: Exempting.allCases)
    func revokedOnOnePath(_ exempting: Exempting) throws {
        let lab = try CrossSignedLab()
        let leaf = try lab.underA.issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        // Root A issued the signer, so its list counts only below root A.
        let signer = try lab.rootA.issue(.crlSigner("Cross-signed"))
        let leafCRL = try signer.crl { $0.revoke(leaf) }.der
        let authorityCRL = try lab.rootA.crl { $0.revoke(lab.underA.certificate) }.der
        for others in [[lab.underA, lab.underB], [lab.underB, lab.underA]] {
            var trust = try Trust.lab(
                [leaf] + others.map(\.certificate), anchors: [lab.rootA.certificate, lab.rootB.certificate])
            trust.intermediates = [signer.certificate]
            trust.revocation = .bestEffort
            trust.revocationData.crls = [leafCRL]
            let revoked = try exempting.evaluator(leaf).evaluate(trust)
            #expect(revoked.failures.first { $0.code == .certificateRevoked }?.certificate == 0)
            #expect(revoked.path == [leaf, lab.underA.certificate, lab.rootA.certificate])
            trust.revocationData.crls = [authorityCRL]
            #expect(try exempting.evaluator(leaf).evaluate(trust).result == .proceed)
        }
    }

    @Test("A leaf that requires a staple is refused without one, exempt or not", arguments: Exempting.allCases)
    func mustStaple(_ exempting: Exempting) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf {
            $0.mustStaple = true
            $0.notAfter = TrustLab.past
        }
        let plain = try lab.expiredLeaf()
        for anchors in [[lab.root.certificate], []] {
            func verdict(_ leaf: Certificate, _ staple: StapleState) throws -> TrustVerdict {
                var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: anchors)
                trust.presentedChain.staple = staple
                return try exempting.evaluator(leaf).evaluate(trust)
            }
            let missing = try verdict(leaf, .none).failures.filter { $0.code == .stapleMissing }
            #expect(missing.map(\.certificate) == [0] && missing.map(\.role) == [.leaf])
            #expect(try verdict(leaf, .given([0x30, 0])).failureCodes.contains(.stapleMissing))
            // If it is unknown whether a staple was sent, the verdict doesn't mention it, as for every other leaf.
            #expect(try verdict(leaf, .unknown).result == .proceed)
            #expect(try verdict(plain, .none).result == .proceed)
        }
        // This leaf has no CA that could have answered.
        let own = try TrustLab.selfSigned { $0.mustStaple = true }
        var trust = try Trust.lab([own], anchors: [])
        trust.presentedChain.staple = .none
        #expect(try exempting.evaluator(own).evaluate(trust).result == .proceed)
    }

    // MARK: - Exceptions beside an exemption

    @Test("An exception with an exemption covers only the agreed failures of another evaluator")
    func exceptionBesideExemption() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        let refusing = RefusingPathsWith(lab.intermediate.certificate, .custom)
        // The user agreed without the exemption to the default failures and to the rule's failures.
        var trust = try lab.trust(leaf)
        let valid = try lab.leaf()
        let agreedElsewhere = try refusing.evaluate(lab.trust(valid)).exceptions()
        #expect(trust.setExceptions(agreedElsewhere) == .otherLeaf)
        let composite = try CompositeTrustEvaluator(evaluators: [try Exempting.key.evaluator(leaf), refusing])
        let refused = composite.evaluate(trust)
        #expect(refused.failureCodes == [.certificateExpired, .custom])
        trust.setExceptions(try refused.exceptions())
        let proceeding = composite.evaluate(trust)
        #expect(proceeding.result == .proceed)
        #expect(Set(proceeding.excusedCodes) == [.certificateExpired, .custom])
        let stricter = try CompositeTrustEvaluator(evaluators: [
            composite, RefusingPathsWith(lab.root.certificate, .custom, at: 2),
        ])
        #expect(stricter.evaluate(trust).failureCodes.contains(.custom))
        #expect(!stricter.evaluate(trust).isTrusted)
    }

    @Test("No exception lets an exempt leaf bypass a denied key", arguments: Exempting.allCases)
    func exceptionAndDeniedKey(_ exempting: Exempting) throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        for anchors in [[lab.root.certificate], []] {
            var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: anchors)
            try trust.setExceptions(trust.evaluate().exceptions())
            #expect(trust.evaluate().result == .proceed)
            #expect(try exempting.manager(leaf, denying: []).evaluate(trust).isTrusted)
            let verdict = try exempting.manager(leaf, denying: [lab.intermediate.certificate]).evaluate(trust)
            #expect(verdict.failureCodes.contains(.certificateDenied))
            #expect(!verdict.isTrusted)
        }
    }

    @Test(
        "An excepted leaf without a path is refused only for a denied key in the presented chain"
    )
    func exceptionWithoutPath() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: [])
        try trust.setExceptions(trust.evaluate().exceptions())
        let manager = try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
        for (denied, isTrusted) in [
            (lab.intermediate.certificate, false), (leaf, false), (lab.root.certificate, true),
        ] {
            manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(denied)]))
            let verdict = manager.evaluate(trust)
            #expect(verdict.isTrusted == isTrusted)
            #expect(verdict.failureCodes.contains(.certificateDenied) != isTrusted)
        }
    }

    // MARK: - Searches that end early

    @Test("A search that ran out of budget doesn't exempt a leaf")
    func budget() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        for exempting in Exempting.allCases {
            var trust = try lab.trust(leaf)
            trust.policy.budget.signatures = 1
            let verdict = try exempting.evaluator(leaf).evaluate(trust)
            #expect(verdict.result == .otherError)
            #expect(verdict.failureCodes.contains(.signatureBudgetExceeded))
            trust.policy.budget.signatures = 200
            #expect(try exempting.evaluator(leaf).evaluate(trust).result == .proceed)
        }
    }

    @Test("A search that ran out of budget doesn't exempt a leaf, even if it has found a path that is good enough")
    func budgetAfterPath() throws {
        // Two layers of CAs with two certificates each are four paths, and the search tries ten issuers.
        let root = try TestAuthority.root()
        var issuer = root
        var all: [Certificate] = []
        for name in ["Upper", "Lower"] {
            let below = try issuer.intermediate(.authority(name))
            all += [below.certificate, try below.crossSigned(by: issuer).certificate]
            issuer = below
        }
        let leaf = try issuer.issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        for exempting in Exempting.allCases {
            var trust = try Trust.lab([leaf] + all, anchors: [root.certificate])
            for steps in 1...9 {
                trust.policy.budget.steps = steps
                let verdict = try exempting.evaluator(leaf).evaluate(trust)
                #expect(verdict.result == .otherError, "\(steps)")
                #expect(verdict.failureCodes.contains(.stepBudgetExceeded), "\(steps)")
            }
            trust.policy.budget.steps = 200
            #expect(try exempting.evaluator(leaf).evaluate(trust).result == .proceed)
        }
    }

    @Test(
        "If the verdict can't keep all tried paths, denied keys refuse an exempt leaf because the paths can't be searched"
    )
    func manyPaths() throws {
        // Layers of CAs with two certificates each: every combination is a path.
        let root = try TestAuthority.root()
        var layer = [root]
        var all: [Certificate] = []
        var layers: [[Certificate]] = []
        for depth in 0..<7 {
            let key = TestKey.p256()
            let template = CertificateTemplate.authority("Layer \(depth)")
            let first = try layer[0].intermediate(template, key: key)
            let second = try layer[0].intermediate(template.with { $0.organization = "Test" }, key: key)
            layer = [first, second]
            all += layer.map(\.certificate)
            layers.append(layer.map(\.certificate))
        }
        let leaf = try layer[0].issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        let trust = try Trust.lab([leaf] + all, anchors: [root.certificate])
        for exempting in Exempting.allCases {
            let verdict = try exempting.manager(leaf, denying: [TrustLab.unrelatedRoot().certificate]).evaluate(
                trust)
            #expect(!verdict.isTrusted)
            // Without denied keys, or if the verdict keeps all paths, nothing prevents the exemption.
            #expect(try exempting.manager(leaf, denying: []).evaluate(trust).result == .proceed)
            let few = try Trust.lab([leaf] + all, anchors: layers[5])
            #expect(
                try exempting.manager(leaf, denying: [TrustLab.unrelatedRoot().certificate]).evaluate(few).result
                    == .proceed)
        }
    }
}
