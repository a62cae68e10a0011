// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// The positions of a distrusted certificate.
enum DistrustPlace: CaseIterable {
    case leaf, intermediate, anchor, refusedAnchor, aboveAnchor
}

@Suite("Distrusted certificates in paths")
struct DistrustTests {
    /// A path of a leaf, two CAs and a root.
    private struct Scene {
        let root: TestAuthority
        let upper: TestAuthority
        let lower: TestAuthority
        let leaf: Certificate

        init() throws {
            root = try .root()
            upper = try root.intermediate(.authority("Upper"))
            lower = try upper.intermediate(.authority("Lower"))
            leaf = try lower.issue(.leaf(TrustLab.host)).certificate
        }

        var presented: [Certificate] { [leaf, lower.certificate, upper.certificate] }

        /// Returns a trust object, the certificate at a position with its issuer, and the evaluator.
        func trust(at place: DistrustPlace) throws -> (Trust, Certificate, issuer: Certificate, any TrustEvaluator) {
            let (root, upper, lower) = (root.certificate, upper.certificate, lower.certificate)
            let plain = DefaultTrustEvaluator()
            switch place {
            case .leaf: return (try .lab(presented, anchors: [root]), leaf, lower, plain)
            case .intermediate: return (try .lab(presented, anchors: [root]), upper, root, plain)
            case .anchor: return (try .lab(presented, anchors: [root]), root, root, plain)
            case .refusedAnchor: return (try .lab(presented, anchors: [upper, root]), upper, root, plain)
            case .aboveAnchor:
                // The pin is on the root, so the search continues above the lower CA.
                let pinned = try SPKIPinsTrustEvaluator(SPKIPinSet(pinsRiskingLockout: [SPKIPin(root)]))
                return (try .lab(presented, anchors: [lower, root]), upper, root, pinned)
            }
        }
    }

    private static func hasDenial(_ verdict: TrustVerdict) -> Bool {
        (verdict.failures + verdict.rejectedPaths.flatMap(\.failures)).contains { $0.code == .certificateDenied }
    }

    // MARK: - The table

    private static var article: String? {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        let file = folder.appendingPathComponent("Sources/Trust/ServerTrust/ServerTrust.docc/RootPrograms.md")
        return try? String(contentsOf: file, encoding: .utf8)
    }

    @Test("Every position and list format has the verdict in the article's table", arguments: DistrustForm.allCases)
    func table(form: DistrustForm) throws {
        let scene = try Scene()
        var cells: [String] = []
        for place in DistrustPlace.allCases {
            var (trust, certificate, issuer, evaluator) = try scene.trust(at: place)
            #expect(evaluator.evaluate(trust).isTrusted, "\(place) without a list")
            try form.distrust(certificate, issuer: issuer, in: &trust)
            let verdict = evaluator.evaluate(trust)
            #expect(Self.hasDenial(verdict), "\(place)")
            cells.append(verdict.isTrusted ? "trusted" : "refused")
        }
        #expect(cells == Array(repeating: "refused", count: 5))
        let article = try #require(Self.article, "RootPrograms.md doesn't exist")
        #expect(article.contains("| \(form.rawValue) | \(cells.joined(separator: " | ")) |\n"))
    }

    // MARK: - Routes

    @Test(
        "No exemption, exception, delegate or disabled evaluator accepts a distrusted certificate",
        arguments: DistrustForm.allCases)
    func routes(form: DistrustForm) throws {
        let scene = try Scene()
        for place in [DistrustPlace.leaf, .intermediate, .anchor, .refusedAnchor] {
            let (plain, certificate, issuer, _) = try scene.trust(at: place)
            var trust = plain
            try form.distrust(certificate, issuer: issuer, in: &trust)
            #expect(throws: TrustExceptionsError.self) { try trust.evaluate().exceptions() }
            let composite = CompositeTrustEvaluator(DefaultTrustEvaluator(), DefaultTrustEvaluator())
            let evaluators: [any TrustEvaluator] =
                [DisabledTrustEvaluator.insecurelyTrustingAnyServer, composite]
                + (try Exempting.allCases.map { try $0.evaluator(scene.leaf) })
            for evaluator in evaluators {
                #expect(evaluator.evaluate(plain).isTrusted)
                let verdict = evaluator.evaluate(trust)
                #expect(!verdict.isTrusted && Self.hasDenial(verdict), "\(place) \(type(of: evaluator))")
            }
            let manager = try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
            #expect(!manager.evaluateWithoutFetching(trust, delegate: .accept).isTrusted)
            #expect(trust.validPaths().isEmpty)
        }
    }

    @Test("An exception for another failure accepts no distrusted certificate", arguments: DistrustForm.allCases)
    func exceptions(form: DistrustForm) throws {
        let scene = try Scene()
        let expired = try scene.lower.issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        let others = [scene.lower.certificate, scene.upper.certificate]
        for anchors in [[scene.root.certificate], []] {
            var trust = try Trust.lab([expired] + others, anchors: anchors)
            try trust.setExceptions(trust.evaluate().exceptions())
            #expect(trust.evaluate().isTrusted)
            try form.distrust(scene.upper.certificate, issuer: scene.root.certificate, in: &trust)
            // Without the root, the key of the CA's issuer isn't known.
            if form == .crlSetName, anchors.isEmpty { continue }
            #expect(!trust.evaluate().isTrusted, "\(anchors.count) anchors")
        }
    }

    // MARK: - Anchors

    @Test("Evaluators with their own anchors still apply the list's distrust", arguments: DistrustForm.allCases)
    func replacedAnchors(form: DistrustForm) throws {
        let scene = try Scene()
        let root = scene.root.certificate
        let evaluators: [any TrustEvaluator] = [
            try CertificateAuthorityTrustEvaluator(onlyAnchors: [root]),
            try PinnedCertificatesTrustEvaluator(certificates: [root], performDefaultValidation: false),
            try PublicKeysTrustEvaluator(keys: [root.subjectPublicKeyInfo], performDefaultValidation: false),
        ]
        for evaluator in evaluators {
            var trust = try Trust.lab(scene.presented + [root], anchors: [])
            #expect(evaluator.evaluate(trust).isTrusted)
            try form.distrust(scene.upper.certificate, issuer: root, in: &trust)
            #expect(!evaluator.evaluate(trust).isTrusted, "\(type(of: evaluator))")
        }
    }

    @Test("The order of lists and of added anchors doesn't matter", arguments: DistrustForm.allCases)
    func order(form: DistrustForm) throws {
        let scene = try Scene()
        let root = scene.root.certificate
        let distrusting = try form.list(scene.upper.certificate)
        let other = try DistrustForm.jsonKey.list(TrustLab.unrelatedRoot().certificate)
        let empty = TrustAnchors.only([])
        let all: [TrustAnchors] = [
            empty.applying(distrusting).adding([root]), empty.adding([root]).applying(distrusting),
            empty.applying(other).applying(distrusting).adding([root]),
            empty.applying(distrusting).adding([scene.upper.certificate, root]).applying(other),
            TrustAnchors(try empty.applying(distrusting).store()).adding([root]),
            empty.applying(distrusting).replaced(by: .only([scene.upper.certificate])),
        ]
        for (index, anchors) in all.enumerated() {
            var trust = try Trust.lab(scene.presented, anchors: [])
            trust.anchors = anchors
            let verdict = trust.evaluate()
            #expect(!verdict.isTrusted && Self.hasDenial(verdict), "\(index)")
        }
        // The engine gets the distrust only from the store.
        let validation = PathValidator(anchors: try all[0].store()).validate(
            chain: scene.presented, host: try Hostname(TrustLab.host), at: TestAuthority.now)
        #expect(validation?.rejection?.headline.code == .certificateDenied)
    }

    // MARK: - Copies

    /// A CA whose certificate is distrusted, and another certificate with its key from a trusted root.
    private func crossSigned(_ form: DistrustForm, anchors: (CrossSignedLab) -> [Certificate]) throws -> TrustVerdict {
        let lab = try CrossSignedLab()
        var trust = try Trust.lab([lab.leaf, lab.underB.certificate], anchors: anchors(lab))
        #expect(trust.evaluate().isTrusted)
        try form.distrust(lab.underA.certificate, issuer: lab.rootA.certificate, in: &trust)
        return trust.evaluate()
    }

    @Test(
        "A list with the certificate or its key refuses cross-certificates with the key",
        arguments: [
            DistrustForm.certdataCertificate, .jsonKey, .p11KitCertificate, .p11KitKey, .p11KitPurpose, .openSSLPurpose,
        ])
    func crossCertificate(form: DistrustForm) throws {
        let verdict = try crossSigned(form) { [$0.rootB.certificate] }
        #expect(verdict.headline?.code == .certificateDenied)
    }

    @Test(
        "A list that only names the certificate refuses cross-certificates if the store contains that certificate",
        arguments: [DistrustForm.certdataName, .jsonCertificate, .p11KitName])
    func knownCertificate(form: DistrustForm) throws {
        #expect(try !crossSigned(form) { [$0.underA.certificate, $0.rootB.certificate] }.isTrusted)
        #expect(try crossSigned(form) { [$0.rootB.certificate] }.isTrusted)
    }

    @Test("Another path without the distrusted certificate counts")
    func otherPath() throws {
        let lab = try CrossSignedLab()
        for form in [DistrustForm.certdataName, .jsonCertificate, .p11KitName] {
            for trust in try lab.trusts() {
                var trust = trust
                try form.distrust(lab.underA.certificate, issuer: lab.rootA.certificate, in: &trust)
                #expect(trust.evaluate().path == lab.pathB)
            }
        }
        for form in DistrustForm.allCases {
            for trust in try lab.trusts() {
                var trust = trust
                try form.distrust(lab.rootA.certificate, issuer: lab.rootA.certificate, in: &trust)
                #expect(trust.evaluate().path == lab.pathB, "\(form)")
            }
        }
    }

    @Test("A list that trusts another certificate with the key distrusts only the certificate, not the key")
    func trustedKey() throws {
        let lab = try CrossSignedLab()
        var trust = try Trust.lab([lab.leaf], anchors: [lab.underB.certificate])
        trust.anchors = trust.anchors.applying(
            try DistrustForm.certdataCertificate.list(lab.underA.certificate, trusting: lab.underB.certificate))
        #expect(trust.evaluate().isTrusted)
        // The distrusted certificate itself is refused.
        trust = try Trust.lab([lab.leaf], anchors: [lab.underA.certificate])
        trust.anchors = trust.anchors.applying(
            try DistrustForm.certdataCertificate.list(lab.underA.certificate, trusting: lab.underB.certificate))
        #expect(trust.evaluate().failureCodes == [.certificateDenied])
    }

    @Test("A root that is listed twice is trusted only for what both entries permit, and so is its key")
    func listedTwice() throws {
        let lab = try CrossSignedLab()
        let purpose: [UInt8] = [0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03]
        func block(_ certificate: Certificate, _ settings: [UInt8] = []) -> String {
            RootListTexts.pem(certificate.der + settings, "TRUSTED CERTIFICATE")
        }
        let rejecting = block(lab.underA.certificate, [0x30, 0x0c, 0xa0, 0x0a] + purpose + [1])
        let trusting = block(lab.underB.certificate)
        let clientAlone = block(lab.underB.certificate, [0x30, 0x0c, 0x30, 0x0a] + purpose + [2])
        let serverAlone = block(lab.underB.certificate, [0x30, 0x0c, 0x30, 0x0a] + purpose + [1])
        for (blocks, isTrusted) in [
            ([trusting, rejecting], true), ([trusting, trusting, rejecting], true),
            ([trusting, serverAlone, rejecting], true), ([trusting, clientAlone, rejecting], false),
            ([clientAlone, trusting, rejecting], false), ([serverAlone, clientAlone, rejecting], false),
            ([rejecting, clientAlone, trusting], false), ([rejecting], false),
        ] {
            var trust = try Trust.lab([lab.leaf, lab.underB.certificate], anchors: [lab.rootB.certificate])
            trust.anchors = trust.anchors.applying(try RootListTexts.list(blocks.joined()))
            let verdict = trust.evaluate()
            #expect(verdict.isTrusted == isTrusted)
            #expect(Self.hasDenial(verdict) == !isTrusted)
        }
    }

    @Test(
        "A list that is applied twice or kept through several replacements has the same effect as one applied once",
        arguments: DistrustForm.allCases)
    func appliedTwice(form: DistrustForm) throws {
        let scene = try Scene()
        let list = try form.list(scene.upper.certificate)
        let root = scene.root.certificate
        let once = TrustAnchors.only([root]).applying(list)
        var kept = once
        for _ in 0..<5 { kept = kept.replaced(by: .only([root])) }
        #expect(try kept.distrusted().count == once.distrusted().count)
        for anchors in [once, once.applying(list), kept, kept.applying(list)] {
            var trust = try Trust.lab(scene.presented, anchors: [])
            trust.anchors = anchors
            let failures = trust.evaluate().failures
            #expect(failures.contains { $0.code == .certificateDenied })
            trust.anchors = once
            #expect(failures == trust.evaluate().failures)
            trust.presentedChain = PresentedChain([scene.leaf, scene.lower.certificate])
            trust.anchors = anchors.replaced(by: .only([scene.lower.certificate]))
            #expect(trust.evaluate().isTrusted)
        }
    }

    // MARK: - Not distrusted

    @Test("A CA that must be verified isn't an anchor but may be an intermediate")
    func mustVerify() throws {
        let scene = try Scene()
        let (upper, root) = (scene.upper.certificate, scene.root.certificate)
        let list = try RootListTexts.list(
            RootListTexts.certificateObject(upper) + RootListTexts.trustObject(upper, "CKT_NSS_MUST_VERIFY_TRUST")
                + RootListTexts.certificateObject(root) + RootListTexts.trustObject(root))
        for anchors in [[root], [upper, root], [root, upper]] {
            var trust = try Trust.lab(scene.presented, anchors: anchors)
            trust.anchors = trust.anchors.applying(list)
            #expect(trust.evaluate().path == scene.presented + [root])
        }
        var trust = try Trust.lab(scene.presented, anchors: [upper])
        trust.anchors = trust.anchors.applying(list)
        #expect(trust.evaluate().failureCodes == [.anchorPurposeNotPermitted])
    }

    @Test("A rejected purpose refuses evaluations for that purpose and evaluations without a purpose, but no others")
    func purposes() throws {
        let scene = try Scene()
        let leaf = try scene.lower.issue(
            .leaf(TrustLab.host).with { $0.extendedKeyUsage = [.serverAuth, .clientAuth] }
        ).certificate
        for form in [DistrustForm.openSSLPurpose, .p11KitPurpose] {
            for (purpose, isTrusted) in [
                (ValidationPolicy.Purpose.serverAuth, false), (.clientAuth, true), (.any, false),
            ] {
                var trust = try Trust.lab(
                    [leaf, scene.lower.certificate, scene.upper.certificate], anchors: [scene.root.certificate])
                trust.policy = ValidationPolicy(purpose: purpose)
                #expect(trust.evaluate().isTrusted)
                try form.distrust(scene.upper.certificate, issuer: scene.root.certificate, in: &trust)
                #expect(trust.evaluate().isTrusted == isTrusted, "\(form) \(purpose)")
            }
        }
    }

    @Test("For a list with distrusted certificates, the checks in a verdict include the comparison")
    func checks() throws {
        let scene = try Scene()
        var trust = try Trust.lab(scene.presented, anchors: [scene.root.certificate])
        #expect(!trust.evaluate().checked.contains(.deniedCertificates))
        let stranger = try TrustLab.unrelatedRoot().certificate
        try DistrustForm.jsonKey.distrust(stranger, issuer: stranger, in: &trust)
        let verdict = trust.evaluate()
        #expect(verdict.isTrusted && verdict.checked.contains(.deniedCertificates))
    }
}
