// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Advice for several failures together, and for evidence that doesn't count.
@Suite("Advice for failure patterns")
struct PatternAdviceTests {
    typealias Situation = VerdictAdviceTests.Situation
    typealias Expected = VerdictAdviceTests.Expected

    /// A clock that was never set.
    private static let start = Time(secondsSinceEpoch: 30)

    static let situations: [Situation] = [
        Situation(
            "a date before every certificate is one problem, and the user's",
            [
                Expected(
                    .certificateNotYetValid, .user, at: 0, 1, 2, options: [.time(TestAuthority.notBefore)])
            ]
        ) { $0.trust(at: start) },
        Situation(
            "a recreated self-signed certificate, with its predecessor in a file", renewed(.user)
        ) { try renewed($0) },
        Situation(
            "a recreated self-signed certificate, with its predecessor in the store", renewed(.machine),
            places: CertificatePlaces(anchors: [])
        ) { try renewed($0) },
        Situation(
            "a self-signed certificate with another name isn't an anchor",
            [Expected(.hostMismatch, .server, at: 0), Expected(.selfSignedLeaf, .server, at: 0)]
        ) { $0.trust([try TestAuthority.selfSigned(.leaf("ingress.local")).certificate]) },
    ]

    private static func renewed(_ party: Advice.Party) -> [Expected] {
        [
            Expected(.signatureInvalid, party, at: 0), Expected(.notCertificateAuthority, party, at: 1),
            Expected(.keyUsageLacksCertSign, party, at: 1),
        ]
    }

    private static func renewed(_ scene: TrustScene) throws -> Trust {
        let old = try TestAuthority.selfSigned(.leaf(TrustScene.name)).certificate
        let new = try TestAuthority.selfSigned(.leaf(TrustScene.name)).certificate
        return scene.trust([new]) { $0.anchors = .only([old]) }
    }

    @Test("Failures with the same cause get one remedy", arguments: situations)
    func pattern(_ row: Situation) throws {
        let trust = try row.trust(try TrustScene())
        let verdict = trust.evaluate()
        let advice = verdict.advice(presented: trust.presentedChain, places: row.places)
        #expect(advice.compactMap(Expected.init) == row.expected, "\(verdict)")
        if row.expected.count == 3 { #expect(Set(advice.map(\.text)).count == 1) }
    }

    @Test("The advice names the CA of a product that inspects connections, and no other CA")
    func inspection() throws {
        for (name, product) in [
            ("Zscaler Root CA", "Zscaler"), ("mitmproxy", "mitmproxy"), ("Test Root", nil), ("Cloudflare", nil),
        ] {
            let scene = try TrustScene(root: .authority(name))
            let trust = scene.trust { $0.anchors = .only([]) }
            let advice = trust.evaluate().advice(presented: trust.presentedChain)
            #expect(advice.first?.party == .user)
            #expect(advice.first?.text.contains("inspects connections") == (product != nil))
            #expect(product.map { advice.first?.text.contains("names \($0), ") == true } != false)
        }
    }

    @Test("Every remedy is for an existing obstacle and has no unfilled placeholder") func obstacles() throws {
        let scene = try TrustScene()
        for name in EvidenceAdvice.remedies.entries.map(\.name) {
            #expect(RevocationTerm.named(name, .obstacle) != nil, "\(name)")
            let text = EvidenceAdvice.text(
                [RevocationObstacle(name: name)], for: scene.leaf, issuer: scene.intermediate.certificate)
            #expect(text?.contains("{") == false)
        }
        #expect(EvidenceAdvice.text([.budgetExceeded], for: scene.leaf, issuer: nil) == nil)
        let evidence = try scene.intermediate.crl { $0.nextUpdate = TestAuthority.now.advanced(by: -60) }
        let trust = scene.trust {
            $0.revocation = RevocationPolicy(.required)
            $0.revocationData.crls = [evidence.der]
        }
        let advice = trust.evaluate().advice(presented: trust.presentedChain)
        #expect(advice.contains { $0.text.contains("\(TestAuthority.now.advanced(by: -60))") })
    }

    @Test("The advice for a CRL for another part contains the address of the right one") func address() throws {
        let scene = try TrustScene()
        let leaf = try scene.intermediate.issue(
            .leaf(TrustScene.name).with { $0.crlDistributionPoints = ["http://crl.test/1.crl"] }
        ).certificate
        let text = EvidenceAdvice.text([.crlScopeMismatch], for: leaf, issuer: nil)
        #expect(text?.contains("http://crl.test/1.crl") == true)
    }

    @Test("The advice names a CA without cRLSign as the cause") func keyUsage() throws {
        let scene = try TrustScene(
            intermediate: .authority("Test Intermediate").with { $0.keyUsage = [.keyCertSign] })
        let obstacle = [RevocationObstacle.crlSignerNotFound]
        let issuer = scene.intermediate.certificate
        #expect(EvidenceAdvice.text(obstacle, for: scene.leaf, issuer: issuer)?.contains("cRLSign") == true)
        #expect(EvidenceAdvice.text(obstacle, for: scene.leaf, issuer: nil)?.contains("cRLSign") == false)
    }
}
