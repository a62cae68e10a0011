// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Evidence about a CA has the same effect as evidence about the leaf, whatever the mode and the scope.
@Suite("Evidence about a CA")
struct AuthorityEvidenceTests {
    private static let policies: [RevocationPolicy] = [
        .off, .bestEffort, RevocationPolicy(.bestEffort, scope: .leaf), RevocationPolicy(.bestEffort, sources: .ocsp),
        RevocationPolicy(.required, scope: .leaf),
    ]

    @Test("A revoked CA refuses the server with every policy")
    func revoked() throws {
        let scene = try TrustScene()
        for policy in Self.policies {
            let trust = try scene.prepared {
                $0.revocation = policy
                $0.revocationData.crls = [
                    try scene.root.crl { $0.revoke(scene.intermediate.certificate) }.der,
                    try scene.intermediate.crl().der,
                ]
            }
            let verdict = trust.evaluate()
            #expect(verdict.codes.contains(.certificateRevoked), "\(policy)")
            #expect(verdict.failures.first?.certificate == 1)
        }
    }

    @Test("Evidence about a CA that exceeds the budget refuses the server, although the leaf's status is good")
    func beyondBudget() throws {
        let scene = try TrustScene()
        // Lists in the root's name that another key has signed. Each costs a signature check.
        let impostor = try TestAuthority.root(.authority("Test Root"))
        let junk = try (0..<410).map { number in try impostor.crl { $0.number = UInt64(number) }.der }
        let good = try scene.intermediate.ocspResponse { $0.add(scene.leaf) }.der
        for policy in Self.policies {
            var trust = scene.trust {
                $0.revocation = policy
                $0.revocationData.ocspResponses = [good]
            }
            #expect(trust.evaluate().isTrusted)
            trust.revocationData.crls = junk
            let verdict = trust.evaluate()
            #expect(verdict.codes == [.revocationUnavailable], "\(policy): \(verdict.codes)")
            #expect(verdict.failures.map(\.certificate) == [1])
        }
    }

    @Test("A denied leaf doesn't hide that the status of its CA isn't known")
    func deniedLeaf() throws {
        let scene = try TrustScene()
        let verdict = scene.trust {
            $0.revocation = .required
            $0.denied = DeniedList(keys: [SPKIPin(scene.leaf)])
        }.evaluate()
        #expect(verdict.failures.contains { $0.code == .certificateDenied && $0.certificate == 0 })
        #expect(verdict.failures.filter { $0.code == .revocationUnavailable }.map(\.certificate) == [1])
    }

    @Test(
        "A pinned leaf without a path needs the revocation check and the staple that are required, with or without its name",
        arguments: [true, false])
    func pinnedLeaf(validatesHost: Bool) throws {
        let lab = try TrustLab()
        for mustStaple in [true, false] {
            let leaf = try lab.leaf { $0.mustStaple = mustStaple }
            let evaluator = try PublicKeysTrustEvaluator(
                keys: [leaf.subjectPublicKeyInfo], performDefaultValidation: false, validateHost: validatesHost)
            var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: [])
            #expect(evaluator.evaluate(trust).result == .proceed)
            if mustStaple { trust.presentedChain.staple = .none } else { trust.revocation = .required }
            let code: TrustFailure.Code = mustStaple ? .stapleMissing : .revocationUnavailable
            #expect(evaluator.evaluate(trust).failureCodes.contains(code))
        }
    }
}
