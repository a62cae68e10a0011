// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Anchor store")
struct AnchorStoreTests {
    @Test("A repeated anchor is public if one of its occurrences is")
    func repeatedAnchor() throws {
        let root = try TestAuthority.root().certificate
        for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
            let store = AnchorStore([
                TrustAnchor(root, conditions: [], isPublic: first), TrustAnchor(root, conditions: [], isPublic: second),
            ])
            #expect(store.anchors.map(\.isPublic) == [first || second])
        }
        let other = try TestAuthority.root().certificate
        #expect(AnchorStore([TrustAnchor(root), TrustAnchor(other)]).anchors.map(\.certificate) == [root, other])
        #expect(TrustAnchor(root) != TrustAnchor(other))
    }
}
