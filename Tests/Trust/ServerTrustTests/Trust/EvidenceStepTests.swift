// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

/// A source of evidence that evaluates, records the needs, adds lists, and evaluates again.
private struct OneStep: EvidenceSource {
    let lists: [CertificateRevocationList]
    private let seen = Locked<[RevocationNeed]>([])

    init(_ lists: [CertificateRevocationList] = []) { self.lists = lists }

    var needs: [RevocationNeed] { seen.withLock { $0 } }

    func evaluate(_ trust: Trust, by steps: EvaluationSteps) async -> TrustVerdict {
        let needs = steps.needs(trust, steps.evaluate(trust))
        seen.withLock { $0 = needs }
        var again = trust
        again.settings.revocationData.lists += lists
        again.settings.revocationData.fetchedLists += lists
        return steps.evaluate(again)
    }
}

@Suite("Missing evidence")
struct EvidenceStepTests {
    let scene: TrustScene
    let trust: Trust

    init() throws {
        scene = try TrustScene(
            leaf: .leaf(TrustScene.name).with {
                $0.ocspResponders = ["http://ocsp.example/", "ldap://ocsp.example/"]
                $0.crlDistributionPoints = ["http://crl.example/1", "ldap://crl.example/"]
                $0.freshestCRL = ["http://crl.example/delta"]
            })
        trust = scene.trust {
            $0.settings.revocation = .required
            $0.settings.revocation.scope = .leaf
        }
    }

    private func list(_ change: (inout TestCRL.Template) throws -> Void = { _ in }) throws -> CertificateRevocationList
    {
        try CertificateRevocationList(der: scene.intermediate.crl(change).der)
    }

    @Test("The needs name the addresses that can be used, and the status changes with the evidence")
    func needs() async throws {
        for (lists, codes) in [
            ([], [.revocationUnavailable]), ([try list()], []),
            ([try list { $0.revoke(scene.leaf) }], [.certificateRevoked]),
        ] as [([CertificateRevocationList], [TrustFailure.Code])] {
            let source = OneStep(lists)
            #expect(await trust.evaluate(fetching: source).codes == codes)
            #expect(await DefaultTrustEvaluator().evaluate(trust, fetching: source).codes == codes)
            let need = try #require(source.needs.first)
            #expect(source.needs.count == 1 && need.certificate == scene.leaf && need.issuer == scene.path[1])
            #expect(need.isOpen && !need.isSigner && need.usesNetwork)
            #expect(need.responders?.urls == ["http://ocsp.example/"])
            #expect(need.crls.map(\.urls) == [["http://crl.example/1"], ["http://crl.example/delta"]])
            #expect(need.crls.map(\.isDelta) == [false, true])
        }
    }

    @Test("A refused peer is an error, and without a source only the available evidence counts")
    func refusals() async throws {
        var trust = trust
        await #expect(throws: TrustRefusal.self) {
            try await DefaultTrustEvaluator().requireTrust(trust, fetching: OneStep())
        }
        let accepted = try await DefaultTrustEvaluator().requireTrust(trust, fetching: OneStep([list()]))
        #expect(accepted.isTrusted)
        #expect(await trust.evaluateFetching() == trust.evaluate())
        trust.settings.fetching = OneStep([try list()])
        #expect(await trust.evaluateFetching().isTrusted)
    }

    @Test("Nothing is needed if revocation is off, the path is refused, or the leaf is revoked")
    func noNeeds() async throws {
        let revoked = OneStep()
        var settled = trust
        settled.settings.revocationData.lists = [try list { $0.revoke(scene.leaf) }]
        #expect(await settled.evaluate(fetching: revoked).codes == [.certificateRevoked])
        let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
        let accepted = disabled.evaluate(settled)
        #expect(accepted.isTrusted && accepted.revocation.first?.isRevoked == true)
        #expect(settled.revocationNeeds(after: accepted).isEmpty)
        let off = scene.trust { $0.settings.revocation.mode = .off }
        let expired = scene.trust(at: TestAuthority.now.advanced(by: .days(9_000))) {
            $0.settings.revocation = .required
        }
        for trust in [settled, off, expired] {
            let source = OneStep()
            _ = await trust.evaluate(fetching: source)
            #expect(source.needs.isEmpty)
        }
    }

    @Test("A complete list that was fetched leads to its delta lists, although the status is good")
    func deltas() async throws {
        var trust = trust
        let complete = try list { $0.freshestCRL = ["http://crl.example/delta", "ldap://crl.example/delta"] }
        trust.settings.revocationData.lists = [complete]
        trust.settings.revocationData.fetchedLists = [complete]
        let source = OneStep()
        #expect(await trust.evaluate(fetching: source).isTrusted)
        let need = try #require(source.needs.first)
        #expect(source.needs.count == 1 && !need.isOpen && need.responders == nil)
        #expect(need.crls.map(\.urls) == [["http://crl.example/delta"]] && need.crls.map(\.isDelta) == [true])
        // Another policy doesn't use lists.
        let verdict = trust.evaluate()
        trust.settings.revocation.sources = .ocsp
        #expect(trust.revocationNeeds(after: verdict).isEmpty)
    }

    @Test("At most eight addresses of each kind are used, each once")
    func manyAddresses() async throws {
        let responders = ["http://ocsp.example/0"] + (0..<9).map { "http://ocsp.example/\($0)" }
        let leaf = try scene.intermediate.issue(.leaf(TrustScene.name).with { $0.ocspResponders = responders })
        var trust = trust
        trust.presentedChain = PresentedChain([leaf.certificate, scene.intermediate.certificate])
        let source = OneStep()
        _ = await trust.evaluate(fetching: source)
        #expect(source.needs.first?.responders?.urls == (0..<8).map { "http://ocsp.example/\($0)" })
    }

    @Test("At most eight delta lists are used, even if several complete lists name them")
    func manyDeltas() async throws {
        let complete = try [0..<5, 3..<10].map { numbers in
            try list {
                $0.freshestCRL = numbers.map { TestDistributionPoint(fullName: [.uri("http://crl.example/d\($0)")]) }
            }
        }
        var trust = trust
        trust.settings.revocationData.lists = complete
        trust.settings.revocationData.fetchedLists = complete
        let source = OneStep()
        #expect(await trust.evaluate(fetching: source).isTrusted)
        #expect(source.needs.first?.crls.map(\.urls) == (0..<8).map { ["http://crl.example/d\($0)"] })
    }

    @Test("A certificate has an address only if the policy uses its kind of evidence")
    func addresses() throws {
        let rows: [(ocsp: [String], crl: String?, sources: RevocationPolicy.Sources, hasAddress: Bool)] = [
            (["http://ocsp.example/"], nil, .ocsp, true), (["http://ocsp.example/"], nil, .crls, false),
            ([], "http://crl.example/", .crls, true), ([], "http://crl.example/", .ocsp, false),
            (["http://ocsp.example/"], "ldap://crl.example/", .crls, false), ([], "https://crl.example/", .all, true),
            (["HTTPS://ocsp.example/"], nil, .all, true), (["ldap://ocsp.example/"], nil, .all, false),
            ([], nil, .all, false),
        ]
        for (ocsp, crl, sources, hasAddress) in rows {
            let template = CertificateTemplate.leaf(TrustScene.name).with {
                $0.ocspResponders = ocsp
                $0.crlDistributionPoints = crl.map { [TestDistributionPoint(fullName: [.uri($0)])] } ?? []
            }
            var policy = RevocationPolicy(.required)
            policy.sources = sources
            let leaf = try scene.intermediate.issue(template).certificate
            #expect(RevocationNeed.hasAddress(leaf, policy) == hasAddress, "\(ocsp) \(crl ?? "")")
        }
    }

    @Test("A distribution point of another CRL issuer names that issuer")
    func indirect() async throws {
        let signer = try TestAuthority.root(.authority("CRL Signer")).certificate.subject
        let point = TestDistributionPoint(fullName: [.uri("http://crl.example/i")], crlIssuer: signer)
        let leaf = try scene.intermediate.issue(
            .leaf(TrustScene.name).with { $0.crlDistributionPoints = [point] }
        ).certificate
        let source = OneStep()
        let trust = scene.trust([leaf, scene.path[1]]) {
            $0.settings.revocation = .required
            $0.settings.revocation.scope = .leaf
        }
        _ = await trust.evaluate(fetching: source)
        #expect(source.needs.first?.crls.map(\.issuer) == [signer])
        #expect(source.needs.first?.responders == nil)
    }

    @Test("A CRL issuer without a directory name isn't an issuer, so the list is the CA's")
    func otherIssuerNames() throws {
        let point = DERPieces.value(
            0x30,
            DERPieces.value(0xa0, DERPieces.value(0xa0, DERPieces.value(0x86, Array("http://crl.example/n".utf8)))),
            DERPieces.value(0xa2, DERPieces.value(0x82, Array("signer.example".utf8))))
        let points = Extension(
            identifier: try #require(OID("2.5.29.31")), isCritical: false, value: DERPieces.value(0x30, point))
        let leaf = try scene.intermediate.issue(.leaf(TrustScene.name).with { $0.extensions = [points] }).certificate
        let unchecked = scene.trust([leaf, scene.path[1]]) { $0.settings.revocation = trust.settings.revocation }
        let need = try #require(unchecked.revocationNeeds(after: unchecked.evaluate()).first)
        #expect(need.crls.map(\.urls) == [["http://crl.example/n"]] && need.crls.map(\.issuer) == [leaf.issuer])
    }

    @Test("A CRL signer without a status leads to the evidence about the signer")
    func signers() async throws {
        let authority = try scene.root.intermediate(.authority("CA").with { $0.keyUsage = .keyCertSign })
        let signer = try scene.root.issue(
            .crlSigner("CA").with {
                $0.organization = "Test"
                $0.crlDistributionPoints = ["http://crl.example/signer"]
            })
        let leaf = try authority.issue(.leaf(TrustScene.name)).certificate
        let source = OneStep()
        let trust = try scene.prepared {
            $0.presentedChain = PresentedChain([leaf, authority.certificate, signer.certificate])
            $0.settings.revocation = .required
            $0.settings.revocation.scope = .leaf
            $0.settings.revocationData.lists = [try CertificateRevocationList(der: signer.crl().der)]
        }
        #expect(await trust.evaluate(fetching: source).codes == [.revocationUnavailable])
        let need = try #require(source.needs.first { $0.isSigner })
        #expect(need.certificate == signer.certificate && need.issuer == scene.root.certificate)
        #expect(need.crls.map(\.urls) == [["http://crl.example/signer"]])
    }

    @Test("Revocation data has the size of the bytes that only it keeps")
    func size() throws {
        let (crl, response) = (try list(), try scene.intermediate.ocspResponse { $0.add(scene.leaf) }.der)
        var data = RevocationData(ocspResponses: [response], crls: [[1, 2, 3]], lists: [crl])
        #expect(data.size == response.count + 3)
        data.fetchedLists = [crl]
        data.responses = [try OCSPResponse(der: response)]
        #expect(data.size == 2 * response.count + 3 + crl.size)
    }

    @Test("Of two findings, the one with the stronger status counts")
    func combined() {
        let order: [RevocationFinding.Status] = [
            .revoked(at: nil, reason: nil), .unobtainable([.crlTooOld]), .good, .exempt(.shortLived),
            .unobtainable([.noEvidence]), .unchecked,
        ]
        let findings = order.map { RevocationFinding(certificate: 0, status: $0) }
        for (place, stronger) in findings.enumerated() {
            for weaker in findings[place...] {
                #expect(RevocationFinding.combined([stronger], [weaker]) == [stronger])
                #expect(RevocationFinding.combined([weaker], [stronger]) == [stronger])
            }
        }
        #expect(
            RevocationFinding.combined(findings, []) == findings && RevocationFinding.combined([], findings) == findings
        )
    }
}
