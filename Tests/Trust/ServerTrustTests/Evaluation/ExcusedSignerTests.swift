// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing
import TrustScenes

@testable import ServerTrust
@testable import ServerTrustTesting

@Suite("Evidence from delegates of a CA whose expiry is excused")
struct ExcusedSignerTests {
    @Test("A delegate's revocation counts, but its good answer doesn't", arguments: [true, false])
    func delegate(isRevoked: Bool) throws {
        let root = try TestAuthority.root()
        let authority = try root.intermediate(.authority("CA").with { $0.notAfter = TrustLab.past })
        let leaf = try authority.issue(.leaf(TrustLab.host)).certificate
        let signer = try authority.issue(.ocspSigner())
        let response = try authority.ocspResponse(signedBy: signer) { $0.add(leaf, isRevoked ? .revoked : .good) }
        var trust = try Trust.lab([leaf, authority.certificate], anchors: [root.certificate])
        trust.revocation.scope = .leaf
        try trust.setExceptions(trust.evaluate().exceptions())
        #expect(trust.evaluate().result == .proceed)
        trust.revocationData.ocspResponses = [response.der]
        for mode in [RevocationPolicy.Mode.off, .bestEffort] {
            trust.revocation.mode = mode
            let verdict = trust.evaluate()
            #expect(verdict.isTrusted == !isRevoked, "\(mode)")
            #expect(verdict.failures.contains { $0.code == .certificateRevoked } == isRevoked, "\(mode)")
        }
        guard !isRevoked else { return }
        trust.revocation.mode = .required
        #expect(trust.evaluate().failures.contains { $0.code == .revocationUnavailable })
    }
}
