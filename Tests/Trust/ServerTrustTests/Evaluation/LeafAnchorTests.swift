// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing
import TrustScenes

@testable import ServerTrust
@testable import ServerTrustTesting

@Suite("Leaves that are their own anchors")
struct LeafAnchorTests {
    /// The ways for a leaf to become its own anchor.
    enum Route: CaseIterable {
        case anchor, exception, pinnedKey, pinnedCertificate

        /// Returns the verdict on a leaf whose CA isn't known to lead to an anchor.
        func evaluate(_ trust: Trust, _ leaf: Certificate) throws -> TrustVerdict {
            var trust = trust
            switch self {
            case .anchor:
                trust.anchors = .only([leaf])
                return trust.evaluate()
            case .exception:
                // The user agreed before any evidence existed.
                var plain = trust
                (plain.revocationData.crls, plain.revocationData.ocspResponses) = ([], [])
                plain.presentedChain.staple = .unknown
                plain.intermediates = []
                plain.denied = nil
                try trust.setExceptions(plain.evaluate().exceptions())
                return trust.evaluate()
            case .pinnedKey: return try Exempting.key.evaluator(leaf).evaluate(trust)
            case .pinnedCertificate: return try Exempting.certificate.evaluator(leaf).evaluate(trust)
            }
        }
    }

    /// The kinds of evidence.
    enum Kind: CaseIterable { case crl, response, staple }

    private func trust(
        _ lab: TrustLab, _ leaf: Certificate, _ mode: RevocationPolicy.Mode, by signer: TestAuthority, isRevoked: Bool,
        _ kind: Kind
    ) throws -> Trust {
        var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: [])
        trust.revocation.mode = mode
        let response = try signer.ocspResponse { $0.add(leaf, isRevoked ? .revoked : .good) }.der
        switch kind {
        case .crl: trust.revocationData.crls = [try signer.crl { if isRevoked { $0.revoke(leaf) } }.der]
        case .response: trust.revocationData.ocspResponses = [response]
        case .staple: trust.presentedChain.staple = .given(response)
        }
        return trust
    }

    @Test(
        "In each mode, evidence of a revocation refuses a leaf that is its own anchor, and good evidence doesn't",
        arguments: Route.allCases)
    func revoked(_ route: Route) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        for kind in Kind.allCases {
            for mode in [RevocationPolicy.Mode.off, .bestEffort] {
                for isRevoked in [true, false] {
                    let trust = try trust(lab, leaf, mode, by: lab.intermediate, isRevoked: isRevoked, kind)
                    let verdict = try route.evaluate(trust, leaf)
                    #expect(verdict.isTrusted == !isRevoked, "\(kind) \(mode)")
                    #expect(
                        verdict.failures.contains { $0.code == .certificateRevoked && $0.certificate == 0 } == isRevoked
                    )
                    guard isRevoked else { continue }
                    #expect(verdict.result == .fatalFailure)
                    #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
                }
            }
        }
    }

    @Test("Evidence from a CA that is an anchor in addition to its leaf can refuse the leaf", arguments: Kind.allCases)
    func revokedByAnchor(_ kind: Kind) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        for isRevoked in [true, false] {
            var trust = try trust(lab, leaf, .bestEffort, by: lab.intermediate, isRevoked: isRevoked, kind)
            let staple = trust.presentedChain.staple
            trust.presentedChain = PresentedChain([leaf])
            trust.presentedChain.staple = staple
            trust.anchors = .only([leaf, lab.intermediate.certificate])
            let verdict = trust.evaluate()
            #expect(verdict.isTrusted == !isRevoked)
            #expect(verdict.failures.contains { $0.code == .certificateRevoked } == isRevoked)
        }
    }

    @Test(
        "Evidence from another CA with the same name, or about another certificate, refuses no leaf",
        arguments: Route.allCases)
    func otherSigner(_ route: Route) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let impostor = try lab.root.intermediate(.authority("Test Intermediate"))
        for kind in Kind.allCases {
            var trust = try trust(lab, leaf, .bestEffort, by: impostor, isRevoked: true, kind)
            // The exemption of a pinned leaf doesn't cover an issuer with another key.
            if [.anchor, .exception].contains(route) { trust.intermediates = [impostor.certificate] }
            #expect(try route.evaluate(trust, leaf).isTrusted, "\(kind)")
            let other = try lab.leaf()
            trust = try self.trust(lab, other, .bestEffort, by: lab.intermediate, isRevoked: true, kind)
            trust.presentedChain = {
                var chain = PresentedChain([leaf, lab.intermediate.certificate])
                chain.staple = trust.presentedChain.staple
                return chain
            }()
            #expect(try route.evaluate(trust, leaf).isTrusted, "\(kind)")
        }
    }

    @Test("At most 16 certificates with the issuer's name may have issued the leaf, and no others")
    func manyIssuers() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let namesakes = try (0..<16).map { _ in try TestAuthority.root(.authority("Test Intermediate")).certificate }
        let strangers = try (0..<17).map { _ in try TrustLab.unrelatedRoot().certificate }
        let crl = try lab.intermediate.crl { $0.revoke(leaf) }.der
        for (before, isRevoked) in [(strangers, true), (Array(namesakes.dropFirst()), true), (namesakes, false)] {
            var trust = try Trust.lab([leaf] + before + [lab.intermediate.certificate], anchors: [leaf])
            trust.revocation = .bestEffort
            trust.revocationData.crls = [crl]
            #expect(trust.evaluate().isTrusted != isRevoked, "\(before.count)")
            // The caller's intermediates come first.
            trust.intermediates = [lab.intermediate.certificate]
            #expect(trust.evaluate().failureCodes == [.certificateRevoked])
        }
    }

    @Test("If the policy requires revocation, only a user's exception accepts a leaf without a validated CA")
    func requiredRevocation() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let missing = TrustFailure(.revocationUnavailable, certificate: 0, role: .leaf, found: .list(["noEvidence"]))
        for route in [Route.exception, .pinnedKey, .pinnedCertificate] {
            var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: [])
            trust.revocation = .required
            let verdict = try route.evaluate(trust, leaf)
            #expect(verdict.failures.contains(missing) && verdict.failureCodes.contains(.unknownIssuer))
            #expect(verdict.failures.count == 2 && verdict.rejectedPaths.map(\.failures) == [verdict.failures])
            #expect(trust.setExceptions(try verdict.exceptions()) == .fits)
            let agreed = trust.evaluate()
            #expect(agreed.result == .proceed && agreed.excused.count == 2 && agreed.excused.contains(missing))
        }
    }

    @Test("An exception's end limits a verdict on a leaf that is its own anchor, and the verdict lists no checked path")
    func exceptionEnds() throws {
        let lab = try TrustLab()
        var trust = try Trust.lab([try lab.leaf(), lab.intermediate.certificate], anchors: [])
        let end = TestAuthority.now.advanced(by: 60)
        trust.setExceptions(try trust.evaluate().exceptions(expires: end))
        let verdict = trust.evaluate()
        #expect(verdict.result == .proceed && verdict.unchangedUntil == end)
        #expect(verdict.notChecked == [.path, .revocation, .certificateTransparency])
        #expect(!verdict.checked.contains(.path))
    }

    @Test("An excused failure of the leaf keeps its place, and one of a CA that isn't on the path loses it")
    func excusedPlaces() throws {
        let root = try TestAuthority.root()
        let authority = try root.intermediate(.authority("CA").until(TrustLab.past))
        let leaf = try authority.issue(.leaf(TrustLab.host).until(TrustLab.past)).certificate
        let trust = try Trust.lab([leaf, authority.certificate], anchors: [root.certificate])
        for exempting in Exempting.allCases {
            let verdict = try exempting.evaluator(leaf).evaluate(trust)
            #expect(verdict.path == [leaf] && verdict.excusedCodes == [.certificateExpired, .certificateExpired])
            #expect(verdict.excused.map(\.certificate) == [0, nil] && verdict.excused.map(\.role) == [.leaf, nil])
        }
    }

    @Test(
        "Each kind of denial entry refuses a leaf that is its own anchor", arguments: Route.allCases,
        DenialKind.allCases)
    func denied(_ route: Route, _ kind: DenialKind) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: [])
        trust.denied = try kind.list(leaf, issuer: lab.intermediate.certificate)
        let verdict = try route.evaluate(trust, leaf)
        #expect(!verdict.isTrusted)
        #expect(verdict.failures.contains { $0.code == .certificateDenied })
        // A self-signed leaf without another issuer.
        let own = try TrustLab.selfSigned()
        trust = try Trust.lab([own], anchors: [])
        #expect(try route.evaluate(trust, own).isTrusted)
        trust.denied = try kind.list(own, issuer: own)
        #expect(try !route.evaluate(trust, own).isTrusted)
    }
}
