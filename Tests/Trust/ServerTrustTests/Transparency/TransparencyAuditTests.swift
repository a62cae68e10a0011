// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Issuers with a key that a timestamp covers")
struct TransparencyAuditTests {
    @Test("The audit finds the signer after other certificates with its name, and after copies of them")
    func signer() throws {
        let others = try (0..<20).map { _ in try TestAuthority.root(.authority("Test Intermediate")).certificate }
        let lab = try TrustLab()
        let (leaf, signer) = (try lab.leaf(), lab.intermediate.certificate)
        let copies = Array(repeating: others, count: 5).flatMap(\.self)
        for candidates in [others + [signer], copies + [signer], [signer] + others] {
            #expect(TransparencyAudit.issuer(of: leaf, among: [leaf] + candidates) == signer)
        }
    }

    @Test("Without the signer, or with a signature that no key verifies, the audit uses the key identifier")
    func keyIdentifier() throws {
        let other = try TestAuthority.root(.authority("Test Intermediate")).certificate
        let lab = try TrustLab()
        let (leaf, signer) = (try lab.leaf().withFlippedSignatureBit(), lab.intermediate.certificate)
        #expect(TransparencyAudit.issuer(of: leaf, among: [leaf, other, signer]) == signer)
        #expect(TransparencyAudit.issuer(of: leaf, among: [leaf, other]) == other)
        #expect(TransparencyAudit.issuer(of: leaf, among: [leaf, lab.root.certificate]) == nil)
    }
}
