// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Verdicts that must both be accepted")
struct CombinedVerdictTests {
    @Test(
        "One verdict's revocation findings count for the other if both have the same path",
        arguments: [true, false])
    func revocation(isSamePath: Bool) throws {
        let (one, other) = (try TestAuthority.root(.authority("One")), try TestAuthority.root(.authority("Other")))
        let intermediate = try one.intermediate(.authority("CA"))
        let crossed = try intermediate.crossSigned(by: other)
        let leaf = try intermediate.issue(.leaf(TrustScene.name)).certificate
        let chain = [leaf, intermediate.certificate, crossed.certificate]
        var checked = try Trust.lab(chain, anchors: [one.certificate], host: TrustScene.name)
        checked.revocation = .required
        checked.revocationData.crls = [try one.identity.crl().der, try intermediate.identity.crl().der]
        var unchecked = try Trust.lab(
            chain, anchors: [isSamePath ? one.certificate : other.certificate], host: TrustScene.name)
        unchecked.revocation = .off
        let (left, right) = (unchecked.evaluate(), checked.evaluate())
        #expect(left.isTrusted && right.isTrusted && (left.path == right.path) == isSamePath)
        let both = left.combined(with: right)
        #expect(both.path == left.path)
        #expect(both.checked.contains(.revocation) == isSamePath)
        #expect(both.notChecked.contains(.revocation) != isSamePath)
        #expect(both.revocation == (isSamePath ? right.revocation : left.revocation))
    }
}
