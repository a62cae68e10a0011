// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Chains in the wrong order")
struct LeafOrderTests {
    let scene: TrustScene
    let other: Certificate

    init() throws {
        scene = try TrustScene()
        other = try scene.intermediate.issue(.leaf("api.example.com")).certificate
    }

    private func index(_ chain: [Certificate], _ host: Hostname?) -> Int? {
        PresentedChain(chain).misplacedLeaf(for: host)?.index
    }

    @Test("The host's certificate after a CA's is misplaced")
    func misplaced() throws {
        let authority = scene.path[1]
        #expect(index([authority, scene.leaf], scene.host) == 1)
        #expect(index([authority, other, scene.leaf], scene.host) == 2)
        #expect(index([authority, scene.leaf], nil) == 1)
        let found = try #require(PresentedChain([authority, scene.leaf]).misplacedLeaf(for: scene.host))
        #expect(found.description.contains(TrustScene.name) && found.description.hasSuffix("[leafNotFirst]"))
        #expect(found.advice.contains("Put the host's certificate (CN=\(TrustScene.name)"))
    }

    @Test("A chain that starts with a leaf is in order, and so is one without a certificate for the host")
    func inOrder() throws {
        let authority = scene.path[1]
        for host in [scene.host, nil] {
            #expect(index(scene.chain, host) == nil && index([scene.leaf, authority, other], host) == nil)
            #expect(index([authority, scene.path[2]], host) == nil && index([], host) == nil)
        }
        #expect(index([authority, other], scene.host) == nil)
        // Without a host, several leaves could be meant.
        #expect(index([authority, scene.leaf, other], nil) == nil)
        // A CA may itself be valid for the host.
        let named = try scene.root.intermediate(.authority("CA").with { $0.dnsNames = [TrustScene.name] }).certificate
        #expect(index([named, scene.leaf], scene.host) == nil)
        // A certificate without basic constraints isn't a CA's.
        let plain = try scene.intermediate.issue(.leaf(TrustScene.name).with { $0.isAuthority = nil }).certificate
        #expect(index([plain, scene.leaf], nil) == nil && index([authority, plain], nil) == 1)
        // The comparison ends after 100 certificates.
        #expect(index([Certificate](repeating: authority, count: 99) + [scene.leaf], scene.host) == 99)
        #expect(index([Certificate](repeating: authority, count: 100) + [scene.leaf], scene.host) == nil)
    }
}
