// SPDX-License-Identifier: Apache-2.0

import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust
@testable import ServerTrustTesting

@Suite("Revocation evaluator")
struct RevocationTrustEvaluatorTests {
    let scene: TrustScene

    init() throws { scene = try TrustScene() }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let policy: RevocationPolicy
        /// The status in the CRL and in the OCSP response: true for good, false for revoked, or nil for no such
        /// evidence.
        let crl: Bool?
        let ocsp: Bool?
        let codes: [TrustFailure.Code]
    }

    private static let rows = [
        Row(testDescription: "any: both good", policy: .bestEffort, crl: true, ocsp: true, codes: []),
        Row(testDescription: "any: nothing available", policy: .bestEffort, crl: nil, ocsp: nil, codes: []),
        Row(
            testDescription: "any: the CRL revokes", policy: .bestEffort, crl: false, ocsp: true,
            codes: [.certificateRevoked]
        ),
        Row(
            testDescription: "any: OCSP revokes", policy: .bestEffort, crl: true, ocsp: false,
            codes: [.certificateRevoked]),
        Row(
            testDescription: "ocsp: a CRL doesn't prove a certificate good",
            policy: RevocationPolicy(.required, sources: .ocsp),
            crl: true,
            ocsp: nil, codes: [.revocationUnavailable]),
        Row(
            testDescription: "ocsp: a CRL revokes", policy: RevocationPolicy(.bestEffort, sources: .ocsp), crl: false,
            ocsp: nil, codes: [.certificateRevoked]),
        Row(
            testDescription: "crl: OCSP isn't used", policy: RevocationPolicy(.required, sources: .crls), crl: nil,
            ocsp: true,
            codes: [.revocationUnavailable]),
        Row(
            testDescription: "no source: nothing proves a certificate good",
            policy: RevocationPolicy(.required, sources: []),
            crl: true,
            ocsp: true, codes: [.revocationUnavailable]),
        Row(
            testDescription: "no source: a CRL revokes", policy: RevocationPolicy(.bestEffort, sources: []), crl: false,
            ocsp: true, codes: [.certificateRevoked]),
        Row(testDescription: "off: nothing is required", policy: .off, crl: nil, ocsp: nil, codes: []),
        Row(testDescription: "off: OCSP revokes", policy: .off, crl: nil, ocsp: false, codes: [.certificateRevoked]),
        Row(
            testDescription: "required: nothing available", policy: .required, crl: nil,
            ocsp: nil,
            codes: [.revocationUnavailable]),
        Row(
            testDescription: "preferring CRLs", policy: RevocationPolicy(.required, prefersCRLs: true), crl: true,
            ocsp: true,
            codes: []),
    ]

    @Test("A policy's mode and sources have the effect that their names state", arguments: rows)
    func policies(row: Row) throws {
        let trust = try scene.prepared {
            if let crl = row.crl {
                $0.revocationData.crls = [try scene.intermediate.crl { if !crl { $0.revoke(scene.leaf) } }.der]
            }
            if let ocsp = row.ocsp {
                $0.revocationData.ocspResponses = [
                    try scene.intermediate.ocspResponse { $0.add(scene.leaf, ocsp ? .good : .revoked) }.der
                ]
            }
        }
        var policy = row.policy
        policy.scope = .leaf
        let verdict = RevocationTrustEvaluator(policy).evaluate(trust)
        #expect(verdict.codes == row.codes)
        if row.crl == true, row.ocsp == true, !policy.sources.isEmpty {
            #expect(verdict.revocation.first?.source == (policy.prefersCRLs ? .crl : .ocsp))
        }
    }

    @Test("The evaluator can't relax the trust object's own requirements")
    func tightens() throws {
        let trust = try scene.prepared {
            $0.revocation = .required
            $0.revocationData.crls = [try scene.intermediate.crl().der]
        }
        // The leaf is good, but the intermediate has no evidence.
        let relaxed = RevocationTrustEvaluator(RevocationPolicy(.bestEffort, scope: .leaf))
        #expect(relaxed.evaluate(trust).codes == [.revocationUnavailable])
    }

    @Test(
        "The evaluator's age limits apply unless they are the defaults, and it fetches only if both policies allow that"
    )
    func limits() {
        var settings = RevocationPolicy.off
        settings.fetching = false
        settings.maximumAge.leaf = .days(4)
        settings.maximumAgeWithoutNextUpdate = .hours(1)
        settings.maximumFilterAge = .days(3)
        settings.futureTolerance = .zero
        settings.shortLivedExemption = .none
        for mode in RevocationPolicy.Mode.allCases {
            let policy = RevocationPolicy(mode, sources: .crls, prefersCRLs: true, scope: .leaf)
            let completed = policy.within(settings)
            #expect((completed.mode, completed.fetching) == (mode, false))
            #expect(completed.sources == .crls && completed.prefersCRLs && completed.scope == .leaf)
            #expect(completed.maximumAge == settings.maximumAge)
            #expect(completed.maximumAgeWithoutNextUpdate == .hours(1) && completed.maximumFilterAge == .days(3))
            #expect(completed.futureTolerance == .zero && completed.shortLivedExemption == .none)
            #expect(policy.within(.off) == policy)
        }
        var own = RevocationPolicy(.required, fetching: false)
        own.maximumAge = .init(leaf: .days(1), anchors: .all)
        own.shortLivedExemption = .all
        #expect(own.within(.off) == own)
        #expect(own.within(settings).maximumAge == own.maximumAge)
        #expect(own.within(settings).shortLivedExemption == .all)
        // Each of the age limits separately.
        var partial = RevocationPolicy.required
        partial.maximumAge.authority = .days(30)
        settings.maximumAge.anchors = .all
        let ages = partial.within(settings).maximumAge
        #expect(ages.leaf == .days(4) && ages.authority == .days(30) && ages.anchors == .all)
    }

    @Test("Evidence that is too old for the evaluator isn't an answer, even if the settings accept it")
    func olderThanOnePolicyAllows() throws {
        let trust = try scene.prepared {
            $0.revocationData.crls = [try scene.intermediate.crl().der]
            $0.revocation = RevocationPolicy(.bestEffort, scope: .leaf)
        }
        #expect(trust.evaluate().revocation.first?.status == .good)
        var policy = RevocationPolicy(.bestEffort, scope: .leaf)
        policy.maximumAge = .init(leaf: .seconds(-1), anchors: .all)
        let verdict = RevocationTrustEvaluator(policy).evaluate(trust)
        #expect(verdict.isTrusted)
        #expect(verdict.revocation.first?.isOutOfDate == true)
        #expect(verdict.notChecked.contains(.revocation) && !verdict.checked.contains(.revocation))
    }

    @Test("The trust object's age limits refuse old evidence for a check that only the evaluator requests")
    func settingsAges() throws {
        let trust = try scene.prepared {
            $0.revocationData.crls = [try scene.intermediate.crl().der]
            $0.revocation.maximumAge = .init(leaf: .seconds(-1), anchors: .all)
        }
        let policy = RevocationPolicy(.required, scope: .leaf)
        #expect(RevocationTrustEvaluator(policy).evaluate(trust).codes == [.revocationUnavailable])
    }

    @Test("Together with other evaluators, the evaluator adds its own check, and the verdict contains its findings")
    func composite() throws {
        let composite = try CompositeTrustEvaluator(evaluators: [
            DefaultTrustEvaluator(), RevocationTrustEvaluator(.required),
        ])
        let good = try scene.prepared {
            $0.revocationData.crls = [try scene.intermediate.crl().der, try scene.root.crl().der]
        }
        let verdict = composite.evaluate(good)
        #expect(verdict.isTrusted)
        #expect(verdict.revocation.map(\.status) == [.good, .good])
        #expect(verdict.checked.contains(.revocation) && !verdict.notChecked.contains(.revocation))
        #expect(composite.evaluate(scene.trust()).codes == [.revocationUnavailable, .revocationUnavailable])
    }

    @Test("The evaluator checks the name by default")
    func host() throws {
        let trust = scene.trust(host: try Hostname("other.example"))
        #expect(RevocationTrustEvaluator().evaluate(trust).codes == [.hostMismatch])
        #expect(RevocationTrustEvaluator(validateHost: false).evaluate(trust).isTrusted)
    }
}

/// "Must staple", RFC 7633.
@Suite("Must-staple")
struct MustStapleTests {
    let scene: TrustScene

    init() throws { scene = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.mustStaple = true }) }

    private func staple(_ status: TestOCSPResponse.CertificateStatus = .good) throws -> StapleState {
        .given(try scene.intermediate.ocspResponse { $0.add(scene.leaf, status) }.der)
    }

    @Test("If a transport can't say whether a staple was sent, the verdict says that the requirement isn't checked")
    func unknown() {
        for check in [RevocationPolicy.Mode.off, .bestEffort] {
            let verdict = scene.trust { $0.revocation.mode = check }.evaluate()
            #expect(verdict.isTrusted)
            #expect(verdict.notChecked.contains(.staple) && !verdict.checked.contains(.staple))
        }
    }

    @Test("A missing staple is a fatal refusal", arguments: RevocationPolicy.Mode.allCases)
    func missing(check: RevocationPolicy.Mode) throws {
        let crls = [try scene.intermediate.crl().der, try scene.root.crl().der]
        let verdict = scene.trust {
            $0.presentedChain.staple = .none
            $0.revocation.mode = check
            $0.revocationData.crls = crls
        }.evaluate()
        #expect(verdict.codes == [.stapleMissing])
        #expect(verdict.result == .fatalFailure)
    }

    @Test("Only a good staple that counts meets the requirement")
    func given() throws {
        let good = try scene.prepared { $0.presentedChain.staple = try staple() }.evaluate()
        #expect(good.isTrusted && good.checked.contains(.staple))
        for state in [try staple(.unknown), .given([1, 2, 3])] {
            #expect(scene.trust { $0.presentedChain.staple = state }.evaluate().codes == [.stapleMissing])
        }
        // The certificate asks for an OCSP response, even if the policy only uses CRLs.
        let listsOnly = try scene.prepared {
            $0.presentedChain.staple = try staple()
            $0.revocation = RevocationPolicy(.bestEffort, sources: .crls)
        }.evaluate()
        #expect(listsOnly.isTrusted && listsOnly.checked.contains(.staple))
        let revoked = try scene.prepared { $0.presentedChain.staple = try staple(.revoked) }.evaluate()
        #expect(revoked.codes == [.certificateRevoked, .stapleMissing])
    }

    @Test("A leaf that is exempt from revocation checks because it is short-lived still needs a good staple")
    func shortLived() throws {
        let leaf = try scene.intermediate.issue(
            .leaf(TrustScene.name).with {
                $0.mustStaple = true
                ($0.notBefore, $0.notAfter) = (TestAuthority.now, TestAuthority.now.advanced(by: 3 * 86_400))
            }
        ).certificate
        for (subject, failures) in [
            (leaf, []),
            (
                scene.leaf,
                [TrustFailure(.stapleMissing, certificate: 0, role: .leaf, found: .text("shortLived"))]
            ),
        ] as [(Certificate, [TrustFailure])] {
            let staple = try scene.intermediate.ocspResponse { $0.add(subject) }
            let trust = scene.trust([leaf, scene.intermediate.certificate]) {
                $0.presentedChain.staple = .given(staple.der)
                $0.revocation.shortLivedExemption = .all
            }
            #expect(trust.evaluate().failures == failures)
        }
    }

    @Test("A leaf directly below its anchor needs a staple, and a leaf that is an anchor doesn't")
    func shortPaths() throws {
        let leaf = try scene.root.issue(.leaf(TrustScene.name).with { $0.mustStaple = true }).certificate
        let good = StapleState.given(try scene.root.ocspResponse { $0.add(leaf) }.der)
        let missing = TrustFailure(.stapleMissing, certificate: 0, role: .leaf, found: .text("none"))
        let rows: [(StapleState, isAnchor: Bool, failures: [TrustFailure], isChecked: Bool, isNotChecked: Bool)] = [
            (.unknown, false, [], false, true), (.none, false, [missing], false, false),
            (good, false, [], true, false), (.unknown, true, [], false, false), (.none, true, [], false, false),
            (good, true, [], false, false),
        ]
        for row in rows {
            let verdict = scene.trust([leaf]) {
                $0.presentedChain.staple = row.0
                if row.isAnchor { $0.anchors = .only([leaf]) }
            }.evaluate()
            #expect(verdict.failures == row.failures)
            #expect(verdict.checked.contains(.staple) == row.isChecked)
            #expect(verdict.notChecked.contains(.staple) == row.isNotChecked)
        }
    }

    @Test("A verdict that depends on a staple is valid no longer than the staple")
    func validity() throws {
        let verdict = try scene.prepared { $0.presentedChain.staple = try staple() }.evaluate()
        #expect(verdict.unchangedUntil == TestAuthority.now.advanced(by: 7 * 86_400))
    }

    @Test("A verdict with a staple isn't remembered for a connection without one")
    func memory() throws {
        let memory = VerdictMemory()
        var trust = try scene.prepared { $0.presentedChain.staple = try staple() }
        #expect(trust.evaluate(rememberingIn: memory).isTrusted && memory.count == 1)
        trust.presentedChain.staple = .none
        #expect(trust.evaluate(rememberingIn: memory).codes == [.stapleMissing])
    }

    @Test("A certificate that doesn't require a staple needs none")
    func undemanding() throws {
        let scene = try TrustScene()
        let verdict = scene.trust { $0.presentedChain.staple = .none }.evaluate()
        #expect(verdict.isTrusted)
        #expect(!verdict.checked.contains(.staple) && !verdict.notChecked.contains(.staple))
    }
}

@Suite("Revocation data that could be fetched")
struct RevocationNeedTests {
    private static let template = CertificateTemplate.leaf(TrustScene.name).with {
        $0.ocspResponders = ["http://ocsp.example.com", "ldap://ocsp.example.com", "HTTPS://b.example"]
        $0.crlDistributionPoints = [
            .init(fullName: [.uri("http://crl.example.com/1"), .uri("ldap://x"), .uri("http://crl.example.com/2")]),
            .init(fullName: [.uri("http://crl.example.com/some")], reasons: [.keyCompromise]),
        ]
        $0.freshestCRL = ["http://crl.example.com/delta"]
    }
    let scene: TrustScene

    init() throws { scene = try TrustScene(leaf: Self.template) }

    @Test("Evidence that is too old for one of two policies is needed again")
    func olderThanOnePolicyAllows() throws {
        let crl = try scene.intermediate.crl().der
        let trust = scene.trust {
            $0.revocationData.crls = [crl]
            $0.revocation = RevocationPolicy(.bestEffort, scope: .leaf)
        }
        var policy = RevocationPolicy(.bestEffort, scope: .leaf)
        let same = RevocationTrustEvaluator(policy)
        #expect(same.revocationNeeds(of: trust, after: same.evaluate(trust)).isEmpty)
        policy.maximumAge = .init(leaf: .seconds(-1), anchors: .all)
        let stricter = RevocationTrustEvaluator(policy)
        #expect(!stricter.revocationNeeds(of: trust, after: stricter.evaluate(trust)).isEmpty)
    }

    @Test("The needs list responders with the request and CRL locations for each certificate without an answer")
    func needs() throws {
        let trust = scene.trust { $0.revocation = .required }
        let needs = trust.revocationNeeds(after: trust.evaluate())
        // The intermediate names no address.
        let need = try #require(needs.first)
        #expect(needs.count == 1)
        #expect(need.index == 0 && need.certificate == scene.leaf && need.issuer == scene.intermediate.certificate)
        #expect(need.responders?.urls == ["http://ocsp.example.com", "HTTPS://b.example"])
        #expect(need.responders?.request == OCSPRequest(scene.leaf, issuer: scene.intermediate.certificate))
        #expect(
            need.crls.map(\.urls) == [
                ["http://crl.example.com/1", "http://crl.example.com/2"], ["http://crl.example.com/some"],
                ["http://crl.example.com/delta"],
            ])
        #expect(need.crls.map(\.isDelta) == [false, false, true])
        #expect(need.crls.map(\.reasons) == [nil, 1 << 1, nil])
        #expect(need.crls.allSatisfy { $0.issuer == scene.intermediate.certificate.subject })
        // Addresses in certificates that weren't validated aren't used.
        var verdict = trust.evaluate()
        verdict.reachesAnchor = false
        #expect(trust.revocationNeeds(after: verdict).isEmpty)
    }

    @Test("With fetched evidence, the status is known and nothing more is needed")
    func answered() throws {
        var trust = scene.trust {
            $0.revocation = .required
            $0.revocation.scope = .leaf
        }
        #expect(!trust.evaluate().isTrusted)
        trust.revocationData.ocspResponses = [try scene.intermediate.ocspResponse { $0.add(scene.leaf) }.der]
        let verdict = trust.evaluate()
        #expect(verdict.isTrusted)
        #expect(trust.revocationNeeds(after: verdict).isEmpty)
    }

    @Test(
        "Addresses of delta CRLs come only from a complete CRL that the issuer's key signed"
    )
    func freshestOfList() throws {
        let urls: [TestDistributionPoint] = ["http://crl.example.com/delta", "http://crl.example.com/fresh"]
        let change: (inout TestCRL.Template) -> Void = {
            $0.nextUpdate = TestAuthority.now.advanced(by: -1)
            $0.freshestCRL = urls
        }
        /// Returns the locations of CRLs in addition to those that the leaf names itself.
        func more(_ crl: TestCRL, isParsed: Bool = false, _ change: (inout Trust) -> Void = { _ in }) throws
            -> [RevocationNeed.Location]
        {
            let list = try CertificateRevocationList(der: crl.der)
            let trust = scene.trust {
                $0.revocation = .required
                $0.revocationData = isParsed ? RevocationData(lists: [list]) : RevocationData(crls: [crl.der])
                change(&$0)
            }
            let need = try #require(trust.revocationNeeds(after: trust.evaluate()).first)
            return Array(need.crls.dropFirst(trust.revocation.usesCRLs ? 3 : 0))
        }
        for isParsed in [false, true] {
            let found = try more(scene.intermediate.crl(change), isParsed: isParsed)
            // The leaf also names the first address itself.
            #expect(found.map(\.urls) == [["http://crl.example.com/fresh"]])
            #expect(found.allSatisfy { $0.isDelta && $0.issuer == scene.intermediate.certificate.subject })
        }
        let stranger = try TestAuthority.root(.authority("Stranger"))
        let subject = scene.intermediate.certificate.subject
        let unbelieved = [
            try scene.intermediate.crl {
                change(&$0)
                $0.hasWrongSignature = true
            },
            try stranger.crl(change),
            try stranger.crl {
                change(&$0)
                $0.issuer = subject
            },
        ]
        for crl in unbelieved { #expect(try more(crl).isEmpty) }
        #expect(try more(scene.intermediate.crl(change)) { $0.revocation.sources = .ocsp }.isEmpty)
        let many = try scene.intermediate.crl {
            change(&$0)
            $0.freshestCRL = (0..<20).map { TestDistributionPoint(fullName: [.uri("http://crl.example.com/\($0)")]) }
        }
        #expect(try more(many).count == 8)
        // A delta CRL of any issuer.
        let delta = try CertificateRevocationList(
            der: scene.intermediate.crl {
                change(&$0)
                ($0.number, $0.deltaBase) = (2, 1)
            }.der)
        delta.verifiedKeys.insert(scene.intermediate.certificate.subjectPublicKeyInfoSHA256)
        let trust = scene.trust {
            $0.revocation = .required
            $0.revocationData.lists = [delta]
        }
        #expect(trust.revocationNeeds(after: trust.evaluate()).first?.crls.count == 3)
    }

    @Test("Nothing is needed for a path refused for other reasons, and the network isn't needed if fetching is off")
    func nothing() throws {
        let expired = scene.trust(at: scene.leaf.notAfter.advanced(by: 1)) { $0.revocation = .bestEffort }
        #expect(expired.revocationNeeds(after: expired.evaluate()).isEmpty)
        let off = scene.trust()
        #expect(off.revocationNeeds(after: off.evaluate()).isEmpty)
        let silent = RevocationTrustEvaluator(RevocationPolicy(.bestEffort, fetching: false))
        let trust = scene.trust()
        let needs = silent.revocationNeeds(of: trust, after: silent.evaluate(trust))
        #expect(!needs.isEmpty)
        #expect(needs.allSatisfy { !$0.usesNetwork })
    }

    @Test("A manager's rule lists the evidence that it needs")
    func manager() throws {
        let trust = scene.trust()
        for (sources, hasOCSP, hasCRLs) in [
            (RevocationPolicy.Sources.ocsp, true, false), (.crls, false, true), (.all, true, true),
        ] {
            let manager = try ServerTrustManager(evaluators: [
                TrustScene.name: RevocationTrustEvaluator(RevocationPolicy(.bestEffort, sources: sources))
            ])
            let verdict = manager.evaluate(trust)
            #expect(verdict.isTrusted)
            let need = try #require(manager.revocationNeeds(of: trust, after: verdict).first)
            #expect((need.responders != nil) == hasOCSP)
            #expect(need.crls.isEmpty == !hasCRLs)
        }
    }
}

// MARK: - Verdicts that lead to needs

extension RevocationNeedTests {
    /// A scene whose intermediate names a responder, too.
    private static func addressedScene() throws -> TrustScene {
        try TrustScene(
            intermediate: .authority("Test Intermediate").with { $0.ocspResponders = ["http://ocsp.example.com/ca"] },
            leaf: template)
    }

    @Test("Only a verdict on this leaf, refused at most for missing evidence, leads to needs")
    func otherVerdicts() throws {
        let change: (inout Trust) -> Void = { $0.revocation = .bestEffort }
        let trust = scene.trust(nil, change)
        let verdict = trust.evaluate()
        #expect(trust.revocationNeeds(after: verdict).map(\.index) == [0])
        #expect(scene.trust().revocationNeeds(after: verdict).isEmpty)
        #expect(try TrustScene(leaf: Self.template).trust(nil, change).revocationNeeds(after: verdict).isEmpty)
        let pins = try TrustScene.otherPins()
        let refused = pins.evaluate(trust)
        #expect(refused.codes == [.pinNotMatched] && !refused.revocation.isEmpty)
        #expect(pins.revocationNeeds(of: trust, after: refused).isEmpty)
        // A custom evaluator uses the settings of the trust object.
        let custom = CountingEvaluator(isRepeatable: true)
        #expect(custom.revocationNeeds(of: trust, after: custom.evaluate(trust)).map(\.index) == [0])
    }

    @Test("The needs concern the certificates below the anchor, or only the leaf")
    func scope() throws {
        let scene = try Self.addressedScene()
        let trust = scene.trust { $0.revocation = .bestEffort }
        var verdict = trust.evaluate()
        let needs = trust.revocationNeeds(after: verdict)
        #expect(needs.map(\.index) == [0, 1])
        #expect(needs.map(\.path) == [scene.path, Array(scene.path.dropFirst())])
        let leafOnly = scene.trust { $0.revocation = RevocationPolicy(.bestEffort, scope: .leaf) }
        #expect(leafOnly.revocationNeeds(after: verdict).map(\.index) == [0])
        // No CA publishes evidence about the anchor.
        verdict.revocation.append(RevocationFinding(certificate: 2, status: .unobtainable([.noEvidence])))
        #expect(trust.revocationNeeds(after: verdict).map(\.index) == [0, 1])
    }

    @Test(
        "Newer evidence may end an expired hold, but no other revocation",
        arguments: [(.certificateHold, [0, 1]), (.keyCompromise, [])] as [(RevocationReason, [Int])])
    func expiredHold(reason: RevocationReason, needs: [Int]) throws {
        let scene = try Self.addressedScene()
        let crl = try scene.intermediate.crl {
            $0.nextUpdate = TestAuthority.now.advanced(by: -1)
            $0.revoke(scene.leaf, reason: reason)
        }
        let trust = scene.trust {
            $0.revocation = .bestEffort
            $0.revocationData.crls = [crl.der]
        }
        let verdict = trust.evaluate()
        #expect(verdict.codes == [.certificateRevoked])
        #expect(verdict.revocation.first?.isExpiredHold == (reason == .certificateHold))
        #expect(trust.revocationNeeds(after: verdict).map(\.index) == needs)
    }

    @Test("A fetched CRL that says good leads to the delta CRLs that it names, unless a staple has the answer")
    func fetchedList() throws {
        let list = try CertificateRevocationList(
            der: scene.intermediate.crl { $0.freshestCRL = ["http://crl.example.com/fresh"] }.der)
        let staple = try scene.intermediate.ocspResponse { $0.add(scene.leaf) }.der
        for (isFetched, isStapled) in [(true, false), (false, false), (true, true)] {
            let trust = scene.trust {
                $0.revocation = RevocationPolicy(.bestEffort, scope: .leaf)
                $0.revocationData.lists = [list]
                if isFetched { $0.revocationData.fetchedLists = [list] }
                if isStapled { $0.presentedChain.staple = .given(staple) }
            }
            let verdict = trust.evaluate()
            #expect(verdict.revocation.first?.status == .good)
            let needs = trust.revocationNeeds(after: verdict)
            #expect(needs.map(\.isOpen) == (isFetched && !isStapled ? [false] : []))
            guard let need = needs.first else { continue }
            #expect(need.index == 0 && need.path == scene.path && need.responders == nil)
            #expect(need.crls.map(\.urls) == [["http://crl.example.com/fresh"]])
        }
    }

    @Test("A signer of evidence outside the path whose status is open needs CRLs", arguments: [false, true])
    func signers(isResponder: Bool) throws {
        let root = try TestAuthority.root()
        let authority = try root.intermediate(.authority("CA").with { $0.keyUsage = .keyCertSign })
        let leaf = try authority.issue(.leaf(TrustScene.name)).certificate
        let template = isResponder ? CertificateTemplate.ocspSigner() : .crlSigner("CA")
        let signer = try (isResponder ? authority : root).issue(
            template.with {
                $0.hasOCSPNoCheck = false
                $0.crlDistributionPoints = ["http://crl.example.com/signers"]
            })
        var trust = try Trust.lab(
            [leaf, authority.certificate, signer.certificate], anchors: [root.certificate], host: TrustScene.name)
        if isResponder {
            trust.revocationData.ocspResponses = [try authority.ocspResponse(signedBy: signer) { $0.add(leaf) }.der]
        } else {
            trust.revocationData.crls = [try signer.crl().der]
        }
        for mode in [RevocationPolicy.Mode.bestEffort, .required] {
            trust.revocation = RevocationPolicy(mode, scope: .leaf)
            let verdict = trust.evaluate()
            #expect(verdict.isTrusted == (isResponder || mode == .bestEffort))
            let need = try #require(trust.revocationNeeds(after: verdict).first, "\(mode)")
            #expect(need.isSigner && need.index == 0 && need.certificate == signer.certificate)
            #expect(need.issuer == (isResponder ? authority : root).certificate)
            #expect(need.crls.map(\.urls) == [["http://crl.example.com/signers"]])
        }
    }
}
