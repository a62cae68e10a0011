// SPDX-License-Identifier: Apache-2.0

import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust
@testable import ServerTrustTesting

/// Evidence that fetched evidence refers to: delta CRLs, and CRLs about signers.
@Suite("Evidence that fetched evidence refers to")
struct FollowedEvidenceTests {
    private static let deltaURL = "http://crl.example.com/delta.crl"
    private static let signersURL = "http://crl.example.com/signers.crl"

    private let scene: FetchingRevocationScene

    init() throws { scene = try FetchingRevocationScene(ocsp: false) }

    /// The list that the leaf names, which in turn names a delta CRL.
    private func base(_ change: @Sendable (inout TestCRL.Template) -> Void = { _ in }) throws -> CannedFetcher.Answer {
        try scene.crl {
            $0.number = 10
            $0.freshestCRL = [TestDistributionPoint(stringLiteral: Self.deltaURL)]
            change(&$0)
        }
    }

    private func delta(
        _ change: @Sendable (inout TestCRL.Template) throws -> Void = { _ in }
    ) throws -> CannedFetcher.Answer {
        .bytes(
            try scene.root.identity.crl {
                ($0.number, $0.deltaBase) = (12, 10)
                try? change(&$0)
            }.der)
    }

    @Test(
        "A delta CRL that a fetched CRL names revokes the certificate, even if the fetched CRL is current",
        arguments: [false, true]
    )
    func revokingDelta(prefersCRLs: Bool) async throws {
        scene.fetcher[FetchingRevocationScene.crlURL] = try base()
        let leaf = scene.leaf
        scene.fetcher[Self.deltaURL] = try delta { $0.revoke(leaf) }
        var trust = try scene.trust(.required)
        trust.revocation.prefersCRLs = prefersCRLs
        let verdict = await trust.evaluate(fetching: scene.resources)
        #expect(verdict.codes == [.certificateRevoked])
        #expect(verdict.fetched.map(\.url) == [FetchingRevocationScene.crlURL, Self.deltaURL])
        // The cache contains both, and the verdict is the same without the network.
        #expect(await trust.evaluate(fetching: scene.resources).codes == [.certificateRevoked])
        #expect(scene.fetcher.count == 2)
    }

    @Test("A delta CRL makes an expired CRL current")
    func renewingDelta() async throws {
        scene.fetcher[FetchingRevocationScene.crlURL] = try base { $0.nextUpdate = TestAuthority.now.advanced(by: -1) }
        #expect(try await scene.evaluate().codes == [.revocationUnavailable])
        scene.clocks.wait(100_000)
        scene.fetcher[Self.deltaURL] = try delta()
        let verdict = try await scene.evaluate()
        #expect(verdict.isTrusted && verdict.revocation.map(\.status) == [.good])
        #expect(scene.fetcher.count(of: Self.deltaURL) == 2)
    }

    @Test("The evaluation doesn't contact a responder because of a delta CRL")
    func noResponder() async throws {
        let scene = try FetchingRevocationScene()
        scene.fetcher[FetchingRevocationScene.crlURL] = .bytes(
            try scene.root.identity.crl {
                $0.number = 10
                $0.freshestCRL = [TestDistributionPoint(stringLiteral: Self.deltaURL)]
            }.der)
        var trust = try scene.trust(.required)
        trust.revocation.prefersCRLs = true
        #expect(await trust.evaluate(fetching: scene.resources).isTrusted)
        #expect(scene.fetcher.requests.map(\.url) == [FetchingRevocationScene.crlURL, Self.deltaURL])
    }

    @Test("Without the delta CRL, a current CRL still counts, and the verdict reports the failed request")
    func missingDelta() async throws {
        scene.fetcher[FetchingRevocationScene.crlURL] = try base()
        let verdict = try await scene.evaluate()
        #expect(verdict.isTrusted && verdict.revocation.map(\.status) == [.good])
        #expect(verdict.fetched.last?.url == Self.deltaURL && verdict.fetched.last?.failure != nil)
    }

    @Test("An unrelated signer's delta CRL doesn't replace the true one")
    func strangersDelta() async throws {
        scene.fetcher[FetchingRevocationScene.crlURL] = try base()
        let subject = scene.root.certificate.subject
        scene.fetcher[Self.deltaURL] = .bytes(
            try TestAuthority.root(.authority("Stranger")).identity.crl {
                ($0.number, $0.deltaBase, $0.issuer) = (12, 10, subject)
            }.der)
        #expect(try await scene.evaluate().isTrusted)
        let leaf = scene.leaf
        scene.fetcher[Self.deltaURL] = try delta { $0.revoke(leaf) }
        scene.clocks.wait(5)
        #expect(try await scene.evaluate().codes == [.certificateRevoked])
    }

    @Test("If the status is good, the evaluation doesn't fetch delta CRLs that available CRLs name")
    func listAtHand() async throws {
        var trust = try scene.trust(.required)
        trust.revocationData.crls = [
            try scene.root.identity.crl {
                $0.number = 10
                $0.freshestCRL = [TestDistributionPoint(stringLiteral: Self.deltaURL)]
            }.der
        ]
        #expect(await trust.evaluate(fetching: scene.resources).isTrusted)
        #expect(scene.fetcher.count == 0)
    }

    @Test("The evaluation fetches at most eight delta CRLs that one CRL names, and none that a delta CRL names")
    func manyDeltas() async throws {
        scene.fetcher[FetchingRevocationScene.crlURL] = try base {
            $0.freshestCRL = (0..<20).map { TestDistributionPoint(stringLiteral: "http://crl.example.com/delta\($0)") }
        }
        scene.fetcher["http://crl.example.com/delta0"] = try delta {
            $0.freshestCRL = [TestDistributionPoint(stringLiteral: "http://crl.example.com/further")]
        }
        #expect(try await scene.evaluate().isTrusted)
        #expect(scene.fetcher.count == 9)
        #expect(scene.fetcher.count(of: "http://crl.example.com/further") == 0)
    }

    // MARK: - Signers outside the path

    /// A CA that signs no CRLs, and a CA with the same name and another key that signs no certificates.
    private struct SeparateSigner {
        let root: TestAuthority
        let leaf: Certificate
        let signer: TestIdentity
        let trust: Trust
        let fetcher = CannedFetcher()
        let resources: TrustFetchCoordinator
        let clocks = Clocks()

        init(_ check: RevocationPolicy.Mode) throws {
            root = try .root()
            let authority = try root.intermediate(.authority("CA").with { $0.keyUsage = .keyCertSign })
            leaf = try authority.issue(
                .leaf(TrustScene.name).with {
                    $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: FetchingRevocationScene.crlURL)]
                }
            ).certificate
            signer = try root.issue(
                .crlSigner("CA").with {
                    $0.organization = "Test"
                    $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: FollowedEvidenceTests.signersURL)]
                })
            var trust = try Trust.lab(
                [leaf, authority.certificate, signer.certificate], anchors: [root.certificate], host: TrustScene.name)
            trust.revocation.mode = check
            trust.revocation.scope = .leaf
            self.trust = trust
            let clocks = clocks
            clocks.date = TestAuthority.now
            resources = TrustFetchCoordinator(
                fetcher: fetcher, cache: nil, limits: .patient, clock: { clocks.date }, reader: .standard,
                elapsed: { clocks.elapsed }, chance: { 0 })
            fetcher[FetchingRevocationScene.crlURL] = .bytes(try signer.crl().der)
        }
    }

    @Test(
        "The evaluation fetches the CRL about a CRL signer, and that CRL revokes the signer",
        arguments: RevocationPolicy.Mode.allCases.filter { $0 != .off })
    func crlSigner(_ check: RevocationPolicy.Mode) async throws {
        let scene = try SeparateSigner(check)
        let open = await scene.trust.evaluate(fetching: scene.resources)
        #expect(open.isTrusted == (check == .bestEffort))
        #expect(open.fetched.map(\.url) == [FetchingRevocationScene.crlURL, Self.signersURL])
        scene.clocks.wait(100_000)
        scene.fetcher[Self.signersURL] = .bytes(try scene.root.identity.crl().der)
        let good = await scene.trust.evaluate(fetching: scene.resources)
        #expect(good.isTrusted && good.revocation.first?.status == .good)
        #expect(good.revocation.first?.notes == [.crlSignedWithOtherKey])

        let other = try SeparateSigner(check)
        other.fetcher[Self.signersURL] = .bytes(
            try other.root.identity.crl { $0.revoke(other.signer.certificate) }.der)
        let revoked = await other.trust.evaluate(fetching: other.resources)
        #expect(revoked.isTrusted == (check == .bestEffort))
        #expect(revoked.revocation.first?.status == .unobtainable([.signerRevoked]))
    }

    @Test("The evaluation doesn't keep a response about a CRL signer that isn't evidence")
    func uselessSignerAnswer() async throws {
        let scene = try SeparateSigner(.required)
        scene.fetcher[Self.signersURL] = .bytes(try TestAuthority.root(.authority("Other")).identity.crl().der)
        let verdict = await scene.trust.evaluate(fetching: scene.resources)
        #expect(verdict.codes == [.revocationUnavailable])
        scene.clocks.wait(5)
        scene.fetcher[Self.signersURL] = .bytes(try scene.root.identity.crl().der)
        #expect(await scene.trust.evaluate(fetching: scene.resources).isTrusted)
    }

    @Test(
        "The evaluation fetches the CRL about a delegated OCSP responder and doesn't send a request to the responder itself"
    )
    func responder() async throws {
        let scene = try FetchingRevocationScene(crl: false)
        let delegate = try scene.root.issue(
            .ocspSigner().with {
                $0.hasOCSPNoCheck = false
                $0.ocspResponders = ["http://circle.example.com/"]
                $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: Self.signersURL)]
            })
        scene.fetcher[scene.getURL] = .bytes(
            try scene.root.ocspResponse(signedBy: delegate) { $0.add(scene.leaf) }.der)
        let open = try await scene.evaluate()
        #expect(open.isTrusted && open.revocation.first?.notes == [.ocspSignerUnchecked])
        #expect(open.fetched.map(\.url) == [scene.getURL, Self.signersURL])
        scene.clocks.wait(100_000)
        scene.fetcher[Self.signersURL] = try scene.crl()
        let good = try await scene.evaluate()
        #expect(good.isTrusted && good.revocation.first?.notes == [])

        let other = try FetchingRevocationScene(crl: false)
        let revoked = try other.root.issue(
            .ocspSigner().with {
                $0.hasOCSPNoCheck = false
                $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: Self.signersURL)]
            })
        other.fetcher[other.getURL] = .bytes(
            try other.root.ocspResponse(signedBy: revoked) { $0.add(other.leaf) }.der)
        // A list that covers only some reasons can't prove the leaf good.
        other.fetcher[Self.signersURL] = try other.crl {
            var point = TestCRL.IssuingDistributionPoint()
            point.onlySomeReasons = [.keyCompromise]
            $0.issuingDistributionPoint = point
            $0.revoke(revoked.certificate, reason: .keyCompromise)
        }
        #expect(try await other.evaluate().codes == [.revocationUnavailable])
    }

    @Test("The evaluation fetches nothing about a responder that needs no check")
    func exemptResponder() async throws {
        let scene = try FetchingRevocationScene(crl: false)
        let delegate = try scene.root.issue(
            .ocspSigner().with {
                $0.hasOCSPNoCheck = true
                $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: Self.signersURL)]
            })
        scene.fetcher[scene.getURL] = .bytes(
            try scene.root.ocspResponse(signedBy: delegate) { $0.add(scene.leaf) }.der)
        let verdict = try await scene.evaluate()
        #expect(verdict.isTrusted && verdict.revocation.first?.notes == [])
        #expect(scene.fetcher.count == 1)
    }
}
