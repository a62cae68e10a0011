// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

@Suite("All valid paths")
struct ValidPathsTests {
    @Test(
        "The search returns each valid path once, up to the limit",
        arguments: [(-1, 0), (0, 0), (1, 1), (2, 2), (64, 2)])
    func limit(limit: Int, count: Int) throws {
        let lab = try CrossSignedLab()
        for trust in try lab.trusts() {
            let paths = trust.validPaths(limit: limit).map(\.certificates)
            #expect(paths.count == count && Set(paths).count == count)
            #expect(Set(paths).isSubset(of: [lab.pathA, lab.pathB]))
        }
    }

    @Test("A peer that isn't trusted has no valid path")
    func untrusted() throws {
        let lab = try TrustLab()
        #expect(try lab.trust(lab.leaf()).validPaths().count == 1)
        #expect(try lab.trust(lab.expiredLeaf()).validPaths().isEmpty)
        #expect(try lab.trust(lab.leaf(), host: "api.example.com").validPaths().isEmpty)
        #expect(try Trust.lab([], anchors: [lab.root.certificate]).validPaths().isEmpty)
    }
}
